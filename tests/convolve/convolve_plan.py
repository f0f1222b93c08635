"""The convolution's plans (convolve-plan.h), their matrices and strategies, for tests."""

import ctypes
from ctypes import POINTER, c_char_p, c_double, c_float, c_int, c_size_t, c_uint, c_void_p

import numpy as np

import fx

PRODUCTS_MAX = 4


class ConvolveParams(ctypes.Structure):
    _fields_ = [("rows", c_int), ("columns", c_int), ("values", c_void_p), ("divisor", c_double),
                ("offset", c_double), ("channels", c_uint), ("alpha", c_int), ("abyss", c_int),
                ("light", c_int)]


class ConvolveMatrix(ctypes.Structure):
    _fields_ = [("rows", c_int), ("columns", c_int), ("top", c_int), ("left", c_int),
                ("weights", POINTER(c_float)), ("taps", c_int), ("magnitude", c_double),
                ("squares", c_double), ("rank", c_int), ("along_y", POINTER(c_float)),
                ("along_x", POINTER(c_float))]


class ConvolveOwner(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("stops", c_double), ("threshold", c_double),
                ("get_draft", c_void_p), ("params", c_void_p), ("size", c_size_t)]


class Choice(ctypes.Structure):
    _fields_ = [("path", c_int), ("columns", c_int), ("rows", c_int), ("scratch", c_size_t)]


class CpuStrategy(ctypes.Structure):
    _fields_ = [("path", c_int), ("products", c_int), ("chunk_rows", c_int),
                ("sum_cost", c_double), ("fft_cost", c_double)]


class GpuTile(ctypes.Structure):
    _fields_ = [("columns", c_int), ("rows", c_int), ("step_x", c_int), ("step_y", c_int),
                ("precise", c_int)]


class GpuStrategy(ctypes.Structure):
    _fields_ = [("path", c_int), ("products", c_int), ("specialises", c_int), ("tile", GpuTile),
                ("precise", GpuTile), ("recomputes", c_int), ("finds_peaks", c_int),
                ("sum_cost", c_double), ("fft_cost", c_double)]


class Strategy(ctypes.Structure):
    _fields_ = [("large", c_int), ("least_alpha", c_float), ("cpu", CpuStrategy),
                ("gpu", GpuStrategy)]


class Once(ctypes.Structure):
    _fields_ = [("status", c_int), ("result", c_void_p)]


class ConvolvePlan(ctypes.Structure):
    _fields_ = [("base", fx.StoredPlan), ("params", ConvolveParams), ("matrix", ConvolveMatrix),
                ("alpha_matrix", POINTER(ConvolveMatrix)), ("divides_by_alpha", c_int),
                ("gain", c_float), ("offset", c_float * 4), ("written", c_uint),
                ("owner", ConvolveOwner), ("owned", fx.Filter), ("choice", Choice),
                ("strategy", Strategy), ("specialised", Once)]


fx.library.check({"ConvolvePlan": ConvolvePlan})
fx.library.declare({
    "convolve_plan_new_for": (c_void_p, [POINTER(ConvolveOwner), POINTER(ConvolveParams),
                                         POINTER(fx.StoredFormat)], True),
})


class Plan(fx.Plan):
    """The plan of a matrix, whose own data are its member own. owner: a ConvolveOwner, which then
    has the plan."""

    def __init__(self, values, format, owner=None, choice=None, **settings):
        values = np.ascontiguousarray(values, float)
        if not owner:
            super().__init__(fx.Settings("convolve", values=values, **settings), format,
                             choice=choice)
            return
        params = ConvolveParams(*values.shape, values.ctypes.data)
        self.handle = fx.call("convolve_plan_new_for", owner, params, fx.store_format(format))

    @property
    def own(self):
        return ConvolvePlan.from_address(self.handle)
