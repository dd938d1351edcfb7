"""``voxmem models`` and ``voxmem quote``, over the catalogue that ships and over broken ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
import yaml
from typer.testing import CliRunner

from voxmem.commands.models import app
from voxmem.commands.quote import quote
from voxmem.errors import InputError, UsageError
from voxmem.evaluate.items import ReleaseRows
from voxmem.models.catalogue import VARIABLE, catalogue

quoting = typer.Typer()
quoting.command()(quote)


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    return result.stdout


def test_the_list_shows_every_model_and_system_with_its_status() -> None:
    lines = run("list").splitlines()
    row = next(line.split() for line in lines if line.startswith("mimo-audio-7b-instruct"))
    assert row == "mimo-audio-7b-instruct audio-specialist worker 7.6B 8.4B – × not proved".split()
    assert "oracle-transcript  control" in run()
    for name in ("cascade", "listener"):
        assert any(line.split() == [name, "memory", "system"] for line in lines)
    told = json.loads(run("list", "--json"))
    assert {each["name"] for each in told["models"]} == set(catalogue())
    assert {"name": "abstain", "kind": "control"} in told["systems"]
    assert json.loads(run("--json")) == told


def test_a_page_ends_with_what_to_paste(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = run("show", "ultravox-v0.6-llama-3.1-8b")
    serve = "    vllm serve fixie-ai/ultravox-v0_6-llama-3_1-8b --trust-remote-code "
    assert serve + "--interleave-mm-strings" in shown
    monkeypatch.delenv("DASHSCOPE_API_KEY", raising=False)
    assert "$DASHSCOPE_API_KEY, not set" in run("show", "qwen3.5-omni-plus")
    monkeypatch.setenv("DASHSCOPE_API_KEY", "secret")
    shown = run("show", "qwen3.5-omni-plus")
    assert "$DASHSCOPE_API_KEY, set" in shown
    assert "secret" not in shown
    assert json.loads(run("show", "gemini-2.5-pro", "--json"))["price"]["tiers"][1]["output"] == 15
    assert "oracle — a control" in run("show", "oracle")


def test_every_page_can_be_printed() -> None:
    for name, entry in catalogue().items():
        shown = run("show", name)
        assert entry.model in shown
        assert entry.proof.by in shown


def test_another_name_is_a_usage_error() -> None:
    for command in (["show", "gpt-0"], ["preflight", "gpt-0"]):
        result = CliRunner().invoke(app, command)
        assert isinstance(result.exception, UsageError)
        assert "gpt-0" in str(result.exception)
        assert "gemini-2.5-pro" in str(result.exception)


def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **changes: object) -> None:
    entry = {
        "name": "mine",
        "title": "Mine",
        "family": "none",
        "group": "omni-modal",
        "backend": "openai",
        "model": "mine",
        "proof": {"status": "not proved", "by": "nothing"},
        "settings": {"base_url": "http://localhost:9/v1"},
        **changes,
    }
    kept = {name: value for name, value in entry.items() if value is not None}
    file = tmp_path / "models.yaml"
    file.write_text(yaml.safe_dump({"models": [kept]}))
    monkeypatch.setenv(VARIABLE, str(file))


def test_a_missing_field_is_named_with_its_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(tmp_path, monkeypatch, model=None)
    result = CliRunner().invoke(app, ["list"])
    assert isinstance(result.exception, InputError)
    assert "entry 1 (mine): model: Field required" in str(result.exception)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "(mine): base_url"),
        ({"base_url": "http://localhost:9/v1", "dialect": "morse"}, "(mine): dialect"),
        ({"base_url": "http://localhost:9/v1", "api_key_env": "NO_SUCH_KEY"}, "NO_SUCH_KEY"),
    ],
)
def test_a_wrong_setting_or_a_missing_key_is_named_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], said: str
) -> None:
    broken(tmp_path, monkeypatch, settings=settings)
    result = CliRunner().invoke(app, ["preflight", "mine", "--root", str(tmp_path / "root")])
    assert isinstance(result.exception, InputError | UsageError)
    assert said in str(result.exception)
    assert "mine" in str(result.exception)


def test_what_a_worker_s_environment_is_given_is_not_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"command": ["./worker"], "env": {"HUB_TOKEN": "hf-PLANTED"}}
    broken(tmp_path, monkeypatch, backend="worker", settings=settings)
    for command in (["show", "mine"], ["show", "mine", "--json"], ["list", "--json"], ["list"]):
        said = run(*command)
        assert "PLANTED" not in said
        assert ("HUB_TOKEN" in said) == (command != ["list"])


# --- quote --------------------------------------------------------------------------------------


def told(rows: ReleaseRows, *arguments: str) -> str:
    command = ["--root", str(rows.root.path), "--release", rows.release.release_id, *arguments]
    return CliRunner().invoke(quoting, command, catch_exceptions=False).stdout


def test_a_quote_counts_per_budget_and_in_all(rows: ReleaseRows) -> None:
    found = json.loads(told(rows, "--model", "gemini-2.5-pro", "--json"))
    assert [run["budget"] for run in found["runs"]] == ["2K", "4K"]
    small, large = found["runs"]
    assert small["items"] == large["items"] == len(rows.asked)
    assert large["audio_tokens"] > small["audio_tokens"]
    assert found["total"]["dollars"] == pytest.approx(small["dollars"] + large["dollars"])
    # all of it lies in the first tier: 1.25 $ a million in, 10 $ out
    tokens = small["audio_tokens"] + small["text_tokens"]
    expected = (1.25 * tokens + 10 * small["answer_tokens"]) / 1e6
    assert small["dollars"] == pytest.approx(expected)


def test_a_quote_of_a_part_and_of_a_limit(rows: ReleaseRows) -> None:
    few = ("--model", "gemini-2.5-pro", "--budget", "2K", "--subset", "stratified:20")
    found = json.loads(told(rows, *few, "--limit-usd", "0.01", "--json"))
    (run,), (part,) = found["runs"], found["paid"]
    assert run["items"] == part["of"] == 20
    assert 0 < part["items"] < 20
    assert part["dollars"] <= 0.01
    shown = told(rows, *few, "--limit-usd", "100")
    assert "gemini-2.5-pro 2K audio: 20 of 20 items" in shown
    assert "of every stratum" in shown


def test_a_quote_needs_no_key_and_says_what_has_no_price(
    rows: ReleaseRows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DASHSCOPE_API_KEY", raising=False)
    shown = told(rows, "--model", "qwen3.5-omni-plus", "--budget", "2K")
    assert "- qwen3.5-omni-plus: no price is known" in shown
    assert "32 are assumed" in shown


def test_an_unknown_judge_is_a_usage_error(rows: ReleaseRows) -> None:
    command = ["--root", str(rows.root.path), "--release", rows.release.release_id]
    ended = CliRunner().invoke(quoting, [*command, "--judge", "nobody"])
    assert isinstance(ended.exception, UsageError)
    assert "no judge named 'nobody'" in str(ended.exception)
