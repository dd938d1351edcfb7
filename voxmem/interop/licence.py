"""The licences of a release, as hubs and metadata name them."""

from __future__ import annotations

import re

from voxmem.store.release import Release

OTHER = "other"
_FREE = frozenset({"cc0-1.0"})
_PERMISSIVE = frozenset({"apache-2.0", "cc-by-4.0", "mit"})
_NON_COMMERCIAL = "cc-by-nc-4.0"
_SPDX = {
    "apache-2.0": "Apache-2.0",
    "cc-by-4.0": "CC-BY-4.0",
    "cc-by-nc-4.0": "CC-BY-NC-4.0",
    "cc0-1.0": "CC0-1.0",
    "mit": "MIT",
}
_NAMED = re.compile(r"\b(?:Apache-2\.0|MIT|CC0|CC[ -]BY(?:[ -](?:NC|ND|SA))*[ -]\d\.\d)\b")


def licence(release: Release) -> str:
    """The identifier that a hub shows for the whole: the one that all parts share, or
    ``cc-by-nc-4.0`` if it is the strictest; ``other`` if no single one covers everything."""
    found: set[str] = set().union(*(_identifiers(text) for text in release.licences.values()))
    binding = found - _FREE or found
    if len(binding) == 1:
        return binding.pop()
    return _NON_COMMERCIAL if binding - _PERMISSIVE == {_NON_COMMERCIAL} else OTHER


def licence_links(release: Release) -> list[str]:
    """Every licence of a part as an SPDX address; in its own words where it has none."""
    found: set[str] = set()
    for text in release.licences.values():
        names = [_SPDX.get(name) for name in _identifiers(text)]
        found |= {f"https://spdx.org/licenses/{name}.html" if name else text for name in names}
    return sorted(found)


def _identifiers(text: str) -> set[str]:
    """The hub's identifiers of the licences that a text names; ``other`` if there is none."""
    found = {name.lower().replace(" ", "-") for name in _NAMED.findall(text)} or {OTHER}
    return {"cc0-1.0" if name == "cc0" else name for name in found}
