"""The pyramid by itself (pyramid.h): its sizes, its averages, and the rows that are computed again
when the image changes."""

import ctypes
import itertools

import numpy as np
import pytest

import fx
from formats import SAMPLES, Format
from pixels import premultiply, unpremultiply

LEVELS = 25
SIZES = [(1, 1), (2, 1), (1, 2), (3, 3), (5, 7), (64, 64), (513, 3), (1030, 131)]
STEPS = {"u8": 0.51 / 255, "u16": 0.51 / 65535, "half": 2.0 ** -11}  # what rounding may change


class Pyramid:
    """Over pixels, which may be changed in place; then call change."""

    def __init__(self, pixels, format):
        self.pixels, self.format = pixels, format
        self.team = fx.library.fx_team_new(3)
        self.handle = fx.library.fx_pyramid_new(
            ctypes.byref(fx.store_format(format)), pixels.shape[1], pixels.shape[0],
            pixels.ctypes.data, self.team)

    def __del__(self):
        fx.library.fx_pyramid_free(self.handle)
        fx.library.fx_team_free(self.team)

    def change(self, y, rows):
        fx.library.fx_pyramid_change(self.handle, y, rows)

    def get_size(self, level):
        width, height = ctypes.c_int(), ctypes.c_int()
        fx.library.fx_pyramid_get_size(self.handle, level, ctypes.byref(width),
                                       ctypes.byref(height))
        return height.value, width.value

    def get(self, level, y=0, rows=None, last=0):
        """A copy of a level of which these rows are up to date, and how often the caller was asked
        whether to go on. At call number last it says no, and gets None."""
        calls = []

        def step(data, error):
            calls.append(data)
            return len(calls) != last

        size = self.get_size(level)
        at = fx.library.fx_pyramid_get(self.handle, level, y, size[0] if rows is None else rows,
                                       fx.STEP(step), None, None)
        if not at:
            return None, len(calls)
        bytes = ctypes.string_at(at, size[0] * size[1] * self.format.size)
        return np.frombuffer(bytes, self.format.dtype).reshape(*size, -1), len(calls)


def make_image(rng, format, width, height):
    return format.encode(rng.uniform(0.05, 1.0, (height, width, format.channels)))


@pytest.mark.parametrize("width,height", SIZES)
def test_sizes(width, height):
    pyramid = Pyramid(np.zeros((height, width, 1), np.uint8), Format("u8", 1))
    for level in range(LEVELS):
        assert pyramid.get_size(level) == (-(-height >> level), -(-width >> level))
    fx.library.fx_pyramid_free(None)


def halve(pixels):
    """The means of 2 x 2 pixels, or of those that there are."""
    for axis in (0, 1):
        starts = np.arange(0, pixels.shape[axis], 2)
        sums = np.add.reduceat(pixels, starts, axis)
        counts = np.diff(np.append(starts, pixels.shape[axis]))
        pixels = sums / counts.reshape((-1, 1, 1) if axis == 0 else (-1, 1))
    return pixels


@pytest.mark.parametrize("size,gamma,channels,sample", itertools.product(
    SIZES, [False, True], [1, 2, 3, 4], SAMPLES))
def test_levels(rng, size, gamma, channels, sample):
    """Each from the one before as it is stored: rounding does not add up."""
    format = Format(sample, channels, gamma)
    pyramid = Pyramid(make_image(rng, format, *size), format)
    from_level, _ = pyramid.get(0)
    assert (from_level == pyramid.pixels).all()
    for level in range(1, 6):
        got, _ = pyramid.get(level)
        pixels = premultiply(format, "linear", format.decode(from_level))
        expected = unpremultiply(format, "linear", halve(pixels))
        errors = np.abs(format.decode(got) - expected)
        assert errors.max() <= STEPS.get(sample, 3e-6) + 2e-6, f"level {level}"
        from_level = got


def test_transparent():
    """The colour of transparent pixels does not count; if all are transparent, the mean is
    black."""
    image = np.array([[[200, 100, 50, 255], [9, 255, 9, 0], [1, 2, 3, 0], [0, 0, 0, 0]]], np.uint8)
    level, _ = Pyramid(image, Format()).get(1)
    assert level.tolist() == [[[200, 100, 50, 128], [0, 0, 0, 0]]]


@pytest.mark.parametrize("n", range(30))
def test_change(rng, n):
    """Changed rows alone are computed again, and of these only those that are asked for."""
    format = Format("u8", 3)
    pyramid = Pyramid(make_image(rng, format, 333, 1001), format)
    level, y = int(rng.integers(1, 7)), int(rng.integers(0, 1001))
    rows = int(rng.integers(1, 1002 - y))
    pyramid.get(level)
    pyramid.pixels[y:y + rows] ^= rng.integers(0, 8, (rows, 333, 3), np.uint8)
    pyramid.change(y, rows)
    pyramid.get(level, pyramid.get_size(level)[0] - 1, 1)
    changed, _ = pyramid.get(level)
    assert (changed == Pyramid(pyramid.pixels, format).get(level)[0]).all()
    assert pyramid.get(level)[1] == 0


def test_part(rng):
    """Rows are made when they are asked for, and not again."""
    format = Format("u8", 1, False)
    pyramid = Pyramid(make_image(rng, format, 64, 1024), format)
    first = pyramid.get(3, 10, 4)[0][10:14]
    pyramid.pixels[:] = 0  # and nobody is told
    level, _ = pyramid.get(3, 8, 120)
    assert (level[10:14] == first).all()
    assert not level[8:10].any() and not level[14:].any()


def test_cancel(rng):
    """Each call can be the last one; the next request ends what was begun."""
    format = Format("u16", 2)
    image = make_image(rng, format, 50, 700)
    expected, calls = Pyramid(image, format).get(2)
    assert calls > 5
    for last in range(1, calls + 1):
        pyramid = Pyramid(image, format)
        assert pyramid.get(2, last=last) == (None, last)
        assert (pyramid.get(2)[0] == expected).all()
