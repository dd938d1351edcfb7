"""The page in a browser: keys, verdicts, and that it fits where it is shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.quality.audit.made import calibrated, kept, source_of
from tests.quality.labelling.probed import probe, serving
from voxmem.quality.audit.queue import draw
from voxmem.quality.audit.records import Audits
from voxmem.quality.audit.task import ClipTask
from voxmem.quality.labelling.server import LabelServer

pytestmark = pytest.mark.browser


@pytest.fixture
def audits(tmp_path: Path) -> Audits:
    return kept(tmp_path, [])


@pytest.fixture
def served(tmp_path: Path, audits: Audits) -> Iterator[LabelServer]:
    source = source_of(tmp_path)
    yield from serving(ClipTask(source, draw(source, calibrated(), 5), audits))


_BEGIN = """
document.getElementById("name").value = "ada";
document.getElementById("who").requestSubmit();
await until(() => heard() === "0 of 5");
"""


def test_a_queue_is_heard_with_the_keyboard_alone(
    chromium: Path, served: LabelServer, audits: Audits
) -> None:
    script = f"""
await until(() => !document.getElementById("who").hidden);
{_BEGIN}
const playing = () => document.querySelector("#renditions [data-playing]");
await until(playing);
press("p");
await until(() => heard() === "1 of 5");
press("m");
document.activeElement.value = "says bleu";
press("f", document.activeElement);
const typed = document.getElementById("faults").hidden;
press("Escape", document.activeElement);
press("f");
press("w");
await until(() => heard() === "2 of 5");
press("u");
await until(() => heard() === "3 of 5");
press("ArrowLeft");
const said = document.getElementById("said").textContent;
press("p");
await until(() => document.getElementById("said").textContent === "");
press("p");
await until(() => heard() === "4 of 5");
press("v");
await until(() => document.querySelector("#others [data-playing]"));
press("p");
await until(() => !document.getElementById("done").hidden);
return {{ typed, said }};
"""
    found = probe(chromium, served, script)
    assert found["typed"] is True
    assert found["said"].startswith("You said: unsure.")
    rows = audits.rows()
    assert len(rows) == 6
    assert {row.annotator for row in rows} == {"ada"}
    assert [(row.fault, row.note) for row in rows if row.verdict == "fail"] == [
        ("words", "says bleu")
    ]


@pytest.mark.parametrize("size", ["390,844", "1280,900"])
def test_it_fits_where_it_is_shown(chromium: Path, served: LabelServer, size: str) -> None:
    script = f"""
await until(() => !document.getElementById("who").hidden);
{_BEGIN}
press("f");
await until(() => !document.getElementById("faults").hidden);
const wide = document.documentElement.scrollWidth;
const small = all("button").filter((item) => item.offsetHeight && item.closest("#bar"))
  .filter((item) => item.offsetHeight < 44).length;
return {{ wide, inner: innerWidth, small, kinds: all("#kinds button").length }};
"""
    found = probe(chromium, served, script, size)
    assert found["wide"] <= found["inner"]
    assert found["small"] == 0
    assert found["kinds"] == 8


def test_a_label_that_is_not_kept_is_said(chromium: Path, served: LabelServer) -> None:
    """As when the disk is full: the clip stays without a verdict."""

    class Full:
        def rows(self) -> list[object]:
            return []

        def add(self, row: object) -> None:
            from voxmem.errors import StoreError

            raise StoreError("cannot write: the disk is full")

    served.task.labels = Full()  # type: ignore[assignment]
    script = f"""
await until(() => !document.getElementById("who").hidden);
{_BEGIN}
press("p");
const problem = document.getElementById("problem");
await until(() => !problem.hidden);
return [problem.textContent, heard()];
"""
    text, heard = probe(chromium, served, script)
    assert text == "The label was not kept: cannot write: the disk is full"
    assert heard == "0 of 5"


def test_what_a_clip_says_cannot_break_the_page(chromium: Path, served: LabelServer) -> None:
    hostile = "<img src=x onerror=document.title='broken'> & “quoted” </script>"
    for name, clip in list(served.task.clip_source.clips.items()):
        spec = clip.spec.model_copy(update={"text": hostile})
        served.task.clip_source.clips[name] = clip.model_copy(update={"spec": spec})  # type: ignore[index]
    script = f"""
await until(() => !document.getElementById("who").hidden);
{_BEGIN}
return [document.getElementById("text").textContent, document.title];
"""
    assert probe(chromium, served, script) == [hostile, "Audit of clips"]
