"""What filters.py of ../bench times of the variable blur."""

from table import Table, make_views


def variable(map):
    def make(size):
        return ["cuda-variable-blur", f"radius={size}", f"map={map}"], None
    return make


MAPS = "ramp", "noise"
TABLES = {f"variable-{map}": Table(variable(map), "25,100", "float,u8,u16", "resident,cpu")
          for map in MAPS}
TABLES |= {f"views-variable-{map}": make_views(variable(map), "25,100") for map in MAPS}
CHOICES = []  # without a map it is the focus blur's
