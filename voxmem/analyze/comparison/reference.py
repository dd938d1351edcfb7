"""How what is compared is written: ``NAME``, or ``NAME,KEY=VALUE,…``.

======================  ============================================================
``listener``            a system, with the common options of the command
``listener,arm=cues``   the same under another arm
``gemini-3.1-pro,release=demo,judge=pre+gpt-5.6-luna``
                        a model on a release, as one judge reads it
``demo``                a release, where no system has that name
``demo,root=other``     a release in another folder
======================  ============================================================

The keys of a system are ``arm``, ``judge``, ``prompts``, ``release`` and ``root``; of a release,
``root`` alone. A comma that no ``KEY=`` follows belongs to the value before it:
``judge=panel:a,b,c``.
"""

from __future__ import annotations

from dataclasses import dataclass

from voxmem.errors import UsageError

KEYS = ("arm", "judge", "prompts", "release", "root")
RELEASE_KEYS = ("root",)


@dataclass(frozen=True)
class Reference:
    """One of the two that are compared, as it was written."""

    text: str
    name: str
    settings: dict[str, str]

    def of_release(self) -> Reference:
        """The same, as that of a release.

        Raises:
            UsageError: It has a setting that releases do not have.
        """
        for key in self.settings:
            if key not in RELEASE_KEYS:
                raise UsageError(
                    f"{self.name!r} is a release, and has no setting {key!r}",
                    item=self.text,
                    stage="compare",
                    remedy="give a system first: SYSTEM,release=" + self.name,
                )
        return self


def parse_reference(text: str) -> Reference:
    """What a text names.

    Raises:
        UsageError: It has no name, or a setting that does not exist or has no value.
    """
    name, *parts = [part.strip() for part in text.split(",")]
    if not name or "=" in name:
        raise _wrong(text, "names nothing")
    settings: dict[str, str] = {}
    last = ""
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals and last:
            settings[last] += f",{part}"
            continue
        if key not in KEYS:
            raise _wrong(text, f"has no setting {key!r}")
        if key in settings:
            raise _wrong(text, f"has the setting {key!r} twice")
        if not value:
            raise _wrong(text, f"gives {key!r} no value")
        settings[key], last = value, key
    return Reference(text, name, settings)


def _wrong(text: str, why: str) -> UsageError:
    return UsageError(
        why,
        item=repr(text),
        stage="compare",
        remedy=f"write SYSTEM or SYSTEM,KEY=VALUE,… with the keys {', '.join(KEYS)}; or a release",
    )
