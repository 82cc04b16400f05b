"""Which cases get a picture with truth and answer drawn in."""

from __future__ import annotations

import pytest

from bench.tables.run_files import _is_annotated
from tests.bench.tables.records import answer, make_record


@pytest.mark.parametrize(
    ("provider", "model", "which", "expected"),
    [
        ("offline", "reader", "failed", True),
        ("offline", "blind", "failed", False),
        ("offline", "oracle", "failed", False),
        ("offline", "blind", "all", True),
        ("http", "blind", "failed", True),
        ("offline", "reader", "none", False),
    ],
)
def test_failed_cases_of_models_that_look_are_annotated(
    provider: str, model: str, which: str, expected: bool
) -> None:
    record = make_record(answer(cutoff_hz=1.0), provider=provider, model=model)
    assert not record.passed
    assert _is_annotated(record, which) is expected
