"""Words that give something away, and the channel that they are turned away for (VoxMem, Table 8
and B.2). A dialogue is written as the build writes it; then one of its texts is changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tests.mutations.benchmark import CONFIG, Benchmark, evidence
from tests.mutations.mutation import Mutation, Mutations
from voxmem.construct.workers import is_roomy
from voxmem.dialogue.assistant import TemplateAssistant
from voxmem.dialogue.user import TemplateUser
from voxmem.dialogue.views import UserBrief, UserTurn, VisiblePrefix, brief
from voxmem.dialogue.writer import write_session
from voxmem.errors import ConstructionError
from voxmem.plan.catalog import catalog
from voxmem.records import PlannedSession


@dataclass(frozen=True)
class Dialogue:
    """What both sides say; it writes itself."""

    planned: PlannedSession
    turns: tuple[UserTurn, ...]
    replies: tuple[str, ...]

    def write(self, given: UserBrief) -> tuple[UserTurn, ...]:
        return self.turns

    def reply(self, seen: VisiblePrefix) -> str:
        return self.replies[len(seen.texts) // 2]

    def saying(self, text: str, at: int) -> Dialogue:
        """The user says something else in one turn."""
        turns = list(self.turns)
        turns[at] = replace(turns[at], text=text)
        return replace(self, turns=tuple(turns))

    def adding(self, sentence: str) -> Dialogue:
        """The user says something more in the turn that states the fact."""
        at = self.planned.key_turn
        return self.saying(f"{self.turns[at].text} {sentence}", at)

    def replying(self, text: str) -> Dialogue:
        """The assistant says something else when the fact has been stated."""
        at = self.planned.key_turn
        return replace(self, replies=(*self.replies[:at], text, *self.replies[at + 1 :]))


def dialogue(built: Benchmark) -> Dialogue:
    """The dialogue of the first evidence session that states one value from a closed list, and no
    date, in the middle of other turns."""
    planned = next(
        item for plan in built.plans.values() for item in evidence(plan) if tells_a_word(item)
    )
    turns = TemplateUser().write(brief(planned, roomy=is_roomy(CONFIG)))
    texts: list[str] = []
    for turn in turns:
        texts.append(turn.text)
        texts.append(TemplateAssistant().reply(VisiblePrefix(tuple(texts))))
    return Dialogue(planned, turns, tuple(texts[1::2]))


def tells_a_word(item: PlannedSession) -> bool:
    (fact, *more) = item.facts
    plain = not more and fact.effective is None and fact.status == "stated"
    word = catalog().attributes[fact.attribute].kind == "words"
    return plain and word and item.turns > 1


def fault(spoken: Dialogue) -> str:
    """What the writer's gate says of a dialogue; nothing if it is sound."""
    try:
        write_session(spoken.planned, user=spoken, assistant=spoken)
    except ConstructionError as error:
        return error.message
    return ""


DIALOGUES: Mutations[Dialogue] = Mutations()
breaks = DIALOGUES.caught_by


# --- what no user may say ---------------------------------------------------------------------


def adding(sentence: str) -> Callable[[Dialogue], Dialogue]:
    return lambda spoken: spoken.adding(sentence)


for _label, _channel, _sentence in (
    ("a_vocal_state_is_named", "delivery", "It makes me sad."),
    ("a_manner_is_named", "delivery", "I have to whisper it to you."),
    ("a_pace_is_named", "delivery", "I am speaking rather slowly."),
    ("a_sound_is_named", "sound", "That is the siren again."),
    ("a_sound_is_pointed_at", "sound", "Can you hear it?"),
    ("a_place_is_named", "place", "I am at the seaside."),
    ("the_whereabouts_are_told", "place", "I am sitting in the garden."),
    ("a_change_is_announced", "change", "As you can tell, it is different."),
    ("another_speaker_is_announced", "change", "Somebody else is speaking."),
    ("a_name_is_given", "identity", "My name is not important."),
    ("a_name_is_called", "identity", "Please tell Anna about it."),
    ("a_speaker_is_described", "identity", "I am a retired teacher, I am your neighbor."),
    ("a_day_that_moves", "time", "I settled it yesterday."),
    ("a_week_that_moves", "time", "It will be done next week."),
    ("an_hour_that_moves", "time", "It will be done in an hour."),
    ("a_stammer_at_the_beginning", "style", "W-well, that is it."),
    ("a_date_that_no_fact_has", "date", "It all began in February."),
    ("a_word_that_fits_one_delivery", "wording", "Maybe that is fine."),
    ("a_delivery_in_punctuation", "style", "That is it!"),
    ("a_pause_in_punctuation", "style", "Well... that is it."),
    ("an_interjection", "style", "Um, that is it."),
    ("capitals_that_shout", "style", "That is REALLY it."),
):
    breaks(f"gives {_channel} away", dialogue, _label)(adding(_sentence))


