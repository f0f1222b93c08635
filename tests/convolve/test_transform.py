"""The transforms by which the CPU convolves (cpu-fft-tile.h), by themselves: lines and tiles held
to sums in double precision, of matrices up to 1023x1023."""

import ctypes
import itertools
from ctypes import POINTER, byref, c_double, c_float, c_int, c_size_t, c_void_p

import numpy as np
import pytest

import fx
from convolve_plan import ConvolveMatrix, ConvolvePlan, Plan
from formats import Format

LINES, LAYERS = 16, 2
POINT = 2 * 8 * LINES  # bytes
NOISE = 6.1e-8  # half a unit in the last place of the results


class Tile(ctypes.Structure):
    _fields_ = [("columns", c_int), ("rows", c_int), ("along_x", c_void_p), ("along_y", c_void_p)]


class Layer(ctypes.Structure):
    _fields_ = [("source", c_void_p), ("columns", c_int), ("samples", c_int), ("result", c_void_p),
                ("result_columns", c_int), ("reached", c_float)]


class Pair(ctypes.Structure):
    _fields_ = [("layers", Layer * LAYERS), ("rows", c_int), ("result_rows", c_int),
                ("stride", c_size_t), ("noise", c_float)]


class Size(ctypes.Structure):
    _fields_ = [("columns", c_int), ("rows", c_int), ("step_x", c_int), ("step_y", c_int),
                ("threads", c_int), ("cost", c_double)]


fx.library.check({"ConvolveFftTile": Tile, "ConvolveFftPair": Pair, "ConvolveFftSize": Size})
fx.library.declare({
    "convolve_fft_fill_factors": (None, [c_void_p, c_int]),
    "convolve_fft_invert": (None, [c_void_p, c_int, c_void_p]),
    "convolve_fft_tile_convolve": (None, [POINTER(Tile), POINTER(Pair), c_void_p, c_void_p,
                                          c_void_p]),
    "convolve_fft_tile_count_points": (c_size_t, [c_int, c_int]),
    "convolve_fft_tile_get_spectrum": (None, [POINTER(Tile), POINTER(ConvolveMatrix), c_int,
                                              c_void_p, c_void_p, c_void_p]),
    "convolve_fft_transform": (None, [c_void_p, c_int, c_void_p]),
    "convolve_strategy_choose_size": (Size, [POINTER(ConvolvePlan), c_int, c_int, c_int,
                                             c_size_t]),
})


def make_points(n):
    """A point has the real parts of all lines, then the imaginary ones."""
    return np.zeros((n, 2, LINES))


def make_factors(n):
    factors = np.zeros(2 * n)
    fx.library.convolve_fft_fill_factors(factors.ctypes.data, n)
    return factors


