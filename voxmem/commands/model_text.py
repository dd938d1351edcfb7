"""How models, and what preflight found of them, are printed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from voxmem.models.entry import ModelEntry, Tier

if TYPE_CHECKING:
    from voxmem.evaluate.preflight import Preflight

UNKNOWN = "–"
_GEMINI_KEY = "GEMINI_API_KEY"


def table(rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as they need, two spaces apart."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def listing(entries: Sequence[ModelEntry], systems: Mapping[str, str]) -> str:
    """Models as Table 12 of VoxMem lists them, then what needs no model."""
    head = ("model", "group", "backend", "LLM", "LLM+enc.", "context", "64K", "status here")
    models = table([head, *(_row(entry) for entry in entries)])
    others = table([("system", "kind"), *((name, kind) for name, kind in systems.items())])
    note = (
        "64K: whether the paper has a complete run (VoxMem, Table 14). "
        "Memory systems can also ask a model: NAME@MODEL."
    )
    return f"{models}\n\n{others}\n\n{note}"


def shown(entry: ModelEntry) -> ModelEntry:
    """The entry as it may be printed: what is added to a worker's environment may be a key."""
    added = entry.settings.get("env")
    if not isinstance(added, dict):
        return entry
    settings = {**entry.settings, "env": dict.fromkeys(added, "…")}
    return entry.model_copy(update={"settings": settings})


def status_64k(entry: ModelEntry) -> str:
    """✓ or ×, as Table 14 of VoxMem; unknown for models that it did not evaluate."""
    if "voxmem" not in entry.suites:
        return UNKNOWN
    return "×" if "64K" in entry.excluded else "✓"


def page(entry: ModelEntry) -> str:
    """Everything of one entry, what serves it last but one."""
    facts = table([(name, value) for name, value in _facts(entry)])
    command = entry.serving.command
    serving = f"\n\nTo run it:\n{_indented(command)}" if command else ""
    notes = "".join(f"\n- {note}" for note in entry.serving.notes)
    return f"{entry.title}\n\n{facts}{serving}" + (f"\n\nNotes:{notes}" if notes else "")


def findings(preflight: Preflight) -> str:
    """What a preflight found, a line a check."""
    rows = [("check", "budget", "result", "so it is", "what was measured")]
    rows += [
        (
            each.check,
            each.budget or "all",
            each.status,
            {"nothing": "fine"}.get(each.means, each.means),
            each.detail,
        )
        for each in preflight.findings
    ]
    spent = "" if preflight.dollars is None else f", {preflight.dollars:.4f} $"
    return f"{table(rows)}\n\n{preflight.system}: {preflight.requests} answers asked for{spent}"


def _row(entry: ModelEntry) -> tuple[str, ...]:
    return (
        entry.name,
        entry.group,
        entry.backend,
        _billions(entry.parameters_llm),
        _billions(entry.parameters_all),
        _count(entry.context),
        status_64k(entry),
        entry.proof.status,
    )


def _facts(entry: ModelEntry) -> list[tuple[str, str]]:
    sizes = f"{_billions(entry.parameters_llm)}, {_billions(entry.parameters_all)} with encoders"
    sizes = "not known" if entry.parameters_llm is None else sizes
    rate = entry.tokens_per_second
    return [
        ("name", entry.name),
        ("group", entry.group),
        ("evaluated by", ", ".join(entry.suites)),
        ("backend", f"{entry.backend}, family {entry.family}"),
        ("model", entry.model),
        ("revision", entry.revision or "not pinned"),
        ("parameters", sizes),
        ("context", "not known" if entry.context is None else f"{entry.context:,d} tokens"),
        ("audio", "not known" if rate is None else f"{rate:g} tokens a second"),
        ("clips", _clips(entry)),
        ("system text", entry.delivery),
        ("answer", _decoding(entry)),
        ("pace", _pace(entry)),
        *_price(entry),
        ("licence", entry.licence or f"{UNKNOWN} (not verified: read the model's page)"),
        ("64K", entry.excluded.get("64K", status_64k(entry))),
        ("status here", f"{entry.proof.status}: {entry.proof.by}"),
        *((f"settings.{name}", str(value)) for name, value in entry.settings.items()),
        ("key", _key(entry)),
    ]


def _clips(entry: ModelEntry) -> str:
    limits = entry.clips
    known = (
        (limits.longest_seconds, "longer than {:g} s are split"),
        (limits.most, "at most {:d} in a request"),
        (limits.bytes, "at most {:,d} bytes each"),
        (limits.request_bytes, "bodies up to {:,d} bytes"),
    )
    said = [text.format(value) for value, text in known if value is not None]
    return "; ".join(said) or "no limit known"


def _decoding(entry: ModelEntry) -> str:
    decoding = entry.decoding
    known = (("temperature", decoding.temperature), ("seed", decoding.seed))
    said = [f"{name} {value:g}" for name, value in known if value is not None]
    said += [f"thinking {decoding.thinking}"] if decoding.thinking is not None else []
    return ", ".join([f"at most {decoding.max_output_tokens} tokens", *said])


def _pace(entry: ModelEntry) -> str:
    pace = entry.pace
    known = (
        (pace.requests_per_minute, "requests"),
        (pace.tokens_per_minute, "tokens"),
        (pace.bytes_per_minute, "bytes"),
    )
    said = [f"{value:,.0f} {what} a minute" for value, what in known if value is not None]
    return ", ".join([f"{pace.concurrency} at a time", *said])


def _price(entry: ModelEntry) -> list[tuple[str, str]]:
    if entry.price is None:
        return [("price", "none known" if entry.group == "proprietary" else "none")]
    tiers = [("price" if not at else "", _tier(tier)) for at, tier in enumerate(entry.price.tiers)]
    return [*tiers, ("", f"of {entry.price.as_of}; {entry.price.source}")]


def _tier(tier: Tier) -> str:
    upto = f"up to {tier.up_to:,d} tokens" if tier.up_to else "at any length beyond"
    cached = "" if tier.cached is None else f", cached {tier.cached:g}"
    return (
        f"{upto}: text {tier.input_text:g}, audio {tier.input_audio:g}{cached}, "
        f"output {tier.output:g} $ a million"
    )


def key_variable(entry: ModelEntry) -> str | None:
    """The environment variable that holds its key, if it needs one."""
    default = _GEMINI_KEY if entry.backend == "gemini" else None
    named = entry.settings.get("api_key_env", default)
    return str(named) if named else None


def _key(entry: ModelEntry) -> str:
    variable = key_variable(entry)
    if variable is None:
        return "none needed"
    return f"${variable}, {'set' if os.environ.get(variable, '').strip() else 'not set'}"


def _billions(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:.1f}B"


def _count(value: int | None) -> str:
    return UNKNOWN if value is None else f"{value:,d}"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.strip().splitlines())
