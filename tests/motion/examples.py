"""The motion blur for the suites that run over all filters, as tests/README.md says."""

FILTER = "motion-blur"
TITLE = "Motion Blur (CUDA)"
# GIMP has one of each kind, and the name of all three.
IN_GIMP = ["Motion Blur", "Linear Motion Blur"]
TAKEN = ["motion-blur-linear", "motion-blur-circular", "motion-blur-zoom"]
OPAQUE = [("gegl:motion-blur-circular", {"angle": 25.0})]
NAMED_IN = 5
SETTINGS = [{"kind": "line", "length": 20}, {"kind": "spin"}, {"kind": "zoom", "factor": 0.05}]
SLOW = [{"kind": "zoom", "factor": 0.5}, {"kind": "spin", "angle": 360.0}]
FAST = [{"kind": "zoom", "factor": 0.02}]
PLACED = [{"kind": "zoom", "factor": 0.1, "center_x": 1.5}]
VARIED = {"kind": "zoom", "factor": -0.25, "center_x": 0.25, "center_y": 0.75, "fade": 0.5,
          "abyss": "black", "light": "perceptual"}
DEFAULTS = [0, 10, 0, 5, 0.1, 0.5, 0.5, 0, 0, 0, 0, 0]
GROWTH = [(200, {"kind": 2}, (0, 0)), (200, {"kind": 2, "grow": 1}, (11, 6))]
COVERAGE = [({"kind": kind, "light": 1}, {"light": 0}, False) for kind in range(3)]
