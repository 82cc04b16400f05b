"""A pytest plugin for runs of tests: processes of their own ask also where a run is short."""

import bench.session

bench.session.WORTH_A_PROCESS = 1
