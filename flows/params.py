"""What a flow can be asked for: the models behind the dashboard's run forms."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from voxmem.analyze.accuracy import Policy
from voxmem.analyze.pairing import Pairing
from voxmem.analyze.study import Choices
from voxmem.config import BuildConfig, preset, with_seed
from voxmem.evaluate.job import Job
from voxmem.evaluate.policy import PreflightPolicy
from voxmem.reevaluation import Goal
from voxmem.reporting import Wanted
from voxmem.score import EMBEDDED

Preset = Literal["demo", "small", "paper"]
Runner = Literal["threads", "dask"]

Systems = Annotated[
    list[str],
    Field(
        title="Systems", description="Models, memory systems and controls, by name.", min_length=1
    ),
]
Budgets = Annotated[
    list[str] | None, Field(title="Budgets", description="Reference budgets; all if empty.")
]
Arms = Annotated[
    list[str], Field(title="Arms", description="Ways of telling an item.", min_length=1)
]
Subset = Annotated[
    list[str],
    Field(title="Subset", description="Such as stratified:100; every item if empty."),
]
Prompts = Annotated[
    str | None,
    Field(title="Prompts", description="Folder with the four prompts; ours if empty."),
]
Preflight = Annotated[
    PreflightPolicy, Field(title="Preflight", description="What follows if a model fails it.")
]
Judges = Annotated[
    list[str],
    Field(
        title="Judges",
        description="rule, MODEL, pre+MODEL, panel:A,B,C or imported:NAME; the first one leads.",
        min_length=1,
    ),
]
Auditors = Annotated[
    list[str],
    Field(
        title="Auditors",
        description="rule, or models of the catalogue; errors are not traced if empty.",
    ),
]
ReportFolder = Annotated[
    str | None, Field(title="Report folder", description="Below the root if empty.")
]

_NO_LOGIN = r"^([^:]|:+[^:/]|:+/[^/])*(:+/?)?$|^[A-Za-z][A-Za-z0-9+.-]*://[^@]*$"
"""No address with a user name or password in it: parameters are kept and shown."""
_NO_AT = r"^[^@]*$"
"""The same, of what is never a folder and may lack its scheme."""


def _in_order(schema: dict[str, Any]) -> None:
    """Run forms go by position: a database may keep fields in an order of its own."""
    for position, field in enumerate(schema.get("properties", {}).values()):
        field["position"] = position


class RootParams(BaseModel):
    """Where everything is kept."""

    # What is wrong may be a key in a wrong place: errors do not repeat it. What is misspelt is no
    # default: a limit would vanish in silence.
    model_config = ConfigDict(
        hide_input_in_errors=True, extra="forbid", json_schema_extra=_in_order
    )

    root: str = Field(
        default="voxmem-demo",
        title="Root",
        description="Folder, or s3://bucket/prefix, with objects, tables and releases.",
        min_length=1,
        pattern=_NO_LOGIN,
    )

    @property
    def label(self) -> str:
        """What a run is of, in a word or two: its name in the dashboard has it."""
        return ""


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
    runner: Runner = Field(
        default="threads",
        title="Task runner",
        description="Who runs them: processes of this machine, or a Dask cluster.",
    )
    dask_address: str | None = Field(
        default=None,
        title="Dask scheduler",
        description="Such as tcp://10.0.0.5:8786; one is started on this machine if empty.",
        pattern=_NO_AT,
    )
    speak_on: str | None = Field(
        default=None,
        title="Deployment that speaks",
        description="Such as speak/gpu-tts, for engines on other machines; here if empty.",
    )
    speak_runs: int = Field(
        default=1, ge=1, le=256, title="Runs of it", description="Each speaks a part of the shards."
    )

    @property
    def name(self) -> str:
        """What the runs are called by."""
        return self.custom.name if self.custom else self.preset

    @property
    def label(self) -> str:
        """What is built."""
        return self.name

    def config(self) -> BuildConfig:
        """The build that is asked for."""
        config = self.custom or preset(self.preset)
        if self.seed is not None:
            config = with_seed(config, self.seed)
        return config.model_copy(update={"text_only": True}) if self.text_only else config


class SpeakParams(ConstructParams):
    """Which shards of a build to speak."""

    first: int = Field(default=0, ge=0, title="First shard")
    last: int | None = Field(
        default=None, ge=0, title="One past the last shard", description="All that follow if empty."
    )

    @model_validator(mode="after")
    def _forward(self) -> Self:
        if self.last is not None and self.last < self.first:
            raise ValueError("the last shard is before the first")
        return self

    @property
    def part(self) -> str:
        """Which shards these are, as the name of a run has it."""
        return f"{self.first}-{'end' if self.last is None else self.last}"


class EvaluateParams(RootParams):
    """What to run over a release."""

    release: str = Field(
        default="demo", title="Release", description="Name or id of a release in the root."
    )
    systems: Systems = list(EMBEDDED.systems)
    budgets: Budgets = None
    arms: Arms = ["audio"]
    subset: Subset = []
    limit_usd: float | None = Field(
        default=None, gt=0, title="Limit in dollars", description="Of all runs together."
    )
    prompts: Prompts = None
    preflight: Preflight = "refuse"
    on_pools: bool = Field(
        default=False,
        title="On work pools",
        description="Each run where its model belongs: on gpu-lalm or on cpu; here if not.",
    )
    spread: int = Field(
        default=1,
        ge=1,
        le=64,
        title="Flow runs of one run",
        description="On work pools, so many workers share the items of each model, budget and arm.",
    )
    share: int = Field(
        default=0,
        ge=0,
        lt=64,
        title="Share",
        description="Which of these flow runs this one is: set by the run that starts them.",
    )

    @model_validator(mode="after")
    def _shared(self) -> Self:
        if self.share >= self.spread:
            raise ValueError("a share is one of the flow runs that the run is spread over")
        return self

    @property
    def label(self) -> str:
        """The release, and the model and the budgets of what is about one model; its arm, too, if
        it is one and not that of the protocol."""
        one = [*self.systems, *(self.budgets or [])] if len(self.systems) == 1 else []
        arm = self.arms if one and len(self.arms) == 1 and self.arms != ["audio"] else []
        return "-".join([*one, *arm, self.release])

    @property
    def run_name(self) -> str:
        """What the flow run of one model, budget and arm is called by."""
        name = f"{self.systems[0]}-{(self.budgets or ['all'])[0]}-{self.arms[0]}"
        return name + (f"-{self.share + 1}-of-{self.spread}" if self.spread > 1 else "")

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

    judges: Judges = ["rule"]


class AttributeParams(JudgeParams):
    """Whose errors to trace, and by whom."""

    auditors: Auditors = ["rule"]


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
    out: ReportFolder = None
    day: str | None = Field(
        default=None,
        title="Day",
        description="For which it was scheduled; later reports say what is new since.",
        pattern=r"^\d{4}-\d{2}-\d{2}$",
    )

    @property
    def wanted(self) -> Wanted:
        """Whose reading is reported, and how."""
        choices = self.model_dump(include=set(Choices.model_fields))
        return Wanted(judges=tuple(self.judges), choices=Choices(**choices))


class ReevaluateParams(RootParams):
    """What is to be kept up to date on a release, and within what. It starts what is missing."""

    root: str = Field(
        default="",
        title="Root",
        description="Folder or bucket; the Prefect variable voxmem_root if empty.",
    )
    release: str = Field(
        default="",
        title="Release",
        description="Name or id; the Prefect variable voxmem_release if empty.",
    )
    models: list[str] = Field(
        default=[],
        title="Models",
        description="Only these; all that are scheduled in the catalogue if empty.",
    )
    systems: list[str] = Field(
        default=list(EMBEDDED.systems), title="Controls", description="Beside the models."
    )
    budgets: Budgets = None
    arms: Arms = ["audio"]
    subset: Subset = []
    prompts: Prompts = None
    preflight: Preflight = "refuse"
    judges: list[str] = Field(
        default=["rule"],
        title="Judges",
        description="rule, MODEL, pre+MODEL or panel:A,B,C; the first one leads.",
        min_length=1,
    )
    auditors: Auditors = ["rule"]
    limit_usd: float | None = Field(
        default=None,
        gt=0,
        title="Limit in dollars",
        description="Of one night; the Prefect variable voxmem_limit_usd if empty.",
    )
    most_attempts: int = Field(
        default=3, ge=1, le=20, title="Most attempts", description="At one step, over all nights."
    )
    dry_run: bool = Field(
        default=False, title="Dry run", description="Show the plan and its cost, and start nothing."
    )
    out: ReportFolder = None

    @property
    def label(self) -> str:
        """The release."""
        return self.release

    @property
    def goal(self) -> Goal:
        """What is wanted, as the domain has it."""
        return Goal.model_validate(self.model_dump(include=set(Goal.model_fields)))


class BenchmarkParams(ConstructParams):
    """The whole road: what to build, what to run over it, and who judges."""

    systems: Systems = list(EMBEDDED.systems)
    judges: Judges = ["rule"]

    @property
    def construction(self) -> ConstructParams:
        """What to build, alone."""
        return ConstructParams(
            **{name: getattr(self, name) for name in ConstructParams.model_fields}
        )
