"""Picture bytes depend on the item alone: not on process, configuration, locale or threads."""

from __future__ import annotations

import dataclasses
import gc
import hashlib
import io
import locale
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import pytest
from matplotlib.backends.backend_agg import RendererAgg
from PIL import Image

from generators.errors import PictureError
from generators.plotchain import PlotChainSource, rendering
from generators.plotchain import pictures as drawn
from generators.plotchain.pictures import PlotPicture
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_IDS = ("bode_phase_003", "spectrogram_000", "stress_strain_001", "iv_diode_002")
_PROBE = f"""
import hashlib, locale, sys
try:
    locale.setlocale(locale.LC_ALL, "")
except locale.Error:
    pass
from generators.plotchain import PlotChainSource
source = PlotChainSource()
for item_id in {_IDS!r}:
    picture = source.item(source.case(item_id)).picture
    print(picture.key, hashlib.sha256(picture.png()).hexdigest())
"""
_MATPLOTLIBRC = """
font.size: 17
font.family: monospace
axes.facecolor: black
figure.facecolor: red
lines.linewidth: 7
axes.grid: True
axes.formatter.use_locale: True
text.hinting: force_autohint
savefig.dpi: 31
savefig.bbox: tight
savefig.transparent: True
axes.unicode_minus: False
path.sketch: 1, 100, 2
xtick.direction: in
image.cmap: gray
"""


def _run_probe(**environment: str) -> str:
    result = subprocess.run(
        [sys.executable, "-c", _PROBE],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment},
        cwd=ROOT,
    )
    return result.stdout


def _comma_locale() -> str:
    """A locale with a decimal comma where one is installed."""
    for name in ("de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"):
        try:
            locale.setlocale(locale.LC_NUMERIC, name)
        except locale.Error:
            continue
        locale.setlocale(locale.LC_NUMERIC, "C")
        return name
    return "C"


def _expected(source: PlotChainSource) -> str:
    pictures = [source.item(source.case(item_id)).picture for item_id in _IDS]
    return "".join(f"{picture.key} {hashlib.sha256(picture.png()).hexdigest()}\n" for picture in pictures)


@pytest.mark.sweep
def test_another_process_draws_the_same_bytes(source: PlotChainSource) -> None:
    assert _run_probe(PYTHONHASHSEED="1") == _expected(source)


def test_hostile_settings_backend_and_locale_change_nothing(source: PlotChainSource, tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_text(_MATPLOTLIBRC)

    output = _run_probe(
        MATPLOTLIBRC=str(tmp_path / "matplotlibrc"),
        MPLBACKEND="svg",
        LC_ALL=_comma_locale(),
        SOURCE_DATE_EPOCH="1",
        TZ="Asia/Kathmandu",
    )

    assert output == _expected(source)


def test_a_style_set_by_the_user_is_ignored_and_given_back(source: PlotChainSource) -> None:
    picture = source.item(source.case("bode_phase_003")).picture
    plain = picture.png()

    with mpl.rc_context({"font.size": 20.0, "axes.grid": True, "axes.facecolor": "black"}):
        styled = picture.png()
        kept = (mpl.rcParams["font.size"], mpl.rcParams["axes.grid"], mpl.rcParams["axes.facecolor"])

    assert styled == plain
    assert kept == (20.0, True, "black")


def test_settings_come_back_after_a_failure() -> None:
    before = mpl.rcParams["text.hinting"]

    def fail() -> None:
        with rendering.pinned_style():
            assert mpl.rcParams["text.hinting"] != before
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        fail()
    assert mpl.rcParams["text.hinting"] == before


def test_threads_draw_the_same_bytes(source: PlotChainSource) -> None:
    pictures = [source.item(source.case(item_id)).picture for item_id in _IDS]
    alone = [picture.png() for picture in pictures]

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda picture: picture.png(), pictures))

    assert together == alone


@pytest.mark.parametrize("item_id", _IDS)
def test_a_picture_is_opaque_and_carries_no_metadata(source: PlotChainSource, item_id: str) -> None:
    with Image.open(io.BytesIO(source.item(source.case(item_id)).picture.png())) as image:
        assert image.mode == "RGBA"
        assert image.getchannel("A").getextrema() == (255, 255)
        assert set(image.info) == {"dpi"}
        assert image.info["dpi"] == pytest.approx((160, 160), abs=0.01)


def test_the_crop_is_the_tight_box_of_the_library(
    source: PlotChainSource, drawn_case: Callable[[str], Any]
) -> None:
    for item_id in ("sn_curve_001", "pole_zero_002"):
        family = source.edition.family(item_id[:-4])
        with rendering.pinned_style():
            figure = rendering.build_figure(family, drawn_case(item_id))
            rendering._Canvas(figure)
            buffer = io.BytesIO()
            figure.savefig(buffer, format="png", dpi=160, bbox_inches="tight")
        with (
            Image.open(buffer) as tight,
            Image.open(io.BytesIO(rendering.render_png(family, drawn_case(item_id)))) as ours,
        ):
            assert ours.size == tight.size
            assert ours.tobytes() == tight.tobytes()


