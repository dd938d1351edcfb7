"""``voxmem models``: what can be evaluated."""

from __future__ import annotations

from voxmem.commands.shared import JsonOption, show


def models(as_json: JsonOption = False) -> None:
    """List the systems that can be evaluated."""
    from voxmem.evaluate import controls
    from voxmem.models.registry import SYSTEMS, create

    assert controls.CONTROLS  # importing the module registers its systems
    rows = [
        {"name": name, "kind": str(getattr(create(name), "kind", ""))} for name in sorted(SYSTEMS)
    ]
    show({"systems": rows}, as_json, "\n".join(f"{row['name']:<20}{row['kind']}" for row in rows))
