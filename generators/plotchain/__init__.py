"""PlotChain: engineering plots whose numbers are known exactly.

Importing the package loads no NumPy and no Matplotlib; listing loads NumPy, drawing loads both.
"""

from generators.plotchain.loader import load_catalog, load_jsonl, write_catalog
from generators.plotchain.source import CaseRef, PlotChainSource, list_cases

__all__ = ["CaseRef", "PlotChainSource", "list_cases", "load_catalog", "load_jsonl", "write_catalog"]
