"""What filters.py and auto.py of ../bench time of the focus blur."""

from table import Table, make_views


def focus(*more):
    def make(size):
        return ["cuda-focus-blur", f"blur-radius={size}", *more], None
    return make


TABLES = {
    "focus": Table(focus(), "5,25,100,1500", "float,u8,u16", "resident,cpu"),
    "focus-even": Table(focus("radius=0", "focus=0"), "25", "float,u8", "resident,cpu"),
    "focus-keep": Table(focus("keep-sharp=0.5"), "25", "float,u8", "resident,cpu"),
    "focus-lens": Table(focus("blur-type=lens", "blades=0", "highlights=0"), "25,100",
                        "float,u8,u16", "resident,cpu"),
    "focus-hexagon": Table(focus("blur-type=lens", "highlights=0"), "25", "float,u8",
                           "resident,cpu"),
    "views-focus": make_views(focus(), "25,100"),
}
CHOICES = [("focus-blur", settings) for settings in [
    {"blur_radius": 5.0}, {"blur_radius": 25.0}, {"blur_radius": 25.0, "keep_sharp": 0.5}]]
