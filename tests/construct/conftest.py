"""Releases that are built once, in tones and without sound, and copies to be damaged."""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.construct.built import Built
from tests.fake_speech import ToneEngine
from tests.small_build import TEXT, TINY, build


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """One question a cell, spoken in tones. Not to be written to."""
    folder, tones = tmp_path_factory.mktemp("undisturbed"), ToneEngine()
    return Built(folder, build(folder, TINY, tones), Counter(tones.rendered))


@pytest.fixture
def copied(undisturbed: Built, tmp_path: Path) -> Built:
    """The same release in a folder that a test may damage."""
    return copy(undisturbed, tmp_path / "copy")


@pytest.fixture(scope="session")
def unspoken(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The same questions without sound. Not to be written to."""
    folder = tmp_path_factory.mktemp("unspoken")
    return Built(folder, build(folder, TEXT), Counter(), TEXT)


@pytest.fixture
def copied_text(unspoken: Built, tmp_path: Path) -> Built:
    """The release without sound in a folder that a test may damage."""
    return copy(unspoken, tmp_path / "copy")


def copy(built: Built, folder: Path) -> Built:
    shutil.copytree(built.folder, folder)
    return replace(built, folder=folder)
