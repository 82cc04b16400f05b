"""The table against the published list, and the rules by name in their order."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest

from scorers.tolerances import POLICIES, TABLE, FieldTolerances, Policy, Tolerance, tolerance

if TYPE_CHECKING:
    from pathlib import Path

WITHOUT_A_ROW = {
    ("bode_phase", "phase_deg_at_fq"),
    ("pole_zero", "pole_real"),
    ("pole_zero", "pole_imag"),
    ("pole_zero", "zero_real"),
    ("pole_zero", "zero_imag"),
    ("step_response", "cp_band_lower"),
    ("step_response", "cp_band_upper"),
}


def _published_row(row: dict[str, str]) -> FieldTolerances | None:
    if not row["plotread_abs"]:
        return None
    return FieldTolerances(
        plotread=Tolerance(absolute=float(row["plotread_abs"]), relative=float(row["plotread_rel"])),
        strict=Tolerance(absolute=float(row["strict_abs"]), relative=float(row["strict_rel"])),
    )


def test_the_table_is_the_published_one(published_plotchain: Path) -> None:
    with (published_plotchain / "fields_and_tolerances.csv").open(encoding="utf-8") as file:
        published = {(row["family"], row["field"]): _published_row(row) for row in csv.DictReader(file)}
    ours = {(family, field): row for family, fields in TABLE.items() for field, row in fields.items()}
    assert {key for key, row in published.items() if row is None} == WITHOUT_A_ROW
    assert ours == {key: row for key, row in published.items() if row is not None}


@pytest.mark.parametrize(("family", "field"), sorted(WITHOUT_A_ROW))
def test_fields_without_a_row_fall_to_the_last_rule(family: str, field: str) -> None:
    assert tolerance(family, field, truth=-60.0, policy="plotread") == Tolerance(absolute=4.8, relative=0.10)
    assert tolerance(family, field, truth=0.0, policy="plotread") == Tolerance(absolute=0.08, relative=0.10)
    assert tolerance(family, field, truth=0.5, policy="strict") == Tolerance(absolute=0.05, relative=0.06)


@pytest.mark.parametrize(
    ("field", "truth", "plotread", "strict"),
    [
        ("roc_auc", 0.9, (0.02, 0.05), (0.01, 0.05)),
        ("tpr_at_1", 0.9, (0.05, 0.20), (0.03, 0.20)),
        ("Recall", 0.9, (0.05, 0.20), (0.03, 0.20)),
        ("eer", 0.1, (0.03, 0.25), (0.02, 0.25)),
        ("best_epoch", 12.0, (1.0, 0.0), (0.0, 0.0)),
        ("val_loss", 0.3, (0.05, 0.12), (0.03, 0.12)),
        ("gap", 0.3, (0.06, 0.15), (0.04, 0.15)),
        ("train_acc", 0.3, (0.03, 0.10), (0.02, 0.10)),
        ("snr_at_x_db", 10.0, (1.0, 0.10), (0.7, 0.10)),
        ("evm_percent", 10.0, (2.0, 0.25), (1.2, 0.25)),
        ("ber", 0.1, (0.01, 0.35), (0.005, 0.35)),
        ("gain_margin_db", 10.0, (1.0, 0.12), (0.7, 0.12)),
        ("phase_margin_deg", 45.0, (5.0, 0.15), (3.0, 0.15)),
        ("x_hz", 10.0, (1.0, 0.06), (1.0, 0.03)),
        ("x_hz", -100.0, (3.0, 0.06), (1.8, 0.03)),
        ("x_db", 10.0, (1.0, 0.08), (0.42, 0.05)),
        ("x_deg", 10.0, (5.0, 0.12), (1.8, 0.08)),
        ("x_s", 0.0, (0.02, 0.20), (0.02, 0.12)),
        ("x_s", 10.0, (1.2, 0.20), (0.72, 0.12)),
        ("x_v", 0.0, (0.02, 0.15), (0.02, 0.10)),
        ("x_v", 10.0, (0.8, 0.15), (0.48, 0.10)),
        ("x_ohm", 0.0, (1.0, 0.12), (1.0, 0.08)),
        ("x_ohm", 100.0, (8.0, 0.12), (4.8, 0.08)),
        ("x_a", 0.0, (0.0015, 0.20), (0.001, 0.12)),
        ("x_a", 1.0, (0.15, 0.20), (0.09, 0.12)),
        ("anything", 100.0, (8.0, 0.10), (4.8, 0.06)),
    ],
)
def test_rules_by_name(
    field: str, truth: float, plotread: tuple[float, float], strict: tuple[float, float]
) -> None:
    for policy, (absolute, relative) in zip(POLICIES, (plotread, strict), strict=True):
        found = tolerance("no such family", field, truth=truth, policy=policy)
        assert found.absolute == pytest.approx(absolute, rel=1e-12)
        assert found.relative == relative


@pytest.mark.parametrize("policy", POLICIES)
def test_the_table_comes_before_the_rules(policy: Policy) -> None:
    found = tolerance("step_response", "settling_time_s", truth=1e6, policy=policy)
    assert found == TABLE["step_response"]["settling_time_s"].under(policy)


def test_strict_is_never_wider_than_plotread() -> None:
    for fields in TABLE.values():
        for row in fields.values():
            assert row.strict.absolute <= row.plotread.absolute
            assert row.strict.relative <= row.plotread.relative
