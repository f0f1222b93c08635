"""The focus blur for the suites that run over all filters, as tests/README.md says."""

FILTER = "focus-blur"
TITLE = "Focus Blur (CUDA)"
IN_GIMP = ["Focus Blur"]
TAKEN = ["focus-blur"]
NAMED_IN = 8
SETTINGS = [{"blur_radius": 3}, {"blur_radius": 12, "shape": "horizontal", "rotation": 20},
            {"blur_type": "lens", "blur_radius": 7}]
FAST = [{"blur_radius": 4.0}]
PLACED = [{"blur_radius": 5.0, "x": 0.2, "radius": 0.4}]
VARIED = {"blur_radius": 4.5, "shape": "diamond", "x": 0.25, "y": 0.75, "radius": 0.5,
          "focus": 0.125, "midpoint": 0.25, "aspect_ratio": -0.25, "rotation": 30,
          "keep_sharp": 0.5, "blur_type": "lens", "blades": 5, "blade_rotation": 15,
          "roundness": 0.5, "squeeze": -0.25, "highlights": 1, "threshold": 0.75, "abyss": "black",
          "light": "perceptual"}
DEFAULTS = [0, 25, 0, 0.5, 0.5, 0.75, 0.25, 0.5, 0, 0, 0, 6, 0, 0, 0, 2, 0.8, 0, 0, 0, 0]
GROWTH = [(200, {}, (0, 0)), (200, {"grow": 1}, (100, 100)),
          (200, {"grow": 1, "blur_radius": 0.1}, (0, 0))]
COVERAGE = [({"light": 1}, {"light": 0}, False)]
SEARCHED = ["tilt-shift", "miniature", "portrait"]
