"""The root: it can be reached and written, and its clock agrees with ours."""

from __future__ import annotations

from collections.abc import Iterator

from voxmem.health.clock import clock_against
from voxmem.health.finding import Finding
from voxmem.health.machine import Place, nearest
from voxmem.models.catalogue import catalogue
from voxmem.store.root import open_root


def root(place: Place) -> Iterator[Finding]:
    """One mebibyte is written and removed. A folder that is not there yet is not made."""
    opened = open_root(place.root)
    if not place.in_bucket and not opened.path.exists():
        yield Finding("root", "ok", f"{opened.uri} is not there yet; below {nearest(opened.path)}")
        return
    opened.check_writable()
    releases = opened.releases()
    yield Finding("root", "ok", f"{opened.uri} can be written; {len(releases)} releases")


def store_clock(place: Place) -> Iterator[Finding]:
    """An object store refuses who is a quarter of an hour off."""
    if not place.in_bucket:
        return
    from voxmem.store.s3 import open_bucket

    yield clock_against("the object store", open_bucket(place.root).date())


def catalogue_of_models(place: Place) -> Iterator[Finding]:
    """The catalogue can be read, and names no model twice."""
    yield Finding("catalogue of models", "ok", f"{len(catalogue())} models")
