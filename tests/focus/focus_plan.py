"""Plans of the focus blur whose strength is a map's, which no description has."""

import ctypes
import weakref
from ctypes import POINTER, c_double, c_int, c_size_t, c_void_p

import numpy as np

import fx
from cases import ABYSSES, LIGHTS


class FocusParams(ctypes.Structure):
    _fields_ = [("kind", c_int), ("strength", c_double), ("shape", c_int), ("x", c_double),
                ("y", c_double), ("radius", c_double), ("focus", c_double),
                ("midpoint", c_double), ("aspect_ratio", c_double), ("rotation", c_double),
                ("keep_sharp", c_double),
                ("blades", c_int), ("blade_rotation", c_double), ("roundness", c_double),
                ("squeeze", c_double), ("highlights", c_double), ("threshold", c_double),
                ("abyss", c_int), ("light", c_int)]


class FocusMap(ctypes.Structure):
    _fields_ = [("values", c_void_p), ("width", c_int), ("height", c_int), ("x", c_int),
                ("y", c_int), ("focal", c_double), ("invert", c_int)]


fx.library.check({"FocusParams": FocusParams, "FocusMap": FocusMap})
fx.library.declare({
    "focus_plan_new": (c_void_p, [POINTER(FocusParams), POINTER(FocusMap),
                                  POINTER(fx.StoredFormat), POINTER(fx.Geometry)], True),
    "g_bytes_new": (c_void_p, [c_void_p, c_size_t]),
    "g_bytes_unref": (None, [c_void_p]),
})


class Values:
    """A map's floats, which plans may share."""

    def __init__(self, values):
        values = np.ascontiguousarray(values, np.float32)
        self.height, self.width = values.shape
        self.handle = fx.library.g_bytes_new(values.ctypes.data, values.nbytes)
        weakref.finalize(self, fx.library.g_bytes_unref, self.handle)


class MapPlan(fx.Plan):
    """The plan of a map: rows of floats, the first of which lies at that place. width: what the
    engine is told, if it is not the map's. lens: its settings, if this is no Gaussian."""

    def __init__(self, format, values, strength, place=(0, 0), focal=0.0, invert=False,
                 keep_sharp=0.0, abyss="clamp", light="linear", width=None, lens=None):
        values = values if isinstance(values, Values) else Values(values)
        params = FocusParams(strength=strength, keep_sharp=keep_sharp, abyss=ABYSSES.index(abyss),
                             light=LIGHTS.index(light),
                             **({} if lens is None else {"kind": 1, **lens}))
        map = FocusMap(values.handle, width or values.width, values.height, *place, focal, invert)
        self.handle = None
        self.handle = fx.call("focus_plan_new", params, map, fx.store_format(format),
                              fx.Geometry(0, 0, 0, 0))
        self.describe()
