"""`report.html`: one page about a run, readable without a network."""
