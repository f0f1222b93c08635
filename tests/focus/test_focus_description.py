"""What the focus blur's description says of it."""

import ctypes
import math
from ctypes import CFUNCTYPE, POINTER, byref, c_double, c_int, c_uint, c_void_p

import numpy as np
import pytest

import fx
from descriptions import FILTERS, NAMES, POINT, Settings

FOCUS = FILTERS["focus-blur"]
SHAPES = ["circle", "square", "diamond", "horizontal", "vertical"]
BOX = X, Y, WIDTH, HEIGHT = -20.0, 7.0, 160.0, 90.0


class Geometry(ctypes.Structure):
    _fields_ = [(name, c_double) for name in ("x", "y", "width", "height")]


class Points(ctypes.Structure):
    """A GArray of pairs."""

    _fields_ = [("data", POINTER(c_double * 2)), ("length", c_uint)]


GET_LINE = CFUNCTYPE(c_int, c_void_p, POINTER(Geometry), c_uint, c_double, POINTER(Points))
fx.library.declare({
    "g_array_free": (c_void_p, [POINTER(Points), c_int]),
    "g_array_new": (POINTER(Points), [c_int, c_int, c_uint]),
})


def get_line(number, error=0.1, **values):
    """Its points, or None."""
    call, settings = GET_LINE(FOCUS.contents.get_line), Settings(FOCUS, **values)
    points = fx.library.g_array_new(0, 0, 16)
    there = call(settings.handle, byref(Geometry(*BOX)), number, error, points)
    found = np.array([list(points.contents.data[i]) for i in range(points.contents.length)])
    fx.library.g_array_free(points, 1)
    return found if there else None


def measure(points, shape, x, y, aspect_ratio, rotation):
    """How far from the centre they are, in halves of the width, by the header of the engine."""
    along = points - [X + x * WIDTH, Y + y * HEIGHT]
    turn = math.radians(-rotation)
    u = (along[:, 0] * math.cos(turn) - along[:, 1] * math.sin(turn)) / (
        WIDTH / 2 * (1 + min(aspect_ratio, 0)))
    v = (along[:, 0] * math.sin(turn) + along[:, 1] * math.cos(turn)) / (
        WIDTH / 2 * (1 - max(aspect_ratio, 0)))
    u, v = np.abs(u), np.abs(v)
    return [np.hypot(u, v), np.maximum(u, v), u + v, v, u][shape]


@pytest.mark.parametrize("aspect_ratio,rotation", [(0, 0), (0.4, 30), (-0.6, -75)])
@pytest.mark.parametrize("shape", range(5), ids=SHAPES)
def test_lines(shape, aspect_ratio, rotation):
    """They are where the blur begins, has half of its strength and all of it; between two points
    they are off by the error that is allowed."""
    values = {"shape": shape, "x": 0.3, "y": 0.8, "aspect_ratio": aspect_ratio,
              "rotation": rotation}
    for number, expected in enumerate([0.2, 0.2 + 0.6 * 0.3, 0.8]):
        points = get_line(number, radius=0.8, focus=0.25, midpoint=0.3, **values)
        middles = (points + np.roll(points, -1, axis=0)) / 2
        places = np.concatenate([points, middles])
        off = np.abs(measure(places, **values) - expected)[np.abs(places).max(axis=1) < 1e8]
        assert len(off) >= 2 and off.max() * WIDTH / 2 <= (0.1 if shape == 0 else 1e-5)
    assert get_line(3, **values) is None


@pytest.mark.parametrize("error", [10.0, 0.1, 0.001])
def test_error(error):
    """A circle has as many points as it needs."""
    points = get_line(2, error, radius=0.5)
    sagitta = 0.5 * WIDTH / 2 * (1 - math.cos(math.pi / len(points)))
    assert sagitta <= error and (sagitta >= error / 2 or len(points) == 16)


@pytest.mark.parametrize("values", [{"focus": 0}, {"radius": 0}, {"aspect_ratio": 1}])
def test_no_line(values):
    """Of what has no extent."""
    assert len(get_line(0, **values)) == 0


def test_point():
    assert NAMES["focus-blur"][fx.library.filter_find_role(FOCUS, POINT)] == "x"


def test_identity():
    assert Settings(FOCUS, blur_radius=0).plan().is_identity
    assert not Settings(FOCUS).plan().is_identity
