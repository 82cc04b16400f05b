"""Geometry: reading and scoring counts, positions, patterns, sizes, spacings, defects and regularity of dots.

Importing the package loads the standard library only.
"""

from scorers.geometry.aggregate import Aggregate, aggregate, macro_average
from scorers.geometry.choice import ChoiceScore
from scorers.geometry.count import CountScore
from scorers.geometry.defects import DefectScore
from scorers.geometry.lengths import LengthScore
from scorers.geometry.locate import LocateScore
from scorers.geometry.scoring import as_score, score_geometry
from scorers.geometry.task_score import TASKS, Task, TaskScore
from scorers.geometry.thresholds import THRESHOLDS, Thresholds

__all__ = [
    "TASKS",
    "THRESHOLDS",
    "Aggregate",
    "ChoiceScore",
    "CountScore",
    "DefectScore",
    "LengthScore",
    "LocateScore",
    "Task",
    "TaskScore",
    "Thresholds",
    "aggregate",
    "as_score",
    "macro_average",
    "score_geometry",
]
