"""One row of a prediction file, under its published names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, get_args

from pydantic import BaseModel, ConfigDict

from voxmem.errors import UsageError
from voxmem.interop.official.item import OfficialItem
from voxmem.interop.predictions.judgement import judgement_columns
from voxmem.records import Outcome, Response, Verdict

COLUMNS = (
    "item_id",
    "question_id",
    "context_length",
    "family_id",
    "evidence_type",
    "memory_operation",
    "subtype",
    "question_text",
    "expected_response",
    "gold_json",
    "answer_type",
    "answer_normalization",
    "session_count",
    "evidence_session_count",
    "samekey_haystack_session_count",
)
"""Of the item; the same as in the dataset."""
ARMS: dict[str, bool] = {"audio": True, "no-abstention": False}
"""The arms that the official runner has → ``allow_abstention``."""
_OURS = "voxmem "
_GIVEN = re.compile(r"(\d+) clips of \d+ were given")


class Prediction(BaseModel):
    """What is read of a row; everything else of it is known from the item."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    item_id: str
    question_text: str | None = None
    model: str
    allow_abstention: bool
    system_prompt_delivery: str | None = None
    n_audio_clips: int | None = None
    response: str | None
    """``null`` is a failure; the text "null" is an answer."""
    error: str | None = None
    verdict: Any = None
    judge: Any = None
    judge_raw: Any = None
    """These three are what a scorer left: whatever is wrong with them, the answer stands."""

    @property
    def arm(self) -> str:
        """The arm that it was asked under."""
        return next(arm for arm, allowed in ARMS.items() if allowed is self.allow_abstention)

    @property
    def outcome(self) -> Outcome:
        """An error is an error; nothing said is a failure, too."""
        if self.error is not None:
            return _read_error(self.error)[0]
        return "ok" if self.response is not None and self.response.strip() else "empty"

    @property
    def message(self) -> str | None:
        """What happened, if it failed."""
        return None if self.error is None else _read_error(self.error)[1]

    @property
    def answer(self) -> Prediction:
        """The same without what a scorer added."""
        return self.model_copy(update=dict.fromkeys(("verdict", "judge", "judge_raw")))


def clips_note(given: int | None, wanted: int) -> tuple[str, ...]:
    """What a call's notes say where a model was given more or fewer clips than the item has."""
    return () if given in (None, wanted) else (f"{given} clips of {wanted} were given",)


def clips_given(notes: Iterable[str], wanted: int) -> int:
    """The clips that a model was given, by the notes of its call."""
    odd = (_GIVEN.fullmatch(note) for note in notes)
    return next((int(match[1]) for match in odd if match), wanted)


def arm_checked(arm: str) -> str:
    """The arm, if such files can tell it.

    Raises:
        UsageError: They cannot.
    """
    if arm not in ARMS:
        raise UsageError(
            f"prediction files cannot tell the arm {arm!r}",
            stage="export",
            remedy=f"choose one of: {', '.join(ARMS)}",
        )
    return arm


def row_of(
    item: OfficialItem, response: Response, clips: int, verdict: Verdict | None
) -> dict[str, Any]:
    """A row as the official runner writes it; with a verdict, as its scorer does."""
    wrote = response.outcome in ("ok", "truncated")
    row: dict[str, Any] = {name: getattr(item, name) for name in COLUMNS}
    row |= {
        "model": response.system,
        "allow_abstention": ARMS[response.arm],
        "system_prompt_delivery": response.call.delivery,
        "n_audio_clips": clips_given(response.call.notes, clips),
        "response": response.text if wrote else None,
        "error": None if wrote else _error(response),
    }
    if verdict is not None:
        row |= judgement_columns(verdict)
    return row


def _error(response: Response) -> str:
    """The layout has one word for all failures: ours stands before what happened."""
    if response.outcome == "error":
        return response.error or "error"
    return f"{_OURS}{response.outcome}: {response.error or ''}".rstrip(": ")


def _read_error(error: str) -> tuple[Outcome, str | None]:
    """The outcome and what happened; an error of anybody else's wording is an error."""
    name, _, message = error.removeprefix(_OURS).partition(":")
    known: dict[str, Outcome] = {each: each for each in get_args(Outcome)}
    if error.startswith(_OURS) and name in known:
        return known[name], message.strip() or None
    return "error", error