@pytest.mark.parametrize("item_id", ["spectrogram_000", "bandpass_response_000", "sn_curve_000", "pole_zero_001"])
def test_copied_ticks_look_like_those_that_the_library_makes(
    source: PlotChainSource, monkeypatch: pytest.MonkeyPatch, item_id: str
) -> None:
    picture = source.item(source.case(item_id)).picture
    drawn_with_copies = picture.png()
    monkeypatch.setattr(rendering, "_copy_ticks", lambda _: None)
    assert drawn_with_copies == picture.png()


def test_a_process_that_only_draws_collects_garbage_seldom_and_draws_the_same(source: PlotChainSource) -> None:
    before = gc.get_threshold()
    try:
        drawn.dedicate_process()
        seldom = gc.get_threshold()[0]
        frozen = gc.get_freeze_count()
        png = source.item(source.case("pole_zero_003")).picture.png()
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)

    assert seldom > 10 * before[0]
    assert frozen > 10_000
    assert png == source.item(source.case("pole_zero_003")).picture.png()


def _picture(source: PlotChainSource, item_id: str) -> PlotPicture:
    picture = source.item(source.case(item_id)).picture
    assert isinstance(picture, PlotPicture)
    return picture


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 1},
        {"difficulty": "edge"},
        {"params": {"R_ohm": 51.0, "i_max_a": 0.02, "n_points": 60}},
        {"family": "iv_diode"},
    ],
)
def test_the_key_follows_what_the_picture_depends_on(source: PlotChainSource, change: dict[str, Any]) -> None:
    picture = _picture(source, "iv_resistor_001")

    assert dataclasses.replace(picture, **change).key != picture.key
    assert len(picture.key) == 64


def test_the_key_ignores_the_id_alone(source: PlotChainSource) -> None:
    picture = _picture(source, "iv_resistor_001")

    assert dataclasses.replace(picture, item_id="another").key == picture.key


@pytest.fixture
def _fresh_caches() -> Iterator[None]:
    drawn._version.cache_clear()
    drawn._source_digest.cache_clear()
    rendering._style.cache_clear()
    yield
    drawn._version.cache_clear()
    drawn._source_digest.cache_clear()
    rendering._style.cache_clear()


@pytest.mark.usefixtures("_fresh_caches")
def test_the_key_follows_library_versions_and_drawing_code(
    source: PlotChainSource, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    picture = _picture(source, "iv_resistor_001")
    keys = {picture.key}
    monkeypatch.setattr(drawn, "version", lambda name: f"{name} 99")
    drawn._version.cache_clear()
    keys.add(dataclasses.replace(picture).key)
    changed = tmp_path / "family.py"
    changed.write_text("drawn otherwise")
    monkeypatch.setattr(drawn, "_module_file", lambda _: changed)
    drawn._source_digest.cache_clear()
    keys.add(dataclasses.replace(picture).key)

    assert len(keys) == 3


@pytest.mark.parametrize(
    ("params", "reason"),
    [
        ({"n_points": -1}, "cannot draw the picture"),
        ({"n_points": "many"}, "n_points must be int, got 'many'"),
        ({"n_points": True}, "n_points must be int, got True"),
        ({"surprise": 1.0}, "unknown parameter 'surprise'; remove it"),
    ],
)
def test_parameters_that_describe_no_picture_are_one_line(
    source: PlotChainSource, params: dict[str, Any], reason: str
) -> None:
    picture = _picture(source, "iv_resistor_001")
    broken = dataclasses.replace(picture, params={**picture.params, **params})

    with pytest.raises(PictureError, match=reason) as caught:
        broken.png()
    assert str(caught.value).startswith("iv_resistor_001: ")
    assert "\n" not in str(caught.value)


def test_a_missing_parameter_is_named(source: PlotChainSource) -> None:
    picture = dataclasses.replace(_picture(source, "iv_resistor_001"), params={"R_ohm": 50.0})

    with pytest.raises(PictureError, match="i_max_a, n_points missing"):
        picture.png()


@pytest.mark.usefixtures("_fresh_caches")
def test_libraries_that_measure_text_as_the_release_did_are_left_alone(
    source: PlotChainSource, drawn_case: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mpl, "__version_info__", (3, 10, 8, "final", 0))

    with rendering.pinned_style():
        figure = rendering.build_figure(source.edition.family("sn_curve"), drawn_case("sn_curve_000"))
        assert type(rendering._Canvas(figure).get_renderer()) is RendererAgg
        assert mpl.rcParams["text.hinting"] == mpl.rcParamsDefault["text.hinting"]
