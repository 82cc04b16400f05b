from __future__ import annotations

import subprocess
import sys

import pytest

from bench.errors import UserError
from bench.models.limits import ClientLimits
from bench.models.resolve import ModelName, parse_spec, resolve
from bench.models.types import SamplingParams

KEYS = {"OPENAI_API_KEY": "sk-secret-0123456789"}
BASE = "http://127.0.0.1:1/v1"


@pytest.mark.parametrize(
    ("spec", "provider", "name"),
    [
        ("openai:gpt-4o", "openai", "gpt-4o"),
        ("gpt-4o", "openai", "gpt-4o"),
        ("o4-mini", "openai", "o4-mini"),
        ("o3", "openai", "o3"),
        ("chatgpt-4o-latest", "openai", "chatgpt-4o-latest"),
        ("http:Qwen/Qwen2.5-VL-7B", "http", "Qwen/Qwen2.5-VL-7B"),
        ("http:qwen2.5vl:7b", "http", "qwen2.5vl:7b"),
    ],
)
def test_spec_names_provider_and_model(spec: str, provider: str, name: str) -> None:
    assert parse_spec(spec) == ModelName(provider=provider, name=name)


@pytest.mark.parametrize("spec", ["", "nonsense", "olive", "acme:x", "openai"])
def test_unknown_spec_lists_the_choices(spec: str) -> None:
    with pytest.raises(UserError, match=r"is unknown: write PROVIDER:NAME with one of .*http.*openai"):
        parse_spec(spec)


@pytest.mark.parametrize("spec", ["openai:", "openai: ", "http: x"])
def test_provider_without_a_name_is_refused(spec: str) -> None:
    with pytest.raises(UserError, match="names no model"):
        parse_spec(spec)


def test_an_address_as_spec_is_refused_with_the_right_way_to_write_it() -> None:
    with pytest.raises(UserError, match=r"write --model=http:NAME --api-base=http://localhost:8000/v1"):
        parse_spec("http://localhost:8000/v1")


def test_missing_key_names_its_variable() -> None:
    with pytest.raises(UserError, match=r"--model=gpt-4o needs an API key: set .* OPENAI_API_KEY"):
        resolve("gpt-4o", environ={})


@pytest.mark.parametrize("value", ["", "  ", "\n"])
def test_empty_key_is_refused(value: str) -> None:
    with pytest.raises(UserError, match="OPENAI_API_KEY is set but empty"):
        resolve("gpt-4o", environ={"OPENAI_API_KEY": value})


@pytest.mark.parametrize("value", ["sk-hidden\n", "sk-hid den", "sk-hidden\r\nx: y", "sk-hiddén", "sk-hidden\0"])
def test_malformed_key_is_refused_without_showing_it(value: str) -> None:
    with pytest.raises(UserError, match="OPENAI_API_KEY holds a space, a line break") as caught:
        resolve("gpt-4o", environ={"OPENAI_API_KEY": value})
    assert "hid" not in str(caught.value)


def test_http_needs_an_address() -> None:
    with pytest.raises(UserError, match="needs --api-base URL"):
        resolve("http:m", environ={})


def test_http_works_without_a_key() -> None:
    assert (
        resolve("http:m", api_base="http://127.0.0.1:1/v1/", environ={}).adapter.url == BASE + "/chat/completions"
    )


def test_http_never_takes_the_key_meant_for_openai() -> None:
    assert resolve("http:m", api_base="http://127.0.0.1:1/v1", environ=KEYS).key is None


@pytest.mark.parametrize("base", ["localhost:8000", "ftp://h/v1", "http://", "http://h:99999/v1", "http://[::1"])
def test_malformed_address_is_refused(base: str) -> None:
    with pytest.raises(UserError, match="--api-base"):
        resolve("http:m", api_base=base, environ={})


@pytest.mark.parametrize(
    "base",
    [
        "me:secret@h:9/v1",
        "http://me:secret@h:abc/v1",
        "http://me:secret/x@h:9/v1",
        "http://me:secret@[::1",
        "ftp://me:secret@h/v1",
        "http://me:secret@",
    ],
)
def test_an_address_is_never_shown_with_its_password(base: str) -> None:
    for spec, given, environ in (
        ("http:m", base, {}),
        ("azure:m", None, {"AZURE_OPENAI_ENDPOINT": base, "AZURE_OPENAI_API_KEY": "k" * 20}),
        ("ollama:m", None, {"OLLAMA_HOST": base}),
        (base, None, {}),
    ):
        with pytest.raises(UserError) as caught:
            resolve(spec, api_base=given, environ=environ)
        assert "secret" not in str(caught.value)


@pytest.mark.parametrize("base", ["https://me:secret@h/v1", "https://h/v1?key=secret"])
def test_address_with_credentials_is_refused_without_showing_them(base: str) -> None:
    with pytest.raises(UserError, match="must hold no user") as caught:
        resolve("http:m", api_base=base, environ={})
    assert "secret" not in str(caught.value)


def test_factory_does_not_show_its_key() -> None:
    assert "sk-secret" not in repr(resolve("gpt-4o", environ=KEYS))


def test_model_identity_names_all_that_decides_a_reply() -> None:
    assert resolve("gpt-4o", environ=KEYS)().identity == {
        "provider": "openai",
        "endpoint": "https://api.openai.com/v1/chat/completions",
        "name": "gpt-4o",
        "client": "openai-chat/1",
    }


