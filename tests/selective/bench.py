"""What filters.py and auto.py of ../bench time of the selective blur."""

from table import Table, make_views


def selective(edges, *more):
    """By the radius of the window, which is 3 sigma, rounded up."""
    def make(size):
        return ["cuda-selective-blur", f"sigma={(float(size) - 0.01) / 3:.6g}", "delta=0.1",
                f"edges={edges}", *more], None
    return make


WINDOWS = "5,10,20,50,150"
TABLES = {
    "selective-hard": Table(selective("hard"), WINDOWS, "float,u8"),
    "selective-soft": Table(selective("soft"), WINDOWS, "float,u8", peer="bilateral"),
    "selective-linear": Table(selective("hard", "light=linear"), "5,20", "float,u8"),
    "views-selective": make_views(selective("hard"), "10,30"),
}
CHOICES = [("selective-blur", {"sigma": sigma, "delta": 0.1}) for sigma in (2.0, 7.0)]
