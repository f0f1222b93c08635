"""The median blur for the suites that run over all filters, as tests/README.md says."""

FILTER = "median-blur"
TITLE = "Median Blur (CUDA)"
IN_GIMP = ["Median Blur"]
TAKEN = ["median-blur"]
NAMED_IN = 1
SETTINGS = [{"radius": 3}, {"radius": -2, "percentile": 20.0, "neighborhood": "square"}]
SLOW = [{"radius": 60}]
FAST = [{"radius": 2}]
VARIED = {"radius": 2, "percentile": 30.0, "alpha-percentile": 60.0, "threshold": 0.05,
          "neighborhood": "square", "abyss": "none"}
