"""Who plans and writes a build: templates, or the language models that its config names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from voxmem.build import Build
from voxmem.config import BuildConfig
from voxmem.dialogue.writer import write_session
from voxmem.errors import ConstructionError
from voxmem.models.text import UnusableReply, in_parallel, open_model
from voxmem.parallel import Mapper
from voxmem.plan.candidates import CandidateSource, TemplatePlanner
from voxmem.plan.requests import requests
from voxmem.records import PlannedSession, Session

TEMPLATES = "templates 1"
BATCH = 400
"""Sessions that one process writes at a time."""

Progress = Callable[[int, int], None]


def is_roomy(config: BuildConfig) -> bool:
    """Whether sessions have the paper's shape: longer turns than a demo has room for."""
    return config.session_turns[1] > 3


@contextmanager
def candidate_source(build: Build, progress: Progress) -> Iterator[CandidateSource | None]:
    """The language model that plans, all its requests answered; ``None``: templates.

    Raises:
        UsageError, ModelError: The model cannot be asked. What it has answered is kept.
    """
    settings = build.config.planner
    if settings is None:
        yield None
        return
    from voxmem.plan.language_model import LanguageModelPlanner

    with open_model(settings, build.root.ledger("plan")) as model:
        source = LanguageModelPlanner(build.config, model)
        source.prefetch(requests(build.config), progress)
        yield source


def write_sessions(
    build: Build, planned: Sequence[PlannedSession], mapper: Mapper, progress: Progress
) -> list[Session]:
    """The dialogues of planned sessions, in their order.

    Raises:
        ConstructionError: The words of a session give an answer away, or cannot be written.
        UsageError, ModelError: The model cannot be asked. What it has written is kept.
    """
    if build.config.writer is not None:
        return _by_model(build, planned)
    batches = [planned[at : at + BATCH] for at in range(0, len(planned), BATCH)]
    written: list[Session] = []
    for part in mapper(partial(_by_templates, is_roomy(build.config)), batches):
        written += part
        progress(len(written), len(planned))
    return written


def _by_templates(roomy: bool, planned: Sequence[PlannedSession]) -> list[Session]:
    return [write_session(item, roomy=roomy) for item in planned]


def _by_model(build: Build, planned: Sequence[PlannedSession]) -> list[Session]:
    from voxmem.dialogue.language_model import (
        LanguageModelAssistantWriter,
        LanguageModelUserWriter,
    )

    assert build.config.writer is not None
    with open_model(build.config.writer, build.root.ledger("write")) as model:
        user, assistant = LanguageModelUserWriter(model), LanguageModelAssistantWriter(model)

        def write(item: PlannedSession) -> Session:
            roomy = is_roomy(build.config)
            try:
                return write_session(item, roomy=roomy, user=user, assistant=assistant)
            except UnusableReply as error:
                raise ConstructionError(
                    error.message,
                    item=item.session_id,
                    stage="write",
                    remedy="run it again: what is written is kept; or use another writer",
                ) from error

        return in_parallel(write, list(planned), width=model.concurrency)


def planner_name(config: BuildConfig) -> str:
    """The planner, for the manifest."""
    return config.planner.model if config.planner else TemplatePlanner.name


def writer_name(config: BuildConfig) -> str:
    """The writer of both sides, for the manifest."""
    return config.writer.model if config.writer else TEMPLATES