@pytest.mark.parametrize("n", [m * 2 ** k for k in range(4, 12) for m in (1, 1.5)])
def test_lines(rng, n):
    """All frequencies are there, in an order of their own, and the inverse gives the points
    again."""
    n = int(n)
    factors, points = make_factors(n), rng.uniform(-1, 1, (n, 2, LINES))
    source = points.copy()
    fx.library.convolve_fft_transform(points.ctypes.data, n, factors.ctypes.data)
    expected = np.fft.fft(source[:, 0] + 1j * source[:, 1], axis=0)[::max(n // 16, 1)]
    got = points[:, 0] + 1j * points[:, 1]
    assert (np.abs(got[:, None] - expected).min(axis=0) < 1e-6 * n).all()
    fx.library.convolve_fft_invert(points.ctypes.data, n, factors.ctypes.data)
    assert np.abs(points / n - source).max() <= 1e-6


def convolve(samples, weights, columns, rows):
    """The results of both layers by a tile of so many columns and rows. Beside the tile's last ones
    there is room for the part that is not used."""
    results, (_, height, width) = np.zeros_like(samples), samples.shape
    points, spectrum = (
        make_points(fx.library.convolve_fft_tile_count_points(columns, rows)) for _ in range(2))
    scratch = make_points(rows)
    matrix = ConvolveMatrix(*weights.shape, weights=weights.ctypes.data_as(POINTER(c_float)))
    pair = Pair(rows=height, result_rows=height - len(weights) + 1, stride=width)
    sources = []
    for layer, source, result in zip(pair.layers, samples, results):
        sources.append((c_void_p * height)(*(row.ctypes.data for row in source)))
        layer.source, layer.columns = ctypes.addressof(sources[-1]), width
        layer.result = result.ctypes.data
        layer.result_columns = (width - weights.shape[1] + 1) // LINES * LINES
    along_x, along_y = make_factors(columns), make_factors(rows)
    tile = Tile(columns, rows, along_x.ctypes.data, along_y.ctypes.data)
    fx.library.convolve_fft_tile_get_spectrum(byref(tile), byref(matrix), 0,
                                              spectrum.ctypes.data, points.ctypes.data,
                                              scratch.ctypes.data)
    fx.library.convolve_fft_tile_convolve(byref(tile), byref(pair), spectrum.ctypes.data,
                                          points.ctypes.data, scratch.ctypes.data)
    return results


# Full tiles, and such that are 0 beyond some column and row.
@pytest.mark.parametrize("width,height,rows,columns,tile_columns,tile_rows", [
    (32, 16, 1, 1, 32, 16), (128, 190, 63, 63, 128, 256), (250, 201, 63, 3, 256, 256),
    (130, 17, 5, 99, 256, 32), (256, 255, 127, 127, 256, 256), (500, 382, 255, 255, 512, 512),
    (2048, 1150, 1023, 1023, 2048, 2048), (192, 190, 63, 63, 192, 192),
    (700, 382, 255, 255, 768, 384)])
def test_tiles(rng, width, height, rows, columns, tile_columns, tile_rows):
    weights = (rng.uniform(-0.3, 1, (rows, columns)) / (rows * columns)).astype(np.float32)
    samples = rng.random((LAYERS, height, width), np.float32)
    results = convolve(samples, weights, tile_columns, tile_rows)
    for n in range(64):
        layer, y = n % LAYERS, rng.integers(height - rows + 1)
        x = rng.integers((width - columns + 1) // LINES * LINES)
        part = samples[layer, y:y + rows, x:x + columns]
        expected = (weights.astype(float) * part).sum()
        off = abs(results[layer, y, x] - expected) / np.abs(weights).sum(dtype=float)
        assert off <= NOISE, f"{off:g} at {x},{y}"


# ---- memory ----


def check_size(plan, rows, threads, memory):
    """The threads' tiles keep to the limit, unless even one thread exceeds it."""
    size = fx.library.convolve_strategy_choose_size(plan, 6000, rows, threads, memory)
    points = fx.library.convolve_fft_tile_count_points(size.columns, size.rows)
    assert 1 <= size.threads <= threads
    assert size.threads == threads or memory
    assert size.threads == 1 or size.threads * points * POINT <= memory or not memory
    assert size.step_x > 0 and min(rows, 128) <= size.step_y <= rows


@pytest.mark.parametrize("format", [Format("u8", 3), Format("float", 4, False)])
@pytest.mark.parametrize("size", [21, 63, 201, 1023])
def test_memory(rng, size, format):
    plan = Plan(rng.random((size, size)), format)
    own = plan.own
    for threads, rows in itertools.product([1, 4, 16, 64, 256], [32, 128, 512]):
        for memory in [0, *(1 << shift for shift in range(20, 31, 2))]:
            check_size(own, rows, threads, memory)
    # A tile gives at least half as many rows as it has.
    rows = own.strategy.cpu.chunk_rows
    tile = fx.library.convolve_strategy_choose_size(own, 4096, rows, 1, 0)
    assert rows & (rows - 1) == 0 and rows >= 128 and 2 * tile.step_y >= tile.rows
