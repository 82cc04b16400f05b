"""One module for each problem family; each has its `FAMILY`."""
