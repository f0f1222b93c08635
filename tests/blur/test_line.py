"""The filters of lines by themselves (line.h, rows.h), held to plain sums in double precision."""

import ctypes
from ctypes import CFUNCTYPE, POINTER, c_float, c_int, c_size_t, c_void_p
from math import ceil

import numpy as np
import pytest

import fx
from blur_axis import REACH_MAX, Axis, Multires

COLUMN = 64
GUARD = np.float32(12345)


class Fir(ctypes.Structure):
    _fields_ = [("convolve_column", CFUNCTYPE(None, c_void_p, c_void_p, c_int, c_int, c_void_p,
                                              c_size_t)),
                ("convolve_row", CFUNCTYPE(None, c_void_p, c_int, c_void_p, c_int, c_size_t,
                                           c_void_p, c_size_t))]


fx.library.declare({
    "blur_line_filter": (None, [c_void_p, c_float, c_float, c_void_p]),
    "blur_line_get_bytes": (c_size_t, [POINTER(Axis), fx.Span]),
    "blur_line_get_source": (POINTER(c_float), [c_void_p]),
    "blur_line_init": (c_void_p, [c_void_p, POINTER(Axis), fx.Span, fx.Span]),
    "door_get_vector_unit": (c_int, []),
    "fx_deinterleave": (None, [c_void_p, c_int, c_int, c_void_p * 4]),
    "fx_fir_get": (POINTER(Fir), [c_int]),
    "fx_interleave": (None, [c_void_p * 4, c_int, c_int, c_void_p]),
    "fx_row_accumulate": (None, [c_void_p, c_float, c_size_t, c_void_p]),
    "fx_rows_combine": (None, [POINTER(c_void_p), c_void_p, c_int, c_size_t, c_void_p]),
    "fx_rows_restore_infinities": (None, [c_void_p, c_size_t, c_int, c_size_t, c_void_p]),
})
FIRS = [fx.library.fx_fir_get(unit).contents  # of each kind of vector unit that is here
        for unit in range(fx.library.door_get_vector_unit() + 1)]


# ---- lines ----


