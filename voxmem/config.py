"""What a build is: the few numbers from which, with the seed, everything else follows.

A config is a TOML or JSON file; the presets that ship with the package are such files too.
"""

from __future__ import annotations

import json
import tomllib
from datetime import date
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from voxmem import __version__
from voxmem.errors import InputError, UsageError
from voxmem.keys import short
from voxmem.taxonomy import CELLS, Cell, EvidenceType, Operation
from voxmem.vocabulary import DEFAULT_DELIVERIES, DEFAULT_SOUNDS, DELIVERIES, SOUNDS

PRESETS: tuple[str, ...] = ("demo", "small", "paper")


class _Part(BaseModel):
    # What is wrong may be a key in a wrong place: errors do not repeat it.
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


_Address = Annotated[str, Field(pattern=r"^[^@?#]*$")]
"""Of a server: without a user name, password or query, since a config is kept and shown."""


class Budget(_Part):
    """One reference history budget and the most distraction that it may hold."""

    name: str = Field(title="Name", pattern=r"^[0-9]+[KM]$")
    tokens: int = Field(title="Reference tokens", ge=500, le=1_000_000)
    samekey: int = Field(title="Same-key distractors, at most", ge=0, le=64)
    reused: float = Field(
        title="Reused haystack sessions for each evidence session, at most", ge=0, le=16
    )

    def reused_for(self, evidence: int) -> int:
        """How many reused haystack sessions an item with so many evidence sessions may hold."""
        return int(self.reused * evidence + 0.5)


class CellTarget(_Part):
    """How many questions one cell holds (VoxMem, Figure 1a)."""

    operation: Operation
    evidence: EvidenceType
    questions: int = Field(ge=0, le=100_000)


class SourceTarget(_Part):
    """How many refusal items come from sources of one operation (VoxMem, Table 17)."""

    operation: Operation
    questions: int = Field(ge=0, le=100_000)


class LanguageModel(_Part):
    """A language model that plans, writes or checks, and where it is served."""

    provider: Literal["openai", "gemini"] = Field(
        default="openai", title="Protocol: any server of the OpenAI shape, or Gemini"
    )
    model: str = Field(title="Model", min_length=1)
    base_url: _Address | None = Field(default=None, title="Address; the provider's own if absent")
    api_key_env: str | None = Field(default=None, title="Environment variable that holds the key")
    temperature: float | None = Field(default=None, ge=0, le=2, title="Temperature")
    timeout_s: float = Field(default=120.0, gt=0, title="Longest wait for a reply (s)")
    concurrency: int = Field(default=4, ge=1, le=256, title="Requests at a time")


class Speech(_Part):
    """Who speaks, how, and what is heard behind it."""

    engine: str = Field(default="parametric", title="Engine: parametric, higgs or openai-speech")
    base_url: _Address | None = Field(default=None, title="Address of the engine's server")
    model: str | None = Field(default=None, title="Model that the server is asked for")
    api_key_env: str | None = Field(default=None, title="Environment variable that holds the key")
    shape: Literal["sglang", "vllm", "hosted"] = Field(
        default="sglang", title="How the server takes a reference clip (Higgs)"
    )
    takes_instructions: bool = Field(
        default=False, title="Whether the server takes instructions (openai-speech)"
    )
    temperature: float = Field(default=0.8, ge=0, le=2, title="Temperature")
    top_k: int = Field(default=50, ge=1, title="Top k")
    max_new_tokens: int = Field(default=1024, ge=1, title="Longest rendition (tokens)")
    timeout_s: float = Field(default=120.0, gt=0, title="Longest wait for a rendition (s)")
    concurrency: int = Field(default=4, ge=1, le=256, title="Requests at a time")
    voices: str = Field(default="embedded", title="embedded, or the path of a voice manifest")
    sounds: str = Field(default="embedded", title="embedded, or esc50:FOLDER")
    edge_seconds: float = Field(
        default=0.3, ge=0, le=1, title="Background alone before and after the words (s)"
    )
    snr_db: float = Field(default=10.0, ge=-30, le=60, title="Speech over background sound (dB)")
    effects: tuple[str, ...] = Field(
        default=(), title="Effects on every clip, such as telephone; none by default"
    )


