"""The validity report on the page: what the items themselves are worth."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bench.errors import DataError
from bench.report.contents import Section
from bench.report.markup import Html, element, joined
from bench.report.tables import table
from bench.validity.report import (
    FAMILY_HEADINGS,
    FIELD_HEADINGS,
    VALIDITY_JSON,
    ValidityReport,
    family_cells,
    field_cells,
)

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["read_validity", "validity_section"]


def validity_section(report: ValidityReport) -> Section:
    """Return the section: the findings, then a folded table for each suite."""
    measured = f"PlotChain {report.edition}, seed {report.seed}, {report.policy} tolerances"
    body = joined(
        element("p", f"Measured without any model under test: {measured}.", class_="note"),
        element("ul", *(element("li", finding) for finding in report.findings)),
        *(_suite(report, suite) for suite in dict.fromkeys(field.suite for field in report.fields)),
    )
    return Section(id="validity", heading="Are the items sound?", body=body)


def _suite(report: ValidityReport, suite: str) -> Html:
    fields = [field_cells(field) for field in report.fields if field.suite == suite]
    families = [family_cells(family) for family in report.families if family.suite == suite]
    return element(
        "details",
        element("summary", f"{suite}: {len(fields)} fields"),
        table(FIELD_HEADINGS, fields, numbers_from=2),
        table(FAMILY_HEADINGS, families, numbers_from=1) if families else None,
    )


def read_validity(folder: Path) -> ValidityReport:
    """Read what `python -m bench.leaderboard.validity --out FOLDER` wrote.

    Raises:
        DataError: there is no such file, or it holds something else.
    """
    path = folder / VALIDITY_JSON
    try:
        return ValidityReport.from_json(json.loads(path.read_bytes()))
    except OSError as error:
        raise DataError(
            f"{path}: cannot be read ({error.strerror}); name the folder of a validity report"
        ) from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DataError(f"{path}: expected a validity report ({type(error).__name__}: {error})") from error
