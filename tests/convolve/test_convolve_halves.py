"""Whole numbers on 8-bit data (convolve.h): results, and halves among them, against whole-number
arithmetic, in which halves round up."""

import numpy as np
import pytest

import fx
from convolve.reference import correlate
from convolve_case import ALL, convolve, pick
from formats import Format

# The largest divisor and sum of magnitudes for which convolve.h promises that halves round up, in
# general and for colour divided by alpha.
MOST, MOST_UNDER_ALPHA = 500, 250

CPU = fx.device == "cpu"


def make_sparse(rng, shape, taps, positive):
    """Whole numbers that are not 0 in at most so many places, the corners among them."""
    values = np.zeros(shape[0] * shape[1])
    places = (1 + np.arange(taps - 2) if taps >= values.size
              else rng.integers(values.size, size=taps - 2))
    values[0] = values[-1] = 1
    values[places] = rng.integers(0 if positive else -3, 4, taps - 2)
    return values.reshape(shape)


def make_product(rng, shape, positive):
    """Whole numbers that are one product of a column and a row."""
    column, row = np.ones(shape[0]), np.ones(shape[1])
    column[::2] = rng.integers(0 if positive else -1, 2, len(column[::2]))
    row[::3] = rng.integers(1 if positive else -2, 3, len(row[::3]))
    return np.outer(column, row)


def choose_divisor(rng, values, kind):
    """Even or odd, one that keeps results among the levels."""
    most = MOST_UNDER_ALPHA if kind == "divided" else MOST
    least = max(abs(int(values.sum())), int(np.abs(values).sum()) // 3)
    divisor = int(rng.integers(max(least // 4, 1), min(max(2 * least, 2), most) + 1))
    return -divisor if kind != "divided" and rng.integers(4) == 0 else divisor


def round_up(numerator, denominator):
    """The nearest level, halves up."""
    return np.clip((2 * numerator + denominator) // (2 * denominator), 0, 255)


def get_levels(pixels, values, divisor, offset):
    """The expected levels; offset: in levels, times 2 divisor."""
    planes = np.moveaxis(pixels.astype(float), 2, 0)
    sums = np.stack([correlate(plane, values, "clamp", 0.0) for plane in planes], 2)
    sign = -1 if divisor < 0 else 1
    return round_up(sign * (2 * np.rint(sums).astype(int) + offset), 2 * sign * divisor)


# For each kind: whether it has alpha, whether colour is divided by alpha, and whether the light is
# not the stored one, so that only alpha has whole numbers.
KINDS = {"opaque": (False, False, False), "straight": (True, False, False),
         "divided": (True, True, False), "linear": (True, False, True)}


def check(rng, shape, taps, path, kind):
    has_alpha, is_divided, is_linear = KINDS[kind]
    positive = is_divided or bool(rng.integers(2))
    values = make_sparse(rng, shape, taps, positive) if taps else make_product(rng, shape, positive)
    if np.abs(values).sum() > (MOST_UNDER_ALPHA if is_divided else MOST):
        return
    format = Format("u8", int(pick(rng, [2, 4])) if has_alpha else 3,
                    is_linear or bool(rng.integers(2)))
    divisor = choose_divisor(rng, values, kind)
    offset = int(rng.integers(-1, 2)) * divisor * 255 if rng.integers(2) else 0
    pixels = rng.integers(0, 256, (100, 150, format.channels)).astype(np.uint8)
    if is_divided:
        pixels[..., -1] = 255
    settings = {"divisor": divisor, "offset": offset / (510.0 * divisor), "channels": ALL,
                "alpha_weighting": "premultiplied" if is_divided else "straight",
                "light": "linear" if format.gamma == is_linear else "perceptual"}
    x, y, w, h = region = (40, 30, 40, 20) if max(shape) > 63 else (0, 0, 150, 100)
    result = convolve(pixels, format, values, region=region, choice=(path, 0, 0, 0), **settings)
    expected = get_levels(pixels, values, divisor, offset)[y:y + h, x:x + w]
    wrong = result != expected
    wrong[..., :-1] &= not is_linear
    for v, u, c in np.argwhere(wrong)[:1]:
        pytest.fail(f"{result[v, u, c]} at {x + u},{y + v} channel {c}, expected "
                    f"{expected[v, u, c]}, of {kind}, {format}, {settings}, values "
                    f"{values[values != 0.0].astype(int).tolist()} at "
                    f"{np.argwhere(values).tolist()}")


# By taps, by products, which have no number of taps, and by transforms.
@pytest.mark.parametrize("shape,taps,path", [
    ((3, 3), 9, "taps"), ((3, 3), 9, "fft"), ((5, 7), 35, "cheapest"), ((15, 15), 60, "taps"),
    ((15, 15), 225, "fft"), ((9, 11), 0, "cheapest"), ((15, 13), 0, "cheapest"),
    ((1, 63), 0, "cheapest"), ((31, 31), 250, "taps"), ((31, 31), 250, "fft"),
    ((63, 63), 64, "cheapest"), ((63, 63), 240, "fft"), ((127, 65), 200, "fft"),
    ((255, 255), 64, "fft"), ((1023, 1023), 99, "fft")])
@pytest.mark.parametrize("kind", KINDS)
def test_halves(rng, shape, taps, path, kind):
    """Programs of the GPU for large matrices take the stand-in for CUDA long, so it has the last
    kind."""
    if not CPU and max(shape) > 63 and kind != "linear":
        pytest.skip("takes long")
    for _ in range(8 if CPU else 1):
        check(rng, shape, taps, path, kind)
