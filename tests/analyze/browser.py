"""Runs a script inside a report that is opened from its folder, and hears what it found.

The page itself is not served: only the probe's result travels over the loopback interface.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
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
    new Image().src = `http://127.0.0.1:%(port)d/?found=${text}`;
  });
</script>"""


class _Mailbox(HTTPServer):
    """A server for one message."""

    message: str | None = None

    class Handler(BaseHTTPRequestHandler):
        server: _Mailbox

        def do_GET(self) -> None:
            query = parse_qs(urlsplit(self.path).query)
            self.server.message = query.get("found", [self.server.message])[0]
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Quiet."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), self.Handler)
        self.timeout = 1.0

    def wait(self, seconds: int) -> str:
        for _ in range(seconds):
            self.handle_request()
            if self.message is not None:
                return self.message
        raise TimeoutError(f"the page said nothing for {seconds} s")


def probe(chromium: Path, page: Path, script: str, size: str = "1280,900") -> Any:
    """What ``script``, the body of an async function, returns inside ``page``.

    The errors that the page throws before and while the script runs fail the probe.
    """
    mailbox = _Mailbox()
    run = _RUN % {"helpers": HELPERS, "script": script, "port": mailbox.server_port}
    html = page.read_text("utf-8").replace("<head>", f"<head>{_WATCH}", 1)
    probed = page.with_name("probe.html")
    probed.write_text(html.replace("</body>", f"{run}</body>"), "utf-8")
    with tempfile.TemporaryDirectory(prefix="voxmem-browser-", ignore_cleanup_errors=True) as home:
        browser = subprocess.Popen(
            [chromium, *FLAGS, f"--window-size={size}", f"--user-data-dir={home}", probed.as_uri()],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            found = json.loads(mailbox.wait(60))
        finally:
            browser.terminate()
            browser.wait(20)
            mailbox.server_close()
            probed.unlink()
    assert "error" not in found, found
    assert found["problems"] == [], found["problems"]
    return found.get("value")
