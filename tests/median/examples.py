"""The median blur for the suites that run over all filters, as tests/README.md says."""

FILTER = "median-blur"
TITLE = "Median Blur (CUDA)"
IN_GIMP = ["Median Blur"]
TAKEN = ["median-blur"]
NAMED_IN = 4
SETTINGS = [{"radius": 2}, {"radius": 9, "neighborhood": "square", "percentile": 30}]
SLOW = [{"radius": 100}]
FAST = [{"radius": 5}]
VARIED = {"neighborhood": "diamond", "radius": -7, "percentile": 25, "alpha_percentile": 75,
          "threshold": 0.125, "abyss": "none"}
AS_LIGHT = ["threshold"]
DEFAULTS = [1, 3, 50, 50, 0, 0, 0, 0]
GROWTH = [(0, {"radius": 20}, (0, 0)), (0, {"radius": 20, "grow": 1}, (20, 20)),
          (0, {"radius": -20, "grow": 1}, (20, 20)), (0, {"radius": 0, "grow": 1}, (0, 0))]
SEARCHED = ["dust", "scratches"]
