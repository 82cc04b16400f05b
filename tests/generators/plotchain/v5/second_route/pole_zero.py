"""Where the two symbols stand."""

from tests.generators.plotchain.v5.seen import Answers, Seen


def read_fields(seen: Seen, is_noisy: bool) -> Answers:
    answers: Answers = {}
    for name, marker in (("pole", "x"), ("zero", "o")):
        x, y = seen.symbol(marker)
        answers |= {f"{name}_real": seen.x(x) * seen.x_unit, f"{name}_imag": seen.y(y) * seen.y_unit}
    return answers