UNKNOWN = "the list of names does not hold it"
breaks("gives identity away", dialogue, "a_speaker_with_an_unlisted_name", UNKNOWN)(
    adding("This is Ingrid.")
)


@breaks("gives value away", dialogue)
def another_value_beside_the_fact(spoken: Dialogue) -> Dialogue:
    (fact,) = spoken.planned.facts
    other = next(
        value for value in catalog().attributes[fact.attribute].values if value != fact.value
    )
    return spoken.adding(f"Earlier it was {other}.")


@breaks("gives value away", dialogue)
def the_value_in_another_turn(spoken: Dialogue) -> Dialogue:
    at = 0 if spoken.planned.key_turn else 1
    value = spoken.planned.facts[0].value
    return spoken.saying(f"{spoken.turns[at].text} It is {value}.", at)


# --- what no assistant may say ----------------------------------------------------------------


@breaks("gives fact away", dialogue)
def the_assistant_repeats_the_fact(spoken: Dialogue) -> Dialogue:
    return spoken.replying(f"A good way to begin is to plan for {spoken.planned.facts[0].value}.")


@breaks("gives confirm away", dialogue)
def the_assistant_confirms_the_fact(spoken: Dialogue) -> Dialogue:
    return spoken.replying("Just to be clear, that is how you want to have it done.")


@breaks("gives confirm away", dialogue)
def the_assistant_sums_up(spoken: Dialogue) -> Dialogue:
    return spoken.replying("In other words, you have told me all there is to know.")


@breaks("gives delivery away", dialogue)
def the_assistant_hears_a_delivery(spoken: Dialogue) -> Dialogue:
    return spoken.replying("It is fine to be sad about it. A short list of steps may help.")


@breaks("gives sound away", dialogue)
def the_assistant_hears_a_sound(spoken: Dialogue) -> Dialogue:
    return spoken.replying("There is a train somewhere, so let me give you the short version.")


@breaks("gives identity away", dialogue)
def the_assistant_calls_a_name(spoken: Dialogue) -> Dialogue:
    return spoken.replying("Of course, Anna, a short list of steps would be a good beginning.")


# --- facts and their spans --------------------------------------------------------------------


@breaks("user turns were written", dialogue)
def a_turn_is_missing(spoken: Dialogue) -> Dialogue:
    return replace(spoken, turns=spoken.turns[:-1])


@breaks("facts were said", dialogue)
def the_fact_is_not_stated(spoken: Dialogue) -> Dialogue:
    turns = list(spoken.turns)
    turns[spoken.planned.key_turn] = UserTurn("It is about time to get this done.")
    return replace(spoken, turns=tuple(turns))


@breaks("does not hold its value", dialogue)
def a_span_beside_its_fact(spoken: Dialogue) -> Dialogue:
    turns = list(spoken.turns)
    said = turns[spoken.planned.key_turn]
    (span,) = said.spans
    assert span is not None
    turns[spoken.planned.key_turn] = replace(said, spans=((span[0] + 1, span[1] + 1),))
    return replace(spoken, turns=tuple(turns))


# --- the gate ---------------------------------------------------------------------------------


@DIALOGUES.each()
def test_the_dialogue_is_turned_away(built: Benchmark, mutation: Mutation[Dialogue]) -> None:
    spoken = mutation.base(built)
    assert fault(spoken) == ""
    assert mutation.caught_by in fault(mutation.change(spoken))


def test_other_words_that_break_no_rule_pass(built: Benchmark) -> None:
    """The gate turns away what breaks a rule, not whatever was changed."""
    spoken = dialogue(built).adding("That is it.")
    assert fault(spoken.replying("A short list of steps would be a good beginning.")) == ""
