"""How the two sides are written."""

from __future__ import annotations

import pytest

from voxmem.analyze.comparison import parse_reference
from voxmem.errors import UsageError


def test_a_name_and_its_settings() -> None:
    found = parse_reference("listener@m, arm=cues,judge=panel:a,b,c,release=demo")
    assert found.name == "listener@m"
    assert found.settings == {"arm": "cues", "judge": "panel:a,b,c", "release": "demo"}
    assert parse_reference("demo").settings == {}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "names nothing"),
        ("arm=audio", "names nothing"),
        ("a,colour=red", "no setting 'colour'"),
        ("a,transcript", "no setting 'transcript'"),
        ("a,arm", "no value"),
        ("a,arm=", "no value"),
        ("a,arm=audio,arm=cues", "twice"),
    ],
)
def test_what_is_wrong_is_said_with_the_grammar(text: str, why: str) -> None:
    with pytest.raises(UsageError, match=why) as caught:
        parse_reference(text)
    assert "arm, judge, prompts, release, root" in str(caught.value.remedy)


def test_a_release_has_a_root_and_nothing_else() -> None:
    assert parse_reference("demo,root=x").of_release().settings == {"root": "x"}
    with pytest.raises(UsageError, match="is a release"):
        parse_reference("demo,arm=cues").of_release()
