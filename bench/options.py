"""Every option in one table: command line, ini value, meaning, check; and the Settings they resolve to."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from bench import option_values as values
from bench.errors import UserError
from bench.models.keys import without_login
from bench.suites.base import Shard, parse_shard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pytest

__all__ = ["OPTIONS", "Option", "Settings", "VisualCotControl", "add_options", "read_settings"]

Policy = Literal["plotread", "strict"]
VisualCotControl = Literal["original", "gold", "shuffled", "blank"]

MAX_ITEMS_PER_FAMILY = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All options as resolved and validated; see `OPTIONS` for their meaning.

    `models` are specs as typed; `temperature`, `max_tokens` None: left to server or task.
    `request_timeout_s` bounds one request in seconds.
    """

    models: tuple[str, ...]
    api_base: str | None
    policy: Policy
    edition: str
    item_seed: int
    items_per_family: int
    limit: int | None
    plotchain_data: Path | None
    geometry_suite: Path | None
    tasks: str | None
    shots: Literal[0, 3, 5]
    count_tolerance: int
    annotate: str
    auxsolidmath_data: Path | None
    question_language: Literal["en", "zh"]
    judge: str
    judge_api_base: str | None
    image_model: str | None
    image_api_base: str | None
    visual_cot_control: VisualCotControl | None
    concurrency: int
    request_timeout_s: float
    ask_retries: int
    temperature: float | None
    max_tokens: int | None
    image_detail: str | None
    reasoning_effort: str | None
    structured: bool
    rpm: float | None
    max_cost_usd: float | None
    prices: Path | None
    repeats: int
    fresh: bool
    replay: tuple[Path, ...]
    out: Path | None
    replies: Path
    exit_zero: bool
    shard: Shard | None
    gate: Path | None
    gate_margin: str | None
    gate_aa: Path | None

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON-safe values, for run.json."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}

    @staticmethod
    def from_json(content: Mapping[str, Any]) -> Settings:
        """Return the settings that `to_json` wrote, also where files have gone since.

        Options that were not known then have their defaults.

        Raises:
            UserError: a value is not of its option's form.
        """
        return Settings(
            **{option.name: _restored(option, content.get(option.name, option.default)) for option in OPTIONS}
        )


def _plain(value: object) -> object:
    if isinstance(value, Path | Shard):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    return value


