"""The variable blur for the suites that run over all filters, as tests/README.md says. Without a
map, the blur is as strong everywhere."""

FILTER = "variable-blur"
TITLE = "Variable Blur (CUDA)"
IN_GIMP = ["Variable Blur"]
TAKEN = ["variable-blur"]
NAMED_IN = 5
SETTINGS = [{"radius": 3}, {"radius": 12, "keep_sharp": 0.5}]
FAST = [{"radius": 4.0}]
VARIED = {"radius": 4.5, "focal": 0.25, "invert": 1, "linear_mask": 1, "keep_sharp": 0.5,
          "abyss": "black", "light": "perceptual"}
DEFAULTS = [10, 0, 0, 0, 0, 0, 0, 0, 0]
GROWTH = [(200, {}, (0, 0)), (200, {"grow": 1}, (40, 40)),
          (200, {"grow": 1, "radius": 0.1}, (0, 0))]
COVERAGE = [({"light": 1}, {"light": 0}, False)]
MAPPED = [{"radius": 5}, {"radius": 3.5, "focal": 0.4, "linear_mask": 1, "invert": 1}]
SEARCHED = ["depth map"]
