"""What a bootstrap did, or would do, to one thing on the server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from flows.address import without_login

Action = Literal["created", "updated", "unchanged", "left over", "removed"]

_WOULD = {"created": "would create", "updated": "would update", "removed": "would remove"}
_SHOWN = 60
"""Characters of a value that a line shows."""
_LISTED = 8
"""Fields of one thing that are listed; the JSON has all."""


@dataclass(frozen=True)
class Change:
    """One thing and what came of it.

    Attributes:
        fields: What was updated: path within the thing → (before, after).
        kept: What differs from its declaration because somebody changed it on the server.
    """

    kind: str
    name: str
    action: Action
    fields: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    kept: tuple[str, ...] = ()

    @property
    def is_change(self) -> bool:
        """Whether the server is another one after it."""
        return self.action in ("created", "updated", "removed")

    def as_json(self) -> dict[str, Any]:
        """For ``--json``."""
        fields = {
            name: {"from": _shown(old), "to": _shown(new)}
            for name, (old, new) in self.fields.items()
        }
        return {
            "kind": self.kind,
            "name": self.name,
            "action": self.action,
            "fields": fields,
            "kept": list(self.kept),
        }

    def lines(self, *, dry_run: bool = False) -> Iterator[str]:
        """For people; nothing of what is as it should be."""
        if self.action == "unchanged" and not self.kept:
            return
        action = _WOULD.get(self.action, self.action) if dry_run else self.action
        first = f"{action:<12} {self.kind} {self.name}"
        if self.action == "created":
            values = ", ".join(_short(new) for _, new in self.fields.values())
            yield first + (f": {values}" if values else "")
            return
        yield first
        for name, (old, new) in list(self.fields.items())[:_LISTED]:
            yield f"               {name}: {_short(old)} → {_short(new)}"
        if len(self.fields) > _LISTED:
            yield f"               and {len(self.fields) - _LISTED} more"
        for line in self.kept:
            yield f"               kept: {line}"


def differences(old: Any, new: Any, path: str = "") -> dict[str, tuple[Any, Any]]:
    """What differs, as path → (old, new); mappings are compared key by key."""
    if not (isinstance(old, Mapping) and isinstance(new, Mapping)):
        return {} if old == new else {path: (old, new)}
    found: dict[str, tuple[Any, Any]] = {}
    for key in [*old, *(key for key in new if key not in old)]:
        inner = f"{path}.{key}" if path else str(key)
        found |= differences(old.get(key), new.get(key), inner)
    return found


def settled(
    kind: str, name: str, fields: Mapping[str, tuple[Any, Any]], kept: tuple[str, ...] = ()
) -> Change:
    """The change of something that exists."""
    return Change(kind, name, "updated" if fields else "unchanged", fields, kept)


def _short(value: Any) -> str:
    text = "nothing" if value is None else str(_shown(value))
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _shown(value: Any) -> Any:
    """A value of a server, which may be older than what keeps passwords out of it."""
    return without_login(value) if isinstance(value, str) else value
