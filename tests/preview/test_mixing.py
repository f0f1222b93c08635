"""The mixture of pixels before and after the filter (mix.h), as in a view and in GIMP."""

import ctypes
import itertools

import numpy as np
import pytest

import fx
from formats import SAMPLES, Format
from pixels import get_bits, mix as expect_mix, premultiply

N = 64 * 64


def make_pixels(rng, format):
    """A quarter of them are transparent."""
    values = rng.random((N, format.channels))
    if format.has_alpha:
        values[:, -1] = np.clip(1.3 * values[:, -1] - 0.3, 0.0, 1.0)
    return format.encode(values)


def get_bytes(pixels):
    return np.ascontiguousarray(pixels).view(np.uint8).reshape(len(pixels), -1)


@pytest.mark.parametrize("sample,channels,gamma,coverage", [
    row for row in itertools.product(SAMPLES, [1, 2, 3, 4], [False, True], [False, True])
    if row[1] == 1 or not row[3]])
def test_mix(rng, sample, channels, gamma, coverage):
    """If the mask is all or nothing, they agree to the bit; otherwise within a level or 5e-5."""
    format = Format(sample, channels, gamma)
    before, after = make_pixels(rng, format), make_pixels(rng, format)
    mask = np.clip(rng.integers(-100, 356, N), 0, 255).astype(np.uint8)
    mixed = after.copy()
    fx.library.fx_mix(ctypes.byref(fx.store_format(format)), coverage, before.ctypes.data,
                      mixed.ctypes.data, mask.ctypes.data, N)
    for share, source in [(0, before), (255, after)]:
        assert (get_bytes(mixed)[mask == share] == get_bytes(source)[mask == share]).all()
    values, between = Format(sample, channels, gamma and not coverage), (mask > 0) & (mask < 255)
    light = [premultiply(values, "linear", format.decode(pixels))
             for pixels in (before, after, mixed)]
    errors = np.abs(light[2] - expect_mix(light[0], light[1], mask))[between]
    assert errors.max() <= {"u8": 0.01, "half": 2e-3}.get(sample, 5e-5)


@pytest.mark.parametrize("sample,channels", itertools.product(SAMPLES, [1, 2, 3, 4]))
def test_keep(rng, sample, channels):
    """To the bit; all of a pixel that became transparent."""
    format = Format(sample, channels)
    before, after = make_pixels(rng, format), make_pixels(rng, format)
    gone = after[:, -1:] == 0 if format.has_alpha else np.zeros((N, 1), bool)
    for locked in range(16):
        got = after.copy()
        fx.library.fx_restore_channels(ctypes.byref(fx.store_format(format)), locked,
                                       before.ctypes.data, got.ctypes.data, N)
        kept = gone | get_bits(format, locked)
        assert (get_bytes(got) == get_bytes(np.where(kept, before, after))).all(), f"{locked:x}"


@pytest.mark.parametrize("sample,gamma", itertools.product(SAMPLES, [False, True]))
def test_mask_convert(sample, gamma):
    format, mask = Format(sample, 1, gamma), np.zeros(1000, np.uint8)
    samples = format.encode(np.linspace(-0.1, 1.1, 1000))
    fx.library.fx_mask_convert(ctypes.byref(fx.store_format(format)), samples.ctypes.data,
                               mask.ctypes.data, 1000)
    assert np.abs(mask - 255.0 * np.clip(format.decode(samples), 0.0, 1.0)).max() < 0.501
