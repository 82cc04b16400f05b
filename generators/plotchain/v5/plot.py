"""What all families of edition v5 share: a curve in pixels, noise, a distracting second curve, tolerances."""

from __future__ import annotations

import dataclasses
import math
from abc import abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeVar

from generators.plotchain.family import Extent, FieldSpec, PlotCase, PlotDraws, PlotFamily
from generators.plotchain.numeric import bisect, np
from generators.plotchain.v5 import drawing
from generators.plotchain.v5.axes import AXES_BOX, WIDTH_PX, Frame, PlotParams, ticks_of
from generators.plotchain.v5.drawing import vertical, zero_lines
from generators.plotchain.v5.readings import slope_px

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from matplotlib.axes import Axes
    from numpy.random import Generator

    from generators.items import JsonValue
    from generators.plotchain.family import Difficulty, StoredParams
    from generators.plotchain.numeric import FloatArray
    from generators.plotchain.v5.axes import Axis, AxisLabel, AxisTicks
    from generators.plotchain.v5.drawing import Mark, MarkLine
    from generators.plotchain.v5.readings import ExactReading

__all__ = [
    "CURVE_SAMPLES",
    "POINTS",
    "CurvePlot",
    "FallingParams",
    "FallingPlot",
    "V5Plot",
    "asked",
    "band_px",
    "draw_falling",
    "points_px",
]

P = TypeVar("P", bound=PlotParams)

CURVE_SAMPLES = 1621
_QUESTION = """\
The plot shows {about}.{rules}
Read off, in the units named here whatever the axes show:
{fields}
Return JSON only."""
_TWO_CURVES = "If two curves are drawn, use curve A (solid blue{points}) and ignore curve B."
_BAND = "Where the curve is noisy, read the centre of its band."


def asked(name: str, unit: str, meaning: str) -> FieldSpec:
    """Describe one field: its unit as written, and what it is, as the question says it."""
    return FieldSpec(name=name, unit=unit, decimals=None, meaning=meaning)


