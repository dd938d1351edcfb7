"""Two releases: the tiny one, and a copy in which one of everything was changed."""

from __future__ import annotations

from dataclasses import replace

from voxmem.analyze.comparison import Common, compare_releases
from voxmem.evaluate.items import ReleaseRows


def copy_of(rows: ReleaseRows, **changed: object) -> ReleaseRows:
    manifest = {"manifest_hash": "f" * 64, **changed}
    copied = replace(rows, release=rows.release.model_copy(update=manifest))
    for name in ("questions", "histories", "sessions", "clips"):
        copied.__dict__[name] = getattr(rows, name)
    return copied


def test_the_same_again_has_no_changes(rows: ReleaseRows) -> None:
    found = compare_releases(Common(rows, copy_of(rows)))
    assert all(each.is_none for each in found.changes)
    assert [each.a for each in found.cells] == [each.b for each in found.cells]
    assert found.settings == ()
    common = Common(rows, copy_of(rows))
    assert len(common.places) == len(rows.histories)
    assert common.changed == ()


def test_every_kind_of_change_is_found_and_named(rows: ReleaseRows) -> None:
    gone, reworded, *_ = rows.questions.values()
    asked = {name: one for name, one in rows.questions.items() if one is not gone}
    asked[reworded.question_id] = reworded.model_copy(update={"text": "And what else?"})
    last = rows.histories[-1]
    said = rows.sessions[last.placements[0].session_id]
    first, *others = said.turns
    words = said.model_copy(update={"turns": (first.model_copy(update={"text": "Hm."}), *others)})
    spec, clip = next(iter(rows.clips.items()))
    other = copy_of(rows, versions={"voxmem": "9"}, seed=77)
    other.__dict__.update(
        questions=asked,
        histories=[one for one in rows.histories if one.question_id in asked],
        sessions={**rows.sessions, said.session_id: words},
        clips={**rows.clips, spec: clip.model_copy(update={"sha256": "0" * 64})},
    )
    common = Common(rows, other)
    found = compare_releases(common)
    questions, histories, sessions, clips = found.changes
    assert questions.removed == (gone.question_id,)
    assert [(one.name, one.fields) for one in questions.changed] == [
        (reworded.question_id, ("text",))
    ]
    assert len(histories.removed) == len([h for h in rows.histories if h.question_id not in asked])
    with_it = {
        one.item_id
        for one in other.histories
        if said.session_id in [each.session_id for each in one.placements]
    }
    assert {one.name for one in histories.changed} == with_it
    assert last.item_id in with_it
    assert all(one.fields == ("words",) for one in histories.changed)
    assert [(one.name, one.fields) for one in sessions.changed] == [(said.session_id, ("words",))]
    assert [(one.name, one.fields) for one in clips.changed] == [(clip.clip_id, ("sound",))]
    settings = {each.what: (each.a, each.b) for each in found.settings}
    assert settings["seed"][1] == "77"
    assert settings["versions.voxmem"][1] == "9"
    assert settings["versions.planner"] == (rows.release.versions["planner"], "not there")
    unequal = [each for each in found.cells if each.a != each.b]
    assert [(each.a, each.b) for each in unequal] == [(1, 0)]
    kept = {place for place in common.places if place[0] == reworded.question_id}
    assert not kept, "a question of other words is no common item"
    assert set(common.changed) >= {(reworded.question_id, one) for one in ("2K", "4K")}


def test_a_release_of_text_alone_has_no_clips(rows: ReleaseRows) -> None:
    tables = {name: held for name, held in rows.release.tables.items() if name != "clips"}
    text = copy_of(rows, tables=tables)
    [clips] = [
        each for each in compare_releases(Common(rows, text)).changes if each.kind == "clips"
    ]
    assert (clips.a, clips.b) == (len(rows.clips), 0)
    assert len(clips.removed) == len(rows.clips)
