"""A conversation as the chat of a processor, and what a template makes of it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

import numpy as np

from voxmem.messages import AudioPart, Message
from voxmem.models.local.clips import Piece

Chat = list[dict[str, Any]]
"""Messages as a processor takes them."""

Pieces = Mapping[AudioPart, Sequence[Piece]]

FLATTEN = """
{%- set flat = namespace(messages=[], text='') -%}
{%- for message in messages -%}
{%- if message['content'] is string -%}
{%- set flat.text = message['content'] -%}
{%- else -%}
{%- set flat.text = '' -%}
{%- for part in message['content'] -%}
{%- set flat.text = flat.text + (PLACEHOLDER if part['type'] == 'audio' else part['text']) -%}
{%- endfor -%}
{%- endif -%}
{%- set flat.messages = flat.messages + [{'role': message['role'], 'content': flat.text}] -%}
{%- endfor -%}
{%- set messages = flat.messages -%}
"""
"""Stands before a template that joins strings only. The placeholder is the template's then, so that
one in a text that a user wrote can still be told from it."""

_UNHEARD = np.zeros(1, dtype=np.float32)


def flattened(template: str, placeholder: str) -> str:
    """A template that joins strings only, for content in parts."""
    return FLATTEN.replace("PLACEHOLDER", repr(placeholder)) + template


def chat_of(messages: Sequence[Message], pieces: Pieces) -> Chat:
    """The messages as a chat template takes them.

    Texts that follow one another are joined by a line break. A system text is a string: some
    templates would print a list as Python does. Audio is a placeholder for each piece.
    """
    return [
        {"role": message.role, "content": message.text}
        if message.role == "system"
        else {"role": message.role, "content": _content(message, pieces)}
        for message in messages
    ]


def _content(message: Message, pieces: Pieces) -> list[dict[str, Any]]:
    content: list[dict[str, Any]] = []
    for part in message.parts:
        if isinstance(part, AudioPart):
            content += [{"type": "audio", "audio": _UNHEARD} for _ in pieces[part]]
        elif content and content[-1]["type"] == "text":
            content[-1]["text"] += f"\n{part.text}"
        else:
            content.append({"type": "text", "text": part.text})
    return content


@dataclass(frozen=True)
class Rendering:
    """What a template makes of a conversation."""

    system_texts: int
    """How often the whole system text is in it."""
    replies_kept: bool
    """Whether every assistant text is in its place, word for word."""
    alternates: bool
    """Whether turns alternate, and are marked alike throughout."""
    clips: int
    """Placeholders that the template itself writes."""


def examine(chat: Chat, system: str, render: Callable[[Chat], str], placeholder: str) -> Rendering:
    """Renders a chat as it is, and with marks for its parts, which are found again for sure.

    Args:
        chat: What is to be rendered.
        system: The system text, wherever it is delivered.
        render: The template; placeholders are not expanded.
        placeholder: Of one piece of audio.
    """
    texts: list[str] = []
    marked = [_marked(message, texts) for message in chat]
    prompt, skeleton = render(chat), render(marked)
    word_for_word = prompt in (
        _filled(skeleton, texts),
        _filled(skeleton, [text.strip() for text in texts]),  # many templates trim
    )
    return Rendering(
        system_texts=prompt.count(system.strip()),
        replies_kept=word_for_word and _spans(marked, skeleton, placeholder) is not None,
        alternates=_alternate(chat, render),
        clips=skeleton.count(placeholder),
    )


def _marked(
    message: dict[str, Any], texts: list[str], *, audio_too: bool = False
) -> dict[str, Any]:
    """The message with a mark for each of its texts, which are added to ``texts``."""

    def mark(text: str) -> str:
        texts.append(text)
        return f"⟦{len(texts) - 1}⟧"

    content = message["content"]
    if isinstance(content, str):
        return {**message, "content": mark(content)}
    return {
        **message,
        "content": [
            {"type": "text", "text": mark(part.get("text", ""))}
            if audio_too or part["type"] == "text"
            else part
            for part in content
        ],
    }


def _filled(skeleton: str, texts: Sequence[str]) -> str:
    return re.sub(
        r"⟦(\d+)⟧", lambda mark: texts[int(mark[1])] if int(mark[1]) < len(texts) else "", skeleton
    )


def _spans(marked: Chat, skeleton: str, placeholder: str) -> list[tuple[int, int]] | None:
    """Where each message starts and ends, from its first part to its last; ``None`` if the parts in
    the prompt are not those of the messages, message by message."""
    parts = re.finditer(rf"⟦\d+⟧|{re.escape(placeholder)}", skeleton)
    spans = []
    for message in marked:
        content = message["content"]
        wanted = (
            [content]
            if isinstance(content, str)
            else [part.get("text", placeholder) for part in content]
        )
        here = list(islice(parts, len(wanted)))
        if sorted(part[0] for part in here) != sorted(wanted):
            return None
        spans.append((here[0].start(), here[-1].end()))
    return spans if next(parts, None) is None else None


def _alternate(chat: Chat, render: Callable[[Chat], str]) -> bool:
    """Whether turns alternate, and what stands between them says whose turn it is."""
    roles = [message["role"] for message in chat if message["role"] != "system"]
    if roles[0] != "user" or any(one == other for one, other in pairwise(roles)):
        return False
    texts: list[str] = []
    marked = [_marked(message, texts, audio_too=True) for message in chat]
    skeleton = render(marked)
    spans = _spans(marked, skeleton, placeholder="⟦⟧")
    if spans is None:
        return False
    marks: dict[tuple[str, str], set[str]] = defaultdict(set)
    for (one, (_, end)), (other, (start, _)) in pairwise(zip(chat, spans, strict=True)):
        marks[one["role"], other["role"]].add(skeleton[end:start])
    to_user = {mark for (_, role), every in marks.items() if role == "user" for mark in every}
    to_reply = {mark for (_, role), every in marks.items() if role == "assistant" for mark in every}
    return all(len(every) == 1 for every in marks.values()) and not to_user & to_reply