class V5Plot(PlotFamily[P]):
    """A family of edition v5.

    The curve is given in pixels of the axes box. Difficulty changes the drawing alone, never parameters,
    truth or tolerance. `noise` says what is added to the curve in moderate and edge pictures. With
    `has_curve_b` edge pictures show a second curve of the same recipe, drawn as if on axes of its own whose
    zeros lie on this plot's where `zeros_meet` (x, y) says so.
    """

    title: ClassVar[str]
    about: ClassVar[str]
    reading_rule: ClassVar[str] = ""
    log_x: ClassVar[bool] = False
    noise: ClassVar[Literal["none", "band", "points", "own"]] = "none"
    has_curve_b: ClassVar[bool] = False
    has_grid: ClassVar[bool] = True
    zeros_meet: ClassVar[tuple[bool, bool]] = (False, False)
    axes_box_px = AXES_BOX

    @abstractmethod
    def attempt(self, draws: PlotDraws) -> P | None:
        """Draw parameters once, in the order of the recipe; None: the draws do not suit, draw again."""

    @abstractmethod
    def labels(self, params: P) -> tuple[AxisLabel, AxisLabel]:
        """Return what is written along the x and the y axis, and the units that may stand there."""

    def frame(self, params: P) -> Frame:
        """Return the axes."""
        return Frame.around(params, *self.labels(params), log_x=self.log_x)

    @abstractmethod
    def readings(self, params: P) -> Mapping[str, ExactReading]:
        """Return every field's value and what it is read from, in ground-truth order."""

    @abstractmethod
    def draw_content(self, axes: Axes, case: PlotCase[P]) -> None:
        """Draw what the axes hold besides marks."""

    def marks(self, params: P) -> tuple[MarkLine, ...]:  # noqa: ARG002 - most families have some
        """Return the marks of every difficulty."""
        return ()

    def helpers(self, params: P) -> tuple[Mark, ...]:  # noqa: ARG002 - most families have some
        """Return the marks that only clean pictures show."""
        return ()

    def noise_stream(self, params: P) -> Generator:
        """Return the random stream of the picture's noise.

        Raises:
            ValueError: the parameters hold no seed for it.
        """
        if params.noise_seed is None:
            raise ValueError(f"plot_params of {self.name}: noise_seed missing; add it")
        return np.random.default_rng(params.noise_seed)

    def sample(self, draws: PlotDraws) -> P:
        """Draw until the draws suit, then derive the seeds of the side streams."""
        params = self.attempt(draws)
        while params is None:
            params = self.attempt(draws)
        return dataclasses.replace(
            params,
            noise_seed=None if self.noise == "none" else draws.side_seed("noise"),
            curve_b_seed=draws.side_seed("curve_b") if self.has_curve_b else None,
        )

    def question(self, params: P) -> str:  # noqa: ARG002 - the text is the same for all items
        """Return the family's question; it names every field and no number of the item."""
        two = _TWO_CURVES.format(points=", or its points" if self.noise == "points" else "")
        rules = (two if self.has_curve_b else "", _BAND if self.noise == "band" else "", self.reading_rule)
        return _QUESTION.format(
            about=self.about,
            rules="".join(f" {rule}" for rule in rules if rule),
            fields="\n".join(f"- {spec.name} ({spec.unit}): {spec.meaning}" for spec in self.fields),
        )

    def truth(self, params: P) -> Mapping[str, float]:
        """Return every field's value before rounding."""
        return {name: reading.value for name, reading in _read(self, params).items()}

    def decimals(self, params: P) -> Mapping[str, int | None]:
        """Return the fewest decimals that resolve each field's tolerance fifty times."""
        return {name: reading.decimals for name, reading in _read(self, params).items()}

    def tolerances(self, params: P) -> Mapping[str, tuple[float, float]]:
        """Return the largest errors that pass, in field units."""
        return {name: (reading.plotread, reading.strict) for name, reading in _read(self, params).items()}

    def extent(self, case: PlotCase[P]) -> Extent:
        """Return the drawn limits and tick steps."""
        params = case.params
        x, y = ticks_of(self.frame(params), case.difficulty)
        return Extent.of(x=(params.x_min, params.x_max), y=(params.y_min, params.y_max), steps=(x.step, y.step))

    def generation(self, case: PlotCase[P]) -> dict[str, JsonValue]:
        """Return limits, edition, each field's tolerances (plotread, strict), axes and what is read."""
        frame = self.frame(case.params)
        x, y = ticks_of(frame, case.difficulty)
        readings = _read(self, case.params)
        return {
            **super().generation(case),
            "edition": "v5",
            "tolerances": {name: [reading.plotread, reading.strict] for name, reading in readings.items()},
            "axes": {
                "x": _axis_record(frame.x, x),
                "y": _axis_record(frame.y, y),
                "fields": {name: _reading_record(reading) for name, reading in readings.items()},
            },
        }

    def draw(self, axes: Axes, case: PlotCase[P]) -> None:
        """Draw frame, marks, helpers (clean), curve B (edge) and content."""
        frame = self.frame(case.params)
        drawing.draw_frame(axes, frame, case.difficulty, title=self.title, has_grid=self.has_grid)
        drawing.draw_marks(axes, self.marks(case.params))
        if case.difficulty == "clean":
            drawing.draw_helpers(axes, self.helpers(case.params))
        self.draw_content(axes, case)


