"""Fillers that say what they must not, and the reason that they are left out for (VoxMem, B.5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from tests.mutations.benchmark import CONFIG, Benchmark
from tests.mutations.mutation import Mutation, Mutations
from voxmem.dialogue.assistant import TemplateAssistant
from voxmem.dialogue.fillers.protected import Protected
from voxmem.dialogue.fillers.screen import screen
from voxmem.dialogue.fillers.seed import SeedSource
from voxmem.dialogue.fillers.shape import shape_of
from voxmem.dialogue.fillers.source import RawDialogue


@dataclass(frozen=True)
class Filler:
    """What a filler says, and what none may say."""

    said: tuple[str, ...]
    protected: Protected

    def opening(self, text: str) -> Filler:
        """It begins in another way."""
        return replace(self, said=(text, *self.said[1:]))


@cache
def made_up() -> tuple[str, ...]:
    """A dialogue of the seed source, as every build has them."""
    return next(SeedSource(CONFIG, shape_of(CONFIG)).dialogues()).texts


def filler(built: Benchmark) -> Filler:
    return Filler(made_up(), Protected.of(built.build.plans))


def reason(offered: Filler) -> str:
    """Why a filler is left out; nothing if it is taken."""
    raw = RawDialogue(origin="here", texts=offered.said)
    (screened,) = screen(offered.protected, TemplateAssistant(), [raw])
    return screened.fault.reason if screened.fault else ""


FILLERS: Mutations[Filler] = Mutations()
breaks = FILLERS.caught_by


@breaks("value", filler)
def a_gold_in_a_filler(offered: Filler) -> Filler:
    return offered.opening(f"Could you tell me more about {offered.protected.values[0]}?")


@breaks("entity", filler)
def a_thing_that_a_question_is_about(offered: Filler) -> Filler:
    return offered.opening(f"Could you tell me more about {offered.protected.entities[0]}?")


@breaks("entity", filler)
def a_thing_in_other_words(offered: Filler) -> Filler:
    """Its words, in reverse and without what comes between them."""
    name = offered.protected.entities[0].removeprefix("the ")
    return offered.opening(f"Could you tell me how one begins, {' '.join(name.split()[::-1])}?")


@breaks("leak: sound", filler)
def a_sound_in_a_filler(offered: Filler) -> Filler:
    return offered.opening("Could you tell me why a siren is so common here?")


@breaks("leak: delivery", filler)
def a_delivery_in_a_filler(offered: Filler) -> Filler:
    return offered.opening("Could you tell me why somebody would whisper a poem?")


@breaks("leak: identity", filler)
def a_name_in_a_filler(offered: Filler) -> Filler:
    return offered.opening("Could you write a few lines about otters for Anna?")


@breaks("leak: style", filler)
def drama_in_a_filler(offered: Filler) -> Filler:
    return offered.opening("Could you tell me more about otters... please?")


@breaks("length", filler)
def a_filler_that_is_much_too_long(offered: Filler) -> Filler:
    return offered.opening(" ".join(["Could you tell me how otters live and what they eat."] * 6))


@breaks("repeat", filler)
def a_filler_that_says_one_thing_twice(offered: Filler) -> Filler:
    return replace(offered, said=(offered.said[0], offered.said[0]))


@FILLERS.each()
def test_the_filler_is_left_out(built: Benchmark, mutation: Mutation[Filler]) -> None:
    offered = mutation.base(built)
    assert reason(offered) == ""
    assert reason(mutation.change(offered)) == mutation.caught_by
