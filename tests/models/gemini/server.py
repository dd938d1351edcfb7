"""A server on this machine that speaks the Gemini API over real sockets: ``generateContent``, and
the Files API with its resumable uploads.

As strict as the real one about paths, keys, fields and the bytes of audio: what it does not know it
refuses with the real one's words. Answers to valid requests come by script.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from tests.models.fake_openai import Step, answers
from tests.models.text.fake_gemini import fails

MAGIC = {"audio/wav": b"RIFF", "audio/flac": b"fLaC"}
KEPT = timedelta(hours=48)


class Refused(Exception):
    """What the service says to a request that it does not take."""

    def __init__(self, status: int, message: str, code: str = "INVALID_ARGUMENT") -> None:
        super().__init__(message)
        self.step = fails(status, message, code=code)


@dataclass
class StoredFile:
    """One uploaded file."""

    name: str
    mime_type: str
    data: bytes
    created: datetime
    states: list[str]
    """The states that it is in when asked, one after the other; the last one stays."""
    error: dict[str, Any] | None = None

    def look(self) -> str:
        return self.states.pop(0) if len(self.states) > 1 else self.states[0]


@dataclass
class GeminiServer:
    """The server; ``url`` is what the client library takes for its base URL.

    Args:
        script: What valid requests for content are answered, one after the other.
        key: The only key that is let in.
        largest: Bytes of a request for content.
        states: Those of every file from now on.
        uploads_fail: Answers to parts of uploads, before one is accepted.
    """

    script: list[Step] = field(default_factory=list)
    key: str = "planted-key-77"
    largest: int = 20 << 20
    states: tuple[str, ...] = ("ACTIVE",)
    error: dict[str, Any] | None = None
    uploads_fail: list[Step] = field(default_factory=list)
    ago: timedelta = timedelta()
    """How far the clock has gone on since files were uploaded."""

    requests: list[dict[str, Any]] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    files: dict[str, StoredFile] = field(default_factory=dict)
    looks: int = 0
    open: int = 0
    most_open: int = 0
    """Requests for content that were in the server at the same time."""
    received: int = 0
    """Bytes of all bodies."""
    refusals: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._lock = threading.RLock()
        self._begun: dict[str, tuple[int, str]] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> GeminiServer:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    # --- what it does ---------------------------------------------------------------------------

    def take(self, method: str, path: str, headers: Mapping[str, str], raw: bytes) -> Step:
        with self._lock:
            self.received += len(raw)
            try:
                return self._route(method, path, headers, raw)
            except Refused as refused:
                self.refusals.append(str(refused))
                return refused.step

    def _route(self, method: str, path: str, headers: Mapping[str, str], raw: bytes) -> Step:
        part = re.fullmatch(r"/upload/v1beta/files\?upload_id=(\w+)", path)
        if method == "POST" and part:
            return self._part(part[1], headers, raw)  # the address itself lets in
        if headers.get("x-goog-api-key") != self.key:
            raise Refused(400, "API key not valid. Please pass a valid API key.")
        if method == "POST" and path == "/upload/v1beta/files":
            return self._begin(headers, raw)
        model = re.fullmatch(r"/v1beta/models/([\w.-]+):generateContent", path)
        if method == "POST" and model:
            return self._generate(model[1], raw)
        file = re.fullmatch(r"/v1beta/(files/\w+)", path)
        if method == "GET" and file:
            self.looks += 1
            return answers(self._shown(self._file(file[1])))
        raise Refused(404, f"no route {method} {path}", "NOT_FOUND")

    def _begin(self, headers: Mapping[str, str], raw: bytes) -> Step:
        size = int(headers["x-goog-upload-header-content-length"])
        kind = headers["x-goog-upload-header-content-type"]
        body = _camel(json.loads(raw))
        told = body.get("file", {})
        ok = (
            headers.get("x-goog-upload-protocol") == "resumable"
            and headers.get("x-goog-upload-command") == "start"
            and set(body) == {"file"}
            and told.get("mimeType") == kind
            and int(told.get("sizeBytes", -1)) == size
        )
        if not ok:
            raise Refused(400, f"this begins no upload: {body}")
        if kind not in MAGIC:
            raise Refused(400, f"Unsupported MIME type: {kind}")
        name = f"u{len(self._begun)}"
        self._begun[name] = (size, kind)
        url = f"{self.url}/upload/v1beta/files?upload_id={name}"
        return replace(
            answers({}), headers={"x-goog-upload-url": url, "x-goog-upload-status": "active"}
        )

    def _part(self, upload: str, headers: Mapping[str, str], raw: bytes) -> Step:
        if self.uploads_fail:
            return self.uploads_fail.pop(0)
        size, kind = self._begun[upload]
        ok = (
            headers.get("x-goog-upload-command") == "upload, finalize"
            and headers.get("x-goog-upload-offset") == "0"
            and len(raw) == size
        )
        if not ok or not raw.startswith(MAGIC[kind]):
            raise Refused(400, f"{len(raw)} bytes are not the {size} of {kind} that were announced")
        file = StoredFile(
            f"files/f{len(self.files)}x", kind, raw, self._now(), list(self.states), self.error
        )
        self.files[file.name] = file
        return replace(
            answers({"file": self._shown(file)}), headers={"x-goog-upload-status": "final"}
        )

    def _generate(self, model: str, raw: bytes) -> Step:
        if not model.startswith("gemini-"):
            raise Refused(
                404,
                f"models/{model} is not found for API version v1beta, or is not supported for "
                "generateContent.",
                "NOT_FOUND",
            )
        if len(raw) > self.largest:
            raise Refused(400, f"Request payload size exceeds the limit: {self.largest} bytes.")
        body = _camel(json.loads(raw))
        check(body, model)
        for content in body["contents"]:
            for part in content["parts"]:
                if "fileData" in part:
                    self._check_file(part["fileData"])
        self.requests.append(body)
        self.models.append(model)
        return self.script.pop(0) if self.script else fails(500, "the script has ended")

    def _check_file(self, data: dict[str, str]) -> None:
        file = self._file(data["fileUri"].removeprefix(f"{self.url}/v1beta/"))
        if file.states[0] != "ACTIVE":
            raise Refused(400, f"The File {file.name} is not in an ACTIVE state.")
        if set(data) != {"fileUri", "mimeType"} or data["mimeType"] != file.mime_type:
            raise Refused(400, f"Unsupported MIME type: {data}")

    def _file(self, name: str) -> StoredFile:
        file = self.files.get(name)
        if file is None or self._now() >= file.created + KEPT:
            bare = name.removeprefix("files/")
            raise Refused(
                403,
                f"You do not have permission to access the File {bare} or it may not exist.",
                "PERMISSION_DENIED",
            )
        return file

    def _shown(self, file: StoredFile) -> dict[str, Any]:
        shown = {
            "name": file.name,
            "mimeType": file.mime_type,
            "sizeBytes": str(len(file.data)),
            "createTime": _time(file.created),
            "updateTime": _time(file.created),
            "expirationTime": _time(file.created + KEPT),
            "sha256Hash": base64.b64encode(hashlib.sha256(file.data).digest()).decode(),
            "uri": f"{self.url}/v1beta/{file.name}",
            "state": file.look(),
            "source": "UPLOADED",
        }
        return shown | ({"error": file.error} if file.error else {})

    def _now(self) -> datetime:
        return datetime(2026, 3, 1, 12, tzinfo=UTC) + self.ago

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                self._do(self.rfile.read(int(self.headers["Content-Length"])))

            def do_GET(self) -> None:
                self._do(b"")

            def _do(self, raw: bytes) -> None:
                headers = {name.lower(): value for name, value in self.headers.items()}
                with fake._lock:
                    fake.open += "generate" in self.path
                    fake.most_open = max(fake.most_open, fake.open)
                step = fake.take(self.command, self.path, headers, raw)
                time.sleep(step.delay)
                with fake._lock:
                    fake.open -= "generate" in self.path
                self.close_connection = step.hang_up != "never"
                if step.hang_up == "at once":
                    return
                self.send_response_only(step.status)
                for name, value in step.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Type", step.content_type)
                self.send_header("Content-Length", str(len(step.body)))
                self.end_headers()
                self.wfile.write(step.body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler


def check(body: dict[str, Any], model: str) -> None:
    """Raises :class:`Refused` if the service would not take the body."""
    _known(body, {"contents", "systemInstruction", "generationConfig", "safetySettings"}, "request")
    options = body.get("generationConfig", {})
    _known(options, {"maxOutputTokens", "temperature", "seed", "thinkingConfig"}, "config")
    thinking = options.get("thinkingConfig", {})
    _known(thinking, {"thinkingLevel", "thinkingBudget"}, "thinking_config")
    if len(thinking) == 2:
        raise Refused(400, "You can only set one of thinking budget and thinking level.")
    if "thinkingLevel" in thinking and model.startswith("gemini-2"):
        raise Refused(400, "Thinking level is not supported for this model.")
    if thinking.get("thinkingLevel") == "MINIMAL":
        raise Refused(400, "Thinking level MINIMAL is not supported for this model.")
    for setting in body.get("safetySettings", []):
        if set(setting) != {"category", "threshold"} or setting["threshold"] != "OFF":
            raise Refused(400, f"no safety setting: {setting}")
    roles = [content["role"] for content in body["contents"]]
    if roles != ["user", "model"] * (len(roles) // 2) + ["user"]:
        raise Refused(400, f"Please ensure that multiturn requests alternate: {roles}")
    for content in body["contents"]:
        for part in content["parts"]:
            _check_part(part, content["role"])


def _check_part(part: dict[str, Any], role: str) -> None:
    if len(part) != 1 or not set(part) <= {"text", "inlineData", "fileData"}:
        raise Refused(400, f"no part: {sorted(part)}")
    if "text" in part:
        return
    if role != "user":
        raise Refused(400, "a model's turn holds audio")
    if "inlineData" in part:
        blob = part["inlineData"]
        _known(blob, {"mimeType", "data"}, "inline_data")
        if not sound(blob).startswith(MAGIC[blob["mimeType"]]):
            raise Refused(400, f"Unsupported MIME type: the bytes are no {blob['mimeType']}")


def sound(blob: dict[str, str]) -> bytes:
    """The bytes of an inline part. The service takes both alphabets of base64."""
    try:
        return base64.b64decode(blob["data"].replace("-", "+").replace("_", "/"), validate=True)
    except binascii.Error as error:
        raise Refused(400, f"Base64 decoding failed: {error}") from error


def _known(given: dict[str, Any], names: set[str], where: str) -> None:
    if unknown := set(given) - names:
        raise Refused(
            400, f"Invalid JSON payload received. Unknown name {sorted(unknown)} at {where}"
        )


def _camel(value: Any) -> Any:
    """The service takes either spelling of a name, and the library mixes them."""
    if isinstance(value, dict):
        return {re.sub("_(.)", lambda m: m[1].upper(), k): _camel(v) for k, v in value.items()}
    return [_camel(one) for one in value] if isinstance(value, list) else value


def _time(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")
