"""The Gaussian for the suites that run over all filters, as tests/README.md says."""

FILTER = "gaussian-blur"
TITLE = "Gaussian Blur (CUDA)"
IN_GIMP = ["Gaussian Blur"]
TAKEN = ["gaussian-blur"]
SETTINGS = [{"sigma_x": 2}, {"sigma_x": 20}]
FAST = [{"sigma_x": 300.0, "sigma_y": 300.0}]
VARIED = {"sigma_x": 2.5, "sigma_y": 1.25, "kernel_size": 9, "abyss": "none", "light": "perceptual"}
DEFAULTS = [3, 3, 0, 0, 0, 0, 0]
GROWTH = [(0, {}, (0, 0)), (0, {"grow": 1}, (12, 12)), (0, {"grow": 1, "kernel_size": 9}, (4, 4))]
