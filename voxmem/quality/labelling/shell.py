"""The page as HTML: what is the same for every task, around what the task shows of a thing."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from string import Template

from voxmem.quality.labelling.task import Choice, Page


def page_html(page: Page) -> str:
    """The whole page; all that changes while it is open is of scripts."""
    shell = files(__package__).joinpath("static", "page.html").read_text("utf-8")
    return Template(shell).substitute(
        title=escape(page.title),
        asks=escape(page.asks),
        things=escape(page.things),
        item=page.files.joinpath("item.html").read_text("utf-8"),
        choices="\n".join(map(_button, page.choices)),
    )


def _button(choice: Choice) -> str:
    key = f"<kbd>{escape(choice.keys.split()[0].upper())}</kbd>"
    data = f'data-choice="{escape(choice.value)}" data-keys="{escape(choice.keys)}"'
    return f'  <button type="button" {data}>{escape(choice.name)} {key}</button>'