def _restored(option: Option, value: object) -> Any:  # noqa: ANN401
    if isinstance(value, list | tuple):
        return tuple(_restored(option, entry) for entry in value)
    if not isinstance(value, str):
        return value
    if option.parse in {values.existing_file, values.existing_folder, values.path}:
        return Path(value)
    return _parse(option, value, f"a run's option {option.name}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option: `name` is the Settings field, `flag` the command-line spelling.

    `parse` turns one given text into the value or raises ValueError saying what was expected.
    """

    name: str
    flag: str
    metavar: str
    parse: Callable[[str], Any]
    default: Any
    help: str
    many: bool = False
    switch: bool = False

    @property
    def dest(self) -> str:
        """Name in pytest's option namespace, prefixed so that no plugin's option can collide."""
        return f"eyechart_{self.name}"

    @property
    def ini(self) -> str:
        """Name of the ini value, such as eyechart_items_per_family."""
        return "eyechart_" + self.flag.lstrip("-").replace("-", "_")


OPTIONS: tuple[Option, ...] = (
    Option(
        name="models",
        flag="--model",
        metavar="SPEC",
        parse=values.nonblank,
        default=("reader",),
        many=True,
        help="model to test, as provider:name or a well-known name; may be given several times",
    ),
    Option(
        name="api_base",
        flag="--api-base",
        metavar="URL",
        parse=values.server_url,
        default=None,
        help="another server that speaks the provider's wire format",
    ),
    Option(
        name="policy",
        flag="--policy",
        metavar="NAME",
        parse=values.choice("plotread", "strict"),
        default="plotread",
        help="PlotChain tolerances: plotread or strict",
    ),
    Option(
        name="edition",
        flag="--edition",
        metavar="NAME",
        parse=values.choice("v4", "v5"),
        default="v4",
        help="PlotChain edition: v4 equals the published release, v5 is its mended successor",
    ),
    Option(
        name="item_seed",
        flag="--item-seed",
        metavar="N",
        parse=values.integer(0, 2**63 - 1),
        default=0,
        help="master seed of the items; 0 with 30 per family is the published set",
    ),
    Option(
        name="items_per_family",
        flag="--items-per-family",
        metavar="N",
        parse=values.integer(1, MAX_ITEMS_PER_FAMILY),
        default=30,
        help="PlotChain items in each family",
    ),
    Option(
        name="limit",
        flag="--limit",
        metavar="N",
        parse=values.integer(1, 10**9),
        default=None,
        help="only the first N items of each suite",
    ),
    Option(
        name="plotchain_data",
        flag="--plotchain-data",
        metavar="F.jsonl",
        parse=values.existing_file,
        default=None,
        help="PlotChain items from a data set file instead of the generator",
    ),
    Option(
        name="geometry_suite",
        flag="--geometry-suite",
        metavar="DIR",
        parse=values.existing_folder,
        default=None,
        help="geometry pictures from a folder in imagegen's layout instead of the generator",
    ),
    Option(
        name="tasks",
        flag="--tasks",
        metavar="COUNT,LOCATE,...",
        parse=values.nonblank,
        default=None,
        help="geometry tasks to ask; all without it",
    ),
    Option(
        name="shots",
        flag="--shots",
        metavar="N",
        parse=values.one_of(0, 3, 5),
        default=0,
        help="geometry: example pictures with answers before each question: 0, 3 or 5",
    ),
    Option(
        name="count_tolerance",
        flag="--count-tolerance",
        metavar="N",
        parse=values.integer(0, 1000),
        default=2,
        help="geometry: N of the metric within_n",
    ),
    Option(
        name="annotate",
        flag="--annotate",
        metavar="WHICH",
        parse=values.choice("failed", "all", "none"),
        default="failed",
        help="geometry: cases whose picture is written with truth and answer drawn in: failed, all or none",
    ),
    Option(
        name="auxsolidmath_data",
        flag="--auxsolidmath-data",
        metavar="PATH",
        parse=values.existing_path,
        default=None,
        help="AuxSolidMath problems from a local copy of the data set instead of the generator",
    ),
    Option(
        name="question_language",
        flag="--question-language",
        metavar="LANGUAGE",
        parse=values.choice("en", "zh"),
        default="en",
        help="AuxSolidMath: language of the problems: en or zh",
    ),
    Option(
        name="judge",
        flag="--judge",
        metavar="SPEC",
        parse=values.nonblank,
        default="exact",
        help="AuxSolidMath: exact (final answers, offline), azure (deployment JUDGE_DEPLOYMENT), or provider:name",
    ),
    Option(
        name="judge_api_base",
        flag="--judge-api-base",
        metavar="URL",
        parse=values.server_url,
        default=None,
        help="the judge's server, where it is not the one of --api-base",
    ),
    Option(
        name="image_model",
        flag="--image-model",
        metavar="SPEC",
        parse=values.nonblank,
        default=None,
        help="AuxSolidMath: the model that draws in the first of two stages; oracle draws the reference",
    ),
    Option(
        name="image_api_base",
        flag="--image-api-base",
        metavar="URL",
        parse=values.server_url,
        default=None,
        help="the drawing model's server, where it is not the one of --api-base",
    ),
    Option(
        name="visual_cot_control",
        flag="--visual-cot-control",
        metavar="KIND",
        parse=values.or_none(values.choice("original", "gold", "shuffled", "blank")),
        default=None,
        help="AuxSolidMath: show this instead of a drawing: original, gold, shuffled or blank",
    ),
    Option(
        name="concurrency",
        flag="--concurrency",
        metavar="N",
        parse=values.integer(1, 512),
        default=8,
        help="asks in flight in one process (with -n, each worker has one)",
    ),
    Option(
        name="request_timeout_s",
        flag="--request-timeout",
        metavar="S",
        parse=values.real(0.1, 86_400),
        default=120.0,
        help="seconds that one request may take",
    ),
    Option(
        name="ask_retries",
        flag="--ask-retries",
        metavar="N",
        parse=values.integer(0, 100),
        default=3,
        help="further requests after a failure that may pass",
    ),
    Option(
        name="temperature",
        flag="--temperature",
        metavar="T",
        parse=values.or_none(values.real(0, 2)),
        default=0.0,
        help="sampling temperature; none leaves it to the server",
    ),
    Option(
        name="max_tokens",
        flag="--max-tokens",
        metavar="N",
        parse=values.integer(1, 10_000_000),
        default=None,
        help="output tokens at most; default per task",
    ),
    Option(
        name="image_detail",
        flag="--image-detail",
        metavar="D",
        parse=values.or_none(values.choice("low", "high", "original", "auto")),
        default="high",
        help="picture detail asked of providers that have the setting",
    ),
    Option(
        name="reasoning_effort",
        flag="--reasoning-effort",
        metavar="E",
        parse=values.nonblank,
        default=None,
        help="how long a reasoning model may think, in the provider's words",
    ),
    Option(
        name="structured",
        flag="--structured",
        metavar="",
        parse=values.switch,
        default=False,
        switch=True,
        help="ask for JSON by the provider's schema mode",
    ),
    Option(
        name="rpm",
        flag="--rpm",
        metavar="N",
        parse=values.real(0.01, 1e6),
        default=None,
        help="requests in a minute at most, by all workers together",
    ),
    Option(
        name="max_cost_usd",
        flag="--max-cost",
        metavar="USD",
        parse=values.real(0.0001, 1e6),
        default=None,
        help="stop asking before the run costs more",
    ),
    Option(
        name="prices",
        flag="--prices",
        metavar="FILE",
        parse=values.existing_file,
        default=None,
        help="JSON file of prices for models that the built-in table lacks",
    ),
    Option(
        name="repeats",
        flag="--repeats",
        metavar="K",
        parse=values.integer(1, 1000),
        default=1,
        help="ask each item K times; a case passes by majority",
    ),
    Option(
        name="fresh",
        flag="--fresh",
        metavar="",
        parse=values.switch,
        default=False,
        switch=True,
        help="ask again even where a reply is stored",
    ),
    Option(
        name="replay",
        flag="--replay",
        metavar="RAW.jsonl",
        parse=values.existing_file,
        default=(),
        many=True,
        help="score stored raw outputs instead of asking; may be given several times",
    ),
    Option(
        name="out",
        flag="--out",
        metavar="DIR",
        parse=values.path,
        default=None,
        help="the run's folder; default results/<model>_<UTC time>",
    ),
    Option(
        name="replies",
        flag="--replies",
        metavar="FILE",
        parse=values.path,
        default=Path("results/replies.sqlite"),
        help="the reply store: what was answered once is not asked again",
    ),
    Option(
        name="exit_zero",
        flag="--exit-zero",
        metavar="",
        parse=values.switch,
        default=False,
        switch=True,
        help="exit with 0 when the run was measured, whatever the score; a gate's exit code stays",
    ),
    Option(
        name="shard",
        flag="--shard",
        metavar="K/N",
        parse=parse_shard,
        default=None,
        help="only the k-th of n stable parts of the items; python -m bench.leaderboard merges the parts' runs",
    ),
    Option(
        name="gate",
        flag="--gate",
        metavar="RUN",
        parse=values.existing_path,
        default=None,
        help="decide whether the model may replace that of an earlier run (its folder or a baseline file)",
    ),
    Option(
        name="gate_margin",
        flag="--gate-margin",
        metavar="M",
        parse=values.margins,
        default=None,
        help="points that the model may be worse by, overall/suite, or strict (2/2); default 4/8, a lone suite 6",
    ),
    Option(
        name="gate_aa",
        flag="--gate-aa",
        metavar="RUN",
        parse=values.existing_path,
        default=None,
        help="a second run of the gate's old model, which gives the noise floor",
    ),
)


def add_options(parser: pytest.Parser) -> None:
    """Declare every option and its ini value."""
    group = parser.getgroup("eyechart", "eyechart: an eye test for vision-language models")
    for option in OPTIONS:
        extra: dict[str, Any] = {"metavar": option.metavar}
        if option.switch:
            extra = {"action": "store_const", "const": "true"}
        elif option.many:
            extra["action"] = "append"
        group.addoption(option.flag, dest=option.dest, default=None, help=option.help, **extra)
        ini_type: Literal["linelist", "string"] = "linelist" if option.many else "string"
        parser.addini(option.ini, option.help, type=ini_type, default=None)


def read_settings(config: pytest.Config) -> Settings:
    """Resolve all options: command line, then ini value, then default.

    Raises:
        UserError: a value is not of its option's form, or two options exclude each other.
    """
    resolved = {option.name: _resolve(config, option) for option in OPTIONS}
    settings = _placed(config, Settings(**resolved))
    _check_together(config, settings)
    return settings


def _resolve(config: pytest.Config, option: Option) -> Any:  # noqa: ANN401
    given, said_by = config.getoption(option.dest), option.flag
    if given is None:
        given, said_by = config.getini(option.ini), f"ini value {option.ini}"
    if given is None or given == []:
        return option.default
    if option.many:
        return tuple(_parse(option, text, said_by) for text in given)
    return _parse(option, given, said_by)


def _placed(config: pytest.Config, settings: Settings) -> Settings:
    """Put the default folder and store under pytest's root, wherever the run was started."""
    chosen = {name for name in ("replies",) if _is_given(config, name)}
    if "replies" in chosen:
        return settings
    return replace(settings, replies=config.rootpath / settings.replies)


def _is_given(config: pytest.Config, name: str) -> bool:
    option = next(option for option in OPTIONS if option.name == name)
    return config.getoption(option.dest) is not None or config.getini(option.ini) is not None


def _parse(option: Option, text: str, said_by: str) -> Any:  # noqa: ANN401
    try:
        return option.parse(text)
    except ValueError as error:
        shown = without_login(text) if option.parse is values.server_url else text
        raise UserError(f"{said_by}: expected {error}, got {shown!r}") from None
    except (OSError, RuntimeError) as error:  # a name too long, or "~" of nobody
        raise UserError(f"{said_by}: {text[:80]!r} is no usable path ({error})") from None


def _check_together(config: pytest.Config, settings: Settings) -> None:
    if settings.replay and config.getoption("eyechart_models") is not None:
        raise UserError("--replay scores stored outputs and asks no model: give --replay or --model, not both")
    if settings.replay and settings.repeats > 1:
        raise UserError("--repeats asks a model again: it has no meaning with --replay")
    if settings.gate is None and (settings.gate_margin is not None or settings.gate_aa is not None):
        raise UserError("--gate-margin and --gate-aa belong to a gate: name the run to compare with by --gate")
    if len(set(settings.models)) != len(settings.models):
        raise UserError(f"--model: each model once, got {', '.join(settings.models)}")
