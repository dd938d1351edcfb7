"""Keys are planted, everything is run and made to fail, and no trace of a key is left anywhere."""

from __future__ import annotations

import json
import logging
import os
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from flows import engine
from flows.analyze import analyze
from flows.attribute import attribute
from flows.construct import construct
from flows.evaluate import evaluate
from flows.judge import judge
from flows.params import (
    AnalyzeParams,
    AttributeParams,
    ConstructParams,
    EvaluateParams,
    JudgeParams,
)
from tests.demo_in_tones import in_tones
from tests.models.fake_openai import FakeOpenAI, Request, Step, fails, says
from tests.models.gemini.server import GeminiServer
from tests.planted import forms, kept, leaks, tables
from tests.small_build import TINY
from voxmem.config import LanguageModel
from voxmem.errors import EngineError, UsageError, VoxmemError
from voxmem.store.root import open_root

KEY = "sk-proj-planted/4f1c+9aQ=="
"""With letters that addresses and base64 write otherwise."""
PLANTED = {
    "PLANTED_API_KEY": KEY,
    "GEMINI_API_KEY": "AIzaSyPlanted-9d2e_71",
    "AWS_SECRET_ACCESS_KEY": "wJalrPlanted/K7MDENG/bPxRfiCYEXAMPLE",
    "PREFECT_API_AUTH_STRING": "voxmem:planted-login-5521",
    "PREFECT_SERVER_DATABASE_CONNECTION_URL": (
        "postgresql+asyncpg://voxmem:planted-db-8842@127.0.0.1:1/prefect"
    ),
}
PASSWORDS = ["planted-login-5521", "planted-db-8842", "planted-address-3306"]
SECRETS = [*PLANTED.values(), *PASSWORDS]
SAID = "a-canary-that-is-said"
"""Not secret: where this is found, a key would have been found."""


def echoes(request: Request) -> Step:
    """Provider messages that repeat the key in every way."""
    header = request.headers["authorization"]
    return fails(400, f"{SAID}: a broken header {header!r}, key={KEY}", param=KEY, code=KEY)


