"""What every run's page has: tags that say what it is of, and its progress."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from prefect.client.orchestration import get_client
from prefect.context import FlowRunContext

from flows.boards.progress import Progress
from flows.boards.showing import harmless
from flows.params import RootParams


@contextmanager
def run_page(flow: str, name: str, params: RootParams) -> Iterator[None]:
    """Names and tags the flow run that calls it, and shows its progress for the block."""
    with harmless("tags"):
        _tag(name, tags_of(params))
    with Progress(flow, params.label):
        yield


def tags_of(params: RootParams) -> list[str]:
    """``preset:…``, ``release:…`` and ``model:…``, as far as the parameters name them."""
    named: list[tuple[str, str]] = [
        *(("preset", name) for name in _texts(params, "name")),
        *(("release", name) for name in _texts(params, "release")),
        *(("model", name) for name in _texts(params, "systems")),
    ]
    return [f"{kind}:{name}" for kind, name in named]


def _texts(params: RootParams, field: str) -> list[str]:
    value = getattr(params, field, None)
    listed: Iterable[object] = value if isinstance(value, list | tuple) else [value]
    return [str(each) for each in listed if each]


def _tag(name: str, tags: list[str]) -> None:
    context = FlowRunContext.get()
    if context is None or context.flow_run is None:
        return
    # The server takes tags as a whole: those of the deployment, and of who started it, stay.
    both = [*dict.fromkeys([*context.flow_run.tags, *tags])]
    with get_client(sync_client=True) as client:
        client.update_flow_run(context.flow_run.id, tags=both, name=name)
