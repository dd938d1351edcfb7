"""The report in a real browser, from its folder: what a reader does, and that it works."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analyze.browser import probe, probe_all
from tests.analyze.conftest import HOSTILE, chorus_of, enlarged, report_of
from voxmem.analyze.accuracy import Scored
from voxmem.evaluate.items import ReleaseRows

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def site(rows: ReleaseRows, scored: list[Scored], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return report_of(rows, scored, tmp_path_factory.mktemp("report"), tables=None)


@pytest.fixture(scope="module")
def items(site: Path) -> Path:
    return site / "items.html"


PLAY = """
  const link = await go("#list", () => document.querySelector("#list a"));
  link.click();
  const button = await until(() => document.querySelector(".side .play"));
  const before = all("audio").length + performance.getEntriesByType("resource")
    .filter((entry) => entry.name.endsWith(".flac")).length;
  button.click();
  const audio = await until(() => document.querySelector("audio"));
  await until(() => audio.currentTime > 0.2);
  const other = all(".session[data-role=evidence] .play")[0];
  const state = button.dataset.state;
  other.click();
  await until(() => other.dataset.state === "playing");
  return { before, state, then: button.dataset.state, seconds: audio.duration, src: audio.src };
"""


def test_a_clip_is_loaded_and_plays_when_it_is_asked_for(chromium: Path, items: Path) -> None:
    found = probe(chromium, items, PLAY)
    assert found["before"] == 0
    assert (found["state"], found["then"]) == ("playing", "idle")
    assert found["seconds"] > 0.5
    assert found["src"].startswith("file://")


FILTER = """
  await go("#list", () => document.querySelector("#list a"));
  const form = document.getElementById("filters");
  const count = () => document.getElementById("found").textContent;
  const set = (name, value) => {
    form.elements[name].value = value;
    form.dispatchEvent(new Event("input"));
    return count();
  };
  const found = [count(), set("evidence", "1"), set("stratum", "1"), set("entrant", "2"),
    set("sign", "i"), set("sign", "c"), set("entrant2", "0"), set("sign2", "c"),
    set("sign2", "i"), set("sign2", ""), set("budget", "0"), set("text", "no such words")];
  form.reset();
  await until(() => count() === found[0]);
  const subtype = [set("subtype", "2"), location.hash];
  form.reset();
  await until(() => count() === found[0]);
  await go("#list?entrant=model-x&sign=f", () => count() !== found[0]);
  const linked = [count(), form.elements.entrant.selectedOptions[0].text, form.elements.sign.value];
  await go("#list", () => count() === found[0]);
  const live = document.getElementById("found").getAttribute("aria-live");
  return { found, subtype, linked, live };
"""


def test_the_list_is_filtered_and_a_filter_has_an_address(chromium: Path, items: Path) -> None:
    """The third entrant, the oracle, is always right; the first always abstains."""
    found = probe(chromium, items, FILTER)
    assert found["found"] == [
        "15 of 15 questions, 30 items",
        "4 of 15 questions, 8 items",
        "1 of 15 questions, 2 items",
        "1 of 15 questions, 2 items",
        "0 of 15 questions, 0 items",
        "1 of 15 questions, 2 items",
        "1 of 15 questions, 2 items",
        "1 of 15 questions, 2 items",
        "0 of 15 questions, 0 items",
        "1 of 15 questions, 2 items",
        "1 of 15 questions, 1 items",
        "0 of 15 questions, 0 items",
    ]
    assert found["subtype"][1] == "#list?subtype=Counting"
    assert found["linked"] == ["6 of 15 questions, 6 items", "model-x", "f"]
    assert found["live"] == "polite"


KEYS = """
  const press = (key) => (document.activeElement || document.body)
    .dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  await go("#list?stratum=answerable", () => document.querySelector("#list a"));
  press("/");
  const searching = document.activeElement.name;
  press("?");
  const typed = document.getElementById("help").open;
  press("ArrowDown");
  press("j");
  press("j");
  press("k");
  const focused = all("#list a").indexOf(document.activeElement);
  press("?");
  const helped = document.getElementById("help").open;
  press("?");
  document.activeElement.click();
  const id = () => (document.querySelector(".steps code") || {}).textContent;
  const opened = await until(id);
  press("ArrowRight");
  const next = await until(() => id() !== opened && id());
  press("k");
  await until(() => id() === opened);
  const shown = () => all(".session").filter((one) => one.offsetParent)
    .map((one) => one.dataset.role);
  const whole = new Set(shown()).size;
  press("e");
  const evidence = [...new Set(shown())];
  press("e");
  press("Escape");
  await until(() => location.hash.startsWith("#list"));
  const skip = document.querySelector("a");
  skip.focus();
  await until(() => skip.getBoundingClientRect().top >= 0);
  return { searching, typed, focused, helped, opened, next, whole, evidence, back: location.hash,
    skip: skip.hash, outline: getComputedStyle(skip).outlineStyle };
