"""A ledger of error bodies that real servers sent, by the issue that reported them.

Bodies are reduced to what decides the class. "unsupported" cases that the client adapts to are asked again; the
others fail as protocol, because asking again cannot help.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from bench.models.limits import ClientLimits
from tests.bench.models.adapters import adapter_for
from tests.bench.models.asking import Naps, ask_once, picture_ask
from tests.loopback.answers import json_answer
from tests.loopback.formats import anthropic_answer, chat_answer, gemini_answer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.loopback.server import LoopbackServer

ANSWERED = "answered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One body and how an ask that always meets it ends: a status, or the class of a failure."""

    provider: str
    http: int
    body: Any
    ends: str
    issue: str
    requests: int = 1
    headers: Mapping[str, str] = field(default_factory=dict)


def openai(message: str, **error: Any) -> Any:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None, **error}}


def anthropic(kind: str, message: str, **error: Any) -> Any:
    return {"type": "error", "error": {"type": kind, "message": message, **error}, "request_id": "req_1"}


def gemini(code: int, status: str, message: str, *details: Any) -> Any:
    return {"error": {"code": code, "message": message, "status": status, "details": list(details)}}


QUOTA_ZERO = (
    "You exceeded your current quota. * Quota exceeded for metric: requests, limit: 0. Please retry in 45s."
)
RETRY_INFO = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "45s"}
PER_MINUTE = {
    "@type": "type.googleapis.com/google.rpc.QuotaFailure",
    "violations": [{"quotaId": "GenerateRequestsPerMinutePerProjectPerModel"}],
}
PER_DAY = {
    "@type": "type.googleapis.com/google.rpc.QuotaFailure",
    "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}],
}
KEY_INVALID = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
ONE_IMAGE = {"error": {"message": "At most 1 image(s) may be provided in one request.", "code": 400}}

