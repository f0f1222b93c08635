"""Windows of each shape and of all sizes, for the sweep of launches."""

import itertools

import fx
from launch_case import Case


class Window(Case):
    """There is no light to choose."""

    def make_plan(self, format, light):
        return fx.Plan(fx.Settings(self.filter, **self.settings), format)


def list_windows(rng):
    for shape, radius in itertools.product(["square", "circle", "diamond"],
                                           [1, 3, 20, -100, 150, 400]):
        for threshold in 0, 0.1:
            yield Window("median-blur", {"neighborhood": shape, "radius": radius,
                                         "threshold": threshold}, any_format=True)


CASES = {"median": list_windows}
TALL = [("median-blur", {"radius": 2})]
