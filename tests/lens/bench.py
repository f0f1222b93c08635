"""What filters.py and auto.py of ../bench time of the lens blur."""

from table import Table, make_views


def lens(*more):
    def make(size):
        return ["cuda-lens-blur", f"radius={size}", "highlights=0", *more], None
    return make


RADII = "1,3,5,10,20,30,50,100,200,300,500"
HEXAGON = "blades=6", "rotation=10"
TABLES = {
    "lens": Table(lens(), RADII, "float,u8", "resident,cpu,plan"),
    "lens-hexagon": Table(lens(*HEXAGON), RADII, "float"),
    "lens-highlights": Table(lens(*HEXAGON, "highlights=3", "threshold=0.8"), RADII, "float,u8"),
    "views-lens": make_views(lens("blades=6"), "3,20,100,500"),
}
CHOICES = [("lens-blur", {"radius": radius}) for radius in (5.0, 30.0)]
