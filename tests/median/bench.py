"""What filters.py and auto.py of ../bench time of the median blur."""

from table import Table, make_views


def median(*more):
    def make(size):
        return ["cuda-median-blur", f"radius={size}", *more], None
    return make


RADII = "1,3,8,20,50,100,400"
TABLES = {
    "median": Table(median(), RADII, "u8,u16,float", "resident,cpu"),
    "median-square": Table(median("neighborhood=square"), RADII, "u8"),
    "median-threshold": Table(median("threshold=0.1"), "3,20", "float,u8"),
    "views-median": make_views(median(), "3,20"),
}
CHOICES = [("median-blur", {"radius": radius}) for radius in (3.0, 20.0)]
