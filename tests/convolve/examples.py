"""The convolution for the suites that run over all filters, as tests/README.md says."""

FILTER = "convolve"
TITLE = "Convolution Matrix (CUDA)"
IN_GIMP = ["Convolution Matrix"]
NAMED_IN = 10
SETTINGS = [{"values": [[1.0] * 3] * 3}]
VARIED = {"values": [[0.5, -0.25, 0.75, 0.125, -0.5], [1, 0, 0.25, 0.5, -1],
                     [0, 0.75, 0.5, -1, -0.125]],
          "divisor": 2, "offset": 0.125, "channels": 5, "alpha_weighting": "straight",
          "abyss": "white", "light": "perceptual"}
DEFAULTS = [0] * 7
GROWTH = [(0, {}, (0, 0))]
SEARCHED = ["kernel"]
