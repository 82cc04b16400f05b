"""The validity report on the page: what the items themselves are worth."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bench.errors import DataError
from bench.report.rendering import section
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

    from bench.report.rendering import Section

__all__ = ["read_validity", "validity_section"]


def validity_section(report: ValidityReport) -> Section:
    """Return the section: the findings, then a folded table for each suite."""
    suites = [
        {
            "name": suite,
            "fields": [field_cells(field) for field in report.fields if field.suite == suite],
            "families": [family_cells(family) for family in report.families if family.suite == suite],
        }
        for suite in dict.fromkeys(field.suite for field in report.fields)
    ]
    return section(
        "validity",
        "Are the items sound?",
        report=report,
        suites=suites,
        field_headings=FIELD_HEADINGS,
        family_headings=FAMILY_HEADINGS,
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
