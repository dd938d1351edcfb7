"""Images are small, pinned and run as nobody in particular."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.docker.files import DOCKER, IMAGES, LOCKS, ROOT, steps

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
TARGET = {"python_version": "3.11", "python_full_version": "3.11.14", "sys_platform": "linux"}
IGNORED = re.compile(r"hadolint ignore=")


def pins(lock: str) -> dict[str, Version]:
    """Name → version; each pin with a hash, or the test that asks fails."""
    text = (LOCKS / f"{lock}.txt").read_text().replace("\\\n", " ")
    found = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            name, version, hashes = re.match(r"(\S+)==(\S+)(.*)", line).groups()  # type: ignore[union-attr]
            assert "--hash=sha256:" in hashes, line
            found[canonicalize_name(name)] = Version(version)
    return found


def extras(image: str) -> list[str]:
    """The extras that docker/lock.sh resolves for an image."""
    script = (DOCKER / "lock.sh").read_text().replace("\\\n", " ")
    [line] = re.findall(rf"^compile {image} .*$", script, re.M)
    return re.findall(r"--extra (\S+)", line)


@pytest.mark.parametrize("image", IMAGES)
def test_the_linter_has_nothing_to_say(image: str) -> None:
    linter = Path(sys.executable).with_name("hadolint")
    said = subprocess.run([linter, IMAGES[image]], capture_output=True, text=True, check=False)
    assert (said.returncode, said.stdout) == (0, "")
    lines = IMAGES[image].read_text().splitlines()
    for at in (at for at, line in enumerate(lines) if IGNORED.search(line)):
        assert re.match(r"# [A-Z]", lines[at - 1]), "a rule is ignored without a reason"


@pytest.mark.parametrize("image", IMAGES)
def test_an_image_has_what_its_dependencies_ask_for(image: str) -> None:
    """After a change in pyproject.toml: docker/lock.sh."""
    there = {**pins("torch"), **pins(image)} if image != "control" else pins(image)
    asked = list(PROJECT["dependencies"])
    for extra in extras(image):
        asked += PROJECT["optional-dependencies"][extra]
    for requirement in map(Requirement, asked):
        if requirement.marker is None or requirement.marker.evaluate(TARGET):
            version = there[canonicalize_name(requirement.name)]
            assert requirement.specifier.contains(version), f"{requirement}: {version} is locked"


def test_every_image_can_keep_its_root_in_a_bucket() -> None:
    assert all("s3" in extras(image) for image in IMAGES)
    assert {"speech", "gates"} <= set(extras("cpu"))


def test_images_have_equal_versions_of_what_they_share() -> None:
    """Flow runs of one build meet in one root: numbers must not depend on who computed them."""
    seen: dict[str, set[Version]] = {}
    for lock in (*IMAGES, "torch"):
        for name, version in pins(lock).items():
            seen.setdefault(name, set()).add(version)
    assert [name for name, versions in seen.items() if len(versions) > 1] == []


def test_gpu_libraries_come_with_torch_only() -> None:
    gpu = re.compile(r"nvidia-|cuda-|triton$|torch$")
    assert {"torch", "triton"} <= set(pins("torch"))
    assert [name for image in IMAGES for name in pins(image) if gpu.match(name)] == []


@pytest.mark.parametrize("image", IMAGES)
def test_only_locked_wheels_are_installed(image: str) -> None:
    shell = " ".join(" && ".join(rest for step, rest in steps(image) if step == "RUN").split())
    commands = re.findall(r"(?<!-)\bpip [^&;]+", shell)
    assert len(commands) >= 4
    for command in commands:
        own = "--no-index" in command or command.rstrip().endswith(" .")
        cpu_torch = '--index-url "$TORCH_INDEX" torch==' in command
        locked = "--require-hashes" in command and " -r docker/locks/" in command
        assert own or cpu_torch or locked, command
    torch = [each for each in PROJECT["optional-dependencies"]["gates"] if "torch" in each]
    assert all(name in torch for name in re.findall(r"torch==[\d.]+", IMAGES[image].read_text()))


@pytest.mark.parametrize("image", IMAGES)
def test_what_runs_has_no_tools_no_root_and_a_health_check(image: str) -> None:
    everything = steps(image)
    starts = [at for at, (instruction, _) in enumerate(everything) if instruction == "FROM"]
    assert len(starts) == 2
    last = everything[starts[-1] :]
    assert [rest for instruction, rest in last if instruction == "USER"] == ["10001:10001"]
    assert "pip" not in " ".join(rest for instruction, rest in last if instruction == "RUN")
    once = [instruction for instruction, _ in last]
    assert [once.count(name) for name in ("HEALTHCHECK", "ENTRYPOINT", "CMD")] == [1, 1, 1]
    assert 'licenses="Apache-2.0"' in dict(last)["LABEL"]
    base = dict(everything)["ARG"] if image != "cpu" else everything[0][1]
    assert re.fullmatch(r"BASE=python:3\.11\.\d+-slim-bookworm", base)


@pytest.mark.parametrize("image", IMAGES)
def test_what_is_copied_is_there_and_sent_along(image: str) -> None:
    sent = [line[1:] for line in (ROOT / ".dockerignore").read_text().split() if line[0] == "!"]
    copied: set[str] = set()
    for instruction, rest in steps(image):
        if instruction == "COPY" and not rest.startswith("--from"):
            copied.update(rest.split()[:-1])
    # The wheel takes the deployments with it, and the catalogue of models.
    assert {"deployments", "flows", "tasks", "voxmem", "docker/locks"} <= copied
    assert all((ROOT / source).exists() and source in sent for source in copied)
