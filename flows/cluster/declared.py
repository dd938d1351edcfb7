"""What ``deployments/`` declares, read from the files."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from voxmem.errors import InputError, UsageError
from voxmem.handwritten import load_yaml

INFRASTRUCTURES = ("process", "docker", "kubernetes")
TAG = "voxmem"
"""On every deployment and the first word of every automation: what a bootstrap may call its own."""


@dataclass(frozen=True)
class Pool:
    """A work pool, and a job template for each infrastructure."""

    name: str
    description: str
    limit: int
    templates: Mapping[str, str]

    def template(self, infrastructure: str, image: str | None) -> dict[str, Any]:
        """The base job template.

        Args:
            image: The container image of its runs, ``{pool}`` standing for the pool's name; ours if
                None.
        """
        template: dict[str, Any] = json.loads(
            (folder() / self.templates[infrastructure]).read_text()
        )
        properties = template["variables"]["properties"]
        if "image" in properties:
            properties["image"]["default"] = (image or "voxmem:{pool}").replace("{pool}", self.name)
        return template


@dataclass(frozen=True)
class Variable:
    """A variable of the server that flows read when they run.

    Attributes:
        value: Written where there is none; None: only when it is asked for.
        environment: The variable of the shell that comes before ``value``.
    """

    name: str
    environment: str
    description: str
    value: str | float | None = None

    def default(self) -> str | float | None:
        """What is written where there is nothing yet."""
        given = os.environ.get(self.environment)
        if given is None or not (given or self.value):  # containers hand on what is empty
            return str(Path(self.value).absolute()) if self.value == "." else self.value
        return self.read(given)

    def read(self, text: str) -> str | float:
        """A value from a shell, of the kind that the variable has.

        Raises:
            UsageError: It is no number and has to be one.
        """
        if not isinstance(self.value, float):
            return text
        try:
            return float(text)
        except ValueError:
            raise UsageError("it is not a number", item=self.environment) from None


@cache
def folder() -> Path:
    """``deployments/`` of this installation."""
    flows = Path(__file__).parents[1]
    inside = flows / "deployments"  # in a wheel
    return inside if inside.is_dir() else flows.parent / "deployments"


def pools() -> list[Pool]:
    """The work pools of ``pools.yaml``."""
    return [
        Pool(each["name"], each["description"], each["concurrency_limit"], each["templates"])
        for each in _read("pools.yaml")["pools"]
    ]


def variables() -> list[Variable]:
    """The variables of ``server.yaml``."""
    return [Variable(**each) for each in _read("server.yaml")["variables"]]


def automations() -> list[dict[str, Any]]:
    """The automations of ``automations.yaml``, as they are written there."""
    listed: list[dict[str, Any]] = _read("automations.yaml")["automations"]
    return listed


def deployments(values: Mapping[str, str]) -> list[dict[str, Any]]:
    """The deployments of ``prefect.yaml``, each with its ``pull`` steps.

    Args:
        values: What ``{{ $NAME }}`` stands for.
    """
    from prefect.utilities.templating import apply_values

    content = _read("prefect.yaml")
    with _environment(values):
        content = cast(Any, apply_values(content, {}, remove_notset=False))
    return [{"pull": content["pull"], **each} for each in content["deployments"]]


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """Prefect reads what a template names from the environment, and only from there."""
    before = dict(os.environ)
    os.environ.update(values)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@cache
def _read(name: str) -> Any:
    path = folder() / name
    try:
        return load_yaml(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(
            f"cannot be read: {' '.join(str(error).split())[:200]}",
            item=str(path),
            stage="bootstrap",
            remedy="correct it, or install voxmem again",
        ) from None
