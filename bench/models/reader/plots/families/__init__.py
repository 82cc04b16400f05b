"""One module for each kind of plot."""