class SessionGate(_Part):
    """How closely what was spoken is checked (QC-1)."""

    listen: float = Field(default=0.02, ge=0, le=1, title="Share of sessions that models listen to")
    takes: int = Field(default=3, ge=1, le=10, title="Attempts at a clip, at most")
    model: LanguageModel | None = Field(
        default=None, title="Audio-language model that is asked as well; none if absent"
    )
    ask: float = Field(default=0.02, ge=0, le=1, title="Share of sessions that it is asked about")
    audited: bool = Field(
        default=False, title="Whether a release needs the human audit of its clips"
    )


class BuildConfig(_Part):
    """Everything that decides a release. Two builds with equal configs are equal."""

    name: str = Field(title="Release name", pattern=r"^[a-z0-9][a-z0-9-]*$")
    seed: int = Field(default=1, ge=0, title="Seed")
    text_only: bool = Field(default=False, title="Everything but sound, with estimated seconds")

    # --- what is asked
    cells: tuple[CellTarget, ...] = Field(min_length=1, title="Questions of each cell")
    refusal_sources: tuple[SourceTarget, ...] = Field(
        default=(), title="Refusal items by source operation; even if absent"
    )
    requests: int = Field(default=400, ge=1, le=1_000_000, title="Generation requests")
    quota: int = Field(default=3, ge=1, le=20, title="Candidates of one request")
    yes_no_share: float = Field(
        default=0.6, ge=0, le=1, title="Largest share of yes/no questions in a cell"
    )
    evidence_sessions: int | None = Field(
        default=None, ge=1, title="Evidence sessions of all questions, about; free if absent"
    )
    refusal_margin: float = Field(
        default=0.28, ge=0, le=4, title="Refusal variants made beyond those that are wanted"
    )

    # --- who speaks
    households: int = Field(default=3, ge=1, title="Groups of personas who share an assistant")
    main_users: int = Field(default=3, ge=1, title="Personas who are sole users of a history")

    # --- how a session is built
    session_turns: tuple[int, int] = Field(default=(1, 3), title="User turns of a session")
    evidence_turns: int = Field(
        default=6, ge=2, title="User turns of the evidence and one distractor together, at most"
    )
    cue_rate: float = Field(default=0.12, ge=0, le=1, title="Incidental deliveries")
    sound_rate: float = Field(default=0.12, ge=0, le=1, title="Incidental sounds")
    deliveries: tuple[str, ...] = Field(
        default=DEFAULT_DELIVERIES, title="Deliveries that plans may ask for"
    )
    sounds: tuple[str, ...] = Field(
        default=DEFAULT_SOUNDS, title="Background sounds that plans may ask for"
    )

    # --- histories
    budgets: tuple[Budget, ...] = Field(min_length=1, title="Nested budgets, ascending")
    window: tuple[date, date] = Field(
        default=(date(2025, 3, 1), date(2025, 8, 31)), title="Days on which sessions take place"
    )
    haystack_uses: int = Field(
        default=2, ge=1, title="Uses of a haystack session in one route, at most"
    )
    filler_uses: int = Field(default=24, ge=1, title="Uses of a filler session, at most")
    filler_mean_uses: float = Field(
        default=12.0, gt=0, title="Uses of a filler session that the pool is sized for"
    )
    fillers: tuple[str, ...] = Field(
        default=("seed",),
        min_length=1,
        title="Filler sources: seed, chitchat, or instructs2s:FOLDER-OR-HUB-ID",
    )

    # --- who plans, writes and checks
    planner: LanguageModel | None = Field(default=None, title="Planner; templates if absent")
    writer: LanguageModel | None = Field(default=None, title="Writer; templates if absent")
    gate_model: LanguageModel | None = Field(
        default=None, title="Model of the question-family gates; by definition alone if absent"
    )

    # --- speech
    chunk_seconds: float = Field(default=120.0, gt=0, title="Audio of one speech chunk (s)")
    speech: Speech = Field(default=Speech(), title="Voices, deliveries and sounds")
    session_gate: SessionGate = Field(default=SessionGate(), title="Checks of what was spoken")

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        low, high = self.session_turns
        if not 1 <= low <= high <= 12:
            raise ValueError("session_turns are two numbers from 1 to 12, the smaller one first")
        if self.window[0] >= self.window[1]:
            raise ValueError("the window must end after it begins")
        for one, two in zip(self.budgets, self.budgets[1:], strict=False):
            grows = one.samekey <= two.samekey and one.reused <= two.reused
            if not (one.tokens < two.tokens and one.name != two.name and grows):
                raise ValueError("budgets must ascend, and so must their distractors")
        self._check_cells()
        self._check_palette()
        return self

    @property
    def palette(self) -> tuple[str, ...]:
        """All deliveries and sounds that plans may ask for."""
        return (*self.deliveries, *self.sounds)

    def _check_palette(self) -> None:
        """Nothing can be asked for that has no name, or twice."""
        for what, named, known in (
            ("delivery", self.deliveries, DELIVERIES),
            ("sound", self.sounds, SOUNDS),
        ):
            unknown = [name for name in named if name not in known]
            if unknown:
                raise ValueError(
                    f"there is no {what} {unknown[0]!r}: choose among {', '.join(known)}"
                )
            if len(set(named)) != len(named):
                raise ValueError(f"a {what} is named twice")

    def _check_cells(self) -> None:
        named = [Cell(item.operation, item.evidence) for item in self.cells]
        for cell in named:
            if cell not in CELLS:
                raise ValueError(f"there is no cell {cell.operation} / {cell.evidence}")
        if len(set(named)) != len(named):
            raise ValueError("a cell is given twice")
        if not self.answerable:
            raise ValueError("no cell asks for an answerable question")
        if self.refusal_sources:
            total = sum(item.questions for item in self.refusal_sources)
            if total != self.refusals:
                raise ValueError(
                    f"refusal_sources add up to {total}, the refusal cells to {self.refusals}"
                )

    def target(self, cell: Cell) -> int:
        """How many questions a cell holds."""
        found = (
            item.questions
            for item in self.cells
            if (item.operation, item.evidence) == (cell.operation, cell.evidence)
        )
        return next(found, 0)

    @property
    def answerable(self) -> int:
        """All answerable questions."""
        return sum(
            item.questions for item in self.cells if item.operation is not Operation.ANSWER_REFUSAL
        )

    @property
    def refusals(self) -> int:
        """All answer-refusal questions."""
        return sum(
            item.questions for item in self.cells if item.operation is Operation.ANSWER_REFUSAL
        )

    @property
    def build_id(self) -> str:
        """Names the build: its config and the version of the code that runs it."""
        return f"{self.name}-{short('build', __version__, self)}"

    @property
    def release_document(self) -> str:
        """The document of the root that names the release this build became."""
        return f"runs/{self.build_id}"


