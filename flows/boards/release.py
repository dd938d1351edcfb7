"""What a release is, on the page of the run that froze it."""

from __future__ import annotations

from collections import Counter

from prefect.artifacts import create_markdown_artifact

from flows.boards.showing import artifact_key, harmless
from voxmem.store.release import Release


def show_release(release: Release) -> None:
    """Shows the hashes, the counts and the licences of a release."""
    with harmless("the release"):
        create_markdown_artifact(
            _page(release),
            key=artifact_key("release", release.release_id),
            description=f"Release {release.release_id}",
        )


def _page(release: Release) -> str:
    terms = Counter(release.licences.values())
    parts = sum(len(held.parts) for held in release.tables.values())
    return "\n".join(
        [
            f"### {release.release_id}",
            f"{release.objects:,} objects, {len(release.tables)} tables in {parts:,} parts; "
            f"{len(release.licences)} sources under {len(terms)} licences",
            "",
            "| what | SHA-256 |",
            "|---|---|",
            f"| manifest | `{release.manifest_hash}` |",
            f"| text and plan | `{release.text_hash}` |",
            f"| audio | `{release.audio_hash}` |",
            "",
            "| counted | |",
            "|---|---:|",
            *(f"| {name} | {count:,} |" for name, count in release.counts.items()),
            "",
            "| licence | sources |",
            "|---|---:|",
            *(f"| {name} | {count} |" for name, count in sorted(terms.items())),
        ]
    )
