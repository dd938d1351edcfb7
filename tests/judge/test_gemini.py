"""The paper's judge, as the catalogue has it, against a strict server of the Gemini API."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.judge.bench import SECRET, answered, make_run, write_catalogue
from tests.models.gemini.server import GeminiServer
from tests.models.text.fake_gemini import blocks, says
from voxmem.errors import UsageError
from voxmem.judge import make_judge
from voxmem.judge.runner import judge_run, standing
from voxmem.models.catalogue import catalogue
from voxmem.prompts import load

NAME = "gemini-3.7-flash"


def point(server: GeminiServer, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The entry that ships, at the server."""
    entry = catalogue()[NAME].model_dump(mode="json")
    quick = {"base_url": server.url, "empty_retries": 0, "files_folder": None, "max_retries": 0}
    write_catalogue(folder, monkeypatch, {**entry, "settings": quick})


def test_it_judges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with GeminiServer() as server:
        monkeypatch.setenv("GEMINI_API_KEY", server.key)
        point(server, tmp_path, monkeypatch)
        server.script = [
            says('{"verdict": "correct"}', thought='Could be {"verdict": "incorrect"}.'),
            says('```json\n{"verdict": "incorrect"}\n```'),
            says('{"verdict": "corr', "MAX_TOKENS"),
            says(None, "MAX_TOKENS"),
            blocks(),
        ]
        replies = answered(5)
        runs = [make_run(tmp_path / "root", {each: replies[each]}, system=each) for each in replies]
        rows = [row for run in runs for row in judge_run(run, make_judge(NAME))]
        assert server.refusals == []
    assert [row.status for row in rows] == [
        "correct", "incorrect", "unparsed", "unparsed", "error",
    ]  # fmt: skip
    assert rows[3].detail == "it said nothing: truncated_empty"
    assert "PROHIBITED_CONTENT" in rows[4].detail
    assert rows[0].usage.thinking_tokens
    first, refusal = server.requests[0], server.requests[3]
    assert first["systemInstruction"]["parts"] == [{"text": load().answerable_judge.text}]
    assert refusal["systemInstruction"]["parts"] == [{"text": load().ar_judge.text}]
    assert first["generationConfig"] == {"maxOutputTokens": 4096}
    [turn] = first["contents"]
    assert turn["role"] == "user"
    assert '"reply": "It is word0, I think so."' in turn["parts"][0]["text"]
    assert SECRET not in json.dumps(server.requests)
    assert standing(runs[0], make_judge(NAME)).dollars is None, "no price is known"


def test_a_wrong_key_is_one_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with GeminiServer() as server:
        monkeypatch.setenv("GEMINI_API_KEY", "wrong-key-4711")
        point(server, tmp_path, monkeypatch)
        with pytest.raises(UsageError, match="GEMINI_API_KEY") as caught:
            judge_run(make_run(tmp_path / "root", answered()), make_judge(NAME))
        assert len(server.refusals) == 1
        assert "4711" not in str(caught.value)