@pytest.fixture
def planted(prefect_api: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in PLANTED.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("VOXMEM_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """Everything that anyone logs, down to the HTTP libraries."""
    for name in ("", "prefect", "prefect.flow_runs", "prefect.task_runs", "httpx", "voxmem"):
        caplog.set_level(logging.DEBUG, logger=name)
    return caplog


def catalogue(folder: Path, chat: str, gemini: str, monkeypatch: pytest.MonkeyPatch) -> None:
    common = {"title": "t", "group": "proprietary", "model": "m", "price": None}
    common |= {"proof": {"status": "not proved", "by": "a test"}}
    chats = {"api_key_env": "PLANTED_API_KEY", "max_retries": 0}
    entries = [
        {"name": "served", "settings": {**chats, "base_url": chat}},
        {"name": "refused", "settings": {**chats, "base_url": chat, "model": "refused"}},
    ]
    entries = [{**common, "family": "local", "backend": "openai", **each} for each in entries]
    flash: dict[str, Any] = {**common, "name": "flash", "family": "gemini", "backend": "gemini"}
    flash |= {"model": "gemini-3.8-flash", "decoding": {"max_output_tokens": 64}}
    flash |= {"settings": {"base_url": gemini, "max_retries": 0, "files_folder": None}}
    file = folder / "models.yaml"
    file.write_text(json.dumps({"models": [*entries, flash]}))
    monkeypatch.setenv("VOXMEM_MODELS", str(file))


def address() -> str:
    return "http://user:planted-address-3306@127.0.0.1:9/v1"


def database() -> Path:
    """That of the workflow server."""
    from prefect.settings import get_current_settings

    url = get_current_settings().server.database.connection_url
    assert url is not None
    return Path(url.get_secret_value().partition("///")[2])


def test_a_planted_key_is_found_in_every_form() -> None:
    for form in forms(KEY):
        assert leaks([KEY], [("here", b"\0" + form + b"\0")]) == [(KEY, "here")]
    assert not leaks([KEY], [("here", KEY[:-3].encode())])


@pytest.mark.parametrize(
    ("root", "taken"),
    [
        *((each, True) for each in ("demo", "/data/@home/a:b", "s3://bucket/a", "file:///a", ":/")),
        *((each, False) for each in (f"s3://AKIA:{KEY}@bucket/p", f"postgresql://u:{KEY}@h/db")),
    ],
)
def test_a_root_with_a_login_in_it_is_no_parameter(root: str, taken: bool) -> None:
    schema = EvaluateParams.model_json_schema()["properties"]["root"]
    assert bool(re.search(schema["pattern"], root)) == taken, "as the server checks it"
    if taken:
        assert EvaluateParams(root=root).root == root
    else:
        with pytest.raises(ValidationError) as caught:
            EvaluateParams(root=root)
        with pytest.raises(UsageError) as named:
            open_root(root)
        assert not leaks([KEY], [("", f"{caught.value} {named.value}".encode())])


def test_an_address_of_a_server_is_said_without_its_login(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.time, "sleep", lambda seconds: None)
    with pytest.raises(EngineError, match=r"at http://…@127.0.0.1:9/api") as caught:
        engine._require_reachable(f"http://me:{PASSWORDS[0]}@127.0.0.1:9/api")
    assert not leaks(PASSWORDS, [("", str(caught.value).encode())])


@pytest.mark.slow
@pytest.mark.flow
def test_no_key_is_left_anywhere(
    planted: None,
    own_demo: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    log: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    database_file = database()
    said: list[str] = []

    def refused(flow: Any, params: Any, match: str) -> None:
        with pytest.raises(VoxmemError, match=match) as caught:
            flow(params)
        said.append("".join(map(str, (caught.value, caught.value.__cause__))))

    def script(request: Request) -> Step:
        if request.body["model"] == "refused":
            return fails(401, f"{SAID}: incorrect key {KEY}", code="invalid_api_key")
        if len(server.requests) % 5 == 0:
            return echoes(request)
        return says(f'{{"verdict": "incorrect"}} {SAID}, and Bearer {KEY}')

    with (
        in_tones(),
        FakeOpenAI(script=script, key=KEY, strict=False) as server,
        GeminiServer(key="another") as gemini,
    ):
        catalogue(tmp_path, server.url, gemini.url, monkeypatch)
        asked = {"root": str(own_demo), "systems": ["served"], "budgets": ["2K"]}
        asked |= {"preflight": "skip"}
        [came] = evaluate(EvaluateParams(**asked))
        assert came["outcomes"]["ok"] >= 10, "the key arrived"
        assert came["errors"], "and was repeated"
        judge(JudgeParams(**asked, judges=["served"]))
        attribute(AttributeParams(**asked, judges=["served"], auditors=["served"]))
        page = analyze(AnalyzeParams(**asked, judges=["served"], partial=True))
        for system, match in (("refused", "valid key"), ("flash", "GEMINI_API_KEY")):
            refused(evaluate, EvaluateParams(**{**asked, "systems": [system]}), match)
        writer = LanguageModel(model="refused", base_url=server.url, api_key_env="PLANTED_API_KEY")
        build = TINY.model_copy(update={"name": "written", "writer": writer})
        refused(construct, ConstructParams(root=str(own_demo), custom=build, workers=1), "valid")
        assert gemini.refusals, "its key arrived, and was not the right one"
        catalogue(tmp_path, address(), gemini.url, monkeypatch)
        refused(evaluate, EvaluateParams(**asked), "user name")

    out = capfd.readouterr()
    heard = [
        ("standard output", out.out.encode()),
        ("standard error", out.err.encode()),
        ("errors", "\n".join(said).encode()),
        ("logs", "\n".join(map(str, (*log.messages, *log.records, log.text))).encode()),
    ]
    left = [
        *heard,
        *kept(own_demo),
        *kept(tmp_path / "cache"),
        *tables(open_root(own_demo)),
        *kept(Path(os.environ["PREFECT_HOME"])),
        *kept(database_file.parent),
    ]
    assert leaks(SECRETS, left) == []
    # The search sees what is said: in rows, in the ledger, in the report and by the server.
    seen = [place for _, place in leaks([SAID], left)]
    assert any(place.startswith("responses/") for place in seen)
    assert any("/ledger/evaluate/" in place for place in seen)
    assert any(place.startswith(str(Path(page).parent)) for place in seen)
    assert any(place == f"{database_file} (rows)" for place in seen)
    assert {"errors", "logs"} <= set(seen)
