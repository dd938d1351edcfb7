"""The four prompts of the protocol, in our own words or from a folder with the same file names.

Prompts are versioned by the hash of their files; every report names it. A user who has the official
prompts points at their folder and reproduces the reference numbers.
"""

from __future__ import annotations

import hashlib
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from voxmem.errors import InputError, UsageError
from voxmem.records import Record

FILES = {
    "candidate": "candidate_system_prompt.txt",
    "candidate_no_abstain": "candidate_system_prompt.no_abstain.txt",
    "answerable_judge": "answerable_judge_prompt.txt",
    "ar_judge": "ar_judge_prompt.txt",
}


class Prompt(Record):
    """One prompt and the name of its version."""

    text: str
    """As it is sent: without blank space at either end."""
    sha256: str
    """Of the file's bytes, so that ``sha256sum`` gives the same."""


class Prompts(Record):
    """The instruction of the model under test, in two arms, and of the judge, in two rubrics."""

    candidate: Prompt
    """With abstention: every evaluation."""
    candidate_no_abstain: Prompt
    """The acoustic validation on answerable items (VoxMem, Table 2)."""
    answerable_judge: Prompt
    ar_judge: Prompt

    @property
    def hashes(self) -> dict[str, str]:
        """Prompt name → SHA-256, for manifests and reports."""
        return {name: getattr(self, name).sha256 for name in FILES}


def load(folder: Path | None = None) -> Prompts:
    """Reads the four prompts, from ``folder`` or as they come with the package.

    Raises:
        UsageError: The folder or one of its files does not exist; the file is named.
        InputError: A file is blank, not UTF-8, or cannot be read.
    """
    if folder is not None and not folder.is_dir():
        raise UsageError(
            "is not a folder",
            item=str(folder),
            stage="prompts",
            remedy=f"give a folder that holds {', '.join(FILES.values())}",
        )
    source: Traversable = files(__name__) if folder is None else folder
    return Prompts(**{name: _read(source.joinpath(file)) for name, file in FILES.items()})


def _read(file: Traversable) -> Prompt:
    try:
        raw = file.read_bytes()
        text = raw.decode("utf-8").strip()
    except FileNotFoundError as error:
        raise UsageError(
            "the prompt file is missing",
            item=str(file),
            stage="prompts",
            remedy="add it, or leave the folder out to use voxmem's own prompts",
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise _unusable(file, f"the prompt cannot be read ({error})") from error
    if not text:
        raise _unusable(file, "the prompt is blank")
    return Prompt(text=text, sha256=hashlib.sha256(raw).hexdigest())


def _unusable(file: Traversable, what: str) -> InputError:
    return InputError(
        what, item=str(file), stage="prompts", remedy="give a readable UTF-8 text file"
    )
