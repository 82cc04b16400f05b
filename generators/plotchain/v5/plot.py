"""What all families of edition v5 share: a curve in pixels, noise, a distracting second curve, tolerances."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

from generators.plotchain.draws import Draws
from generators.plotchain.family import Case, Extent, Family, FieldSpec
from generators.plotchain.numeric import np
from generators.plotchain.v5 import drawing, noise
from generators.plotchain.v5.frame import AXES_BOX, WIDTH_PX, PlotParams
from generators.plotchain.v5.ticks import ticks_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes
    from numpy.random import Generator

    from generators.items import JsonValue
    from generators.plotchain.numeric import FloatArray
    from generators.plotchain.v5.frame import Axis, Frame
    from generators.plotchain.v5.marks import Line, Mark
    from generators.plotchain.v5.readings import Reading
    from generators.plotchain.v5.ticks import Ticks

__all__ = ["CURVE_SAMPLES", "CurvePlot", "Plot", "asked"]

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


class Plot(Family[P]):
    """A family of edition v5.

    The curve is given in pixels of the axes box. Difficulty changes the drawing alone, never parameters,
    truth or tolerance. `noise` says what is added to the curve in moderate and edge pictures. With
    `has_curve_b` edge pictures show a second curve of the same recipe, drawn as if on axes of its own whose
    zeros lie on this plot's where `zeros_meet` (x, y) says so.
    """

    title: ClassVar[str]
    about: ClassVar[str]
    reading_rule: ClassVar[str] = ""
    noise: ClassVar[Literal["none", "band", "points", "own"]] = "none"
    has_curve_b: ClassVar[bool] = False
    has_grid: ClassVar[bool] = True
    zeros_meet: ClassVar[tuple[bool, bool]] = (False, False)
    axes_box_px = AXES_BOX

    @abstractmethod
    def attempt(self, draws: Draws) -> P | None:
        """Draw parameters once, in the order of the recipe; None: the draws do not suit, draw again."""

    @abstractmethod
    def frame(self, params: P) -> Frame:
        """Return the axes."""

    @abstractmethod
    def readings(self, params: P) -> Mapping[str, Reading]:
        """Return every field's value and what it is read from, in ground-truth order."""

    @abstractmethod
    def draw_content(self, axes: Axes, case: Case[P]) -> None:
        """Draw what the axes hold besides marks."""

    def marks(self, params: P) -> tuple[Line, ...]:  # noqa: ARG002 - most families have some
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

    def sample(self, draws: Draws) -> P:
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

    def extent(self, case: Case[P]) -> Extent:
        """Return the drawn limits and tick steps."""
        params = case.params
        x, y = ticks_of(self.frame(params), case.difficulty)
        return Extent(
            x_min=params.x_min,
            x_max=params.x_max,
            y_min=params.y_min,
            y_max=params.y_max,
            tick_step_x=x.step,
            tick_step_y=y.step,
        )

    def generation(self, case: Case[P]) -> dict[str, JsonValue]:
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

    def draw(self, axes: Axes, case: Case[P]) -> None:
        """Draw frame, marks, helpers (clean), curve B (edge) and content."""
        frame = self.frame(case.params)
        drawing.draw_frame(axes, frame, case.difficulty, title=self.title, has_grid=self.has_grid)
        drawing.draw_marks(axes, self.marks(case.params))
        if case.difficulty == "clean":
            drawing.draw_helpers(axes, self.helpers(case.params))
        self.draw_content(axes, case)


class CurvePlot(Plot[P]):
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

    def draw_content(self, axes: Axes, case: Case[P]) -> None:
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

    def shown_px(self, case: Case[P]) -> tuple[FloatArray, FloatArray]:
        """Return what is drawn: the curve, or its noisy band or points, in pixels."""
        params, difficulty = case.params, case.difficulty
        if self.noise == "none" or difficulty == "clean":
            return self.sampled_px(params)
        rng = self.noise_stream(params)
        if self.noise == "band":
            x_px, y_px = self.sampled_px(params)
            return x_px, y_px + noise.band_px(rng, difficulty, x_px.size)
        x_px, y_px = self.sampled_px(params, noise.POINTS[difficulty])
        return x_px, y_px + self.noise_share(params, x_px) * noise.points_px(rng, difficulty)

    def curve_b_px(self, params: P) -> tuple[FloatArray, FloatArray]:
        """Return the second curve in pixels of this plot."""
        other = self.sample(Draws(rng=np.random.default_rng(params.curve_b_seed), difficulty="edge"))
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
def _read(plot: Plot[Any], params: PlotParams) -> Mapping[str, Reading]:
    """Return an item's readings, which truth, decimals, tolerances and record all need."""
    return plot.readings(params)


def _axis_record(axis: Axis, ticks: Ticks) -> dict[str, JsonValue]:
    return {
        "quantity": axis.name.quantity,
        "unit": axis.name.unit,
        "low": axis.low,
        "high": axis.high,
        "scale": "log" if axis.is_log else "linear",
        "ticks": [*ticks.values],
    }


def _reading_record(reading: Reading) -> dict[str, JsonValue]:
    return {"kind": reading.kind, "px": round(reading.lone_px, 3), "joint_px": round(reading.joint_px, 3)}