def test_resolving_imports_no_http_library() -> None:
    code = (
        "import sys; from bench.models.resolve import resolve; resolve('http:m', api_base='http://h/v1');"
        "print([m for m in ('httpx', 'aiohttp', 'tenacity', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("spec", "provider"),
    [
        ("claude-opus-5-5", "anthropic"),
        ("gemini-3.8-flash", "gemini"),
        ("azure:my-deployment", "azure"),
        ("openrouter:google/gemini-3.8-flash", "openrouter"),
        ("ollama:qwen2.5vl:7b", "ollama"),
    ],
)
def test_every_provider_has_a_name(spec: str, provider: str) -> None:
    assert parse_spec(spec).provider == provider


@pytest.mark.parametrize(
    ("spec", "choices"),
    [
        ("gpt-oss-20b", "http:gpt-oss-20b, ollama:gpt-oss-20b, openrouter:gpt-oss-20b"),
        ("llava", "http:llava, ollama:llava, openrouter:llava"),
        ("qwen2.5vl:7b", "http:qwen2.5vl:7b, ollama:qwen2.5vl:7b, openrouter:qwen2.5vl:7b"),
        ("gemma-3-27b-it", "gemini:gemma-3-27b-it, http:"),
        ("openai/gpt-4o", "http:openai/gpt-4o, openrouter:openai/gpt-4o"),
    ],
)
def test_an_ambiguous_name_lists_the_choices(spec: str, choices: str) -> None:
    with pytest.raises(UserError, match=f"could be several: write one of {choices}"):
        parse_spec(spec)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("", "http://127.0.0.1:11434"),
        ("gpu", "http://gpu:11434"),
        ("gpu:99", "http://gpu:99"),
        (":99", "http://127.0.0.1:99"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("https://gpu", "https://gpu:443"),
        ("http://gpu:99/", "http://gpu:99"),
        ("http://gpu:99/behind/", "http://gpu:99/behind"),
        ("::1", "http://[::1]:11434"),
        ("::", "http://[::1]:11434"),
        ("[fd00::2]", "http://[fd00::2]:11434"),
        ("[::1]:99", "http://[::1]:99"),
        ("https://[::1]:99/", "https://[::1]:99"),
    ],
)
def test_ollama_is_found_where_its_variable_says(host: str, url: str) -> None:
    assert resolve("ollama:m", environ={"OLLAMA_HOST": host}).adapter.url == f"{url}/api/chat"


@pytest.mark.parametrize("host", ["gpu:port", "gpu:", "[::1", "[::1]99", "[gpu]:9"])
def test_a_malformed_ollama_host_is_refused(host: str) -> None:
    with pytest.raises(UserError, match="OLLAMA_HOST must be"):
        resolve("ollama:m", environ={"OLLAMA_HOST": host})


AZURE = {"AZURE_OPENAI_ENDPOINT": "https://r.openai.azure.com/", "AZURE_OPENAI_API_KEY": "k1234567"}


@pytest.mark.parametrize(
    ("more", "url"),
    [
        ({}, "https://r.openai.azure.com/openai/v1/chat/completions"),
        ({"AZURE_OPENAI_API_VERSION": "2024-10-21"},
         "https://r.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21"),
    ],
)  # fmt: skip
def test_azure_takes_its_address_and_version_from_the_environment(more: dict[str, str], url: str) -> None:
    assert resolve("azure:d", environ={**AZURE, **more}).adapter.url == url


def test_azure_without_an_endpoint_says_what_to_set() -> None:
    with pytest.raises(UserError, match="set AZURE_OPENAI_ENDPOINT or --api-base URL"):
        resolve("azure:d", environ={"AZURE_OPENAI_API_KEY": "k1234567"})


def test_azure_takes_a_token_where_there_is_no_key() -> None:
    environ = {"AZURE_OPENAI_ENDPOINT": "https://r.openai.azure.com", "AZURE_OPENAI_AD_TOKEN": "t1234567"}
    factory = resolve("azure:d", environ=environ)
    assert factory.adapter.headers(factory.key) == {"authorization": "Bearer t1234567"}


def test_gemini_takes_either_of_its_variables() -> None:
    factory = resolve("gemini-3.8-flash", environ={"GOOGLE_API_KEY": "g1234567"})
    assert factory.adapter.headers(factory.key) == {"x-goog-api-key": "g1234567"}


def test_openai_models_that_need_the_responses_interface_get_it() -> None:
    assert resolve("o3-pro", environ=KEYS).adapter.url == "https://api.openai.com/v1/responses"


def test_factory_and_model_have_one_identity() -> None:
    factory = resolve("claude-opus-5-5", environ={"ANTHROPIC_API_KEY": "a1234567"})
    assert factory.identity == factory().identity
    assert "2023-06-01" in factory.identity["client"]


def test_unsupported_settings_are_refused_before_anything_is_asked() -> None:
    with pytest.raises(UserError, match="gpt-4o does not reason"):
        resolve("gpt-4o", environ=KEYS).check(SamplingParams(reasoning_effort="low"))


@pytest.mark.parametrize("option", ["rpm", "max_cost_usd"])
@pytest.mark.parametrize("value", [0.0, -1.0, float("nan"), float("inf")])
def test_senseless_limits_are_refused(option: str, value: float) -> None:
    with pytest.raises(UserError, match="must be a positive number"):
        ClientLimits(**{option: value})  # type: ignore[arg-type]
