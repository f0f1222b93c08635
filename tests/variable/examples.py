"""The variable blur for the suites that run over all filters, as tests/README.md says. Without a
map, the blur is as strong everywhere."""

FILTER = "variable-blur"
TITLE = "Variable Blur (CUDA)"
IN_GIMP = ["Variable Blur"]
TAKEN = ["variable-blur"]
NAMED_IN = 5
SETTINGS = [{"radius": 3}, {"radius": 12, "keep_sharp": 0.5},
            {"blur_type": "lens", "radius": 7}]
FAST = [{"radius": 4.0}]
VARIED = {"blur_type": "lens", "radius": 4.5, "focal": 0.25, "invert": 1, "linear_mask": 1,
          "keep_sharp": 0.5, "blades": 5, "blade_rotation": 15, "roundness": 0.5, "squeeze": -0.25,
          "highlights": 1, "threshold": 0.75, "abyss": "black", "light": "perceptual"}
DEFAULTS = [0, 10, 0, 0, 0, 0, 6, 0, 0, 0, 2, 0.8, 0, 0, 0, 0]
GROWTH = [(200, {}, (0, 0)), (200, {"grow": 1}, (40, 40)),
          (200, {"grow": 1, "radius": 0.1}, (0, 0))]
COVERAGE = [({"light": 1}, {"light": 0}, False)]
MAPPED = [{"radius": 5}, {"radius": 3.5, "focal": 0.4, "linear_mask": 1, "invert": 1},
          {"blur_type": "lens", "radius": 6, "blades": 5}]
SEARCHED = ["depth map"]
