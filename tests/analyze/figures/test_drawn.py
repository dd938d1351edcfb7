"""What every figure is as a drawing: for pages, for files, for slides; the same each time."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import matplotlib as mpl
import pytest
from PIL import Image

from tests.analyze.figures import rows
from tests.analyze.figures.reading import SVG, drawn, ids, table, words
from voxmem.analyze.figures.drawn import Drawn
from voxmem.analyze.tables.accuracy_by_evidence import GroupMeanRow

NASTY = '<b>& $x_1$ "q" \x07 模型 \'\n'


def nasty() -> Drawn:
    return drawn(
        "accuracy-by-evidence",
        table("m", rows.accuracy(NASTY, "8K", 417), rows.accuracy("b", "8K", None)),
        table("g", of=GroupMeanRow),
    )


@pytest.mark.filterwarnings("error")
def test_names_are_text_whatever_they_are() -> None:
    found = nasty()
    for svg in (found.svg, found.standalone_svg()):
        assert '<b>& $x_1$ "q"   模型 \'' in [each.rstrip() for each in words(svg)]
        assert "41.7" in words(svg)
    assert found.png()


def test_a_figure_says_what_it_shows() -> None:
    root = ElementTree.fromstring(drawn("leaderboard", rows.leaderboard()).svg)
    assert root.attrib["role"] == "img"
    named = {node.attrib.get("id"): node.text for node in root}
    title, description = (named[each] for each in root.attrib["aria-labelledby"].split())
    assert title == "Overall accuracy with intervals and ties"
    assert "at 8K 1–2 one: 42.0 [39.0, 46.0]" in (description or "")
    assert "oracle: 99.0 [96.0, 103.0], not ranked" in (description or "")


def test_a_page_gives_the_colours_and_a_file_has_them() -> None:
    found = drawn("leaderboard", rows.leaderboard())
    bare = re.sub(r"var\(--fig-[a-z-]+, #[0-9a-f]{6}\)", "", found.svg)
    assert not re.search(r"#[0-9a-f]{6}\b", bare)
    alone = found.standalone_svg()
    assert "var(" not in alone
    assert alone.index('<rect width="100%" height="100%" fill="#ffffff"') < alone.index("<text")
    assert "DejaVu" not in alone
    assert "sans-serif" in alone


def test_two_figures_share_no_id() -> None:
    one = drawn("leaderboard", rows.leaderboard()).svg
    other = nasty().svg
    assert len(ids(one)) == len(set(ids(one))) > 2
    assert not set(ids(one)) & set(ids(other))
    used = re.findall(r'(?:href="|url\()#([^")]+)', one)
    assert used
    assert set(used) <= set(ids(one))


def test_a_png_has_200_dots_an_inch_on_white() -> None:
    found = drawn("leaderboard", rows.leaderboard())
    image = Image.open(io.BytesIO(found.png()))
    assert image.size == tuple(int(200 * side) for side in found.figure.get_size_inches())
    assert image.convert("RGB").getpixel((0, 0)) == (255, 255, 255)
    assert "Software" not in image.info


def test_drawing_again_gives_the_same_bytes_and_leaves_settings_alone() -> None:
    before = dict(mpl.rcParams)
    first, second = (drawn("leaderboard", rows.leaderboard()) for _ in range(2))
    assert first.svg == second.svg
    assert first.png() == second.png() == first.png()
    assert first.svg.count("<text") == len(words(first.svg))
    assert dict(mpl.rcParams) == before


@pytest.mark.slow
def test_another_process_draws_the_same_bytes() -> None:
    script = (
        "import hashlib, sys\n"
        "from tests.analyze.figures import rows\n"
        "from tests.analyze.figures.reading import drawn\n"
        "found = drawn('leaderboard', rows.leaderboard())\n"
        "print(hashlib.sha256(found.svg.encode() + found.png()).hexdigest())\n"
        "print('matplotlib.pyplot' in sys.modules)\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True,
            env=os.environ | {"PYTHONHASHSEED": seed, "MPLBACKEND": "pdf"},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(said) == 1
    assert said.pop().endswith("False\n")


def test_the_drawing_is_as_wide_as_it_says() -> None:
    root = ElementTree.fromstring(drawn("leaderboard", rows.leaderboard()).svg)
    wide, high = (float(root.attrib[side]) for side in ("width", "height"))
    box = [float(part) for part in root.attrib["viewBox"].split()]
    assert box[2] / wide == pytest.approx(0.75, rel=0.01)
    places = [
        (float(node.attrib["x"]), float(node.attrib["y"]))
        for node in root.iter(f"{SVG}text")
        if "x" in node.attrib
    ]
    assert all(0 <= x <= box[2] and 0 <= y <= box[3] for x, y in places)
    assert high > 0
