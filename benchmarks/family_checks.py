"""What it costs to check one history, by its length, and what leaving out the irrelevant saves.

    python benchmarks/family_checks.py [--questions 96] [--repeat 3]

Histories are synthetic and as long as those of the paper preset: 8, 16, 32 and 66 sessions of 2 to
7 user turns (4.5 on average), the facts and the cue on one turn, a sound behind all of them. Twelve
kinds of question take turns. A history is observed and every consequence of its question checked,
all of which must hold. Costs are processor time, the least of the repetitions, and are compared
within one run, since machines differ.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import cycle, islice
from random import Random
from unittest.mock import patch

from voxmem import keys
from voxmem import query as q
from voxmem.records import Cue, Fact, Gold, Placement, Session, Turn, Value
from voxmem.semantics import CHANNEL_OF, mask, observe_all, possibilities
from voxmem.semantics.consequences import Claim, violations
from voxmem.semantics.outline import Outline
from voxmem.taxonomy import EvidenceType, Operation

LENGTHS = (8, 16, 32, 66)
RIVALS = {8: 1, 16: 2, 32: 4, 66: 8}
START = datetime(2024, 1, 1, 9)
ME, ANN, BEN, EVE = "p01", "p02", "p03", "p04"

IE, MSR = Operation.INFORMATION_EXTRACTION, Operation.MULTI_SESSION_REASONING
TET = Operation.TEMPORAL_EVOLUTION_TRACKING
WORDS, VOICE = EvidenceType.SPEECH_SEMANTICS, EvidenceType.SPEAKER_IDENTITY
DELIVERY, SOUND = EvidenceType.PARALINGUISTIC, EvidenceType.ENVIRONMENTAL
MOOD, PLACE = q.ReadCue(dimension="vocal_state"), q.ReadSound()


@dataclass(frozen=True)
class Sketch:
    """What matters of a session."""

    entity: str
    topic: str = "home"
    speaker: str = ME
    facts: tuple[tuple[str, Value], ...] = ()
    cue: str | None = None
    sound: str | None = None


@dataclass(frozen=True)
class Item:
    """A question, its evidence, and a session that rivals the evidence."""

    query: q.Query
    evidence_type: EvidenceType
    operation: Operation
    gold: Gold
    evidence: tuple[Sketch, ...]
    rival: Sketch


def about(*entities: str) -> q.Named:
    return q.Named(anchors=tuple((q.About(entity=entity),) for entity in entities))


def of(select: q.Selection, read: q.Read) -> q.Reading:
    return q.Reading(select=select, read=read)


def told(count: int) -> q.Declared:
    return q.Declared(where=(q.About(entity="lamp"),), count=count)


def items() -> list[Item]:
    sad = q.Delivered(dimension="vocal_state", value="sad")
    colour, price = q.ReadFact(attribute="colour"), q.ReadFact(attribute="price")
    lamp = (q.About(entity="lamp"),)
    red, blue, green = ((("colour", value),) for value in ("red", "blue", "green"))
    labels = ("the lamp", "the sofa", "the desk")
    three = about("lamp", "sofa", "desk")
    return [
        Item(
            q.Only(of=of(q.Named(anchors=((q.Topic(topic="home"), sad),)), colour)),
            DELIVERY, IE, "red",
            (Sketch("lamp", facts=red, cue="sad"),),
            Sketch("vase", facts=blue, cue="tense"),
        ),
        Item(
            q.IsAsker(
                of=q.Only(of=of(about("lamp"), q.ReadSpeaker())),
                same_as=(q.About(entity="sofa"),),
            ),
            VOICE, IE, "yes",
            (Sketch("lamp", speaker=ANN), Sketch("sofa", speaker=ANN)),
            Sketch("vase", speaker=BEN),
        ),
        Item(
            q.Count(of=q.Open(where=(*lamp, q.Heard(value="rain")))),
            SOUND, MSR, 3,
            (Sketch("lamp", sound="rain"),) * 3,
            Sketch("lamp", sound="birds"),
        ),
        Item(
            q.WhichOf(labels=labels, select=three, having=(q.SpokenBy(),)),
            VOICE, MSR, ("the desk", "the lamp"),
            (Sketch("lamp"), Sketch("sofa", speaker=ANN), Sketch("desk")),
            Sketch("vase", speaker=ANN),
        ),
        Item(
            q.Alike(labels=labels, of=of(three, PLACE), reference=(q.About(entity="hall"),)),
            SOUND, MSR, ("the lamp",),
            (
                Sketch("lamp", sound="rain"), Sketch("sofa", sound="train"),
                Sketch("desk", sound="birds"), Sketch("hall", sound="rain"),
            ),
            Sketch("vase", sound="rain"),
        ),
        Item(
            q.OddOneOut(labels=labels, of=of(three, q.ReadSpeaker())),
            VOICE, MSR, "the sofa",
            (Sketch("lamp"), Sketch("sofa", speaker=ANN), Sketch("desk")),
            Sketch("vase", speaker=ANN),
        ),
        Item(
            q.Dominant(of=of(told(3), MOOD)),
            DELIVERY, MSR, "sad",
            (Sketch("lamp", cue="sad"), Sketch("lamp", cue="tense"), Sketch("lamp", cue="sad")),
            Sketch("vase", cue="tense"),
        ),
        Item(
            q.Sum(of=of(about("lamp", "sofa"), price)),
            WORDS, MSR, 70,
            (Sketch("lamp", facts=(("price", 30),)), Sketch("sofa", facts=(("price", 40),))),
            Sketch("vase", facts=(("price", 50),)),
        ),
        Item(
            q.Latest(of=of(told(3), colour)),
            WORDS, TET, "green",
            (Sketch("lamp", facts=red), Sketch("lamp", facts=blue), Sketch("lamp", facts=green)),
            Sketch("vase", facts=red),
        ),
        Item(
            q.Sequence(of=of(told(3), MOOD)),
            DELIVERY, TET, ("sad", "tense", "whispered"),
            tuple(Sketch("lamp", cue=cue) for cue in ("sad", "tense", "whispered")),
            Sketch("vase", cue="sad"),
        ),
        Item(
            q.Recurs(of=of(told(4), PLACE)),
            SOUND, TET, "yes",
            tuple(Sketch("lamp", sound=name) for name in ("rain", "train", "rain", "birds")),
            Sketch("vase", sound="rain"),
        ),
        Item(
            q.Handoff(of=told(3)),
            VOICE, TET, ("me", "someone else", "me"),
            (Sketch("lamp"), Sketch("lamp", speaker=EVE), Sketch("lamp")),
            Sketch("vase", speaker=EVE),
        ),
    ]  # fmt: skip


# --- histories --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A claim over one history."""

    claim: Claim
    placements: tuple[Placement, ...]
    sessions: dict[str, Session]


