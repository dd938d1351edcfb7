"""The way from the dashboard to the report."""

from __future__ import annotations

import os
from pathlib import Path

from prefect.artifacts import create_link_artifact

from flows.boards.showing import artifact_key, harmless

VARIABLE = "VOXMEM_REPORT_URL"
"""Environment variable: where the folder of the report is served, if it is."""


def link_report(page: str, release: str) -> None:
    """Shows where the report of a release is.

    Args:
        page: Its first page, as a path or as an address.
        release: The id of the release.
    """
    link = address(page)
    with harmless("the report"):
        create_link_artifact(
            link,
            link_text=f"Report of {release}",
            key=artifact_key("report", release),
            description=f"Report of {release}: {page}",
        )


def address(page: str) -> str:
    """The address of a page: below that of the setting, or else as a file or object."""
    base = os.environ.get(VARIABLE, "").strip().rstrip("/")
    if base:
        return f"{base}/{page.rpartition('/')[2]}"
    return page if "://" in page else Path(page).absolute().as_uri()