class CurvePlot(V5Plot[P]):
    """A family whose content is one curve."""

    @abstractmethod
    def curve_px(self, params: P, x_px: FloatArray) -> FloatArray:
        """Return the curve's height in pixels over places in pixels."""

    def ends_px(self, params: P) -> tuple[float, float]:  # noqa: ARG002 - most curves cross the whole axes
        """Return where the curve begins and ends, in pixels from the left."""
        return 0.0, WIDTH_PX

    def noise_share(self, params: P, x_px: FloatArray) -> FloatArray:  # noqa: ARG002 - one family has shares
        """Return by what the noise is multiplied at each place."""
        return np.ones_like(x_px)

    def steepness_px(self, params: P, x: float) -> float:
        """Return the curve's slope above a place in axis units, px/px."""
        return slope_px(lambda x_px: self.curve_px(params, x_px), self.frame(params).x.px(x))

    def draw_content(self, axes: Axes, case: PlotCase[P]) -> None:
        """Draw curve B (edge) below the curve, and the curve as line, band or points."""
        params = case.params
        is_points = self.noise == "points" and case.difficulty != "clean"
        if case.difficulty == "edge" and params.curve_b_seed is not None:
            drawing.draw_curve_b(axes, *self.curve_b_px(params))
            drawing.draw_legend(axes, with_points=is_points)
        x_px, y_px = self.shown_px(case)
        if is_points:
            drawing.draw_points(axes, x_px, y_px)
        else:
            is_band = self.noise == "band" and case.difficulty != "clean"
            drawing.draw_curve(axes, x_px, y_px, is_band=is_band)

    def sampled_px(self, params: P, count: int = CURVE_SAMPLES) -> tuple[FloatArray, FloatArray]:
        """Sample the noise-free curve, both ends included, in pixels."""
        x_px = np.linspace(*self.ends_px(params), count)
        return x_px, self.curve_px(params, x_px)

    def shown_px(self, case: PlotCase[P]) -> tuple[FloatArray, FloatArray]:
        """Return what is drawn: the curve, or its noisy band or points, in pixels."""
        params, difficulty = case.params, case.difficulty
        if self.noise == "none" or difficulty == "clean":
            return self.sampled_px(params)
        rng = self.noise_stream(params)
        if self.noise == "band":
            x_px, y_px = self.sampled_px(params)
            return x_px, y_px + band_px(rng, difficulty, x_px.size)
        x_px, y_px = self.sampled_px(params, POINTS[difficulty])
        return x_px, y_px + self.noise_share(params, x_px) * points_px(rng, difficulty)

    def curve_b_px(self, params: P) -> tuple[FloatArray, FloatArray]:
        """Return the second curve in pixels of this plot."""
        other = self.sample(PlotDraws(rng=np.random.default_rng(params.curve_b_seed), difficulty="edge"))
        x_px, y_px = self.sampled_px(other)
        ours, theirs = self.frame(params), self.frame(other)
        shifts = [
            axis.px(0.0) - other_axis.px(0.0) if meets else 0.0
            for axis, other_axis, meets in zip(
                (ours.x, ours.y), (theirs.x, theirs.y), self.zeros_meet, strict=True
            )
        ]
        return x_px + shifts[0], y_px + shifts[1]


@lru_cache(maxsize=64)
def _read(plot: V5Plot[Any], params: PlotParams) -> Mapping[str, ExactReading]:
    """Return an item's readings, which truth, decimals, tolerances and record all need."""
    return plot.readings(params)


def _axis_record(axis: Axis, ticks: AxisTicks) -> dict[str, JsonValue]:
    return {
        "quantity": axis.name.quantity,
        "unit": axis.name.unit,
        "low": axis.low,
        "high": axis.high,
        "scale": "log" if axis.is_log else "linear",
        "ticks": [*ticks.values],
    }


def _reading_record(reading: ExactReading) -> dict[str, JsonValue]:
    return {"kind": reading.kind, "px": round(reading.lone_px, 3), "joint_px": round(reading.joint_px, 3)}


POINTS: Final[Mapping[Difficulty, int]] = {"moderate": 60, "edge": 45}
_BAND_PX: Final[Mapping[Difficulty, float]] = {"moderate": 1.2, "edge": 2.5}
_POINTS_PX: Final[Mapping[Difficulty, float]] = {"moderate": 2.0, "edge": 5.0}


