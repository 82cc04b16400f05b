"""A pytest plugin for runs of tests: writes every report as a line of JSON, as report-log plugins do."""

import json
from pathlib import Path

import pytest

LINES = Path("reports.jsonl")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Watch the reports of the process that collects them all."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Watching(config))


class Watching:
    """Writes a line for each report."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Fail where a report is not fit for JSON."""
        content = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        content.pop("node", None)  # xdist's own
        with LINES.open("a", encoding="utf-8") as file:
            file.write(json.dumps(content) + "\n")
