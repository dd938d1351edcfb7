"""Which clips can be heard: of a release, and of a build that is not published yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.quality.audit.made import made, source_of
from tests.small_build import TEXT, TINY, ToneBuild, build
from voxmem.config import preset
from voxmem.errors import UsageError
from voxmem.quality.audit.source import _options, of_build, of_release
from voxmem.store.root import open_root


def test_the_clips_of_a_release_that_passed_the_session_gate(tmp_path: Path) -> None:
    source = source_of(tmp_path, 12, failed=[2, 3])
    assert len(source.clips) == 10
    assert source.name.startswith("heard-")
    assert source.options == f"--root {tmp_path} --release {source.name}"
    assert all(len(source.checks[name]) == 1 for name in source.clips)


def test_words_that_answers_rest_on_are_known(tmp_path: Path) -> None:
    source = source_of(tmp_path, 12)
    told = {
        source.clips[name].spec.text.split()[1]: found for name, found in source.critical.items()
    }
    assert told == {"0:": ("blue",), "5:": ("blue",), "10:": ("blue",)}


def test_what_has_no_clips_is_an_error(tmp_path: Path) -> None:
    root, release = made(tmp_path)
    silent = release.model_copy(update={"tables": {}})
    with pytest.raises(UsageError, match="no clip that could be heard"):
        of_release(root, silent)
    with pytest.raises(UsageError, match="no clip that could be heard"):
        of_build(ToneBuild(root, TEXT))


def test_a_build_is_named_as_a_command_takes_it() -> None:
    assert _options(preset("demo")) == "--preset demo"
    assert _options(preset("demo", seed=77)) == "--preset demo --seed 77"
    other = preset("demo").model_copy(update={"cue_rate": 0.2})
    assert _options(other) == "--config FILE"


@pytest.mark.slow
def test_a_build_and_its_release_have_the_same_clips(tmp_path: Path) -> None:
    release = build(tmp_path, TINY)
    root = open_root(tmp_path)
    one, two = of_build(ToneBuild(root, TINY)), of_release(root, release)
    assert one.clips == two.clips
    assert one.critical == two.critical
    assert one.seed == two.seed
    last = ToneBuild(root, TINY).chunks[-1].part
    for table in ("clips", "session_checks"):
        root.tables.path(table, last).unlink()
    assert 0 < len(of_build(ToneBuild(root, TINY)).clips) < len(one.clips)
