"""PlotChain: engineering plots whose numbers are known exactly.

Importing the package loads no NumPy and no Matplotlib; listing loads NumPy, drawing loads both.
"""

from generators.plotchain.records import load_jsonl
from generators.plotchain.source import CaseRef, PlotChainSource, list_cases

__all__ = ["CaseRef", "PlotChainSource", "list_cases", "load_jsonl"]
