"""Commands about finished runs: merge, gate and baseline (`python -m bench.leaderboard`), report, validity."""
