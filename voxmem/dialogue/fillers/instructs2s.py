"""InstructS2S-200K (Fang et al., 2025): the corpus of spoken instructions that VoxMem fills with.

Its records are ``{"id": ..., "conversation": [{"from": "human" | "gpt", "text": ..., ...}, ...]}``,
in one JSON array (``instruct_en_200k_data_cosy2.json``) or in conversions of it to JSON lines or
Parquet. Speech and speech units are not read: fillers are spoken in the voices of their history.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple

from pydantic import BaseModel, Field, ValidationError

from voxmem.config import BuildConfig
from voxmem.dialogue.fillers.items import SUFFIXES, read_items
from voxmem.dialogue.fillers.shape import Shape, kind_of
from voxmem.dialogue.fillers.source import RawDialogue
from voxmem.dialogue.fillers.trim import fault, fitted, sentences
from voxmem.errors import InputError, MissingExtra, UsageError
from voxmem.keys import rng

_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")
_TRIES = 3
"""Lengths drawn for a turn before it is given up."""
_WAITING = 2_000
"""Openings of one kind that are kept for a session that needs one; the oldest go first."""


class _Said(BaseModel):
    side: Literal["human", "gpt"] = Field(alias="from")
    text: str | None


class _Record(BaseModel):
    id: str | int
    conversation: list[_Said]


class _Opening(NamedTuple):
    origin: str
    text: str


class InstructS2SSource:
    """Instructions put together to sessions.

    Args:
        config: The build.
        shape: What user turns are trimmed to.
        where: A file or folder with the data set's text, or its id on the Hugging Face hub.

    Raises:
        UsageError: ``where`` is neither.
    """

    name = "instructs2s"
    licence = "CC BY-NC 4.0 (InstructS2S-200K, ICTNLP); not for commercial use"

    def __init__(self, config: BuildConfig, shape: Shape, where: str) -> None:
        if not Path(where).exists() and not _HUB_ID.fullmatch(where):
            raise UsageError(
                "there is no such folder or file, and it is no hub id either",
                item=f"instructs2s:{where}",
                stage="write",
                remedy="write instructs2s:FOLDER, or instructs2s:ICTNLP/InstructS2S-200K",
            )
        self._seed, self._shape, self._where = config.seed, shape, where
        self.left_out: Counter[str] = Counter()

    def dialogues(self) -> Iterator[RawDialogue]:
        """Openings of records, put together to sessions whose turns are of the kinds that
        sessions of the build have. What follows an opening leans on it and is left out.

        Raises:
            MissingExtra: A hub id is given and ``huggingface_hub`` is not installed.
            InputError: There is no data file, or it is damaged or of another layout.
        """
        draw = rng("instructs2s", self._seed)
        waiting: defaultdict[str, deque[_Opening]] = defaultdict(lambda: deque(maxlen=_WAITING))
        for record in self._records():
            text = self._opening(record, draw)
            if text is None:
                continue
            waiting[kind_of(text)].append(_Opening(str(record.id), text))
            script = self._shape.script(draw, draw.randint(*self._shape.turns))
            if all(len(waiting[kind]) >= count for kind, count in Counter(script).items()):
                chosen = [waiting[kind].popleft() for kind in script]
                yield RawDialogue(
                    origin=" ".join(opening.origin for opening in chosen),
                    texts=tuple(opening.text for opening in chosen),
                )

    def _records(self) -> Iterator[_Record]:
        for path in _files(self._where):
            for number, item in enumerate(read_items(path, ("id", "conversation")), start=1):
                try:
                    yield _Record.model_validate(item)
                except ValidationError as error:
                    first = error.errors(include_url=False, include_input=False)[0]
                    raise InputError(
                        f"record {number} is not of InstructS2S-200K's layout: "
                        f"{'.'.join(map(str, first['loc']))}: {first['msg']}",
                        item=str(path),
                        stage="write",
                        remedy="give the folder that holds instruct_en_200k_data_cosy2.json alone",
                    ) from error

    def _opening(self, record: _Record, draw: Random) -> str | None:
        """What the user says first, trimmed, if it can be said in any session."""
        sides = [said.side for said in record.conversation]
        if not sides or sides != ["human", "gpt"] * (len(sides) // 2):
            self.left_out["sides do not alternate"] += 1
            return None
        parts = sentences(record.conversation[0].text or "")
        reason = next(filter(None, map(fault, parts)), None) if parts else "no text"
        lengths = (self._shape.turn(draw).seconds for _ in range(_TRIES))
        text = next(filter(None, (fitted(parts, wanted) for wanted in lengths)), None)
        if reason or text is None:
            self.left_out[reason or "length"] += 1
            return None
        return text


def _files(where: str) -> list[Path]:
    path = Path(where)
    if not path.exists():
        path = _download(where)
    if path.is_file():
        return [path]
    found = sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES)
    if not found:
        raise InputError(
            f"holds no {', '.join(SUFFIXES)} file",
            item=where,
            stage="write",
            remedy="give the folder that holds instruct_en_200k_data_cosy2.json",
        )
    return found


def _download(hub_id: str) -> Path:
    """The text of a data set on the hub, without its hundreds of gigabytes of speech."""
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError
    except ImportError as error:
        raise MissingExtra(
            "reading a hub id needs huggingface_hub",
            item=f"instructs2s:{hub_id}",
            stage="write",
            remedy="pip install 'voxmem[local-models]', or give a folder",
        ) from error
    try:
        patterns = [f"*{suffix}" for suffix in SUFFIXES]
        return Path(snapshot_download(hub_id, repo_type="dataset", allow_patterns=patterns))
    except (HfHubHTTPError, LocalEntryNotFoundError, OSError) as error:
        raise InputError(
            f"cannot be downloaded: {str(error).splitlines()[0]}",
            item=f"instructs2s:{hub_id}",
            stage="write",
            remedy="check the id and the network, or download it elsewhere and give its folder",
        ) from error
