"""Croissant metadata of an exported release (MLCommons Croissant 1.0)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from voxmem.interop.configs import configs
from voxmem.interop.licence import licence_links
from voxmem.interop.official.layout import AUDIO, COLUMNS
from voxmem.store.release import Release

_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}

_DATA_TYPES = {
    "string": "sc:Text",
    "int32": "sc:Integer",
    "int64": "sc:Integer",
    "double": "sc:Float",
}


def croissant_file(release: Release, out: Path, files: Mapping[str, Sequence[Path]]) -> str:
    """The metadata of the files under ``out``, as JSON-LD.

    Args:
        files: Config that holds files → its files.
    """
    listed = [file for group in files.values() for file in group]
    described = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": release.release_id,
        "description": "Questions over multi-session spoken histories: a benchmark of what audio "
        "language models remember of what they heard.",
        "license": licence_links(release),
        "version": f"{release.versions.get('voxmem', '0')}+{release.manifest_hash[:12]}",
        "citeAs": f"{release.release_id}, a release built with voxmem",
        "keywords": ["audio", "speech", "memory", "benchmark"],
        "isLiveDataset": False,
        "distribution": [
            *(_object(file, out) for file in listed),
            *(_set(name, globs) for name, globs in configs(files).items()),
        ],
        "recordSet": [_records(name) for name in configs(files)],
    }
    return json.dumps(described, indent=1, ensure_ascii=False) + "\n"


def _object(file: Path, out: Path) -> dict[str, Any]:
    with file.open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    name = file.relative_to(out).as_posix()
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{file.stat().st_size} B",
        "encodingFormat": "application/x-parquet",
        "sha256": digest,
    }


def _set(name: str, globs: Sequence[str]) -> dict[str, Any]:
    return {
        "@type": "cr:FileSet",
        "@id": f"files-{name}",
        "name": f"files-{name}",
        "encodingFormat": "application/x-parquet",
        "includes": list(globs),
    }


def _records(name: str) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "key": {"@id": f"{name}/item_id"},
        "field": [
            _field(f"{name}/{column}", {"column": column}, kind, f"files-{name}")
            for column, kind in COLUMNS.items()
        ],
    }


def _field(path: str, extract: Mapping[str, str], kind: pa.DataType, files: str) -> dict[str, Any]:
    """A column, or with a JSON path a part of one.

    Of a session it describes all but the turns: two lists inside each other are beyond what
    readers of this format resolve.
    """
    described: dict[str, Any] = {"@type": "cr:Field", "@id": path, "name": path}
    if pa.types.is_list(kind):
        described["repeated"] = True
        kind = kind.value_type
    if kind == AUDIO:
        described["dataType"] = "sc:AudioObject"
        extract = {**extract, "jsonPath": "bytes"}
    elif pa.types.is_struct(kind):
        described["subField"] = [
            _field(f"{path}/{part.name}", {**extract, "jsonPath": part.name}, part.type, files)
            for part in kind
            if not pa.types.is_nested(part.type)
        ]
        return described
    else:
        described["dataType"] = _DATA_TYPES[str(kind)]
    return {**described, "source": _source(files, extract)}


def _source(files: str, extract: Mapping[str, str]) -> dict[str, Any]:
    source = {"fileSet": {"@id": files}, "extract": {"column": extract["column"]}}
    path = extract.get("jsonPath")
    return source if path is None else {**source, "transform": {"jsonPath": path}}
