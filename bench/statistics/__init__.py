"""Statistics of pass rates and of paired differences: pure functions over counts, standard library only.

Rates, differences and limits are proportions. A difference is new - old; `losses` are cases that only the old
model passes, `gains` those that only the new one passes; both may be fractional (repeats, design effects).
"""
