"""Plots: from pixels to axes, from axes to curves, from curves to the numbers that a prompt asks for."""

from bench.models.reader.plots.answer import answer_plot

__all__ = ["answer_plot"]
