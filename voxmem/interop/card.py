"""A dataset card for a release, in the form that dataset hubs read."""

from __future__ import annotations

import json
from collections.abc import Mapping

from voxmem.interop.configs import configs
from voxmem.store.release import Release


def dataset_card(release: Release, counts: Mapping[str, int]) -> str:
    """Front matter with the configs, and what the release is.

    Args:
        counts: Config that holds files → its rows.
    """
    parts = [
        _front_matter(release, counts),
        f"# {release.release_id}\n",
        "A benchmark of multi-session spoken memory, built with voxmem: every row is one question "
        "over the history of conversations that precedes it. User turns are audio, assistant turns "
        "are text. The question's text is for analysis and judging, and is not given to a model.\n",
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
        f"pretty_name: {json.dumps(release.release_id)}",
        "language: [en]",
        "task_categories: [question-answering]",
        "tags: [audio, speech, memory, benchmark]",
        f"license: {licence(release)}",
        "configs:",
    ]
    for name, globs in configs(counts).items():
        lines += [f"- config_name: {name}", "  data_files:", "  - split: train", "    path:"]
        lines += [f"    - {glob}" for glob in globs]
    return "\n".join((*lines, "---\n"))


def licence(release: Release) -> str:
    """The identifier that a hub shows: the strictest of the release's own."""
    if any("BY-NC" in text.upper().replace(" ", "-") for text in release.licences.values()):
        return "cc-by-nc-4.0"
    plain = {text.partition(" ")[0] for text in release.licences.values()}
    return "apache-2.0" if plain == {"Apache-2.0"} else "other"


def _table(title: str, rows: Mapping[str, object], left: str, right: str) -> str:
    lines = [f"## {title}\n", f"| {left} | {right} |", "|---|---|"]
    lines += [f"| {name} | {value} |" for name, value in rows.items()]
    return "\n".join(lines) + "\n"
