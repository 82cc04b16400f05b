"""Units at the end of an axis's name."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

from bench.models.reader.picture import decode
from bench.models.reader.plots.axis_units import UNITS, in_base_units
from bench.models.reader.plots.plot import MeasuredPlot, PromptHints, measure
from bench.models.reader.plots.readings import CannotReadError
from tests.bench.models.reader.sweep import sweep

if TYPE_CHECKING:
    from collections.abc import Iterator

ASKED = [
    ("Time (µs)", "Voltage (mV)"),
    ("Time (ms)", "Torque T (mN·m)"),
    ("Frequency (MHz)", "Magnitude (dB)"),
    ("Flow Q (m³/h)", "Head H (m)"),
    ("Real part (krad/s)", "Imaginary part (rad/s)"),
    ("Strain (%)", "Stress (MPa)"),
    ("Current (µA)", "Current (mA)"),
]


@pytest.fixture(autouse=True)
def plain_style() -> Iterator[None]:
    with mpl.rc_context(mpl.rcParamsDefault):
        yield


@cache
def measured(x_name: str, y_name: str, *, log: bool = False, size_pt: float = 10.0) -> MeasuredPlot:
    figure = Figure(figsize=(6.0, 3.6), dpi=160)
    axes = figure.add_axes((0.15, 0.2, 0.8, 0.7))
    axes.set_xlim(1.0, 100.0)
    axes.set_ylim(-2.0, 3.0)
    if log:
        axes.set_xscale("log")
    axes.set_xlabel(x_name, fontsize=size_pt)
    axes.set_ylabel(y_name, fontsize=size_pt)
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=160)
    return measure(decode(content.getvalue()), PromptHints(own_units=True))


def sizes(plot: MeasuredPlot, *bases: str) -> tuple[float, float]:
    x_base, y_base = bases
    based = in_base_units(plot, (x_base, y_base))
    return plot.x.px_per_unit / based.x.px_per_unit, plot.y.px_per_unit / based.y.px_per_unit


@pytest.mark.parametrize(("x_name", "y_name"), sweep(ASKED, default=ASKED[:1]))
def test_scales_are_in_the_base_unit_of_what_is_written(x_name: str, y_name: str) -> None:
    units = [name[name.index("(") + 1 : -1] for name in (x_name, y_name)]
    bases = [UNITS[unit][1] for unit in units]
    assert sizes(measured(x_name, y_name), *bases) == pytest.approx([UNITS[unit][0] for unit in units])


@pytest.mark.sweep
def test_another_size_of_text_is_read_too() -> None:
    assert sizes(measured("Time (ms)", "Current (µA)", size_pt=12.0), "s", "A") == pytest.approx([1e-3, 1e-6])


def test_a_name_without_parentheses_is_a_plain_number() -> None:
    assert sizes(measured("Cycles to failure N", "Amplitude"), "", "") == (1.0, 1.0)


def test_a_logarithmic_axis_is_moved_by_the_decades_of_its_unit() -> None:
    plot = measured("Frequency (kHz)", "Magnitude (dB)", log=True)
    based = in_base_units(plot, ("Hz", "dB"))
    assert plot.x.log
    assert based.x.value(500.0) == pytest.approx(1e3 * plot.x.value(500.0))


NO_UNITS = ["Length (furlong)", "Time (ks", "Time ms)", "Power (W)", "Mass ()"]


@pytest.mark.parametrize("name", sweep(NO_UNITS, default=NO_UNITS[:1]))
def test_what_is_no_known_unit_is_refused(name: str) -> None:
    plot = measured(name, "Amplitude")
    with pytest.raises(CannotReadError, match="the unit of the x axis cannot be read"):
        in_base_units(plot, ("s", ""))


def test_an_axis_without_a_name_is_refused() -> None:
    with pytest.raises(CannotReadError, match="the x axis has no name"):
        in_base_units(measured("", "Amplitude"), ("s", ""))
    with pytest.raises(CannotReadError, match="the y axis has no name"):
        in_base_units(measured("Time (s)", ""), ("s", ""))


@pytest.mark.parametrize("rows", sweep([1, 8, 14, 20], default=[8]))
def test_a_name_that_is_cut_off_is_refused(rows: int) -> None:
    plot = measured("Time (ms)", "Current (µA)")
    inked = np.flatnonzero((plot.picture.darkness > 0.5).any(axis=1))
    cut = replace(plot, picture=replace(plot.picture, rgb=plot.picture.rgb[: inked[-1] + 1 - rows]))
    with pytest.raises(CannotReadError, match="x axis"):
        in_base_units(cut, ("s", "A"))


def test_an_axis_of_another_quantity_is_refused() -> None:
    plot = measured("Time (ms)", "Amplitude")
    with pytest.raises(CannotReadError, match="the x axis shows s instead of Hz"):
        in_base_units(plot, ("Hz", ""))
    with pytest.raises(CannotReadError, match="the y axis shows a plain number instead of V"):
        in_base_units(plot, ("s", "V"))
