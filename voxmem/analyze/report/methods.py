"""The page of methods: every choice behind the numbers, by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import voxmem
from voxmem.analyze.attribution.prompt import instruction
from voxmem.analyze.attribution.rules import RULES
from voxmem.analyze.labels import label, percent
from voxmem.analyze.report.cells import POLICY_NAMES
from voxmem.analyze.report.report import Report
from voxmem.analyze.table import Table
from voxmem.records import Record, Response, Verdict


@dataclass(frozen=True)
class Said:
    """One line of a fact."""

    text: str
    is_code: bool = False


Fact = tuple[str, tuple[Said, ...]]
Section = tuple[str, tuple[Fact, ...]]

POLICIES = {
    "paper": "a failed generation or an unread verdict is wrong; only what a provider rejected "
    "before inference is left out",
    "code": "whatever was never judged is left out",
}
PAIRINGS = {
    "own": "over budgets, the items that an entrant was judged on at every budget it was run at",
    "shared": "over budgets, one set for all: the items that each was judged on at every budget",
    "separate": "at each budget whatever was judged there",
}


CONVENTIONS = (
    "Two entrants are tied where the interval of their paired difference holds zero; a place is "
    "the range of places that ties leave open.",
    "Where every answer is right, or none, the percentile interval has no width.",
    "To abstain is to decline for lack of evidence, or without giving a ground; whoever declines "
    "for its own limits does not abstain.",
    "Curves over length are fitted by binomial likelihood to all answers and compared by AICc and "
    "BIC.",
)
_FEW = 3
"""Notes of more tables than this are said once."""


class CandidateRow(Record):
    """How one entrant was asked."""

    entrant: str
    kind: str
    group: str
    family: str
    arm: str
    adapter: tuple[str, ...]
    system_text: tuple[str, ...]
    """How the system text was given."""
    audio_sent_as: tuple[str, ...]
    remarks: tuple[str, ...]


def sections(report: Report) -> list[Section]:
    """What is said as terms and values."""
    return [
        ("Release", _release(report)),
        ("Choices", _choices(report)),
        ("Prompts", _prompts(report)),
        ("Judges", _judges(report)),
        ("Auditors of errors", _auditors(report)),
        ("Versions", _plain(_versions(report))),
        ("Licences", _plain(report.built.release.licences.items())),
    ]


def candidates(report: Report) -> Table[CandidateRow]:
    """Every entrant, and how it was asked."""
    held: dict[int | None, list[Response]] = {}
    for one in report.responses.values():
        held.setdefault(report.roster.place(one), []).append(one)
    rows = (
        CandidateRow(
            entrant=who.name,
            kind=who.kind,
            group=who.group,
            family=who.family,
            arm=who.arm,
            adapter=_all(one.adapter for one in held.get(place, ())),
            system_text=_all(one.call.delivery for one in held.get(place, ())),
            audio_sent_as=_all(one.call.audio_format for one in held.get(place, ())),
            remarks=_all(note for one in held.get(place, ()) for note in one.call.notes),
        )
        for place, who in enumerate(report.roster.entrants)
    )
    return Table("candidates", "Who was evaluated, and how", CandidateRow, tuple(rows))


def notes(report: Report) -> list[tuple[str, tuple[str, ...]]]:
    """What was left out or is lacking: of every judge's responses, then of every table."""
    scores = (report.study.scores, *report.study.others)
    found = [(f"Responses judged by {one.judge}", one.notes) for one in scores]
    titles = {table.title: table.notes for table in report.tables.values()}
    often = Counter(line for lines in titles.values() for line in lines)
    shared = {line for line, times in often.items() if times > _FEW}
    found.append(("Many tables", tuple(line for line in often if line in shared)))
    found += [
        (title, tuple(line for line in lines if line not in shared))
        for title, lines in titles.items()
    ]
    return [(where, lines) for where, lines in found if lines]


def warnings(report: Report) -> tuple[str, ...]:
    """What must be known before any number is read."""
    left = tuple(note for one in (report.study.scores, *report.study.others) for note in one.notes)
    return (*report.flags, *folded(left))


def folded(notes: Iterable[str]) -> tuple[str, ...]:
    """Each note once; what is said of many runs ("RUN: what") is one line, after all others."""
    runs: dict[str, list[str]] = {}
    for note in dict.fromkeys(notes):
        run, _, what = note.rpartition(": ")
        runs.setdefault(what, []).append(run)
    few = {what: who for what, who in runs.items() if len(who) <= _FEW}
    return (
        *(f"{run}: {what}" if run else what for what, who in few.items() for run in who),
        *(
            f"{len(who)} runs, each: {what} ({who[0]} is the first; the methods page names all)"
            for what, who in runs.items()
            if what not in few
        ),
    )


