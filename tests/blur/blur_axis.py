"""The blur's plans (blur-plan.h) and the filters of its axes (axis.h), for tests."""

import ctypes
from ctypes import POINTER, c_double, c_float, c_int

import fx

ORDER = 8  # of the B-splines
REACH_MAX = 9.0  # sigmas


class Stage(ctypes.Structure):
    _fields_ = [("factor", c_int), ("radius", c_int), ("decimate", POINTER(c_float)),
                ("interpolate", POINTER(c_float))]


class Axis(ctypes.Structure):
    _fields_ = [("sigma", c_double), ("reach", c_int), ("n_stages", c_int), ("stages", Stage * 4),
                ("radius", c_int), ("weights", POINTER(c_float))]


class BlurParams(ctypes.Structure):
    _fields_ = [("sigma_x", c_double), ("sigma_y", c_double), ("kernel_size", c_int),
                ("abyss", c_int), ("light", c_int)]


class BlurPlan(ctypes.Structure):
    _fields_ = [("base", fx.StoredPlan), ("params", BlurParams), ("axes", Axis * 4),
                ("x", POINTER(Axis)), ("y", POINTER(Axis)), ("cpu_x", POINTER(Axis)),
                ("cpu_y", POINTER(Axis))]


fx.library.check({"BlurPlan": BlurPlan})
fx.library.declare({
    "blur_axis_clear": (None, [POINTER(Axis)]),
    "blur_axis_init_multires": (c_int, [POINTER(Axis), c_double, c_double]),
})


class Multires(Axis):
    """The multi-resolution method; without stages if sigma is too small for a stage."""

    def __init__(self, sigma, ratio):
        super().__init__()
        has_stages = fx.library.blur_axis_init_multires(self, sigma, ratio)
        assert bool(has_stages) == (self.n_stages > 0) == (sigma >= 2 * ratio)

    def __del__(self):
        fx.library.blur_axis_clear(self)
