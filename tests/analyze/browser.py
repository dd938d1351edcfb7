"""Runs a script inside a report that is opened from its folder, and hears what it found.

The page itself is not served: only the probe's result travels over the loopback interface.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--autoplay-policy=no-user-gesture-required",
    "--mute-audio",
    "--remote-debugging-port=0",
)
HELPERS = """
const until = async (what) => {
  for (let tries = 0; tries < 1000; tries++) {
    const found = what();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`never came: ${what}`);
};
const go = async (hash, what) => { location.hash = hash; return until(what); };
const all = (selector) => [...document.querySelectorAll(selector)];
"""

_WATCH = """<script>
window.problems = [];
const problem = (event) => problems.push(event.message || "a file is missing");
addEventListener("error", problem, true);
addEventListener("unhandledrejection", (event) => problems.push(String(event.reason)));
</script>"""
_RUN = """<script>
%(helpers)s
(async () => { %(script)s })()
  .then((value) => ({ value }), (error) => ({ error: String(error) }))
  .then((found) => {
    const text = encodeURIComponent(JSON.stringify({ ...found, problems }));
    new Image().src = `http://127.0.0.1:%(port)d/?page=%(page)d&found=${text}`;
  });
</script>"""


class _Mailbox(HTTPServer):
    """A server for one message of each page."""

    class Handler(BaseHTTPRequestHandler):
        server: _Mailbox

        def do_GET(self) -> None:
            query = parse_qs(urlsplit(self.path).query)
            if "found" in query:
                self.server.messages[query["page"][0]] = json.loads(query["found"][0])
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Quiet."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), self.Handler)
        self.timeout = 1.0
        self.messages: dict[str, Any] = {}

    def wait(self, count: int, seconds: int) -> None:
        for _ in range(seconds):
            self.handle_request()
            if len(self.messages) == count:
                return
        raise TimeoutError(f"{count} pages, and only these spoke: {sorted(self.messages)}")


def probe(chromium: Path, page: Path, script: str, size: str = "1280,900") -> Any:
    """What ``script``, the body of an async function, returns inside ``page``.

    The errors that the page throws before and while the script runs fail the probe.
    """
    (found,) = _visit(chromium, [page], script, size, lambda probed: probed[0].as_uri(), ())
    return found


def probe_all(
    chromium: Path, pages: Sequence[Path], script: str, width: int, *, dark: bool = False
) -> list[Any]:
    """The same in several pages at once, each in a frame of its own that is ``width`` CSS pixels
    wide: a window has a least width."""
    with tempfile.TemporaryDirectory(prefix="voxmem-frames-") as folder:

        def framed(probed: Sequence[Path]) -> str:
            frames = (f'<iframe src="{one.as_uri()}" width={width} height=800>' for one in probed)
            page = Path(folder, "frames.html")
            page.write_text("</iframe>".join(frames), "utf-8")
            return page.as_uri()

        # Of Chromium's two schemes 0 is the dark one.
        flags = ["--blink-settings=preferredColorScheme=0"] if dark else []
        return _visit(chromium, pages, script, "1280,900", framed, flags)


def _visit(
    chromium: Path,
    pages: Sequence[Path],
    script: str,
    size: str,
    address: Callable[[Sequence[Path]], str],
    flags: Sequence[str],
) -> list[Any]:
    mailbox = _Mailbox()
    probed = [_probed(at, page, script, mailbox.server_port) for at, page in enumerate(pages)]
    with tempfile.TemporaryDirectory(prefix="voxmem-browser-", ignore_cleanup_errors=True) as home:
        own = (f"--window-size={size}", f"--user-data-dir={home}", *flags)
        browser = subprocess.Popen(
            [chromium, *FLAGS, *own, address(probed)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            mailbox.wait(len(pages), 120)
        finally:
            browser.terminate()
            browser.wait(20)
            mailbox.server_close()
            for one in probed:
                one.unlink()
    for at, page in enumerate(pages):
        found = mailbox.messages[str(at)]
        assert "error" not in found, (page, found)
        assert found["problems"] == [], (page, found["problems"])
    return [mailbox.messages[str(at)].get("value") for at in range(len(pages))]


def _probed(at: int, page: Path, script: str, port: int) -> Path:
    """The page with the script in it, beside the page."""
    run = _RUN % {"helpers": HELPERS, "script": script, "port": port, "page": at}
    html = page.read_text("utf-8").replace("<head>", f"<head>{_WATCH}", 1)
    probed = page.with_name(f"probe-{at}.html")
    probed.write_text(html.replace("</body>", f"{run}</body>"), "utf-8")
    return probed
