"""A table of filters.py. bench.py in a filter's folder of tests has TABLES, by their names, and
CHOICES, settings for auto.py."""

from collections import namedtuple

VIEWS = "view-gpu:0.1333,view-gpu:1,draft-cpu:0.1333,draft-cpu:1"

# make (size) gives the words and, for other libraries, the matrix. A view never waits for a program
# that is specialised. peer: as what peers.py times it.
Table = namedtuple("Table", "make sizes forms devices programs picture peer",
                   defaults=("resident", "specialised", "3840x2160", None))


def make_views(make, sizes, devices=VIEWS):
    return Table(make, sizes, "u8", devices, "both", "6000x4000")
