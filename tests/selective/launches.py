"""Plans with windows of all sizes, for the sweep of launches."""

import itertools
from ctypes import POINTER, Structure, c_double, c_int, c_void_p

import fx
from cases import LIGHTS
from launch_case import Case


class SelectiveParams(Structure):
    _fields_ = [("sigma", c_double), ("radius", c_int), ("delta", c_double), ("edges", c_int),
                ("abyss", c_int), ("light", c_int), ("coverage", c_int)]


fx.library.declare({
    "selective_plan_new": (c_void_p, [POINTER(SelectiveParams), POINTER(fx.StoredFormat)], True),
})


class Window(Case):
    """The settings are SelectiveParams: those of the filter make none of the largest windows."""

    def make_plan(self, format, light):
        plan = fx.Plan.__new__(fx.Plan)
        params = SelectiveParams(light=LIGHTS.index(light), **self.settings)
        plan.handle = fx.call("selective_plan_new", params, fx.store_format(format))
        plan.describe()
        return plan


def list_windows(rng):
    """Small ones, and large ones, of which a launch goes through some rows."""
    for radius, edges in itertools.product([1, 5, 23, 24, 25, 60, 150, 200], [0, 1]):
        yield Window("selective-blur", {"sigma": radius / 4, "radius": radius, "delta": 0.3,
                                        "edges": edges})


CASES = {"windows": list_windows}
TALL = [
    ("selective-blur", {"sigma": 2, "delta": 0.1, "edges": "hard"}),
    # Some rows of the window after the others.
    ("selective-blur", {"sigma": 20, "delta": 0.1, "edges": "hard"}),
]
