"""No address is shown with its password."""

from __future__ import annotations

import httpx
import pytest

from flows.address import no_answer
from flows.cluster import api
from voxmem.errors import EngineError


@pytest.mark.parametrize("password", ["hunter2", "hunter/2", "hun@ter2", "hunter#2", "hunter?2"])
def test_a_server_that_does_not_answer_is_named_without_the_login(password: str) -> None:
    with pytest.raises(EngineError) as caught:
        api.check(f"http://me:{password}@127.0.0.1:9/api")
    assert "hunter" not in str(caught.value)
    assert "hun@" not in str(caught.value)
    assert "http://…@127.0.0.1:9/api" in str(caught.value)


def test_without_a_login_the_reason_stays() -> None:
    said = no_answer("http://store:4200/api", httpx.ConnectError("refused"))
    assert said == "no workflow server answers at http://store:4200/api (refused)"
