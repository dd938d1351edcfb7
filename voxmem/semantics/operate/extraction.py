"""Operations on one value: what it is, and whether, or among which people, it is somebody's."""

from __future__ import annotations

from voxmem import query as q
from voxmem.semantics.attributes import NoAnswer, Readable, Scope
from voxmem.semantics.operate.registry import evaluate, mislabelled, operation, values, yes
from voxmem.semantics.select import select, voice_of


@operation(q.Only)
def _only(scope: Scope, query: q.Only) -> Readable:
    if len(select(scope, query.of.select, query.of.read)) > 1:
        raise NoAnswer("ambiguous")
    return values(scope, query.of)[0]


@operation(q.IsAsker)
def _is_asker(scope: Scope, query: q.IsAsker) -> str:
    return yes(evaluate(scope, query.of) == voice_of(scope, query.same_as))


@operation(q.WhoseVoice)
def _whose_voice(scope: Scope, query: q.WhoseVoice) -> str:
    if len(query.labels) != len(query.references):
        raise mislabelled(len(query.labels), len(query.references))
    voices = [voice_of(scope, where) for where in query.references]
    if len(set(voices)) != len(voices):
        raise NoAnswer("ambiguous")
    owner = dict(zip(voices, query.labels, strict=True))
    return owner.get(str(evaluate(scope, query.of)), query.otherwise)


@operation(q.Is)
def _is(scope: Scope, query: q.Is) -> str:
    return yes(evaluate(scope, query.of) == query.value)
