"""The selective blur for the suites that run over all filters, as tests/README.md says."""

FILTER = "selective-blur"
TITLE = "Selective Gaussian Blur (CUDA)"
IN_GIMP = ["Selective Gaussian Blur"]
TAKEN = ["gaussian-blur-selective"]
NAMED_IN = 4
SETTINGS = [{"sigma": 2}]
SLOW = [{"sigma": 30.0}]
VARIED = {"sigma": 2, "delta": 0.25, "edges": "hard", "abyss": "none", "light": "linear"}
DEFAULTS = [3, 0.1, 1, 0, 1, 0]
COVERAGE = [({"light": 1}, {"light": 0}, False)]
SEARCHED = ["noise"]
