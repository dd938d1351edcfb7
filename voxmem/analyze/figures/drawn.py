"""A figure that was drawn, as what a page, a file and a slide need."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from voxmem.analyze.figures import colours
from voxmem.analyze.figures.style import DOTS, FONT, drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))
_FAMILY = "system-ui, sans-serif"


@dataclass(frozen=True)
class Drawn:
    """One figure."""

    name: str
    """Of its files: "operation-by-evidence"."""
    title: str
    description: str
    """The same in words, with its numbers: for those who do not see it."""
    tables: tuple[str, ...]
    """Which tables it shows."""
    figure: Figure

    @cached_property
    def svg(self) -> str:
        """To be put into a page that has :func:`colours.stylesheet`: the page's theme decides the
        colours, and its ids are its own."""
        return re.sub(r"#[0-9a-f]{6}\b", _themed, self._plain)

    def standalone_svg(self) -> str:
        """A file that needs nothing around it, on a white ground."""
        paper = f'<rect width="100%" height="100%" fill="{colours.GROUND.light}"/>'
        head, end, body = self._plain.partition("</desc>")
        return f'<?xml version="1.0" encoding="utf-8"?>\n{head}{end}{paper}{body}\n'

    def png(self) -> bytes:
        """On white, with :data:`style.DOTS` dots an inch."""
        out = io.BytesIO()
        with drawing(self.name):
            self.figure.savefig(
                out, format="png", dpi=DOTS, facecolor=colours.GROUND.light,
                metadata={"Software": None}, pil_kwargs={"compress_level": 4},
            )  # fmt: skip
        return out.getvalue()

    @cached_property
    def _plain(self) -> str:
        """As matplotlib writes it, made one element of a page."""
        out = io.StringIO()
        with drawing(self.name):
            self.figure.savefig(out, format="svg", metadata=_NO_METADATA, facecolor="none")
        written = out.getvalue()
        body = written[written.index(">", written.index("<svg")) + 1 :].strip()
        body = re.sub(r"<!--.*?-->\n?", "", body, flags=re.DOTALL)
        body = body.replace(f"'{FONT}'", _FAMILY)
        return self._head() + _own_ids(_short(body), self.name)

    def _head(self) -> str:
        wide, high = (72 * float(side) for side in self.figure.get_size_inches())
        name = f"figure-{self.name}"
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
            f' class="figure" role="img" aria-labelledby="{name}-title {name}-desc"'
            f' width="{wide * 4 / 3:.0f}" height="{high * 4 / 3:.0f}"'
            f' viewBox="0 0 {wide:g} {high:g}">'
            f'<title id="{name}-title">{escape(self.title)}</title>'
            f'<desc id="{name}-desc">{escape(self.description)}</desc>'
        )


def _themed(found: re.Match[str]) -> str:
    return colours.PROPERTIES.get(found[0], found[0])


def _short(body: str) -> str:
    """Without the white space between elements, turns by nothing, and the third decimals of paths:
    a third of what is written."""
    body = re.sub(r">\s+<", "><", body)
    body = re.sub(r' transform="rotate\(-?0 [^"]*"', "", body)
    return re.sub(r' d="[^"]*"', _short_path, body)


def _short_path(found: re.Match[str]) -> str:
    path = re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}", found[0])
    return re.sub(r"\s+", " ", path)


def _own_ids(body: str, name: str) -> str:
    """Ids that are used get the figure's name; the others go."""
    used = set(re.findall(r"(?:url\(|href=\")#([^)\"]+)", body))

    def identity(found: re.Match[str]) -> str:
        return f' id="{name}-{found[1]}"' if found[1] in used else ""

    body = re.sub(r' id="([^"]*)"', identity, body)
    return re.sub(r"(url\(|href=\")#", rf"\g<1>#{name}-", body)
