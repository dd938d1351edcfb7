"""A page of labels in a browser, with a script of a test, and a place for what it found."""

from __future__ import annotations

import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.analyze.browser import FLAGS, HELPERS
from tests.quality.audit.made import NOON
from voxmem.quality.labelling import server as label_server
from voxmem.quality.labelling.server import LabelServer
from voxmem.quality.labelling.shell import page_html
from voxmem.quality.labelling.task import Task

_RUN = """
%(helpers)s
window.problems = [];
addEventListener("error", (event) => problems.push(event.message || "a file is missing"), true);
addEventListener("unhandledrejection", (event) => problems.push(String(event.reason)));
const press = (key, on = document.body) =>
  on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const heard = () => document.getElementById("count").textContent;
const enter = (name) => {
  document.getElementById("name").value = name;
  document.getElementById("who").requestSubmit();
};
(async () => { %(script)s })()
  .then((value) => ({ value }), (error) => ({ error: String(error) }))
  .then((found) => JSON.stringify({ ...found, problems }))
  .then((body) => fetch("/found", { method: "POST", body }));
"""


class Probed(label_server._Handler):
    """The page with the script."""

    def _get(self) -> None:
        if self.path == "/":
            html = page_html(self.server.task.page)
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


def serving(task: Task[Any]) -> Iterator[LabelServer]:
    """A server of the page, for a fixture."""
    server = LabelServer(task, lambda: NOON)
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
