"""Allocations become nested histories, by measured or estimated length."""

from __future__ import annotations

from voxmem.build import Build
from voxmem.construct.tallies import Rejection, is_done, write_counts
from voxmem.history.fit import fit_all
from voxmem.history.notes import FitNote
from voxmem.quality.audit.settle import turned_away
from voxmem.records import History
from voxmem.speech.clips import question_spec, spec_of


def fit_histories(build: Build) -> int:
    """Fits every allocation to the budgets; drops what failed its gate."""
    if is_done(build, "fit", "fitted", "fit_notes", "fit_rejections"):
        return len(build.fitted)
    fitted = fit_all(build.config, build.plans, build.allocations, build.lengths, _dropped(build))
    rejections = [
        Rejection(question_id=name, stage="fit", reason=reason)
        for name, reason in fitted.dropped.items()
    ]
    tables = build.root.tables
    tables.write("fit_rejections", build.id, rejections, Rejection)
    tables.write("fit_notes", build.id, fitted.notes, FitNote)
    write_counts(build, "fit", {"questions dropped": len(rejections), "notes": len(fitted.notes)})
    tables.write("fitted", build.id, fitted.histories, History)
    return len(fitted.histories)


def _dropped(build: Build) -> set[str]:
    """The sessions, and the questions, with a clip that failed a check."""
    failed = {check.subject for check in build.checks if not check.passed} | turned_away(build)
    if not failed:
        return set()
    sessions = {
        session.session_id
        for session in build.sessions.values()
        if any(build.clip_id(spec_of(turn)) in failed for turn in session.user_turns)
    }
    questions = (plan.question for plan in build.plans)
    return sessions | {
        item.question_id for item in questions if build.clip_id(question_spec(item)) in failed
    }