"""


def test_everything_is_reached_by_keyboard(chromium: Path, items: Path, rows: ReleaseRows) -> None:
    found = probe(chromium, items, KEYS)
    ids = [name for name, one in rows.questions.items() if one.gold is not None]
    assert (found["searching"], found["typed"], found["focused"]) == ("text", False, 1)
    assert found["helped"]
    assert [found["opened"], found["next"]] == [f"{ids[1]}_4k", f"{ids[2]}_4k"]
    assert found["whole"] > 1
    assert found["evidence"] == ["evidence"]
    assert found["back"] == "#list?stratum=answerable"
    assert (found["skip"], found["outline"]) == ("#main", "solid")


ITEM = """
  const [id, other] = await until(() => window.ids);
  const cards = () => all(".session").map((card) => card.dataset.role);
  await go(`#item/${id}/4K`, () => all(".session").length);
  const long = cards();
  await go(`#item/${id}/2K`, () => all(".session").length < long.length);
  const short = cards();
  const said = all(".said").map((node) => node.textContent);
  const names = all(".responses .who a").map((node) => node.textContent);
  const images = all("#item img").length;
  await go(`#item/${other}`, () => document.querySelector(".source a"));
  const source = document.querySelector(".source a").hash;
  const gold = document.querySelector(".answer").textContent;
  await go(source, () => document.querySelector(".variants a"));
  return { long, short, said, names, images, title: document.title, gold, source,
    variant: document.querySelector(".variants a").hash };
"""


def test_an_item_shows_its_history_and_every_response_as_text(
    chromium: Path, items: Path, rows: ReleaseRows
) -> None:
    refusal = next(one for one in rows.questions.values() if one.gold is None)
    question = next(iter(rows.questions.values()))
    script = f"window.ids = {[question.question_id, refusal.question_id]!r};{ITEM}"
    found = probe(chromium, items, script)
    for name, budget in (("long", "4K"), ("short", "2K")):
        history = next(
            one
            for one in rows.histories
            if (one.question_id, one.budget) == (question.question_id, budget)
        )
        assert found[name] == [place.role for place in history.placements]
    assert HOSTILE in found["said"]
    assert found["names"][:2] == ["abstain", "chance"]
    assert found["names"][-1] == "model-x"
    assert found["images"] == 0
    assert "broken" not in found["title"]
    assert found["gold"] == "insufficient evidence"
    assert found["source"] == f"#item/{refusal.source_question_id}"
    assert found["variant"] == f"#item/{refusal.question_id}"


def pages_of(site: Path) -> list[Path]:
    """One of every kind."""
    top = sorted(site.glob("*.html"))
    assert len(top) == 8
    models = [site / f"models/{name}.html" for name in ("model-x", "oracle")]
    return [*top, *models, site / "tables/accuracy-by-evidence.html"]


NARROW = """
  let shift = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((one) => { shift += one.value; }))
    .observe({ type: "layout-shift", buffered: true });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const moved = shift;
  const over = () => document.documentElement.scrollWidth - innerWidth;
  const wide = [over()];
  if (document.getElementById("filters")) {
    const link = await until(() => document.querySelector("#list a"));
    wide.push(over());
    await go(link.hash, () => all(".session").length);
    wide.push(over());
  }
  return { wide, moved, shown: innerWidth };
