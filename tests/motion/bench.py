"""What filters.py and auto.py of ../bench time of the motion blur."""

from table import Table, make_views


def motion(kind, setting):
    def make(size):
        return ["cuda-motion-blur", f"{setting}={size}", f"kind={kind}", "direction=25"], None
    return make


LINE, ZOOM, SPIN = (motion(*words) for words in [("line", "length"), ("zoom", "factor"),
                                                 ("spin", "angle")])
TABLES = {
    "motion-line": Table(LINE, "50,300,1000", "float,u8", "resident,cpu"),
    "motion-zoom": Table(ZOOM, "0.02,0.1,0.5", "float,u8", "resident,cpu"),
    "motion-spin": Table(SPIN, "1,5,45,360", "float,u8", "resident,cpu"),
    "views-line": make_views(LINE, "50,300"),
    "views-zoom": make_views(ZOOM, "0.1,0.5"),
    "views-spin": make_views(SPIN, "5,45"),
}
CHOICES = [("motion-blur", settings) for settings in [
    {"kind": "line", "length": 20.0, "direction": 30.0},
    {"kind": "line", "length": 50.0, "direction": 30.0}, {"kind": "line", "length": 50.0},
    {"kind": "line", "length": 300.0, "direction": 30.0}, {"kind": "zoom", "factor": 0.1},
    {"kind": "spin", "angle": 5.0}]]
