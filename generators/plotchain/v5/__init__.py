"""Edition v5: plots whose scales, positions and values all vary, with a tolerance in pixels for each item."""
