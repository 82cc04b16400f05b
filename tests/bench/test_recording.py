"""Reports of failures: short to make, and still at the place that a person looks for."""

from __future__ import annotations

import pytest

from bench.recording import shorten_traceback


def failing(*, pytrace: bool) -> pytest.CallInfo[None]:
    def test_body() -> None:
        verdict()

    def verdict() -> None:
        __tracebackhide__ = True
        pytest.fail("2 of 3 fields wrong", pytrace=pytrace)

    return pytest.CallInfo.from_call(test_body, when="call")


def test_a_failure_without_traceback_keeps_the_frame_that_reports_name() -> None:
    call = failing(pytrace=False)
    assert call.excinfo is not None
    place = str(call.excinfo.getrepr().reprcrash)
    shorten_traceback(call)
    assert [entry.name for entry in call.excinfo.traceback] == ["test_body"]
    assert str(call.excinfo.getrepr().reprcrash) == place


def test_a_traceback_that_is_shown_stays_whole() -> None:
    call = failing(pytrace=True)
    assert call.excinfo is not None
    shorten_traceback(call)
    assert len(call.excinfo.traceback) > 1


def test_a_test_that_passed_has_nothing_to_shorten() -> None:
    shorten_traceback(pytest.CallInfo.from_call(lambda: None, when="call"))


@pytest.mark.parametrize("hides", [True, False])
def test_a_frame_may_decide_whether_it_is_shown(*, hides: bool) -> None:
    def test_body() -> None:
        verdict()

    def verdict() -> None:
        __tracebackhide__ = lambda failure: hides and failure.errisinstance(pytest.fail.Exception)  # noqa: E731
        pytest.fail("2 of 3 fields wrong", pytrace=False)

    call = pytest.CallInfo.from_call(test_body, when="call")
    assert call.excinfo is not None
    shorten_traceback(call)
    assert [entry.name for entry in call.excinfo.traceback] == ["test_body" if hides else "verdict"]
    assert call.excinfo.tb.tb_next is not None  # a debugger sees all frames