def band_px(rng: Generator, difficulty: Difficulty, count: int) -> FloatArray:
    """Draw independent normal noise for `count` samples."""
    return rng.normal(0.0, _BAND_PX[difficulty], count)


def points_px(rng: Generator, difficulty: Difficulty) -> FloatArray:
    """Draw the scatter of all points, its least-squares line taken out, scaled to the exact deviation.

    A straight line under it is therefore exactly the least-squares line of what is drawn.
    """
    count = POINTS[difficulty]
    place = np.arange(count) - (count - 1) / 2.0
    scatter = rng.normal(0.0, 1.0, count)
    scatter = scatter - scatter.mean()
    scatter = scatter - place * ((place @ scatter) / (place @ place))
    scaled: FloatArray = scatter * (_POINTS_PX[difficulty] / scatter.std())
    return scaled


@dataclass(frozen=True, slots=True, kw_only=True)
class FallingParams(PlotParams):
    """Unit of the y axis; where the curve starts (y) and ends (x), exponent, marked x, in axis units.

    Raises:
        ValueError: start, end or exponent is not positive.
    """

    height_unit: str
    start: float
    end: float
    exponent: float
    marked: float

    def __post_init__(self) -> None:
        PlotParams.__post_init__(self)
        if min(self.start, self.end, self.exponent) <= 0.0:
            raise ValueError(f"expected positive start, end and exponent, got {self!r}")


class FallingPlot(CurvePlot[FallingParams]):
    """y = start (1 - (x/end)^exponent), from the y axis to the x axis."""

    params_type = FallingParams
    has_curve_b = True
    zeros_meet = (True, True)
    mark_letter: ClassVar[str]

    def ends_px(self, params: FallingParams) -> tuple[float, float]:
        """Return both axes' crossings."""
        x = self.frame(params).x
        return x.px(0.0), x.px(params.end)

    def curve_px(self, params: FallingParams, x_px: FloatArray) -> FloatArray:
        """Return the height; beyond its end the curve goes on falling."""
        frame = self.frame(params)
        share = np.maximum(frame.x.values(x_px) / params.end, 0.0)
        return frame.y.pixels(params.start * (1.0 - np.power(share, params.exponent)))

    def marks(self, params: FallingParams) -> tuple[MarkLine, ...]:
        """Return the lines through zero and the marked x."""
        frame = self.frame(params)
        mark = vertical(frame.x.px(params.marked), letter=self.mark_letter)
        return (*zero_lines(frame), mark)

    def stored_curve(self, p: StoredParams) -> tuple[Callable[[float], float], float]:
        """Return the curve from stored parameters, and its zero, for the baselines."""

        def height(x: float) -> float:
            if x <= 0.0:
                return p["start"]
            return p["start"] - p["start"] * math.exp(p["exponent"] * math.log(x / p["end"]))

        return height, bisect(height, 0.0, p["x_max"])

    def height(self, params: FallingParams, x: float) -> float:
        """Return the height above a place, in axis units."""
        return params.start * (1.0 - math.pow(x / params.end, params.exponent))


def draw_falling(draws: PlotDraws, *, unit: str, start: float, end: float, exponent: float) -> FallingParams:
    """Draw where the curve lies in the axes, then the mark."""
    end_at, start_at = draws.uniform(0.5, 0.95), draws.uniform(0.5, 0.93)
    left, bottom = draws.uniform(0.02, 0.1), draws.uniform(0.03, 0.1)
    marked = draws.uniform(0.12, 0.88) * end
    width, height = end / (end_at - left), start / (start_at - bottom)
    return FallingParams(
        **PlotParams.limits((-left * width, (1.0 - left) * width), (-bottom * height, (1.0 - bottom) * height)),
        height_unit=unit,
        start=start,
        end=end,
        exponent=exponent,
        marked=marked,
    )
