"""The median blur's contract (cuda/median/include/median.h): all samples by the definition."""

import itertools

import numpy as np
import pytest

import fx
import pictures
from cases import pick, pick_region
from formats import CURVES, SAMPLES, Format
from median.reference import median as expect_median
from pairs import make_pairs

SHAPES, ABYSSES = ["square", "circle", "diamond"], ["clamp", "none"]
FORMATS = [Format(sample, channels, gamma) for (sample, gamma), channels in zip(
    itertools.product(SAMPLES, [True, False]), itertools.cycle([4, 3, 1, 2, 4]))]
U8, U16, FLOAT, LINEAR = Format("u8", 4), Format("u16", 4), Format("float", 4), Format(
    "float", 4, False)
WIDE = [U8, U16, Format("u32", 2), Format("half", 4), FLOAT, Format("double", 2)]


def make(rng, format, picture, size):
    if picture not in pictures.get_names(format):
        picture = "random"
    return pictures.make(picture, format, *size, int(rng.integers(1 << 32)))


def check(format, pixels, region=None, **settings):
    result = fx.run("median-blur", pixels, format, region=region, **settings)
    expected = expect_median(format, pixels, region, **settings)
    if result.tobytes() != expected.tobytes():
        y, x, channel = np.argwhere(result.view(f"u{result.itemsize}")
                                    != expected.view(f"u{result.itemsize}"))[0]
        raise AssertionError(
            f"{result[y, x, channel]} at {x},{y} channel {channel}, expected "
            f"{expected[y, x, channel]}, in a picture of {pixels.shape}, {format}, {settings}")
    return result


def pick_settings(rng, **settings):
    return dict(neighborhood=pick(rng, SHAPES), radius=int(rng.integers(1, 6) * pick(rng, [1, -1])),
                percentile=pick(rng, [0.0, 30.0, 50.0, 100.0, rng.uniform(0, 100)]),
                alpha_percentile=pick(rng, [0.0, 70.0, 50.0, 100.0, rng.uniform(0, 100)]),
                abyss=pick(rng, ABYSSES)) | settings


# ---- formats, windows, ranks ----


@pytest.mark.sanitized
@pytest.mark.parametrize("format,shape,abyss", make_pairs(FORMATS, SHAPES, ABYSSES))
def test_formats(rng, format, shape, abyss):
    for picture, size in ("random", (47, 29)), ("holes", (31, 20)), ("HDR", (20, 23)):
        check(format, make(rng, format, picture, size),
              **pick_settings(rng, neighborhood=shape, abyss=abyss))


@pytest.mark.parametrize("radius,shape", itertools.product([1, 2, 4, 8, 9, 10, 15, 40], SHAPES))
def test_radii(rng, radius, shape):
    """Windows of all sizes, also larger than the picture: bytes have three ways to go."""
    formats = U8, Format("u8", 3), U16, FLOAT
    for format, picture in itertools.product(formats, ["random", "holes"]):
        size = (70, 30) if radius < 9 else (23, 17)
        check(format, make(rng, format, picture, size),
              **pick_settings(rng, neighborhood=shape, radius=radius))


@pytest.mark.sanitized
@pytest.mark.parametrize("format", [Format(s, c, g) for s in SAMPLES for c, g in (
    (4, True), (4, False), (1, True), (1, False))])
def test_threshold(rng, format):
    """A pixel changes if one of its colours does by more than the threshold."""
    for threshold in 1 / 255, 0.03, 0.2, rng.uniform(0, 1), 1.0:
        for coverage in {False, format.channels == 1 and not format.gamma}:
            check(format, make(rng, format, "random", (37, 23)), threshold=threshold,
                  coverage=coverage, **pick_settings(rng, radius=2))