def case(number: int, item: Item, length: int) -> Case:
    draw = keys.rng("benchmark", number)
    planned = [*item.evidence, *[item.rival] * RIVALS[length]]
    fillers = length - len(planned)
    sketches = [*planned, *islice(_fillers(draw), fillers)]
    days = draw.sample(range(1, 300), length)
    days[: len(item.evidence)] = sorted(days[: len(item.evidence)])
    sessions = {
        f"s{at:02d}": _session(f"s{at:02d}", sketch, draw) for at, sketch in enumerate(sketches)
    }
    evidence = tuple(f"s{at:02d}" for at in range(len(item.evidence)))
    placements = [
        Placement(
            session_id=name,
            timestamp=START + timedelta(days=day, minutes=day),
            role="evidence" if name in evidence else "filler",
        )
        for name, day in zip(sessions, days, strict=True)
    ]
    claim = Claim(item.query, ME, item.evidence_type, item.operation, evidence, item.gold)
    placements.sort(key=lambda place: place.timestamp)
    return Case(claim, tuple(placements), sessions)


def _fillers(draw: Random) -> Iterator[Sketch]:
    """Sessions about other things, which sound like everyone's."""
    while True:
        yield Sketch(
            entity=f"thing {draw.randrange(50)}",
            topic=draw.choice(("garden", "travel", "work")),
            speaker=draw.choice((ME, ANN, BEN, EVE)),
            facts=(("weekday", draw.choice(("Monday", "Friday"))),) * draw.randrange(2),
            cue=draw.choice((None, None, "excited", "slow")),
            sound=draw.choice((None, None, "engine", "keyboard typing")),
        )


def _session(name: str, sketch: Sketch, draw: Random) -> Session:
    count = draw.randint(2, 7)
    key_turn = draw.randrange(count)
    facts = tuple(
        Fact(entity=sketch.entity, referent=name, attribute=attribute, value=value)
        for attribute, value in sketch.facts
    )
    dimension = "rate" if sketch.cue == "slow" else "vocal_state"
    cues = (Cue(dimension=dimension, value=sketch.cue),) if sketch.cue else ()
    turns: list[Turn] = []
    for at in range(count):
        here = at == key_turn
        turns += [
            Turn(
                role="user",
                text="",
                speaker=sketch.speaker,
                facts=facts if here else (),
                cues=cues if here else (),
                sound=sketch.sound,
            ),
            Turn(role="assistant", text=""),
        ]
    return Session(
        session_id=name, topic=sketch.topic, entities=(sketch.entity,), turns=tuple(turns)
    )


# --- measurements -----------------------------------------------------------------------------


def check(each: Case) -> None:
    found = violations(each.claim, observe_all(each.placements, each.sessions))
    if found:
        raise SystemExit(f"{each.claim.query}: {found}")


def observe(each: Case) -> None:
    observe_all(each.placements, each.sessions)


def chance(each: Case) -> None:
    episodes = observe_all(each.placements, each.sessions)
    masked = mask(episodes, {CHANNEL_OF[each.claim.evidence_type]})
    possibilities(each.claim.query, masked, each.claim.asker, limit=256)


def cost(work: Callable[[Case], None], cases: Sequence[Case], repeat: int) -> float:
    """Processor milliseconds a history."""
    best = float("inf")
    for _ in range(repeat):
        start = time.process_time()
        for each in cases:
            work(each)
        best = min(best, time.process_time() - start)
    return 1_000 * best / len(cases)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=96)
    parser.add_argument("--repeat", type=int, default=3)
    args = parser.parse_args()
    chosen = list(islice(cycle(items()), args.questions))
    print("sessions  ms a history  observing  checks, of the shortest  unpruned  chance level")
    shortest: float | None = None
    for length in LENGTHS:
        cases = [case(number, item, length) for number, item in enumerate(chosen)]
        whole = cost(check, cases, args.repeat)
        seen = cost(observe, cases, args.repeat)
        shortest = shortest or whole - seen
        with patch.object(Outline, "relevant", lambda _, history: tuple(history)):
            unpruned = cost(check, cases, args.repeat)
        print(
            f"{length:8d}  {whole:12.2f}  {seen / whole:9.0%}  {(whole - seen) / shortest:22.1f}x"
            f"  {unpruned / whole:7.1f}x  {cost(chance, cases, args.repeat) / whole:11.1f}x"
        )


if __name__ == "__main__":
    main()
