"""What filters.py of ../bench times of the variable blur."""

from table import Table, make_views


def variable(map, *more):
    def make(size):
        return ["cuda-variable-blur", f"radius={size}", f"map={map}", *more], None
    return make


MAPS = "ramp", "noise"
KINDS = {"": (), "-lens": ("blur-type=lens", "blades=0", "highlights=0")}
TABLES = {f"variable{kind}-{map}": Table(variable(map, *more), "25,100", "float,u8,u16",
                                         "resident,cpu")
          for kind, more in KINDS.items() for map in MAPS}
TABLES |= {f"views-variable-{map}": make_views(variable(map), "25,100") for map in MAPS}
CHOICES = []  # without a map it is the focus blur's
