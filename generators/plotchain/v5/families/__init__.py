"""One module a family of edition v5: draws, axes, curve, truth with its readings, marks."""
