"""The tiles of a GPU's Fourier transforms and the errors that they allow, by themselves. Needs
neither a GPU nor NVRTC."""

import ctypes
from ctypes import POINTER, c_float, c_int, c_void_p

import numpy as np
import pytest

import fx
from convolve_plan import ConvolveOwner, ConvolvePlan, GpuTile, Plan
from formats import CURVES, SRGB, Format

RGBA = Format("float", 4, False)
TAPS, FFT, PRODUCTS = 1, 2, 3  # paths


class Fft(ctypes.Structure):
    _fields_ = [
        *((name, c_void_p) for name in (
            "cells", "spectrum", "along_x", "along_y", "peaks", "levels", "flags", "list")),
        *((name, c_int) for name in (
            "x", "y", "width", "height", "step_x", "step_y", "across", "flag_step_x", "flag_step_y",
            "flags_across", "list_size", "top", "bottom")),
        *((name, c_float) for name in ("noise", "cleared", "error", "allowed", "least"))]


PLAN = POINTER(ConvolvePlan)
fx.library.check({"ConvolveFft": Fft})
fx.library.declare({
    "convolve_gpu_fft_set_errors": (None, [PLAN, POINTER(GpuTile), c_int, POINTER(Fft)]),
    "convolve_strategy_choose_tile": (GpuTile, [PLAN, POINTER(fx.Strip)]),
})


def get_size(own, strip):
    """The points of the tile that convolves all of a strip."""
    tile = fx.library.convolve_strategy_choose_tile(own, strip)
    assert tile.step_x >= strip.x1 - strip.x0 and tile.step_y >= strip.y1 - strip.y0
    assert strip.x0 == 0 or tile.step_x == tile.columns - own.matrix.columns + 1
    assert strip.y0 == 0 or tile.step_y == tile.rows - own.matrix.rows + 1
    return tile.columns * tile.rows


def test_shared_margins(rng):
    """A picture under a large matrix is one tile, which is smaller if margins are shared."""
    whole, part = (fx.Strip(3840, 2160, x0=first, x1=3840, y0=first, y1=2160, source_x1=3840,
                            source_y1=2160, chunk_rows=4096) for first in (0, 8))
    values, sizes = rng.random((1023, 1023)), []
    for abyss in ("clamp", "none"):
        plan = Plan(values, RGBA, abyss=abyss)
        sizes.append(get_size(plan.own, whole))
        assert get_size(plan.own, part) == sizes[0]
    assert sizes[1] < sizes[0]


def test_sparse():
    """A sum whose taps are not compiled in goes through the whole box, so a line across it is
    cheaper to transform."""
    values = np.eye(51)
    own, owned = Plan(values, RGBA), Plan(values, RGBA, ConvolveOwner(name=b"owner", threshold=0.5))
    assert own.own.strategy.gpu.path == TAPS and owned.own.strategy.gpu.path == FFT


@pytest.mark.parametrize("size,path", [(15, PRODUCTS), (41, FFT), (63, FFT)])
def test_products(rng, size, path):
    """Products of rank 2 cost less than transforms only if they are small."""
    plan = Plan(rng.random((size, 2)) @ rng.random((2, size)), Format("u8", 4))
    gpu = plan.own.strategy.gpu
    assert gpu.path == path and gpu.products == (2 if path == PRODUCTS else 0)


@pytest.mark.parametrize("curve", [SRGB, CURVES[0]])
def test_shown(curve):
    """More may be wrong in a view, unless the curve shows it: a pure gamma does so in the dark."""
    plan = Plan([[1]], Format("float", 4, False, curve))
    own, stored, shown = plan.own, Fft(), Fft()
    fx.library.convolve_gpu_fft_set_errors(own, own.strategy.gpu.tile, False, stored)
    fx.library.convolve_gpu_fft_set_errors(own, own.strategy.gpu.tile, True, shown)
    if curve is SRGB:
        assert stored.allowed < shown.allowed <= 0.5 / 255 / 12.92
    else:
        assert shown.allowed == stored.allowed