def _release(report: Report) -> tuple[Fact, ...]:
    release = report.built.release
    return (
        ("Release", (Said(release.release_id, is_code=True),)),
        ("Manifest", (Said(release.manifest_hash, is_code=True),)),
        ("Text and plan", (Said(release.text_hash, is_code=True),)),
        ("Audio", (Said(release.audio_hash, is_code=True), Said(f"{release.objects:,} objects"))),
        ("Seed", (Said(str(release.seed)),)),
    )


def _choices(report: Report) -> tuple[Fact, ...]:
    choices = report.study.choices
    other = report.policies[1]
    units = "question families" if choices.clustered else "questions"
    return (
        (
            "Policy",
            (
                Said(f"{POLICY_NAMES[choices.policy]} leads: {POLICIES[choices.policy]}."),
                Said(f"{POLICY_NAMES[other]} stands beside it: {POLICIES[other]}."),
            ),
        ),
        ("Pairing set", (Said(f"{choices.pairing}: {PAIRINGS[choices.pairing]}."),)),
        (
            "Intervals",
            (
                Said(
                    f"percentile bootstrap over {units}, {choices.resamples:,} resamples, paired "
                    f"across budgets and entrants, {percent(choices.level, 0)} %, "
                    f"seed {choices.seed}"
                ),
            ),
        ),
        ("Conventions", tuple(map(Said, CONVENTIONS))),
        ("Clustered", (Said("by question family" if choices.clustered else "no"),)),
        (
            "Partial runs",
            (Said("are ranked" if choices.partial else "are shown, and not ranked"),),
        ),
    )


def _prompts(report: Report) -> tuple[Fact, ...]:
    """The prompt files of the candidates, by their SHA-256, and the arms that they were used in."""
    arms: dict[str, dict[str, None]] = {}
    for one in report.responses.values():
        arms.setdefault(one.prompt_hash, {})[one.arm] = None
    return tuple(
        (f"Arm {', '.join(names)}", (_prompt(prompt),)) for prompt, names in arms.items()
    ) or (("None", (Said("nobody was asked"),)),)


def _prompt(digest: str) -> Said:
    return Said(digest, is_code=True) if digest else Said("not known: the files do not say it")


def _judges(report: Report) -> tuple[Fact, ...]:
    leading = report.study.scores.judge
    found = []
    for judge, scored in report.scored_by_judge.items():
        verdicts = [row.verdict for row in scored]
        role = "leads" if judge == leading else "stands beside it"
        found.append((judge, (Said(role), *_judge(verdicts))))
    return tuple(found) or ((leading, (Said("no response was judged"),)),)


def _judge(verdicts: Sequence[Verdict]) -> tuple[Said, ...]:
    statuses = Counter(one.status for one in verdicts)
    panel = dict.fromkeys(vote.judge for one in verdicts for vote in one.votes)
    counted = ", ".join(f"{n:,} {label(name).lower()}" for name, n in statuses.most_common())
    rubrics = _all(one.rubric for one in verdicts)
    asked = (Said("rubric"), *(Said(one, is_code=True) for one in rubrics)) if rubrics else ()
    return (
        Said(counted or "no verdict"),
        *((Said(f"a panel of {', '.join(panel)}"),) if panel else ()),
        *(asked or (Said("decides by rules, without a rubric"),)),
    )


def _auditors(report: Report) -> tuple[Fact, ...]:
    found = report.study.attributions
    if not found:
        return (("None", (Said("no error was attributed"),)),)
    seen = [(name, (Said(f"{len(rows):,} wrong responses"),)) for name, rows in found.items()]
    given = Said(instruction().sha256, is_code=True)
    return (
        *seen,
        ("Instruction of models", (given,)),
        (
            "Rules, the first that applies",
            tuple(Said(f"{label(rule.error_class)}: {rule.what}") for rule in RULES),
        ),
    )


def _versions(report: Report) -> list[tuple[str, str]]:
    adapters = _all(one.adapter for one in report.responses.values())
    made = [(f"{name} (release)", text) for name, text in report.built.release.versions.items()]
    return [
        ("voxmem (this report)", voxmem.__version__),
        *made,
        ("adapters", ", ".join(adapters) or "none: no model was asked"),
    ]


def _plain(rows: Iterable[tuple[str, str]]) -> tuple[Fact, ...]:
    return tuple((term, (Said(text),)) for term, text in rows)


def _all(values: Iterable[str | None]) -> tuple[str, ...]:
    """Each one that is there once, in order of first appearance."""
    return tuple(dict.fromkeys(value for value in values if value))
