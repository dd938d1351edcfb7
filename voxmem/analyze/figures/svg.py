"""The little of SVG that the figures need, with all text escaped."""

from __future__ import annotations

from html import escape
from importlib.resources import files

_NAMESPACE = "http://www.w3.org/2000/svg"


def tag(name: str, *children: str, **attributes: str | float | None) -> str:
    """One element. Children are markup; attribute names have ``_`` for ``-``; ``None`` leaves an
    attribute out."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_plain(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    inner = "".join(children)
    return f"<{name}{written}>{inner}</{name}>" if inner else f"<{name}{written}/>"


def text(content: str, x: float, y: float, class_: str, anchor: str = "start") -> str:
    """One line of text; ``content`` is not markup."""
    return tag("text", escape(content), x=x, y=y, class_=class_, text_anchor=anchor)


def figure(width: int, height: int, title: str, description: str, *body: str) -> str:
    """The drawing, with a title and a description for those who do not see it."""
    return tag(
        "svg",
        tag("title", escape(title)),
        tag("desc", escape(description)),
        *body,
        xmlns=_NAMESPACE,
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        class_="figure",
        font_family="system-ui, sans-serif",
        aria_label=f"{title}. {description}",
    )


def stylesheet() -> str:
    """The figures' stylesheet, for light and dark."""
    return (files(__package__) / "figure.css").read_text(encoding="utf-8")


def standalone(svg: str) -> str:
    """A figure as a file that needs no page around it."""
    head, sep, rest = svg.partition("<title>")
    declaration = '<?xml version="1.0" encoding="UTF-8"?>'
    return f"{declaration}\n{head}<style>{stylesheet()}</style>{sep}{rest}\n"


def _plain(value: str | float | None) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
