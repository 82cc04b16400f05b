"""A plugin for pytest that runs the cases in another order, the same in each worker."""

import random


def pytest_collection_modifyitems(items: list[object]) -> None:
    random.Random(7).shuffle(items)
