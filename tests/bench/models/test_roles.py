"""Who judges and who draws: specs, servers, and one line for each mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bench.errors import UserError
from bench.models.roles import resolve_roles
from bench.options import OPTIONS, Settings

if TYPE_CHECKING:
    from pathlib import Path

KEYS = {"OPENAI_API_KEY": "k1234567", "GEMINI_API_KEY": "g1234567"}
AZURE = {"AZURE_OPENAI_API_KEY": "a1234567", "AZURE_OPENAI_ENDPOINT": "https://e.example"}
LOCAL = "http://127.0.0.1:1/v1"


def settings(**chosen: Any) -> Settings:
    values = {option.name: option.default for option in OPTIONS}
    return Settings(**{**values, "models": ("oracle",), **chosen})


def test_by_default_nobody_judges_or_draws(tmp_path: Path) -> None:
    assert resolve_roles(settings(), tmp_path, environ={}).asked == ()
    reference = settings(image_model="oracle")
    assert resolve_roles(reference, tmp_path, environ={}).asked == ()


def test_a_control_asks_nobody_to_draw_and_needs_no_key(tmp_path: Path) -> None:
    chosen = settings(image_model="openai:gpt-image-1", visual_cot_control="gold")
    assert resolve_roles(chosen, tmp_path, environ={}).image_model is None


def test_azure_is_the_deployment_of_the_variable(tmp_path: Path) -> None:
    found = resolve_roles(settings(judge="azure"), tmp_path, environ={**AZURE, "JUDGE_DEPLOYMENT": " gpt-5.1 "})
    assert found.judge is not None
    assert (found.judge.provider, found.judge.name, found.judge.label) == ("azure", "gpt-5.1", "judge gpt-5.1")
    assert found.judge.about == "asked at https://e.example/openai/v1/chat/completions"


@pytest.mark.parametrize(
    ("chosen", "where"),
    [
        ({"models": ("openai:m",), "api_base": LOCAL}, LOCAL),
        ({"models": ("oracle",), "api_base": LOCAL}, LOCAL),
        ({"models": ("http:m",), "api_base": LOCAL}, "https://api.openai.com/v1"),
        (
            {"models": ("http:m",), "api_base": LOCAL, "judge_api_base": "http://127.0.0.1:2/v1"},
            "http://127.0.0.1:2/v1",
        ),
    ],
)
def test_a_judge_shares_the_address_of_its_own_provider_only(
    tmp_path: Path, chosen: dict[str, Any], where: str
) -> None:
    found = resolve_roles(settings(judge="openai:j", **chosen), tmp_path, environ=KEYS)
    assert found.judge is not None
    assert found.judge.about == f"asked at {where}/chat/completions"


def test_the_drawing_model_has_an_address_of_its_own(tmp_path: Path) -> None:
    chosen = settings(image_model="openai:gpt-image-1", image_api_base=LOCAL)
    found = resolve_roles(chosen, tmp_path, environ=KEYS)
    assert found.image_model is not None
    assert (found.image_model.label, found.image_model.about) == (
        "image gpt-image-1",
        f"asked at {LOCAL}/images/edits",
    )


@pytest.mark.parametrize(
    ("chosen", "line"),
    [
        ({"judge": "oracle"}, "--judge=oracle: expected exact, azure or a model as PROVIDER:NAME"),
        ({"judge": "reader"}, "--judge=reader: expected exact, azure or a model as PROVIDER:NAME"),
        ({"judge": "nonsense"}, "--judge='nonsense' is unknown: write PROVIDER:NAME"),
        ({"judge": "openai:"}, "--judge='openai:' names no model: write openai:NAME"),
        ({"judge": "azure"}, "--judge=azure needs the name of a deployment: set JUDGE_DEPLOYMENT"),
        ({"judge": "azure:x"}, "--judge=azure:x needs the address of its server: set AZURE_OPENAI_ENDPOINT"),
        ({"judge": "claude-opus-5"}, "ANTHROPIC_API_KEY"),
        ({"judge": "http:j"}, "--judge=http:j needs --judge-api-base URL"),
        ({"image_model": "blind"}, "--image-model=blind: expected a model as PROVIDER:NAME"),
        ({"image_model": "ollama:m"}, "--image-model=ollama:m: models that draw are at azure, gemini"),
        ({"image_model": "http:m"}, "--image-model=http:m needs --image-api-base URL"),
        ({"judge": "openai:j", "max_cost_usd": 1.0}, "--max-cost needs the price of openai:j"),
    ],
)
def test_a_mistake_is_one_line_that_names_the_option(tmp_path: Path, chosen: dict[str, Any], line: str) -> None:
    with pytest.raises(UserError) as met:
        resolve_roles(settings(**chosen), tmp_path / "limits", environ=KEYS)
    assert line in str(met.value)
    assert "\n" not in str(met.value)
