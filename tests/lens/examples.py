"""The lens blur for the suites that run over all filters, as tests/README.md says."""

FILTER = "lens-blur"
TITLE = "Lens Blur (CUDA)"
IN_GIMP = ["Lens Blur"]
NAMED_IN = 16
SETTINGS = [{"radius": 5}]
WIDE = [{"radius": 500.0}]
FAST = [{"radius": 9.0}]
VARIED = {"radius": 4.25, "blades": 5, "rotation": 31, "roundness": 0.5, "ring": -0.25,
          "squeeze": 0.5, "highlights": 1, "threshold": 0.75, "abyss": "none",
          "light": "perceptual"}
DEFAULTS = [10, 6, 0, 0, 0, 0, 2, 0.8, 0, 0, 0, 0]
GROWTH = [(0, {"radius": 20, "blades": 0}, (0, 0)),
          (0, {"radius": 20, "blades": 0, "grow": 1}, (20, 20)),
          (0, {"radius": 20, "blades": 0, "grow": 1, "squeeze": 1}, (10, 20))]
COVERAGE = [({"highlights": 4, "threshold": 0.5, "light": 0}, {"highlights": 0}, True)]
SEARCHED = ["bokeh", "focus"]
