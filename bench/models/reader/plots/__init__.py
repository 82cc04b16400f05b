"""Plots: from pixels to axes, from axes to curves, from curves to the numbers that a prompt asks for."""
