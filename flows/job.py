"""What every flow of voxmem is: a Prefect flow, on the code that it was deployed with."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from prefect import Flow, flow, tags
from prefect.client.orchestration import get_client
from prefect.context import FlowRunContext
from prefect.runtime import deployment
from prefect.variables import Variable

from flows.boards import run_page
from flows.console import outlive_reader
from flows.engine import TAG
from flows.params import RootParams
from voxmem.errors import EngineError
from voxmem.installed import installed_version
from voxmem.models.catalogue import VARIABLE as CATALOGUE
from voxmem.store.root import open_root

EDITING = "VOXMEM_ALLOW_OTHER_CODE"
"""Environment variable of a worker whose code is being edited: its runs are not refused."""

ROOT = "voxmem_root"
"""Variable of the server: where flows keep everything."""

P = TypeVar("P", bound=RootParams)
R = TypeVar("R")


def job(name: str, run_name: str) -> Callable[[Callable[[P], R]], Flow[[P], R]]:
    """A flow that refuses another version of the package, says for as long as it runs that its
    root is in use, and shows what it is of and how far.

    Args:
        run_name: A template over ``params``, as Prefect takes it.
    """

    def decorate(function: Callable[[P], R]) -> Flow[[P], R]:
        @wraps(function)
        def checked(params: P) -> R:
            settle_in()
            outlive_reader()
            params = as_deployed(params)
            called = run_name.format(params=params)
            # What it starts is told from others' runs by the tag, which is not inherited otherwise:
            # a child in a process that was killed is ended by the automation that looks for it.
            with tags(TAG), open_root(params.root).working(), run_page(name, called, params):
                return function(params)

        # Prefect reads annotations where the function it is given was written, which is here.
        checked.__signature__ = inspect.signature(function, eval_str=True)  # type: ignore[attr-defined]
        return flow(name=name, flow_run_name=run_name)(checked)

    return decorate


def as_deployed(params: P) -> P:
    """What was not given is as the deployment of the run has it, and the root as the variable of
    the server says: to Prefect all of it is one parameter, and giving one field replaces it all."""
    context = FlowRunContext.get()
    run = context.flow_run if context else None
    if run is None or run.deployment_id is None:
        return params
    with get_client(sync_client=True) as client:
        said = client.read_deployment(run.deployment_id).parameters.get("params") or {}
    given = params.model_dump(exclude_unset=True)
    if "root" not in said | given:
        said = said | {"root": Variable.get(ROOT, default=None) or params.root}
    return type(params).model_validate(said | given)


def settle_in() -> None:
    """Asserts that a worker has the code of its deployment, and gives it the server's catalogue.

    Raises:
        EngineError: Its code is another one.
    """
    check_version()
    take_catalogue()


def take_catalogue() -> None:
    """Has a worker without a catalogue of models of its own use the one that the server names: what
    was registered in one place is known in all."""
    if deployment.id and not os.environ.get(CATALOGUE):
        named = Variable.get("voxmem_models", default=None)
        if named:
            os.environ[CATALOGUE] = str(named)


def check_version() -> None:
    """Asserts that the code here is the code that the deployment was made with.

    Raises:
        EngineError: It is another one: it might build another benchmark under the same name.
    """
    deployed, here = deployment.version, installed_version()
    if deployed and deployed != here and not os.environ.get(EDITING):
        raise EngineError(
            f"this worker has voxmem {here}, the deployment was made by {deployed}",
            item=str(deployment.name),
            stage="engine",
            remedy="install the same version on the worker, or run voxmem bootstrap from this one; "
            f"{EDITING}=1 on a worker lets code run that is being edited",
        )
