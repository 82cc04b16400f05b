"""PlotChain: 15 families of engineering plots."""
