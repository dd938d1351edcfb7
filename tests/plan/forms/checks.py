"""What must hold of every task form, whatever it asks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable

from tests.plan.forms.drafts import MANY, candidates, config_of, forms_over, rivalled
from voxmem.plan.forms import forms_of, load
from voxmem.plan.validate import check, check_candidate
from voxmem.records import Plan
from voxmem.taxonomy import SUBTYPES, AnswerType, EvidenceType, Operation, Route
from voxmem.vocabulary import PERSONAS

_BUILT = 0.95
"""The least share of drafts that become candidates."""
_ENOUGH, _SPREAD = 40, 0.15
"""So many drafts show how golds are spread, and how far their shares may be from even."""
LENGTH = (60, 260)
"""Characters of a spoken question."""


def routes_are_covered(evidence: EvidenceType, least: int) -> None:
    """Every route has so many forms, and no cell asks yes/no most of the time."""
    for operation, subtypes in SUBTYPES.items():
        forms = [form for subtype in subtypes for form in forms_of(Route(evidence, subtype))]
        yes_no = [form for form in forms if form.answer_type is AnswerType.YES_NO]
        assert 2 * len(yes_no) <= len(forms)
        if (evidence, operation) == (
            EvidenceType.SPEECH_SEMANTICS,
            Operation.INFORMATION_EXTRACTION,
        ):
            continue
        for subtype in subtypes:
            assert len(forms_of(Route(evidence, subtype))) >= least


def builds(form: str, config: str, count: int = 40) -> None:
    """Nearly every draft becomes a candidate, and every candidate is valid."""
    made = candidates(form, config, count)
    assert len(made) >= _BUILT * count
    faults = [fault for plan in made if (fault := check_candidate(plan, config_of(config)))]
    assert faults == []


def broken(form: str, config: str) -> set[str]:
    """The consequences that candidates with their distractors do not bear out."""
    return {
        violation.consequence
        for plan in rivalled(form, config)
        for violation in check(plan, config_of(config))
    }


def speaks_naturally(form: str) -> None:
    """Four wordings or more, all slots filled, speakable, and nobody is named."""
    assert len(set(load()[form].wordings)) >= 4
    for plan in candidates(form):
        for text in plan.wordings:
            assert LENGTH[0] <= len(text) <= LENGTH[1], text
            assert not re.search(r"[{}\[\]()\"]", text)
            assert not [persona for persona in PERSONAS if persona in text]
            assert text[0].isupper()
            assert text[-1] in ".?"


def lists_its_options(form: str) -> None:
    """A closed question holds its options in each of its wordings."""
    for plan in candidates(form):
        space = plan.question.space
        if space.closed and plan.question.answer_type is not AnswerType.YES_NO:
            for text in plan.wordings:
                assert [option for option in space.options if option not in text] == []


def answer_class(plan: Plan) -> Hashable:
    """A gold as it compares over items: what is named in the question, by its place there."""
    gold, text = plan.question.gold, plan.question.text
    if isinstance(gold, int):
        return gold
    items = gold if isinstance(gold, tuple) else (str(gold),)
    options = plan.question.space.options
    if not plan.question.space.closed or plan.question.answer_type is AnswerType.YES_NO:
        return gold
    if any(option.startswith("the person") for option in options):
        return re.sub(r" about .*", "", str(gold))
    if not all(option.startswith("the ") for option in options):
        return gold
    places = sorted(options, key=text.index)
    return tuple(sorted(places.index(item) for item in items))


def golds(form: str) -> Counter[Hashable]:
    """How often each class of gold occurs over many drafts."""
    return Counter(map(answer_class, candidates(form, "paper", MANY)))


def golds_are_balanced(form: str) -> None:
    """Whoever knows what may be answered does not know what to guess."""
    by_space: dict[Hashable, Counter[Hashable]] = {}
    for plan in candidates(form, "paper", MANY):
        space = plan.question.space
        permitted = (space.low, space.high, space.length, len(space.options))
        by_space.setdefault(permitted, Counter())[answer_class(plan)] += 1
    for found in by_space.values():
        shares = [count / found.total() for count in found.values()]
        if found.total() >= _ENOUGH:
            assert len(shares) >= 2
            assert max(shares) < 1 / len(shares) + _SPREAD, found
            assert min(shares) > 1 / len(shares) - _SPREAD, found


def mean_evidence(evidence: EvidenceType) -> float:
    """Evidence sessions of a question of reasoning or tracking, where a cell's questions are shared
    evenly by its subtypes, and a subtype's by its forms."""
    config = config_of("paper")
    total = sessions = 0.0
    for cell in config.cells:
        if cell.evidence is not evidence or cell.operation not in (
            Operation.MULTI_SESSION_REASONING,
            Operation.TEMPORAL_EVOLUTION_TRACKING,
        ):
            continue
        subtypes = SUBTYPES[cell.operation]
        for subtype in subtypes:
            forms = forms_of(Route(evidence, subtype))
            weight = cell.questions / len(subtypes) / len(forms)
            for form in forms:
                made = candidates(form.name)
                counts = [len(plan.question.evidence_session_ids) for plan in made]
                sessions += weight * sum(counts) / len(counts)
                total += weight
    return sessions / total


def answer_types(evidence: EvidenceType) -> set[AnswerType]:
    """The answer types that occur."""
    return {load()[name].answer_type for name in forms_over(evidence)}