"""


def test_no_page_scrolls_sideways_on_a_phone(chromium: Path, site: Path) -> None:
    pages = pages_of(site)
    found = probe_all(chromium, pages, NARROW, 360)
    assert {one["shown"] for one in found} == {360}
    moved = {page.name: one["moved"] for page, one in zip(pages, found, strict=True)}
    assert all(each < 0.02 for each in moved.values()), moved
    wide = {page.name: one["wide"] for page, one in zip(pages, found, strict=True)}
    assert all(over <= 0 for each in wide.values() for over in each), wide


CONTRAST = """
  if (document.getElementById("filters")) {
    const link = await until(() => document.querySelector("#list a"));
    await go(link.hash, () => all(".session").length);
  }
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = colour;
    paint.fillRect(0, 0, 1, 1);
    return paint.getImageData(0, 0, 1, 1).data;
  };
  const light = ([r, g, b]) => [r, g, b].map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255];
  };
  const low = [];
  let count = 0;
  for (const node of all("body *:not(script, svg, svg *, option)")) {
    const words = [...node.childNodes].filter((one) => one.nodeType === 3 && one.data.trim());
    if (!words.length || !node.checkVisibility() || node.closest(".off, .hidden, dialog")) continue;
    count += 1;
    const two = [light(rgba(getComputedStyle(node).color)), light(ground(node))];
    const ratio = (Math.max(...two) + 0.05) / (Math.min(...two) + 0.05);
    if (ratio < 4.5) low.push([node.outerHTML.slice(0, 60), ratio.toFixed(2)]);
  }
  return { low, count, dark: matchMedia("(prefers-color-scheme: dark)").matches,
    ground: [...ground(document.body)].slice(0, 3) };
"""


@pytest.mark.parametrize("dark", [False, True])
def test_all_text_stands_out_from_its_ground(chromium: Path, site: Path, dark: bool) -> None:
    pages = pages_of(site)
    found = probe_all(chromium, pages, CONTRAST, 1000, dark=dark)
    for page, one in zip(pages, found, strict=True):
        assert one["dark"] is dark
        assert (sum(one["ground"]) < 200) is dark
        assert one["count"] > 12, page
        assert one["low"] == [], page


SIFT = """
  const form = document.querySelector(".sift");
  const before = form.querySelector("output").textContent;
  form.elements.words.value = "oracle refusal";
  form.dispatchEvent(new Event("input"));
  const shown = all("tbody tr").filter((row) => !row.hidden);
  return { before, after: form.querySelector("output").textContent, shown: shown.length,
    all: shown.every((row) => row.textContent.includes("oracle")) };
"""


def test_the_rows_of_a_long_table_are_filtered(chromium: Path, site: Path) -> None:
    found = probe(chromium, site / "tables/accuracy-by-evidence.html", SIFT)
    assert found["all"]
    assert 0 < found["shown"] < int(found["before"].split()[0])
    assert found["after"] == f"{found['shown']} of {found['before']}"


LARGE = """
  const link = await go("#list", () => document.querySelector("#list a"));
  const listed = performance.now();
  document.getElementById("filters").elements.text.value = "conversations";
  document.getElementById("filters").dispatchEvent(new Event("input"));
  const filtered = performance.now() - listed;
  await go(link.hash, () => document.querySelector(".session"));
  return { listed, filtered, opened: performance.now() - listed - filtered };
"""


@pytest.mark.slow
def test_a_report_of_the_papers_size_is_listed_filtered_and_opened(
    chromium: Path, rows: ReleaseRows, tmp_path: Path
) -> None:
    """The limit only tells slow from stuck: the machine may be busy."""
    large = enlarged(rows, questions=799, budgets=4)
    page = report_of(large, chorus_of(large), tmp_path) / "items.html"
    found = probe(chromium, page, LARGE)
    print(found)
    assert set(found) == {"listed", "filtered", "opened"}
    assert all(milliseconds < 10_000 for milliseconds in found.values()), found
