"""Importing, listing records and prompts must not load what only drawing needs."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import generators.auxsolidmath
import generators.geometry
from generators.plotchain import PlotChainSource, write_catalog
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

_HEAVY = ("numpy", "matplotlib", "PIL", "scipy")


def _loaded_after(code: str) -> set[str]:
    probe = f"{code}\nimport sys\nprint(*(set({_HEAVY!r}) & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(result.stdout.split())


@pytest.mark.parametrize(
    "module",
    [
        "generators",
        "generators.items",
        "generators.pictures",
        "generators.plotchain",
        "generators.plotchain.registry",
        "generators.plotchain.loader",
        "generators.plotchain.source",
        "generators.draw",
        "generators.auxsolidmath",
    ],
)
def test_importing_loads_no_array_or_drawing_library(module: str) -> None:
    assert _loaded_after(f"import {module}") == set()


def test_importing_every_family_loads_no_array_or_drawing_library() -> None:
    code = (
        "from generators.plotchain.registry import EDITIONS\n"
        "families = [edition.family(name) for edition in EDITIONS.values() for name in edition.families]\n"
        "assert len(families) >= 15"
    )

    assert _loaded_after(code) == set()


def test_a_catalogue_gives_items_prompts_and_picture_keys_without_those_libraries(tmp_path: Path) -> None:
    write_catalog(tmp_path / "catalog.jsonl", PlotChainSource(items_per_family=2))
    code = (
        "from pathlib import Path\n"
        "from generators.plotchain import load_catalog\n"
        f"items = load_catalog(Path({str(tmp_path / 'catalog.jsonl')!r}))\n"
        "assert len(items) == 30 and all(item.prompt and item.picture.key for item in items)"
    )

    assert _loaded_after(code) == set()


def test_listing_loads_numpy_alone_and_drawing_no_pyplot() -> None:
    listing = "from generators.plotchain import PlotChainSource\nsource = PlotChainSource(items_per_family=1)\n"
    drawing = listing + "source.item(source.cases[0]).picture.png()\n"

    assert _loaded_after(listing + "list(source)") == {"numpy"}
    assert "matplotlib" in _loaded_after(drawing + "import sys; assert 'matplotlib.pyplot' not in sys.modules")


@pytest.mark.parametrize(
    ("code", "modules"),
    [
        ("from generators.auxsolidmath import list_problems; assert len(list_problems()) == 302", 4),
        ("from generators.geometry import list_images; assert len(list_images()) == 92", 26),
    ],
)
def test_listing_loads_no_more_of_ours_than_names_cases(code: str, modules: int) -> None:
    script = f"{code}\nimport sys\nprint(sum(name.startswith('generators.') for name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(done.stdout) <= modules


@pytest.mark.parametrize("package", [generators.auxsolidmath, generators.geometry])
def test_a_package_has_the_names_it_lists_and_no_others(package: ModuleType) -> None:
    assert all(hasattr(package, name) for name in package.__all__)
    with pytest.raises(AttributeError, match=rf"module '{package.__name__}' has no attribute 'nothing'"):
        package.nothing  # noqa: B018


def test_making_solid_geometry_problems_loads_none_of_them_and_drawing_pillow_alone() -> None:
    making = (
        "from generators.auxsolidmath import AuxSolidMathSource\n"
        "items = list(AuxSolidMathSource(easy=13, hard=15))\n"
        "assert len(items) == 28 and all(item.prompt and item.picture.key for item in items)\n"
    )

    assert _loaded_after(making) == set()
    assert _loaded_after(making + "items[0].picture.png()") == {"PIL"}
