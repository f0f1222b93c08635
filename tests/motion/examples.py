"""The motion blur for the suites that run over all filters, as tests/README.md says."""

FILTER = "motion-blur"
TITLE = "Motion Blur (CUDA)"
IN_GIMP = ["Motion Blur", "Linear Motion Blur"]  # GIMP has one of each kind, and names all three
SETTINGS = [{"kind": "line", "length": 20}, {"kind": "spin"}, {"kind": "zoom", "factor": 0.05}]
SLOW = [{"kind": "zoom", "factor": 0.5}, {"kind": "spin", "angle": 360.0}]
FAST = [{"kind": "zoom", "factor": 0.02}]
PLACED = [{"kind": "zoom", "factor": 0.1, "center_x": 1.5}]
DEFAULTS = [0, 10, 0, 5, 0.1, 0.5, 0.5, 0, 0, 0, 0, 0]
GROWTH = [(200, {"kind": 2}, (0, 0)), (200, {"kind": 2, "grow": 1}, (11, 6))]
COVERAGE = [({"kind": kind, "light": 1}, {"light": 0}, False) for kind in range(3)]
