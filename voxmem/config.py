"""What a build is: the few numbers from which, with the seed, everything else follows."""

from __future__ import annotations

from datetime import date
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from voxmem import __version__
from voxmem.errors import UsageError
from voxmem.keys import short


class Budget(BaseModel):
    """One reference history budget and the most distraction that it may hold."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(title="Name", pattern=r"^[0-9]+K$")
    tokens: int = Field(title="Reference tokens", ge=500)
    samekey: int = Field(title="Same-key distractors, at most", ge=0)
    topical: int = Field(title="Topical haystack sessions, at most", ge=0)


class BuildConfig(BaseModel):
    """Everything that decides a release. Two builds with equal configs are equal."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(title="Release name", pattern=r"^[a-z0-9][a-z0-9-]*$")
    seed: int = Field(default=1, ge=0, title="Seed")
    per_cell: int = Field(default=2, ge=1, le=400, title="Questions per answerable cell")
    refusals_per_evidence: int = Field(
        default=2, ge=1, le=100, title="Answer-refusal items per evidence type"
    )
    budgets: tuple[Budget, ...] = Field(min_length=1, title="Nested budgets, ascending")
    households: int = Field(default=3, ge=1, title="Groups of personas who share an assistant")
    main_users: int = Field(default=3, ge=1, title="Personas who are sole users of a history")
    session_turns: tuple[int, int] = Field(default=(1, 3), title="User turns of a session")
    window: tuple[date, date] = Field(
        default=(date(2025, 3, 1), date(2025, 8, 31)), title="Days on which sessions take place"
    )
    snr_db: float = Field(default=10.0, title="SNR of background sounds (dB)")
    cue_rate: float = Field(default=0.12, ge=0, le=1, title="Incidental deliveries in fillers")
    sound_rate: float = Field(default=0.12, ge=0, le=1, title="Incidental sounds in fillers")
    chunk_seconds: float = Field(default=120.0, gt=0, title="Audio of one speech chunk (s)")
    gate_sample: int = Field(default=16, ge=0, title="Clips that the model-based gates listen to")

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        low, high = self.session_turns
        if not 1 <= low <= high <= 8:
            raise ValueError("session_turns are two numbers from 1 to 8, the smaller one first")
        if self.window[0] >= self.window[1]:
            raise ValueError("the window must end after it begins")
        for one, two in zip(self.budgets, self.budgets[1:], strict=False):
            grows = one.samekey <= two.samekey and one.topical <= two.topical
            if not (one.tokens < two.tokens and one.name != two.name and grows):
                raise ValueError("budgets must ascend, and so must their distractors")
        return self

    @property
    def build_id(self) -> str:
        """Names the build: its config and the version of the code that runs it."""
        return f"{self.name}-{short('build', __version__, self)}"

    @property
    def release_document(self) -> str:
        """The document of the root that names the release this build became."""
        return f"runs/{self.build_id}"


DEMO = BuildConfig(
    name="demo",
    gate_sample=6,  # some two seconds of work each
    budgets=(
        Budget(name="2K", tokens=2_000, samekey=1, topical=1),
        Budget(name="4K", tokens=4_000, samekey=1, topical=2),
        Budget(name="8K", tokens=8_000, samekey=2, topical=3),
        Budget(name="16K", tokens=16_000, samekey=3, topical=4),
    ),
)

PRESETS: dict[str, BuildConfig] = {"demo": DEMO}


def preset(name: str, *, seed: int | None = None) -> BuildConfig:
    """The named preset, with another seed if one is given.

    Raises:
        UsageError: There is no preset of that name, or the seed is negative.
    """
    if name not in PRESETS:
        raise UsageError(
            f"there is no preset {name!r}", remedy=f"choose one of: {', '.join(PRESETS)}"
        )
    if seed is None:
        return PRESETS[name]
    if seed < 0:
        raise UsageError(f"a seed is not negative, {seed} is")
    return PRESETS[name].model_copy(update={"seed": seed})