CASES: dict[int, Case] = {
    1: Case(
        provider="http",
        http=400,
        body=openai(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'.",
            param="max_tokens",
            code="unsupported_parameter",
        ),
        ends="protocol",
        requests=2,
        issue="tailcallhq/forgecode#1081",
    ),
    2: Case(
        provider="openai",
        http=400,
        body=openai(
            "Unsupported value: 'temperature' does not support 0.0 with this model.",
            param="temperature",
            code="unsupported_value",
        ),
        ends="protocol",
        requests=2,
        issue="johny-b/llmcomp#69",
    ),
    3: Case(
        provider="openai",
        http=429,
        body=openai("You exceeded your current quota.", type="insufficient_quota", code="insufficient_quota"),
        ends="quota",
        issue="alexrudall/ruby-openai#501",
    ),
    4: Case(
        provider="openai",
        http=200,
        body=openai(
            "Rate limit reached for m. Please try again in 1.898s.", type="tokens", code="rate_limit_exceeded"
        ),
        ends="rate",
        requests=11,
        issue="openai/codex#70",
    ),
    5: Case(
        provider="openai",
        http=403,
        body=openai("Your organization must be verified to use the model `gpt-image-1`."),
        ends="auth",
        issue="receptron/mulmocast-app#1090",
    ),
    6: Case(
        provider="openai",
        http=400,
        body=openai("You uploaded an unsupported image.", code="invalid_image_format"),
        ends="protocol",
        issue="STranslate/STranslate#277",
    ),
    7: Case(
        provider="openai",
        http=200,
        body=chat_answer("", finish="length"),
        ends="truncated",
        issue="pvliesdonk/markdown-vault-mcp#919",
    ),
    8: Case(
        provider="openai",
        http=400,
        body=openai(
            "Your request was rejected by the safety system. safety_violations=[violence].",
            type="image_generation_user_error",
            code="moderation_blocked",
        ),
        ends="refused",
        issue="jeffstric/ZJT#480",
    ),
    9: Case(
        provider="azure",
        http=400,
        body=openai(
            "The response was filtered due to the prompt.",
            code="content_filter",
            innererror={"code": "ResponsibleAIPolicyViolation", "content_filter_result": {}},
        ),
        ends="refused",
        issue="microsoft/TinyTroupe#85",
    ),
    10: Case(
        provider="azure",
        http=400,
        body=openai(
            "The response was filtered.", code="content_filter", inner_error={"content_filter_results": {}}
        ),
        ends="refused",
        issue="browser-use/browser-use#262",
    ),
    11: Case(
        provider="azure",
        http=404,
        body={"error": {"code": "DeploymentNotFound", "message": "The API deployment does not exist."}},
        ends="protocol",
        issue="rashadphz/farfalle#79",
    ),
    12: Case(
        provider="anthropic",
        http=400,
        body=anthropic(
            "invalid_request_error", "messages.0.content.1.image: image exceeds 5 MB maximum: 5591868 bytes"
        ),
        ends="protocol",
        issue="anthropics/claude-code#19631",
    ),
    13: Case(
        provider="anthropic",
        http=400,
        body=anthropic(
            "invalid_request_error", "Image does not match the provided media type image/png; it is image/jpeg"
        ),
        ends="protocol",
        issue="BerriAI/litellm#24900",
    ),
    14: Case(
        provider="anthropic",
        http=400,
        body=anthropic("invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
        ends="quota",
        issue="anthropics/claude-code#66314",
    ),
    15: Case(
        provider="anthropic",
        http=529,
        body=anthropic("overloaded_error", "Overloaded"),
        ends="server",
        requests=2,
        issue="anthropics/claude-code#91817",
    ),
    16: Case(
        provider="anthropic",
        http=200,
        body=anthropic_answer("", stop="refusal", stop_details=None),
        ends="refused",
        issue="brightwave-inc/tidebreak#555",
    ),
    17: Case(
        provider="anthropic",
        http=400,
        body=anthropic("invalid_request_error", "temperature: Extra inputs are not permitted"),
        ends="protocol",
        requests=2,
        issue="ttlequals0/MinusPod#926",
    ),
    18: Case(
        provider="gemini",
        http=429,
        body=gemini(429, "RESOURCE_EXHAUSTED", QUOTA_ZERO, PER_MINUTE, RETRY_INFO),
        ends="quota",
        issue="continuedev/continue#9570",
    ),
    19: Case(
        provider="gemini",
        http=400,
        body=gemini(400, "INVALID_ARGUMENT", "API key not valid.", KEY_INVALID),
        ends="auth",
        issue="continuedev/continue#10748",
    ),
    20: Case(
        provider="gemini",
        http=503,
        body=gemini(503, "UNAVAILABLE", "The model is overloaded."),
        ends="server",
        requests=2,
        issue="google-gemini/gemini-cli#5191",
    ),
    21: Case(
        provider="gemini",
        http=429,
        body=[gemini(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted.", PER_MINUTE, RETRY_INFO)],
        ends="rate",
        requests=11,
        issue="google-gemini/gemini-cli#6454",
    ),
    22: Case(
        provider="gemini",
        http=200,
        body=gemini_answer(finish="MAX_TOKENS"),
        ends="truncated",
        issue="googleapis/python-genai#811",
    ),
    23: Case(
        provider="gemini",
        http=200,
        body={"candidates": [{"finishReason": "IMAGE_SAFETY", "index": 0}]},
        ends="refused",
        issue="google-gemini/.github#21",
    ),
    24: Case(
        provider="openrouter",
        http=200,
        body={
            "error": {
                "code": 429,
                "message": "Rate limit exceeded: free-models-per-min.",
                "metadata": {"headers": {"X-RateLimit-Limit": "20", "X-RateLimit-Remaining": "0"}},
            }
        },
        ends="rate",
        requests=11,
        issue="Aider-AI/aider#3550",
    ),
    25: Case(
        provider="openrouter",
        http=200,
        body={"error": {"code": 502, "message": "Content was flagged.", "metadata": {"provider_name": "x"}}},
        ends="refused",
        issue="SWE-agent/mini-swe-agent#902",
    ),
    26: Case(
        provider="openrouter",
        http=400,
        body=openai("Provider returned error", code=400, metadata={"raw": json.dumps(ONE_IMAGE)}),
        ends="protocol",
        issue="diegosouzapw/OmniRoute#3044",
    ),
    27: Case(
        provider="openrouter",
        http=402,
        body={"error": {"code": 402, "message": "This request requires more credits, or fewer max_tokens."}},
        ends="quota",
        issue="babikov/doka-site#7",
    ),
    28: Case(
        provider="openrouter",
        http=404,
        body={"error": {"code": 404, "message": "No endpoints found that support image input"}},
        ends="protocol",
        issue="github/app#2163",
    ),
    29: Case(
        provider="http",
        http=400,
        body={
            "object": "error",
            "message": "At most 1 image(s) may be provided in one request.",
            "type": "BadRequestError",
            "param": None,
            "code": 400,
        },
        ends="protocol",
        issue="vllm-project/vllm#17757",
    ),
    30: Case(
        provider="http",
        http=500,
        body=openai(
            "image input is not supported - hint: you may need to provide the mmproj",
            code=500,
            type="server_error",
        ),
        ends="protocol",
        issue="ggml-org/llama.cpp#15377",
    ),
    31: Case(
        provider="http",
        http=200,
        body=openai(
            "the request exceeds the available context size",
            code=500,
            type="exceed_context_size_error",
            n_prompt_tokens=9000,
            n_ctx=4096,
        ),
        ends="protocol",
        issue="oobabooga/textgen#7257",
    ),
    32: Case(
        provider="http",
        http=400,
        body={"error": "'response_format.type' must be 'json_schema' or 'text'"},
        ends="protocol",
        issue="willmiao/ComfyUI-Lora-Manager#1033",
    ),
    33: Case(
        provider="ollama",
        http=500,
        body={"error": "llama runner process has terminated: exit status 2"},
        ends="server",
        requests=2,
        issue="ollama/ollama#13549",
    ),
}

MORE: dict[str, Case] = {
    "gemini's quota of a day": Case(
        provider="gemini",
        http=429,
        body=gemini(429, "RESOURCE_EXHAUSTED", "Quota exceeded.", PER_DAY, RETRY_INFO),
        ends="quota",
        issue="specification",
    ),
    "anthropic's spend limit": Case(
        provider="anthropic",
        http=429,
        body=anthropic("rate_limit_error", "Limit.", details={"error_code": "enforced_spend_limit_reached"}),
        ends="quota",
        issue="specification",
    ),
    "anthropic's ramp limit": Case(
        provider="anthropic",
        http=429,
        body=anthropic("rate_limit_error", "Limit.", details={"error_code": "ramp_limit_exceeded"}),
        ends="rate",
        requests=11,
        issue="specification",
    ),
    "an ollama model without eyes": Case(
        provider="ollama",
        http=500,
        body={"error": '"llama3" does not support image input'},
        ends="protocol",
        issue="specification",
    ),
    "an ollama model that was never pulled": Case(
        provider="ollama",
        http=404,
        body={"error": "model 'm' not found"},
        ends="protocol",
        issue="specification",
    ),
    "a choice with an error of its own": Case(
        provider="openrouter",
        http=200,
        body={"choices": [{"error": {"code": 503, "message": "upstream"}, "finish_reason": "error"}]},
        ends="server",
        requests=2,
        issue="specification",
    ),
    "a response that failed": Case(
        provider="responses",
        http=200,
        body={"status": "failed", "output": [], "error": {"code": "server_error", "message": "Sorry."}},
        ends="server",
        requests=2,
        issue="specification",
    ),
    "transformers serve": Case(
        provider="http",
        http=422,
        body={"detail": "Unexpected keys in the request: {'foo'}"},
        ends="protocol",
        issue="specification",
    ),
}


def check(server: LoopbackServer, case: Case) -> None:
    server.always(json_answer(case.body, status=case.http, headers=case.headers))
    ask = picture_ask(temperature=0.0, max_tokens=100)
    reply = ask_once(
        adapter_for(case.provider, server.url), ask, client_limits=ClientLimits(retries=1), naps=Naps()
    )
    assert (reply.failure or reply.status) == case.ends, reply
    assert len(server.requests) == case.requests


@pytest.mark.parametrize("number", CASES)
def test_real_error_body_ends_in_its_class(server: LoopbackServer, number: int) -> None:
    check(server, CASES[number])


@pytest.mark.parametrize("name", MORE)
def test_specified_error_body_ends_in_its_class(server: LoopbackServer, name: str) -> None:
    check(server, MORE[name])


def test_the_ledger_is_complete() -> None:
    assert sorted(CASES) == list(range(1, 34))


def test_gemini_waits_as_long_as_its_retry_info_says(server: LoopbackServer) -> None:
    server.script(json_answer(gemini(429, "RESOURCE_EXHAUSTED", "m", PER_MINUTE, RETRY_INFO), status=429))
    naps = Naps()
    assert ask_once(adapter_for("gemini", server.url), naps=naps).status == ANSWERED
    assert 45.0 <= naps.lengths_s[0] <= 47.0


def test_a_wait_in_the_message_is_kept(server: LoopbackServer) -> None:
    server.script(json_answer(CASES[4].body, status=429))
    naps = Naps()
    ask_once(adapter_for("openai", server.url), naps=naps)
    assert 1.898 <= naps.lengths_s[0] <= 2.2


@pytest.mark.parametrize(("reset", "least_s"), [("12ms", 0.012), ("1m2.5s", 62.5), ("6s", 6.0)])
def test_a_spent_rate_limit_budget_is_waited_for(server: LoopbackServer, reset: str, least_s: float) -> None:
    headers = {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": reset}
    server.script(json_answer(openai("slow down"), status=429, headers=headers))
    naps = Naps()
    ask_once(adapter_for("openai", server.url), naps=naps)
    assert least_s <= naps.lengths_s[0] <= least_s * 1.1 + 0.03


def test_the_sentence_of_the_provider_behind_openrouter_is_shown(server: LoopbackServer) -> None:
    server.always(json_answer(CASES[26].body, status=400))
    assert "At most 1 image(s)" in str(ask_once(adapter_for("openrouter", server.url)).error)
