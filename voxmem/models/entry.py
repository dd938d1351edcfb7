"""One model of the catalogue: everything that is known of it before it is asked anything."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field, JsonValue, field_validator, model_validator

from voxmem.records import Delivery, Record

Backend = Literal["openai", "gemini", "transformers", "worker"]
Pool = Literal["cpu", "gpu-lalm"]
"""The work pools on which models are asked."""
Group = Literal["audio-specialist", "omni-modal", "proprietary", "text"]
"""As Table 12 of VoxMem groups them; ``text``: models of text alone, for memory systems."""

_CONTROLS = ("abstain", "chance", "majority", "question-only", "oracle", "oracle-transcript")
_MEMORIES = (
    "listener",
    "cascade",
    "cascade-rag",
    "speaker-store",
    "summary",
    "audio-retrieval",
)
TAKEN: dict[str, str] = {
    **dict.fromkeys(_CONTROLS, "control"),
    **dict.fromkeys(_MEMORIES, "memory system"),
    "rule": "judge",
}
"""Name → what has it that is no model. Listed here, so that a catalogue is read without them."""


class ClipLimits(Record):
    """What a model does with clips, by itself."""

    longest_seconds: float | None = Field(default=None, gt=0)
    """Longer clips are cut by it in silence: so they are split before. ``None``: no limit known."""
    most: int | None = Field(default=None, ge=1)
    """Clips in one request."""
    bytes: int | None = Field(default=None, ge=1)
    """Of one clip's file."""
    request_bytes: int | None = Field(default=None, ge=1)
    """Of one request's body; beyond it, clips are uploaded, or the item is ``unsupported``."""


class Decoding(Record):
    """How an answer is drawn. What is ``None`` is not sent."""

    max_output_tokens: int = Field(default=1024, ge=1)
    temperature: float | None = Field(default=0.0, ge=0.0)
    seed: int | None = None
    thinking: str | int | None = None
    """A level ("LOW") or a budget in tokens, as the provider takes it."""


class Tier(Record):
    """Prices in dollars per million tokens, up to a length of prompt."""

    up_to: int | None = Field(default=None, ge=1)
    """Input tokens of a request to which it applies; ``None``: all longer ones."""
    input_text: float = Field(ge=0)
    input_audio: float = Field(ge=0)
    cached: float | None = Field(default=None, ge=0)
    """Of input that the provider had already; ``None``: the same as other input."""
    output: float = Field(ge=0)
    """Hidden thinking is charged alike."""


class Price(Record):
    """What a provider charges, by tier, shortest first."""

    tiers: tuple[Tier, ...] = Field(min_length=1)
    as_of: str
    """The day the prices were read, ``YYYY-MM-DD``."""
    source: str
    """Where they were read; "not verified" if from memory."""

    @model_validator(mode="after")
    def _ascending(self) -> Price:
        bounds = [tier.up_to for tier in self.tiers]
        inner = bounds[:-1]
        if (
            None in inner
            or bounds[-1] is not None
            or inner != sorted(inner, key=lambda up: up or 0)
        ):
            raise ValueError("tiers go from the shortest prompts to all others (no up_to)")
        return self


class Pace(Record):
    """What a provider admits, for all runs of one process together. ``None``: no limit."""

    requests_per_minute: float | None = Field(default=None, gt=0)
    tokens_per_minute: float | None = Field(default=None, gt=0)
    bytes_per_minute: float | None = Field(default=None, gt=0)
    concurrency: int = Field(default=4, ge=1)
    """Requests in flight at once."""
    deadline: float = Field(default=600.0, gt=0)
    """Seconds for one item, all its attempts and waits together."""
    failures: int = Field(default=20, ge=1)
    """Failed calls in a row after which nothing more is sent (the circuit breaker)."""


class Proof(Record):
    """How far this project itself has driven the model: an honest status line."""

    status: Literal["proved", "shape proved", "not proved"]
    """``proved``: real weights or the real service. ``shape proved``: its classes with random
    weights, or its protocol against a local server."""
    by: str
    """By what: a test, a server, nothing."""


class Serving(Record):
    """How to get it running."""

    command: str | None = None
    """What serves it (vLLM, SGLang), or makes its environment."""
    notes: tuple[str, ...] = ()
    """Traps and what is done about them."""


class ModelEntry(Record):
    """One model: what it is, how it is driven, what it costs, and what is proved of it."""

    # A setting put in the wrong place may be a key, so errors do not repeat what was given.
    model_config = ConfigDict(hide_input_in_errors=True)

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")
    title: str
    """As the paper prints it."""
    family: str
    """Of models that are driven alike ("qwen3-omni"): names the hooks of the backend."""
    group: Group
    backend: Backend
    model: str = Field(min_length=1)
    """Hub repository, folder, or the API's model string."""
    revision: str | None = None
    """Of the weights, or the API's dated snapshot."""
    parameters_llm: float | None = None
    """Billions, of the text backbone (VoxMem, Table 12)."""
    parameters_all: float | None = None
    """Billions, with all input-side modules."""
    context: int | None = Field(default=None, ge=1)
    """Tokens, prompt and answer together; ``None``: not known."""
    tokens_per_second: float | None = Field(default=None, gt=0)
    """Its own tokens of one second of audio."""
    clips: ClipLimits = ClipLimits()
    delivery: Delivery = "native"
    decoding: Decoding = Decoding()
    pace: Pace = Pace()
    price: Price | None = None
    licence: str | None = None
    """Of the weights, or the terms of the service."""
    suites: tuple[Literal["voxmem", "voicelongmemeval"], ...] = ("voxmem",)
    """The papers that evaluated it."""
    excluded: dict[str, str] = Field(default_factory=dict)
    """Budget → why the paper has no result there (VoxMem, Table 14)."""
    scheduled: bool = False
    """Whether the nightly re-evaluation runs it."""
    pool: Pool | None = None
    """Where it is asked; ``None``: what its backend asks for (:attr:`runs_on`)."""
    proof: Proof
    serving: Serving = Serving()
    settings: dict[str, JsonValue] = Field(default_factory=dict)
    """Of the backend alone, checked by it: address, key variable, dialect, dtype, command …"""

    @field_validator("name")
    @classmethod
    def _not_taken(cls, name: str) -> str:
        if name in TAKEN:
            raise ValueError(f"a {TAKEN[name]} is called {name}: choose another name")
        return name

    @property
    def runs_on(self) -> Pool:
        """The work pool of its runs: with a GPU if the worker loads the model itself."""
        loaded = self.backend in ("transformers", "worker")
        return self.pool or ("gpu-lalm" if loaded else "cpu")
