"""What a flow can be asked for: the models behind the dashboard's run forms."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.pairing import Pairing
from voxmem.analyze.study import Choices
from voxmem.config import BuildConfig, preset, with_seed
from voxmem.evaluate.job import Job
from voxmem.evaluate.policy import PreflightPolicy
from voxmem.reporting import Wanted
from voxmem.score import EMBEDDED

Preset = Literal["demo", "small", "paper"]


class RootParams(BaseModel):
    """Where everything is kept."""

    root: str = Field(
        default="voxmem-demo",
        title="Root",
        description="Folder that holds objects, tables and releases.",
        min_length=1,
    )


class ConstructParams(RootParams):
    """What to build."""

    preset: Preset = Field(
        default="demo", title="Preset", description="The kind of release to build."
    )
    custom: BuildConfig | None = Field(
        default=None, title="Config", description="A build of your own, instead of a preset."
    )
    seed: int | None = Field(
        default=None, ge=0, title="Seed", description="Another seed gives another benchmark."
    )
    text_only: bool = Field(
        default=False,
        title="Text only",
        description="Build everything but sound, with estimated seconds.",
    )
    workers: int = Field(
        default=2, ge=1, le=64, title="Workers", description="Pieces of work at a time."
    )

    speak_on: str | None = Field(
        default=None,
        title="Deployment that speaks",
        description="Such as speak/gpu, for engines on other machines; here if empty.",
    )
    speak_runs: int = Field(
        default=1, ge=1, le=256, title="Runs of it", description="Each speaks a part of the shards."
    )

    @property
    def name(self) -> str:
        """What the runs are called by."""
        return self.custom.name if self.custom else self.preset

    def config(self) -> BuildConfig:
        """The build that is asked for."""
        config = self.custom or preset(self.preset)
        if self.seed is not None:
            config = with_seed(config, self.seed)
        return config.model_copy(update={"text_only": True}) if self.text_only else config


class SpeakParams(ConstructParams):
    """Which shards of a build to speak."""

    first: int = Field(default=0, ge=0, title="First shard")
    last: int = Field(default=0, ge=0, title="One past the last shard")

    @property
    def shards(self) -> int:
        """How many there are."""
        return max(self.last - self.first, 0)


class EvaluateParams(RootParams):
    """What to run over a release."""

    release: str = Field(
        default="demo", title="Release", description="Name or id of a release in the root."
    )
    systems: list[str] = Field(
        default=list(EMBEDDED.systems),
        title="Systems",
        description="Models, memory systems and controls, by name.",
        min_length=1,
    )
    budgets: list[str] | None = Field(
        default=None, title="Budgets", description="Reference budgets; all if empty."
    )
    arms: list[str] = Field(
        default=["audio"], title="Arms", description="Ways of telling an item.", min_length=1
    )
    subset: list[str] = Field(
        default=[], title="Subset", description="Such as stratified:100; every item if empty."
    )
    limit_usd: float | None = Field(
        default=None, gt=0, title="Limit in dollars", description="Of all runs together."
    )
    prompts: str | None = Field(
        default=None, title="Prompts", description="Folder with the four prompts; ours if empty."
    )
    preflight: PreflightPolicy = Field(
        default="refuse", title="Preflight", description="What follows if a model fails it."
    )
    on_pools: bool = Field(
        default=False,
        title="On work pools",
        description="Each run where its model belongs: evaluate/gpu or evaluate/cpu; here if not.",
    )

    @property
    def job(self) -> Job:
        """What is asked for, as the domain has it."""
        return Job(
            systems=tuple(self.systems),
            budgets=tuple(self.budgets) if self.budgets else None,
            arms=tuple(self.arms),
            subset=tuple(self.subset),
            limit_usd=self.limit_usd,
            prompts=self.prompts,
            preflight=self.preflight,
        )


class JudgeParams(EvaluateParams):
    """What to judge, and by whom."""

    judges: list[str] = Field(
        default=["rule"],
        title="Judges",
        description="rule, MODEL, pre+MODEL, panel:A,B,C or imported:NAME; the first one leads.",
        min_length=1,
    )


class AttributeParams(JudgeParams):
    """Whose errors to trace, and by whom."""

    auditors: list[str] = Field(
        default=["rule"],
        title="Auditors",
        description="rule, or models of the catalogue.",
    )


class AnalyzeParams(JudgeParams):
    """What to report."""

    policy: Policy = Field(
        default="paper", title="Policy", description="That leads; the other stands beside it."
    )
    pairing: Pairing = Field(
        default="own",
        title="Pairing",
        description="Which items comparisons over budgets rest on.",
    )
    resamples: int = Field(default=10_000, ge=1, title="Resamples", description="Of the bootstrap.")
    clustered: bool = Field(
        default=False,
        title="Clustered",
        description="Whether question families are resampled, and not single items.",
    )
    partial: bool = Field(
        default=False,
        title="Partial runs",
        description="Whether runs that do not cover their items are ranked.",
    )
    out: str | None = Field(
        default=None, title="Report folder", description="Below the root if empty."
    )

    @property
    def wanted(self) -> Wanted:
        """Whose reading is reported, and how."""
        choices = self.model_dump(include=set(Choices.model_fields))
        return Wanted(judges=tuple(self.judges), choices=Choices(**choices))


class BenchmarkParams(ConstructParams):
    """The whole road: what to build, what to run over it, and who judges."""

    systems: list[str] = Field(
        default=list(EMBEDDED.systems),
        title="Systems",
        description="Models, memory systems and controls, by name.",
        min_length=1,
    )
    judges: list[str] = Field(
        default=["rule"],
        title="Judges",
        description="rule, MODEL, pre+MODEL, panel:A,B,C or imported:NAME; the first one leads.",
        min_length=1,
    )
