"""A judge is one string, read in one place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judge.bench import write_catalogue
from voxmem.errors import UsageError
from voxmem.judge import make_judge, models_of
from voxmem.judge.imported import ImportedJudge
from voxmem.judge.model import ModelJudge
from voxmem.judge.panel import Panel
from voxmem.prompts import FILES, load


@pytest.fixture(autouse=True)
def judges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    away = {"base_url": "http://127.0.0.1:9/v1"}
    write_catalogue(tmp_path, monkeypatch, "a", "b", settings=away)


def test_every_name_gives_its_judge() -> None:
    model, before = make_judge("a"), make_judge("pre+a")
    assert isinstance(model, ModelJudge)
    assert isinstance(before, ModelJudge)
    assert (model.prejudged, before.prejudged) == (False, True)
    panel = make_judge("panel:b, rule,pre+a")
    assert isinstance(panel, Panel)
    assert [each.name for each in panel.members] == ["b", "pre+a", "rule"]
    assert isinstance(make_judge("imported:gemini-3.7-flash"), ImportedJudge)
    for name in ("rule", "a", "pre+a", "panel:b,pre+a,rule", "imported:some judge"):
        assert make_judge(name).name == name
    for name in ("gpt-5.6-luna", "gemini-3.7-flash"):
        assert make_judge(name).name == name, "the judges of the paper are in the catalogue"


def test_the_order_of_a_panel_is_no_matter() -> None:
    assert make_judge("panel:a,b").identity == make_judge("panel:b,a").identity


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("c", "no judge named 'c'"),
        ("pre+rule", "no judge named"),
        ("pre+", "no judge named"),
        ("abstain", "no judge named"),
        ("panel:a", "one judge is no panel"),
        ("panel:a,a", "sits on it twice"),
        ("panel:", "one judge is no panel"),
        ("panel:a,c", "no judge named 'c'"),
        ("panel:a,panel:a,b", "cannot sit on a panel"),
        ("imported:", "no judge named"),
    ],
)
def test_what_is_no_judge_is_said(name: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        make_judge(name)


def test_an_identity_is_another_whenever_a_verdict_could_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("rule", "a", "b", "pre+a", "panel:a,b", "panel:a,rule")
    before = [make_judge(name).identity for name in names]
    assert len(set(before)) == len(names)
    assert [make_judge(name).identity for name in names] == before
    for name, file in FILES.items():
        (tmp_path / file).write_text(f"another {name}" if name == "ar_judge" else name)
    other = [make_judge(name, load(tmp_path)).identity for name in names]
    assert [old == new for old, new in zip(before, other, strict=True)] == [True] + [False] * 5
    warm = {"max_output_tokens": 64, "temperature": 0.5}
    away = {"base_url": "http://127.0.0.1:9/v1"}
    write_catalogue(tmp_path, monkeypatch, {"name": "a", "decoding": warm}, "b", settings=away)
    hot = [make_judge(name).identity for name in names]
    same = [old == new for old, new in zip(before, hot, strict=True)]
    assert same == [True, False, True, False, False, False]


def test_the_models_of_a_judge() -> None:
    assert list(models_of("rule")) == []
    assert list(models_of("panel:pre+a, rule,imported:x,b")) == ["a", "imported:x", "b"]
