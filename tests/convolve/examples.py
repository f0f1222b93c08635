"""The convolution for the suites that run over all filters, as tests/README.md says."""

FILTER = "convolve"
TITLE = "Convolution Matrix (CUDA)"
IN_GIMP = ["Convolution Matrix"]
NAMED_IN = 10
SETTINGS = [{"values": [[1.0] * 3] * 3}]
DEFAULTS = [0] * 7
GROWTH = [(0, {}, (0, 0))]
SEARCHED = ["kernel"]