def preset(name: str, *, seed: int | None = None) -> BuildConfig:
    """The named preset, with another seed if one is given.

    Raises:
        UsageError: There is no preset of that name, or the seed is negative.
    """
    if name not in PRESETS:
        raise UsageError(
            f"there is no preset {name!r}",
            remedy=f"choose one of: {', '.join(PRESETS)}; or give --config FILE",
        )
    config = _read(files("voxmem.presets") / f"{name}.toml", name)
    return config if seed is None else with_seed(config, seed)


def read_config(path: Path) -> BuildConfig:
    """The build that a TOML or JSON file describes.

    Raises:
        UsageError: There is no such file.
        InputError: It cannot be read, or its fields are wrong; each one is named.
    """
    if not path.is_file():
        raise UsageError("there is no such config file", item=str(path))
    return _read(path, str(path))


def with_seed(config: BuildConfig, seed: int) -> BuildConfig:
    """The same build from another seed.

    Raises:
        UsageError: The seed is negative.
    """
    if seed < 0:
        raise UsageError(f"a seed is not negative, {seed} is")
    return config.model_copy(update={"seed": seed})


def _read(file: Traversable | Path, item: str) -> BuildConfig:
    try:
        text = file.read_text(encoding="utf-8")
        data = json.loads(text) if file.name.endswith(".json") else tomllib.loads(text)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", item=item, stage="config") from error
    try:
        return BuildConfig.model_validate(data)
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(map(str, fault['loc'])) or 'config'}: {fault['msg']}"
            for fault in error.errors(include_url=False, include_input=False)
        )
        raise InputError(
            faults, item=item, stage="config", remedy="correct the fields that are named"
        ) from error
