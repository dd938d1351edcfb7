"""The files that are looked at here."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
DOCKER = ROOT / "docker"
LOCKS = DOCKER / "locks"
KUBERNETES = ROOT / "deployments" / "kubernetes"
IMAGES = {path.suffix[1:]: path for path in sorted(DOCKER.glob("Dockerfile.*"))}

Step = tuple[str, str]
"""An instruction of a Dockerfile and what follows it, on one line."""


def steps(image: str) -> list[Step]:
    """The instructions of an image, comments left out."""
    text = re.sub(r"^#.*\n", "", IMAGES[image].read_text(), flags=re.M).replace("\\\n", " ")
    lines = (line.partition(" ") for line in text.splitlines() if line.strip())
    return [(instruction, rest.strip()) for instruction, _, rest in lines]


def compose() -> Any:
    return yaml.safe_load((DOCKER / "compose.yaml").read_text())


def example() -> set[str]:
    """The variables that .env.example explains, switched on or not."""
    return set(re.findall(r"^#?([A-Z][A-Z0-9_]+)=", (ROOT / ".env.example").read_text(), re.M))


def manifests() -> list[tuple[str, Any]]:
    """Each Kubernetes resource, with its file's path below the folder."""
    return [
        (path.relative_to(KUBERNETES).as_posix(), each)
        for path in sorted(KUBERNETES.rglob("*.yaml"))
        for each in yaml.safe_load_all(path.read_text())
    ]
