"""The convolution for the suites that run over all filters, as tests/README.md says."""

import numpy as np

FILTER = "convolve"
SETTINGS = [{"values": np.ones((3, 3))}]
DEFAULTS = [0] * 7
GROWTH = [(0, {}, (0, 0))]
SEARCHED = ["kernel"]
