"""The pages of verdicts and errors in a browser: keys, labels, and that they fit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.analyze.audit.made import answered, made, response
from tests.analyze.audit.test_errors import found_by
from tests.quality.labelling.probed import probe, serving
from voxmem.analyze.accuracy import Scored
from voxmem.analyze.audit.errors.attributed import Attributed
from voxmem.analyze.audit.errors.task import ErrorTask
from voxmem.analyze.audit.verdicts.task import VerdictTask
from voxmem.quality.labelling.server import LabelServer

pytestmark = pytest.mark.browser

HOSTILE = "<img src=x onerror=document.title='broken'> tea"


@pytest.fixture
def verdicts(tmp_path: Path) -> Iterator[LabelServer]:
    rows = made(tmp_path)
    said = [response("drink0", HOSTILE), response("polar0", "yes"), response("refuse0", "tea")]
    yield from serving(VerdictTask(answered(rows, said, {"rule-1": ["m0 refuse0"]})))


@pytest.fixture
def errors(tmp_path: Path) -> Iterator[LabelServer]:
    rows = made(tmp_path)
    said = [response("drink0", HOSTILE), response("polar0", "no")]
    given = answered(rows, said, {"rule-1": [row.response_id for row in said]})
    wrong = tuple(
        Scored(rows.asked[row.question_id], row, given.verdicts["rule-1"][row.response_id])
        for row in said
    )
    records = {row.response_id: found_by(row, "binding") for row in said}
    yield from serving(ErrorTask(Attributed(rows, wrong, {"rule-1": records})))


_ENTER = """
await until(() => !document.getElementById("who").hidden);
enter("ada");
await until(() => heard().startsWith("0 of"));
"""


def test_verdicts_are_given_with_the_keyboard_alone(chromium: Path, verdicts: LabelServer) -> None:
    script = f"""{_ENTER}
const shown = [];
for (const [at, key] of ["1", "i", "?"].entries()) {{
  shown.push(document.getElementById("response").textContent);
  press(key);
  await until(() => heard() === `${{at + 1}} of 3`);
}}
await until(() => !document.getElementById("done").hidden);
const folded = document.getElementById("rubric").open;
document.getElementById("review").click();
press("h");
await until(() => !document.getElementById("rubric").open);
return {{ shown, folded, title: document.title, rules: all("#rules li").length,
  said: document.getElementById("said").textContent }};
"""
    found = probe(chromium, verdicts, script)
    assert sorted(found["shown"]) == sorted([HOSTILE, "yes", "tea"])
    assert found["title"] == "Audit of verdicts"
    assert found["folded"] is True
    assert found["rules"] >= 5
    assert found["said"].startswith("You said: correct.")
    rows = verdicts.task.labels.rows()
    assert sorted(row.verdict for row in rows) == ["cannot_tell", "correct", "incorrect"]
    first = next(row for row in rows if row.verdict == "correct")
    assert first.response_id == verdicts.task.queue[0]


def test_errors_are_classed_with_the_conversation_in_view(
    chromium: Path, errors: LabelServer
) -> None:
    script = f"""{_ENTER}
await until(() => document.querySelector("#evidence .turn"));
const evidence = all("#evidence .turn").map((turn) => turn.textContent);
const cues = all("#evidence .turn i").map((cue) => cue.textContent);
const folded = all("#others .turn").length;
press("s");
document.querySelector("#others summary").click();
await until(() => document.querySelector("#others .turn"));
document.querySelector("#evidence .plays button").click();
await until(() => document.querySelector("[data-playing]"));
press("b");
await until(() => heard() === "1 of 2");
press("6");
await until(() => !document.getElementById("done").hidden);
return {{ evidence, cues, folded, classes: all("#meanings dt").length, title: document.title }};
"""
    found = probe(chromium, errors, script)
    assert "I drink <b>tea</b> here." in found["evidence"][0]
    assert found["evidence"][0].startswith("Speaker 2")
    assert found["cues"] == ["happy"]
    assert found["folded"] == 0
    assert found["classes"] == 5
    assert found["title"] == "Audit of errors"
    assert sorted(row.error_class for row in errors.task.labels.rows()) == [
        "binding",
        "cannot_tell",
    ]


@pytest.mark.parametrize("kind", ["verdicts", "errors"])
def test_they_fit_on_a_phone(chromium: Path, kind: str, request: pytest.FixtureRequest) -> None:
    server = request.getfixturevalue(kind)
    script = f"""{_ENTER}
await until(() => document.getElementById("response").textContent);
const small = all("#bar button").filter((item) => item.offsetHeight < 44).length;
return {{ wide: document.documentElement.scrollWidth, inner: innerWidth, small,
  buttons: all("#bar button").length }};
"""
    found = probe(chromium, server, script, "390,844")
    assert found["wide"] <= found["inner"]
    assert found["small"] == 0
    assert found["buttons"] == (5 if kind == "verdicts" else 8)
