"""What the scores of all tasks share."""

from __future__ import annotations

from typing import Literal, Protocol, get_args

from scorers.score import FieldScore

__all__ = ["TASKS", "Metrics", "Task", "TaskScore", "field_row"]

Task = Literal["COUNT", "LOCATE", "PATTERN", "SIZE", "DEFECT", "SPACING", "REGULARITY"]

TASKS: tuple[Task, ...] = get_args(Task)

Metrics = dict[str, bool | int | float | str | None]


class TaskScore(Protocol):
    """One scored reply to one task.

    `parsed` says whether an answer was read at all; without one the case failed, and every `prediction` is None.
    """

    @property
    def task(self) -> Task:
        """The task."""
        ...

    @property
    def passed(self) -> bool:
        """The case's verdict, by `scorers.geometry.thresholds`."""
        ...

    @property
    def parsed(self) -> bool:
        """Whether an answer was read."""
        ...

    @property
    def rule(self) -> str:
        """The reading rule that fired."""
        ...

    @property
    def prediction(self) -> object:
        """What was read, JSON-safe."""
        ...

    @property
    def expected(self) -> object:
        """The truth, JSON-safe."""
        ...

    @property
    def metrics(self) -> Metrics:
        """The task's metrics for this reply by name; None where one has no value."""
        ...

    @property
    def rows(self) -> tuple[FieldScore, ...]:
        """One row for each field: for the assertion's table and for stored records."""
        ...


def field_row(
    field: str,
    *,
    prediction: float | None,
    truth: float,
    passed: bool,
    why: str,
    abs_tol: float = 0.0,
    rel_tol: float = 0.0,
) -> FieldScore:
    """Make the row of one field, with its errors."""
    error = None if prediction is None else abs(prediction - truth)
    return FieldScore(
        field=field,
        scope="final",
        prediction=prediction,
        truth=truth,
        abs_err=error,
        rel_err=None if error is None or truth == 0 else error / abs(truth),
        abs_tol=abs_tol,
        rel_tol=rel_tol,
        passed=passed,
        why=why,
    )
