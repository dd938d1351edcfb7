"""A dataset card for a release, in the form that dataset hubs read."""

from __future__ import annotations

import json
from collections.abc import Mapping

from voxmem.evaluate.items import IMPORTED_CLIPS
from voxmem.interop.configs import configs
from voxmem.interop.licence import OTHER, licence
from voxmem.store.release import Release


def dataset_card(release: Release, counts: Mapping[str, int]) -> str:
    """Front matter with the configs, and what the release is.

    Args:
        counts: Config that holds files → its rows.
    """
    parts = [
        _front_matter(release, counts),
        f"# {release.release_id}\n",
        f"A benchmark of multi-session spoken memory, {_made(release)} with voxmem: every row is "
        "one question over the history of conversations that precedes it. User turns are audio, "
        "assistant turns are text. The question's text is for analysis and judging, and is not "
        "given to a model.\n",
        *_notes(release),
        _table("Rows", counts, "config", "rows"),
        _table("Counts", release.counts, "what", "count"),
        _table("Versions", release.versions, "what", "version"),
        _table("Licences", release.licences, "what", "licence"),
        "## Identity\n\n"
        f"- seed: {release.seed}\n- text and plans: `{release.text_hash}`\n"
        f"- audio: `{release.audio_hash}`\n- manifest: `{release.manifest_hash}`\n",
    ]
    return "\n".join(parts)


def _front_matter(release: Release, counts: Mapping[str, int]) -> str:
    lines = [
        "---",
        f"pretty_name: {_quoted(release)}",
        "language: [en]",
        "task_categories: [question-answering]",
        "tags: [audio, speech, memory, benchmark]",
        f"license: {licence(release)}",
    ]
    if licence(release) == OTHER:
        lines += ["license_name: several", "license_link: README.md"]
    lines.append("configs:")
    for name, globs in configs(counts).items():
        # The description tells releases apart in the readers' cache: it goes by the folder's name
        # and by what stands here, not by the files.
        lines += [f"- config_name: {name}", f"  description: {_quoted(release)}"]
        lines += ["  data_files:", "  - split: train", "    path:"]
        lines += [f"    - {glob}" for glob in globs]
    return "\n".join((*lines, "---\n"))


def _quoted(release: Release) -> str:
    return json.dumps(release.release_id)


def _made(release: Release) -> str:
    return "read and written again" if IMPORTED_CLIPS in release.tables else "built"


def _notes(release: Release) -> list[str]:
    if {"clips", IMPORTED_CLIPS} & release.tables.keys():
        return []
    return ["This release is text alone: its audio columns are empty, its seconds estimated.\n"]


def _table(title: str, rows: Mapping[str, object], left: str, right: str) -> str:
    lines = [f"## {title}\n", f"| {left} | {right} |", "|---|---|"]
    lines += [f"| {_cell(name)} | {_cell(value)} |" for name, value in rows.items()]
    return "\n".join(lines) + "\n"


def _cell(value: object) -> str:
    return " ".join(str(value).replace("|", "\\|").split())
