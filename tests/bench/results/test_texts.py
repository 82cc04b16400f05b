"""Texts that are made as records come: the same ones that are made at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.results import texts
from bench.results.texts import Texts
from tests.bench.tables.records import answer, make_record

if TYPE_CHECKING:
    import pytest

    from bench.results.record import Record


def shout(record: Record) -> bytes:
    made.append(record.item_id)
    return record.item_id.upper().encode()


def whisper(record: Record) -> bytes:
    return record.item_id.lower().encode()


made: list[str] = []


def test_a_text_that_was_made_ahead_is_not_made_again() -> None:
    made.clear()
    ahead = Texts(lambda _: (shout,))
    early, late = make_record(item_id="early"), make_record(item_id="late")
    ahead.make_ahead(early)
    assert made == ["early"]
    assert [ahead.of(record, shout) for record in (early, late)] == [b"EARLY", b"LATE"]
    assert made == ["early", "late"]
    assert ahead.of(early, whisper) == b"early"


def test_a_text_belongs_to_the_record_itself_not_to_its_case() -> None:
    """A case that is run again has another record, which may be answered differently."""
    ahead = Texts(lambda _: (shout, line))
    first = make_record(answer(cutoff_hz=1.0))
    again = make_record(answer(cutoff_hz=2.0))
    ahead.make_ahead(first)
    assert ahead.of(again, line) == line(again)
    ahead.make_ahead(again)
    assert (ahead.of(first, line), ahead.of(again, line)) == (line(first), line(again))


def line(record: Record) -> bytes:
    return record.line().encode()


def test_of_very_much_text_only_the_first_is_made_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "MOST_BYTES", 4)
    made.clear()
    ahead = Texts(lambda _: (shout,))
    records = [make_record(item_id=f"x_{number}") for number in range(4)]
    for record in records:
        ahead.make_ahead(record)
    assert made == ["x_0", "x_1"]
    assert [ahead.of(record, shout) for record in records] == [b"X_0", b"X_1", b"X_2", b"X_3"]
