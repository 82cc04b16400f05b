"""The plot families, one module each; every module ends with `FAMILY`, its family object."""
