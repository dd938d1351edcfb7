"""Nothing that looks like a key is in what is built, shipped or copied by hand."""

from __future__ import annotations

import re
from pathlib import Path

from tests.docker.files import DOCKER, KUBERNETES, ROOT

KEY = re.compile(
    r"AKIA[0-9A-Z]{16}|\bsk-[A-Za-z0-9_-]{20,}|\bAIza[0-9A-Za-z_-]{30,}|\bhf_[A-Za-z0-9]{20,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY|://[^/\s:@]+:(?!PASSWORD@)[^/\s@${]+@"
)
FILES = [ROOT / ".env.example", ROOT / ".dockerignore", *DOCKER.rglob("*"), *KUBERNETES.rglob("*")]


def with_a_key(files: list[Path]) -> list[Path]:
    return [path for path in files if path.is_file() and KEY.search(path.read_text())]


def test_no_key_is_anywhere(tmp_path: Path) -> None:
    assert with_a_key(FILES) == []
    for number, planted in enumerate(
        ("AWS=AKIA" + "Z9" * 8, "sk-" + "a1" * 12, "postgresql://prefect:hunter2@db/prefect")
    ):
        (tmp_path / str(number)).write_text(f"X\n{planted}\n")
    assert len(with_a_key(list(tmp_path.iterdir()))) == 3


def test_an_image_cannot_take_a_filled_in_file_along() -> None:
    lines = (ROOT / ".dockerignore").read_text().split()
    assert lines[0] == "*"
    assert {"**/.env", "**/.env.*", "**/secrets.yaml"} <= set(lines[lines.index("!deployments") :])
