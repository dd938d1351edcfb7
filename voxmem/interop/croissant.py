"""Croissant metadata of an exported release (MLCommons Croissant 1.0)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from voxmem.interop.card import licence
from voxmem.interop.configs import configs
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

_FIELDS: dict[str, str] = {
    "item_id": "sc:Text",
    "question_id": "sc:Text",
    "context_length": "sc:Text",
    "family_id": "sc:Text",
    "evidence_type": "sc:Text",
    "memory_operation": "sc:Text",
    "subtype": "sc:Text",
    "question_text": "sc:Text",
    "query_timestamp": "sc:Text",
    "expected_response": "sc:Text",
    "gold_json": "sc:Text",
    "answer_type": "sc:Text",
    "answer_normalization": "sc:Text",
    "session_count": "sc:Integer",
    "evidence_session_count": "sc:Integer",
    "filler_session_count": "sc:Integer",
    "topical_haystack_session_count": "sc:Integer",
    "samekey_haystack_session_count": "sc:Integer",
    "history_audio_tokens": "sc:Integer",
    "history_duration_seconds": "sc:Float",
    "paired_question_id": "sc:Text",
    "benchmark_version": "sc:Text",
}
"""The flat columns: a reader of the metadata finds items by them."""


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
        "license": licence(release),
        "version": release.manifest_hash[:12],
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
            {
                "@type": "cr:Field",
                "@id": f"{name}/{column}",
                "name": f"{name}/{column}",
                "dataType": kind,
                "source": {"fileSet": {"@id": f"files-{name}"}, "extract": {"column": column}},
            }
            for column, kind in _FIELDS.items()
        ],
    }
