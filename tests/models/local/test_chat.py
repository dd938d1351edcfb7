"""Whether a template renders a conversation, judged without any model."""

from __future__ import annotations

import jinja2
import pytest

from tests.models.local.checkpoints import PHI, chatml
from tests.models.local.telling import SYSTEM, Clips
from voxmem.models.local.chat import Chat, Rendering, chat_of, examine, flattened
from voxmem.models.local.clips import pieces_of
from voxmem.records import Delivery

GOOD = chatml("<a>", "<sound>", "</a>")


def rendering(template: str, *, delivery: Delivery = "native", reply: str = "Yes {}.") -> Rendering:
    """Of two clips, one of them in two pieces, and a query."""
    clips = Clips()
    spoken = [clips.speak(number, seconds=seconds) for number, seconds in enumerate((1.0, 2.5))]
    told = clips.tell([spoken], clips.speak("query", seconds=1.0), replies=reply).conversation
    pieces = {clip: pieces_of(clip, 2.0) for clip in told.clips}
    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)

    def render(chat: Chat) -> str:
        return environment.from_string(template).render(
            messages=chat, add_generation_prompt=True, bos_token=""
        )

    return examine(chat_of(told.messages(delivery), pieces), told.system, render, "<sound>")


def test_a_template_that_renders_everything() -> None:
    assert rendering(GOOD) == Rendering(system_texts=1, replies_kept=True, alternates=True, clips=4)


@pytest.mark.parametrize("reply", ["user", "<sound>", "im_start", "assistant\n", "0", "⟦0⟧"])
def test_texts_that_look_like_marks_are_texts(reply: str) -> None:
    assert rendering(GOOD, reply=reply) == rendering(GOOD)


def test_content_that_is_flat_has_its_placeholders_from_the_template() -> None:
    assert rendering(flattened(PHI, "<sound>")) == rendering(GOOD)


SYSTEM_TWICE = f"{SYSTEM}{GOOD}"
NO_SYSTEM = GOOD.replace("in messages", "in messages if message['role'] != 'system'")
NO_REPLIES = GOOD.replace("in messages", "in messages if message['role'] != 'assistant'")
ONE_ROLE = GOOD.replace("{{ message['role'] }}", "user")
SHOUTED = GOOD.replace("{{ part['text'] }}", "{{ part['text'] | upper }}")
MERGED = GOOD.replace(
    "<|im_start|>{{ message['role'] }}", "{{ message['role'] if loop.index < 4 }}"
)
NO_AUDIO = GOOD.replace("{{ '<sound>' }}", "")


@pytest.mark.parametrize(
    ("template", "field", "value"),
    [
        (SYSTEM_TWICE, "system_texts", 2),
        (NO_SYSTEM, "system_texts", 0),
        (NO_REPLIES, "replies_kept", False),
        (NO_REPLIES, "alternates", False),
        (SHOUTED, "replies_kept", False),
        (ONE_ROLE, "alternates", False),
        (MERGED, "alternates", False),
        (NO_AUDIO, "clips", 0),
    ],
)
def test_what_a_template_does_wrong_is_found(template: str, field: str, value: object) -> None:
    assert getattr(rendering(template), field) == value


def test_a_folded_system_text_stands_in_the_first_turn() -> None:
    assert rendering(NO_SYSTEM, delivery="folded") == rendering(GOOD)


def test_texts_that_follow_one_another_are_joined_by_a_line_break() -> None:
    clips = Clips()
    told = clips.tell([], clips.speak("query", seconds=1.0)).conversation
    (message,) = chat_of(
        told.messages("folded"), {clip: pieces_of(clip, None) for clip in told.clips}
    )
    assert message["content"][0]["text"] == f"{SYSTEM}\nSession timestamp: 2025-03-01 09:30"
    assert [part["type"] for part in message["content"]] == ["text", "audio"]