class Source:
    """A line of the image, and the values beyond its ends."""

    def __init__(self, rng, first, count):
        self.first, self.samples = first, rng.random(count, np.float32)
        self.left, self.right = rng.random(2, np.float32)

    def get(self, first, end):
        """The samples from place first to end - 1, as if the line went on beyond its ends."""
        places = np.arange(first, end) - self.first
        inside = self.samples[np.clip(places, 0, len(self.samples) - 1)].astype(float)
        return np.where(places < 0, self.left,
                        np.where(places >= len(self.samples), self.right, inside))

    def choose_part(self, rng):
        """Places of results: first and end. Often all of the line."""
        end = self.first + len(self.samples)
        if rng.integers(3) == 0:
            return self.first, end
        first = int(rng.integers(self.first, end))
        return first, int(rng.integers(first, end)) + 1

    def filter(self, axis, first, end):
        """The results there. Twice: a line serves many rows."""
        count = len(self.samples)
        room = -(-(end - first) // 64) * 64
        out = np.full(room + 1, GUARD)
        source = fx.Span(self.first, count)
        memory = np.full(fx.library.blur_line_get_bytes(axis, source) // 4, GUARD)
        line = fx.library.blur_line_init(memory.ctypes.data, axis, source,
                                         fx.Span(first, end - first))
        buffer = np.ctypeslib.as_array(fx.library.blur_line_get_source(line), (count,))
        for samples, left, right in ((7, -3, 11), (self.samples, self.left, self.right)):
            buffer[:] = samples
            fx.library.blur_line_filter(line, left, right, out.ctypes.data)
        assert out[room] == GUARD
        return out[:end - first]


COUNTS = [1, 2, 63, 64, 65, 200, 511]


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("radius", [0, 1, 2, 20, 63, 64, 127, 128, 129, 300])
def test_fir(rng, radius, count):
    """Radii around those at which the sum is cut into slabs, and beyond the line."""
    for _ in range(4):
        weights = rng.uniform(-1, 1, radius + 1).astype(np.float32) / np.float32(2 * radius + 1)
        axis = Axis(reach=radius, radius=radius, weights=weights.ctypes.data_as(POINTER(c_float)))
        source = Source(rng, int(rng.integers(-40, 1000)), count)
        first, end = source.choose_part(rng)
        kernel = np.concatenate([weights[:0:-1], weights]).astype(float)
        expected = np.convolve(source.get(first - radius, end + radius), kernel, "valid")
        assert np.abs(source.filter(axis, first, end) - expected).max() <= 1e-6


def blur_at(source, sigma, place):
    """The Gaussian there, straight from its definition."""
    radius = ceil(9 * sigma)
    weights = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    return weights @ source.get(place - radius, place + radius + 1) / weights.sum()


@pytest.mark.parametrize("ratio,bound", [(2.0, 9e-6), (2.65, 2e-6), (3.0, 2e-6), (4.0, 2e-6)])
@pytest.mark.parametrize("sigma", [4.0, 5.3, 8.0, 12.0, 42.4, 130.0, 400.0, 2000.0])
def test_multires(rng, sigma, ratio, bound):
    """One stage to four, of lines shorter and longer than what they reach. The bounds are those of
    multires.c, and what single precision adds."""
    axis = Multires(sigma, ratio)
    for count in COUNTS if axis.n_stages else []:
        source = Source(rng, int(rng.integers(-40, 1000)), count)
        first, end = source.choose_part(rng)
        result = source.filter(axis, first, end)
        for place in range(first, end, 1 + (end - first) // 9):
            assert abs(result[place - first] - blur_at(source, sigma, place)) <= bound


@pytest.mark.parametrize("infinity", [np.inf, -np.inf])
@pytest.mark.parametrize("sigma", [4, 8, 16, 32, 64])
def test_infinite(rng, sigma, infinity):
    """What one infinity reaches is infinite, of its sign, and nothing is NaN."""
    source, axis = Source(rng, 0, 600), Multires(sigma, 2)
    source.samples[300] = infinity
    out = source.filter(axis, 0, 600)
    distances = np.abs(np.arange(600) - 300)
    assert (out[~np.isfinite(out)] == infinity).all()
    assert (distances[np.isfinite(out)] > 4 * sigma).all()
    assert np.isfinite(out[distances > REACH_MAX * sigma]).all()


# ---- rows and columns ----


def make_noise(rng, *shape):
    return rng.uniform(-1, 1, shape).astype(np.float32)


def combine(weights, rows):
    """The sum of rows times their weights."""
    return weights.astype(float) @ np.array(rows, float).reshape(len(weights), -1)


def check_sum(results, expected, taps):
    assert np.abs(results.reshape(-1) - expected.reshape(-1)).max() <= 1e-6 * taps


TAPS = [1, 2, 3, 4, 5, 31, 127, 128, 129, 300]


@pytest.mark.parametrize("fir", FIRS)
@pytest.mark.parametrize("taps", TAPS)
def test_column(rng, fir, taps):
    """Fewer and more rows than a tile has, and taps than it has rows."""
    for count in range(1, 10):
        weights, source = make_noise(rng, taps), make_noise(rng, count + taps - 1, COLUMN)
        out = np.full((count + 1, COLUMN), GUARD)
        fir.convolve_column(source.ctypes.data, weights.ctypes.data, taps, count, out.ctypes.data,
                            COLUMN)
        assert (out[count] == GUARD).all()
        check_sum(out[:count], combine(weights, [source[k:k + count] for k in range(taps)]), taps)


@pytest.mark.parametrize("fir", FIRS)
@pytest.mark.parametrize("taps,step", [(taps, step) for taps in TAPS for step in (1, 2, 4)])
def test_row(rng, fir, taps, step):
    """Fewer and more taps than neighbouring sums share, into blocks that lie apart."""
    n, apart = 256, 3
    weights, source = make_noise(rng, taps), make_noise(rng, n + (taps - 1) * step)
    out = np.full((n // COLUMN, apart, COLUMN), GUARD)
    fir.convolve_row(source.ctypes.data, step, weights.ctypes.data, taps, n, out.ctypes.data,
                     apart * COLUMN)
    assert (out[:, 1:] == GUARD).all()
    expected = combine(weights, [source[k * step:][:n] for k in range(taps)])
    check_sum(out[:, 0], expected, taps)


@pytest.mark.parametrize("n", [64, 128, 192])
@pytest.mark.parametrize("taps", TAPS)
def test_rows(rng, n, taps):
    weights, rows = make_noise(rng, taps), make_noise(rng, taps, n)[::-1]
    out, total = make_noise(rng, n), np.zeros(n, np.float32)
    fx.library.fx_rows_combine((c_void_p * taps)(*(row.ctypes.data for row in rows)),
                               weights.ctypes.data, taps, n, out.ctypes.data)
    for row, weight in zip(rows, weights):
        fx.library.fx_row_accumulate(row.ctypes.data, weight, n, total.ctypes.data)
    for results in (out, total):
        check_sum(results, combine(weights, rows), taps)


@pytest.mark.parametrize("n", range(1, 38, 9))
@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_interleave(rng, channels, n):
    step = 4 if channels == 3 else channels
    planes, again = make_noise(rng, channels, n), make_noise(rng, channels, n)
    pixels = np.full(n * step + 1, GUARD)

    def point(rows):
        return (c_void_p * 4)(*(row.ctypes.data for row in rows))

    fx.library.fx_interleave(point(planes), channels, n, pixels.ctypes.data)
    assert pixels[-1] == GUARD
    expected = planes[np.minimum(range(step), channels - 1)].T
    assert (pixels[:-1].reshape(n, step) == expected).all()
    fx.library.fx_deinterleave(pixels.ctypes.data, channels, n, point(again))
    assert (again == planes).all()


def test_infinities():
    """Sums that are not finite become the sum of the infinities in reach; finite ones stay, and so
    does one of finite samples that are too large."""
    n, taps, stride = 40, 5, 3
    source, out = np.zeros(n + (taps - 1) * stride, np.float32), np.full(n, np.nan, np.float32)
    source[[20, 30]] = np.inf, -np.inf
    out[:2] = 2, np.inf
    fx.library.fx_rows_restore_infinities(source.ctypes.data, stride, taps, n, out.ctypes.data)
    assert out[0] == 2 and out[1] == np.inf
    for i in range(2, n):
        with np.errstate(invalid="ignore"):
            reached = source[i:i + taps * stride:stride].sum()
        expected = reached if np.isinf(reached) else np.nan
        np.testing.assert_equal(out[i], np.float32(expected))
