"""What a cluster is at when a fault comes: a build and an evaluation, each of which lasts about a
quarter of a minute, can be watched from outside, and can be compared with an undisturbed one.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from tests.models.fake_openai import FakeOpenAI, Request, Step, says, slowly
from tests.small_build import TINY
from voxmem.errors import InputError
from voxmem.evaluate.items import ReleaseRows
from voxmem.models.catalogue import VARIABLE as MODELS
from voxmem.records import Response
from voxmem.store.release import load, verify
from voxmem.store.root import open_root

BUILD = TINY.model_copy(update={"chunk_seconds": 30.0})
"""Two dozen chunks, of which a worker speaks about two a second."""
MODEL = "chaos-model"
CONCURRENCY = 3
SECONDS_PER_CALL = 1.5


class Work(Protocol):
    """One piece of work in a root of its own, as it is asked of a deployment.

    Attributes:
        name: What it is.
        deployment: That does it.
        twin: Another one that does the same.
        folder: Where the root's files are, whatever serves them.
        uri: The root, as the deployment is told of it.
    """

    name: str
    deployment: str
    twin: str
    folder: Path
    uri: str

    @property
    def parameters(self) -> dict[str, Any]:
        """Of the deployment."""
        ...

    def is_in_the_middle(self) -> bool:
        """Whether some of it is done, and more is to come."""
        ...

    def progress(self) -> int:
        """Grows with every piece that is done."""
        ...

    def outcome(self) -> object:
        """What came of it: equal to an undisturbed one's, or something is wrong."""
        ...

    def paid(self) -> Counter[str]:
        """Item → how often it was asked for."""
        ...

    def remove_damaged(self) -> int:
        """Deletes what is not what it was when it was written; how many files that are."""
        ...


class Construct:
    """The tiny build, from plans to the manifest."""

    name = "construct"
    deployment = "construct/demo"
    twin = "construct/small"

    def __init__(self, folder: Path, uri: str) -> None:
        self.folder, self.uri = folder, uri

    @property
    def parameters(self) -> dict[str, Any]:
        return {"root": self.uri, "custom": BUILD.model_dump(mode="json"), "workers": 1}

    def is_in_the_middle(self) -> bool:
        return _count(self.folder, "tables/clips/*.parquet") >= 5

    def progress(self) -> int:
        return _count(self.folder, "tables/*/*.parquet", "releases/*/*")

    def outcome(self) -> object:
        root = open_root(self.folder)
        release = load(root, BUILD.name)
        assert verify(root, release) == []
        return release.manifest_hash

    def paid(self) -> Counter[str]:
        return Counter()

    def remove_damaged(self) -> int:
        return _remove_damaged(self.folder)


class Evaluate:
    """A model behind a slow server, over the release of an undisturbed build.

    Args:
        release: The folder of that build's root.
        chat: The server.
    """

    name = "evaluate"
    deployment = "evaluate/demo"
    twin = "evaluate/cpu"

    def __init__(self, folder: Path, uri: str, release: Path, chat: FakeOpenAI) -> None:
        self.folder, self.uri = folder, uri
        shutil.copytree(release, folder, dirs_exist_ok=True)
        self._chat, self._before = chat, len(chat.requests)

    @property
    def parameters(self) -> dict[str, Any]:
        return {
            "root": self.uri,
            "release": BUILD.name,
            "systems": [MODEL],
            "preflight": "skip",
        }

    def is_in_the_middle(self) -> bool:
        # Between two rounds of calls, so that as many are in flight as there can be.
        return self.progress() >= 5 and self._chat.open == CONCURRENCY

    def progress(self) -> int:
        return _count(self.folder, "ledger/evaluate/??/*")

    def outcome(self) -> object:
        root = open_root(self.folder)
        rows = ReleaseRows(root, load(root, BUILD.name))
        assert verify(root, rows.release) == []
        tables = root.tables
        found = tables.read("responses", Response, tables.parts("responses"))
        assert len(found) == len(rows.histories)
        assert root.blobs.noted("ledger/evaluate/intents") == []
        return sorted((row.item_id, row.outcome, row.text, row.request_hash) for row in found)

    def paid(self) -> Counter[str]:
        return Counter(asked(request) for request in self._chat.requests[self._before :])

    def remove_damaged(self) -> int:
        return _remove_damaged(self.folder)


def _remove_damaged(folder: Path) -> int:
    """By their bytes, as whoever holds the disk in hand."""
    damaged = []
    for file in folder.glob("objects/??/*"):
        if hashlib.sha256(file.read_bytes()).hexdigest() != file.parent.name + file.name:
            damaged.append(file)
    tables = open_root(folder).tables
    for file in folder.glob("tables/*/*.parquet"):
        try:
            tables.load(file.parent.name, file.stem)
        except InputError:
            damaged.append(file)
    for file in damaged:
        file.unlink()
    return len(damaged)


def _count(folder: Path, *patterns: str) -> int:
    return sum(1 for pattern in patterns for _ in folder.glob(pattern))


def model_server() -> FakeOpenAI:
    """A model that takes its time, and gives every item an answer of its own."""

    def script(request: Request) -> Step:
        return slowly(says(f"it was {asked(request)[:8]}"), SECONDS_PER_CALL)

    return FakeOpenAI(script=script)


def asked(request: Request) -> str:
    """What tells one item from another: its whole conversation."""
    return hashlib.sha256(json.dumps(request.body["messages"]).encode()).hexdigest()


def catalogue(folder: Path, chat: FakeOpenAI) -> Mapping[str, str]:
    """The environment of a cluster whose models are that one."""
    entry = {
        "name": MODEL,
        "title": "Chaos",
        "family": "local",
        "group": "proprietary",
        "backend": "openai",
        "model": "m",
        "pace": {"concurrency": CONCURRENCY},
        "proof": {"status": "not proved", "by": "a test"},
        "settings": {"base_url": chat.url},
    }
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "chaos-models.yaml"
    file.write_text(json.dumps({"models": [entry]}))
    return {MODELS: str(file)}
