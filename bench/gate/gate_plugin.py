"""The gate inside pytest: the earlier run is read before the first request, the verdict is given at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    import pytest

    from bench.gate.result import GateResult
    from bench.options import Settings
    from bench.results.comparability import RunOutcomes
    from bench.suites.base import Case

__all__ = ["Gate"]

THIS_RUN = "this run"


class Gate:
    """Decides whether the run's model may replace an earlier run's; `result` is None until it has decided."""

    def __init__(self, old: RunOutcomes, second_run: RunOutcomes | None, margin: str | None) -> None:
        self.result: GateResult | None = None
        self._old = old
        self._second_run = second_run
        self._margin = margin

    @classmethod
    def from_settings(cls, settings: Settings, models_n: int) -> Gate | None:
        """Read the runs that the options name; None without --gate.

        Raises:
            UserError: a run cannot be opened, or several models are to be compared.
            DataError: a run holds something else.
        """
        if settings.gate is None:
            return None
        if models_n != 1:
            raise UserError(f"--gate compares one model with an earlier run, and this run has {models_n} models")
        from bench.gate.baseline import open_outcomes  # noqa: PLC0415 - only where a gate is

        second = None if settings.gate_aa is None else open_outcomes(settings.gate_aa)
        return cls(open_outcomes(settings.gate), second, settings.gate_margin)

    def warning(
        self,
        cases: Iterable[Case],
        *,
        policies: Mapping[str, str],
        options: Mapping[str, Any],
        scorers_sha256: str,
    ) -> list[str]:
        """Say, before the first request, why the verdict will be invalid, as far as ids and options tell.

        Args:
            cases: those that will run; without any there is nothing to say.
            policies: by suite, what decides a pass.
            options: as run.json has them.
            scorers_sha256: this version's digest of the scorers.
        """
        from bench.results.comparability import first_difference, planned_outcomes  # noqa: PLC0415

        keys = [(case.suite, case.item_id, case.task) for case in cases]
        if not keys:
            return []
        planned = planned_outcomes(
            self._old,
            label=THIS_RUN,
            keys=keys,
            policies=policies,
            options=options,
            scorers_sha256=scorers_sha256,
        )
        difference = first_difference(self._old, planned)
        return [] if difference is None else [f"eyechart: the gate's verdict will be invalid: {difference}"]

    def decide(self, written: Path | None, environ: Mapping[str, str]) -> None:
        """Decide from the folder that the run has written; without one the verdict is invalid.

        Raises:
            UserError: the summary of a CI job cannot be written.
            OSError: the folder cannot be written.
        """
        from bench.gate.decision import decide  # noqa: PLC0415
        from bench.gate.text import append_step_summary, write_gate  # noqa: PLC0415
        from bench.options import parse_margins  # noqa: PLC0415
        from bench.results.comparability import RunOutcomes, outcomes_of  # noqa: PLC0415
        from bench.results.run_folder import read_run  # noqa: PLC0415

        new = RunOutcomes(label=THIS_RUN) if written is None else outcomes_of(read_run(written), label=THIS_RUN)
        margins = None if self._margin is None else parse_margins(self._margin)
        self.result = decide(self._old, new, margins=margins, second_run=self._second_run)
        if written is not None:
            write_gate(written, self.result)
        append_step_summary(self.result, environ)

    def report(self, config: pytest.Config) -> None:
        """Add the verdict to the JUnit file, where one is written."""
        from _pytest.junitxml import xml_key  # noqa: PLC0415 - the only way to a suite's properties

        from bench.gate.text import report_properties  # noqa: PLC0415

        xml = config.stash.get(xml_key, None)
        if xml is not None and self.result is not None:
            for name, text in report_properties(self.result).items():
                xml.add_global_property(name, text)
