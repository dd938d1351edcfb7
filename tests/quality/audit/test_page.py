"""The page in a browser: keys, verdicts, and that it fits where it is shown."""

from __future__ import annotations

import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.analyze.browser import FLAGS, HELPERS
from tests.quality.audit.made import NOON, calibrated, kept, source_of
from voxmem.quality.audit import server as audit_server
from voxmem.quality.audit.queue import draw
from voxmem.quality.audit.records import Audits
from voxmem.quality.audit.server import AuditServer

pytestmark = pytest.mark.browser

_RUN = """
%(helpers)s
window.problems = [];
addEventListener("error", (event) => problems.push(event.message || "a file is missing"), true);
addEventListener("unhandledrejection", (event) => problems.push(String(event.reason)));
const press = (key, on = document.body) =>
  on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const heard = () => document.getElementById("count").textContent;
(async () => { %(script)s })()
  .then((value) => ({ value }), (error) => ({ error: String(error) }))
  .then((found) => JSON.stringify({ ...found, problems }))
  .then((body) => fetch("/found", { method: "POST", body }));
"""


class Probed(audit_server._Handler):
    """The page with a script of a test, and a place for what it found."""

    def _get(self) -> None:
        if self.path == "/":
            page = Path(audit_server.__file__).with_name("static") / "index.html"
            html = page.read_text("utf-8")
            script = '<script src="/probe.js"></script></body>'
            self._send(html.replace("</body>", script).encode(), "text/html; charset=utf-8")
        elif self.path == "/probe.js":
            self._send(self.server.script.encode(), "text/javascript")  # type: ignore[attr-defined]
        else:
            super()._get()

    def _post(self) -> None:
        if self.path != "/found":
            super()._post()
            return
        self.server.found.append(self._body())  # type: ignore[attr-defined]
        self._json({})
        self.server.told.set()  # type: ignore[attr-defined]


@pytest.fixture
def audits(tmp_path: Path) -> Audits:
    return kept(tmp_path, [])


@pytest.fixture
def served(tmp_path: Path, audits: Audits) -> Iterator[AuditServer]:
    source = source_of(tmp_path)
    server = AuditServer(source, draw(source, calibrated(), 5), audits, lambda: NOON)
    server.RequestHandlerClass = Probed
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join(20)


def probe(chromium: Path, server: Any, script: str, size: str = "1280,900") -> Any:
    """What the script returns inside the page."""
    server.script = _RUN % {"helpers": HELPERS, "script": script}
    server.found, server.told = [], threading.Event()
    with tempfile.TemporaryDirectory(prefix="voxmem-browser-", ignore_cleanup_errors=True) as home:
        browser = subprocess.Popen(
            [chromium, *FLAGS, f"--window-size={size}", f"--user-data-dir={home}", server.url],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            assert server.told.wait(40), "the page said nothing"
        finally:
            browser.terminate()
            browser.wait(20)
    (found,) = server.found
    assert "error" not in found, found
    assert found["problems"] == [], found["problems"]
    return found.get("value")


_BEGIN = """
document.getElementById("name").value = "ada";
document.getElementById("who").requestSubmit();
await until(() => heard() === "0 of 5");
"""


def test_a_queue_is_heard_with_the_keyboard_alone(
    chromium: Path, served: AuditServer, audits: Audits
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
def test_it_fits_where_it_is_shown(chromium: Path, served: AuditServer, size: str) -> None:
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


def test_a_verdict_that_is_not_kept_is_said(chromium: Path, served: AuditServer) -> None:
    """As when the disk is full: the clip stays without a verdict."""

    class Full:
        def rows(self) -> list[object]:
            return []

        def add(self, row: object) -> None:
            from voxmem.errors import StoreError

            raise StoreError("cannot write: the disk is full")

    served.audits = Full()  # type: ignore[assignment]
    script = f"""
await until(() => !document.getElementById("who").hidden);
{_BEGIN}
press("p");
const problem = document.getElementById("problem");
await until(() => !problem.hidden);
return [problem.textContent, heard()];
"""
    text, heard = probe(chromium, served, script)
    assert text == "The verdict was not kept: cannot write: the disk is full"
    assert heard == "0 of 5"


def test_what_a_clip_says_cannot_break_the_page(chromium: Path, served: AuditServer) -> None:
    hostile = "<img src=x onerror=document.title='broken'> & “quoted” </script>"
    for name, clip in list(served.source.clips.items()):
        spec = clip.spec.model_copy(update={"text": hostile})
        served.source.clips[name] = clip.model_copy(update={"spec": spec})  # type: ignore[index]
    script = f"""
await until(() => !document.getElementById("who").hidden);
{_BEGIN}
return [document.getElementById("text").textContent, document.title];
"""
    assert probe(chromium, served, script) == [hostile, "Audit of clips"]
