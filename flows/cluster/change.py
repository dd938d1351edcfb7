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
_UNSAID = "…"
"""In place of a value that may be a secret."""


@dataclass(frozen=True)
class Change:
    """One thing and what came of it.

    Attributes:
        fields: What was updated: path within the thing → (before, after).
        kept: What differs from its declaration because somebody changed it on the server.
        dropped: Names of parameters that somebody gave it on the server and that its form refuses.
    """

    kind: str
    name: str
    action: Action
    fields: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    kept: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()

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
            "dropped": list(self.dropped),
        }

    def lines(self, *, dry_run: bool = False) -> Iterator[str]:
        """For people; nothing of what is as it should be."""
        if self.action == "unchanged" and not self.kept:
            return
        action = _WOULD.get(self.action, self.action) if dry_run else self.action
        first = f"{action:<12} {self.kind} {self.name}"
        if self.action == "created":
            values = ", ".join(short(new) for _, new in self.fields.values())
            yield first + (f": {values}" if values else "")
            return
        yield first
        for name, (old, new) in list(self.fields.items())[:_LISTED]:
            yield f"               {name}: {short(old)} → {short(new)}"
        if len(self.fields) > _LISTED:
            yield f"               and {len(self.fields) - _LISTED} more"
        for line in self.kept:
            yield f"               kept: {line}"
        for name in self.dropped:
            yield f"               dropped: {name}"


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Which fields of a thing differ, as path → (old, new). Mappings are compared key by key; of
    what is in one only the name is said, because an environment or a parameter may be a secret."""
    found: dict[str, tuple[Any, Any]] = {}
    for name in [*old, *(name for name in new if name not in old)]:
        before, after = old.get(name), new.get(name)
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            inner = differences(before, after)
            found |= {f"{name}.{path}": _unsaid(*pair) for path, pair in inner.items()}
        elif before != after:
            found[name] = (before, after)
    return found


def _unsaid(*values: Any) -> tuple[Any, Any]:
    old, new = (None if value is None else _UNSAID for value in values)
    return old, new


def settled(
    kind: str,
    name: str,
    fields: Mapping[str, tuple[Any, Any]],
    kept: tuple[str, ...] = (),
    dropped: tuple[str, ...] = (),
) -> Change:
    """The change of something that exists."""
    return Change(kind, name, "updated" if fields else "unchanged", fields, kept, dropped)


def short(value: Any) -> str:
    """A value, as a line shows it."""
    text = "nothing" if value is None else str(_shown(value))
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _shown(value: Any) -> Any:
    """A value of a server, which may be older than what keeps passwords out of it."""
    if isinstance(value, Mapping):
        return _UNSAID
    if isinstance(value, list):
        return [_shown(each) for each in value]
    return without_login(value) if isinstance(value, str) else value
