"""What is said of a model before it is run: tried once, refused, labelled, or not tried."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from voxmem.errors import UsageError
from voxmem.evaluate import ready
from voxmem.evaluate.controls import Abstain
from voxmem.evaluate.items import ReleaseRows
from voxmem.evaluate.preflight import Finding, Preflight, keep, needs_of
from voxmem.evaluate.run import Run
from voxmem.models.registry import Candidate, create


@pytest.fixture
def catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    common = {
        "title": "T",
        "family": "local",
        "backend": "openai",
        "model": "m",
        "proof": {"status": "not proved", "by": "a test"},
        "settings": {"base_url": "http://127.0.0.1:9/v1"},
    }
    models = [
        {**common, "name": "hearing", "group": "proprietary"},
        {**common, "name": "reading", "group": "text"},
    ]
    (tmp_path / "models.yaml").write_text(json.dumps({"models": models}))
    monkeypatch.setenv("VOXMEM_MODELS", str(tmp_path / "models.yaml"))


def tried(run: Run, *findings: Finding) -> None:
    """Keeps what a preflight found, as if it had been made."""
    assert isinstance(run.system, Candidate)
    keep(
        run.rows.root,
        Preflight(
            system=run.system.name,
            fingerprint=run.system.fingerprint,
            adapter=run.system.adapter,
            needs=needs_of(run.rows, ["2K"], run.prompts),
            findings=findings,
            requests=3,
            dollars=None,
        ),
    )


def found(means: str) -> Finding:
    return Finding(check="hears clips", status="failed", means=means, detail="it is deaf")  # type: ignore[arg-type]


def test_what_was_found_refuses_labels_or_is_not_looked_at(
    fresh: ReleaseRows, catalogue: None
) -> None:
    run = Run(fresh, create("hearing"), "2K")
    tried(run, found("refused"))
    with pytest.raises(UsageError, match="hears clips failed: it is deaf"):
        ready.labels(run, ["2K"], "refuse")
    assert ready.labels(run, ["2K"], "label") == ("preflight: hears clips failed: it is deaf",)
    assert ready.labels(run, ["2K"], "skip") == ("preflight: skipped",)


def test_a_label_is_carried_and_nothing_is_asked_again(fresh: ReleaseRows, catalogue: None) -> None:
    run = Run(fresh, create("hearing"), "2K")
    tried(run, found("labelled"))
    assert ready.labels(run, ["2K"], "refuse") == ("preflight: hears clips failed: it is deaf",)


def test_controls_are_not_tried(fresh: ReleaseRows) -> None:
    assert ready.labels(Run(fresh, Abstain(), "2K"), ["2K"], "refuse") == ()


@pytest.mark.parametrize("arm", ready.WRITTEN)
def test_a_model_of_text_takes_the_arms_without_audio(
    fresh: ReleaseRows, catalogue: None, arm: str
) -> None:
    run = Run(fresh, create("reading"), "2K", arm)
    assert ready.labels(run, ["2K"], "refuse") == ()
    for item in fresh.items(["2K"]):
        assert run.arm.told(item, run.prompts).conversation.clips == ()


def test_and_no_other(fresh: ReleaseRows, catalogue: None) -> None:
    with pytest.raises(UsageError, match=r"tells items aloud.*cascade@reading"):
        ready.labels(Run(fresh, create("reading"), "2K"), ["2K"], "refuse")
