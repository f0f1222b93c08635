"""The median blur's contract (cuda/median/include/median.h): all samples by the definition."""

import ctypes
import itertools
import sys

import numpy as np
import pytest

import fx
import pictures
from cases import pick, pick_region
from formats import CURVES, SAMPLES, Format
from judge import judge
from median.reference import median as expect_median
from median.reference import weigh
from pairs import make_pairs
from pictures import draw
from pixels import premultiply, reduce, unpremultiply

SHAPES, ABYSSES = ["square", "circle", "diamond"], ["clamp", "none"]
FORMATS = [Format(sample, channels, gamma) for (sample, gamma), channels in zip(
    itertools.product(SAMPLES, [True, False]), itertools.cycle([4, 3, 1, 2, 4]))]
U8, U16, FLOAT, LINEAR = Format("u8", 4), Format("u16", 4), Format("float", 4), Format(
    "float", 4, False)
WIDE = [U8, U16, Format("u32", 2), Format("half", 4), FLOAT, Format("double", 2)]


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
        check(format, draw(rng, format, picture, size),
              **pick_settings(rng, neighborhood=shape, abyss=abyss))


@pytest.mark.parametrize("radius", [1, 2, 4, 7, 8, 9, 10, 11, 40])
@pytest.mark.parametrize("shape", SHAPES)
def test_radii(rng, radius, shape):
    """Windows of all sizes, also larger than the picture: bytes have three ways to go."""
    formats = U8, Format("u8", 3), U16, FLOAT
    for format, picture in itertools.product(formats, ["random", "holes"]):
        size = (70, 30) if radius < 5 else (23, 17) if radius < 40 else (9, 14)
        check(format, draw(rng, format, picture, size),
              **pick_settings(rng, neighborhood=shape, radius=radius))


@pytest.mark.sanitized
@pytest.mark.parametrize("format", [Format(s, c, g) for s in SAMPLES for c, g in (
    (4, True), (4, False), (1, True), (1, False))])
def test_threshold(rng, format):
    """A pixel changes if one of its colours does by more than the threshold."""
    for threshold in 1 / 255, 0.03, 0.2, rng.uniform(0, 1), 1.0:
        for coverage in {False, format.channels == 1 and not format.gamma}:
            check(format, draw(rng, format, "random", (37, 23)), threshold=threshold,
                  coverage=coverage, **pick_settings(rng, radius=2))


@pytest.mark.parametrize("trc", CURVES)
def test_curves(rng, trc):
    """The picture's own curve is that of the values which a threshold compares."""
    for format in Format("u16", 4, False, trc), Format("float", 1, False, trc):
        check(format, draw(rng, format, "random", (31, 23)), radius=3, threshold=0.15)


@pytest.mark.parametrize("format", [U8, Format("u8", 1), U16, FLOAT])
def test_percentiles(rng, format):
    """Also where they fall between two ranks, or on one: their product is in double precision."""
    pixels = draw(rng, format, "random", (29, 23))
    for percentile in 0.0, 1e-9, 1 / 37, 10.0, 33.3, 70.0, 99.999, 100.0:
        for radius in 3, -3:
            check(format, pixels, radius=radius, percentile=percentile,
                  alpha_percentile=100.0 - percentile)


def test_ties(rng):
    """Few values, of which a window has many, in columns as wide as blocks and wider."""
    for format, size in [(U8, (150, 70)), (Format("u16", 2), (131, 9)),
                         (Format("half", 1), (3, 140))]:
        pixels = format.encode(rng.integers(0, 3, (*size[::-1], format.channels)) / 2)
        check(format, pixels, **pick_settings(rng, abyss="clamp", radius=4))
        check(format, pixels, **pick_settings(rng, abyss="none", radius=-9))


@pytest.mark.parametrize("format", WIDE)
def test_flat(rng, format):
    """An even picture stays as it is, but for what is beyond its edge; so do parts of it."""
    values = rng.random(format.channels)
    for alpha in 0.0, 0.3, 1.0:
        values[-1] = alpha if format.has_alpha else values[-1]
        pixels = np.tile(format.encode(values), (20, 140, 1))
        result = check(format, pixels, radius=10)
        assert (result[..., :format.colors] == pixels[..., :format.colors]).all() == (alpha > 0.0)
        check(format, pixels, radius=10, abyss="none", percentile=20.0)
        pixels[5, 131] = 0
        check(format, pixels, (110, 0, 30, 20), radius=10, percentile=0.1)
        pixels[7:] = format.encode(rng.random(format.channels))
        check(format, pixels, (0, 0, 30, 20), radius=10)


@pytest.mark.parametrize("format", [Format(s, c) for s in SAMPLES for c in (2, 4)])
def test_weights(rng, format):
    """Alpha as it is next to where its weight changes, and alike in all of a block."""
    steps = np.arange(1025) / 1024 + rng.choice([-1, 1], 1025) / 2048
    pixels = format.encode(rng.random((25, 41, format.channels)))
    near = format.encode(steps[:, None]).reshape(25, 41)
    if not format.is_integer:
        near = np.nextafter(near, format.dtype(pick(rng, [-9, 9])))
    pixels[..., -1] = near
    check(format, pixels, radius=1)
    for alpha in 1 / 255, 0.4, 1 / 3000:
        pixels[..., -1:] = format.encode(np.full((25, 41, 1), alpha))
        for percentile in 0.0, 37.0, 100.0, *find_close(21, weigh(format, pixels[0, 0, -1:])[0]):
            check(format, pixels, (0, 0, 9, 4), radius=2, percentile=percentile)


def find_close(size, weight):
    """Percentiles between two ranks of so many pixels, where their weight decides how the product
    is rounded."""
    for k in range(1, size if weight else 0):
        share = 100 * k / size / 100
        if np.ceil(size * share) != np.ceil(np.ceil(size * weight * share) / weight):
            yield 100 * k / size


# ---- what is no number between 0 and 1 ----


@pytest.mark.sanitized
@pytest.mark.parametrize("format", [Format(s, c, g) for s in ("half", "float", "double")
                                    for c, g in ((1, False), (4, True), (4, False))])
def test_infinities(rng, format):
    """NaN counts as infinity, whatever its sign and in alpha, too, where it has no weight; so do
    values beyond 0 and 1, and -0 is less than 0."""
    special = np.array([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 2.5, -1.5], format.dtype)
    for share in 0.05, 0.5:
        pixels = draw(rng, format, "random", (43, 29))
        there = rng.random(pixels.shape) < share
        pixels[there] = rng.choice(special, np.count_nonzero(there))
        for threshold in 0.0, 0.1:
            result = check(format, pixels, **pick_settings(rng, threshold=threshold))
            assert not np.isnan(result).any()


# ---- places: regions, strips, views ----


@pytest.mark.sanitized
@pytest.mark.parametrize("format,shape,abyss", make_pairs(WIDE, SHAPES, ABYSSES))
def test_regions(rng, monkeypatch, format, shape, abyss):
    """A pixel is the same to the last bit whatever region is asked for, in bands and in strips."""
    pixels = draw(rng, format, "holes", (150, 80))
    settings = pick_settings(rng, neighborhood=shape, radius=5, abyss=abyss, threshold=0.1)
    whole = check(format, pixels, **settings)
    for memory, band_rows in ("", 16), ("1M", 0):
        monkeypatch.setenv("CUDA_BLUR_MEMORY_LIMIT", memory)
        for x, y, w, h in (0, 0, 150, 80), (149, 3, 1, 77), pick_region(rng, 150, 80):
            part = fx.run("median-blur", pixels, format, region=(x, y, w, h), band_rows=band_rows,
                          **settings)
            assert part.tobytes() == whole[y:y + h, x:x + w].tobytes()


@pytest.mark.parametrize("size", [(1, 1), (1, 30), (30, 1), (5, 4)])
def test_small_pictures(rng, size):
    for format, radius in itertools.product([U8, U16, FLOAT], [1, 7, 30]):
        check(format, draw(rng, format, "random", size), **pick_settings(rng, radius=radius))


@pytest.mark.parametrize("format", [U8, FLOAT])
def test_largest(format):
    """The largest window has more pixels than 16 bits have codes, and its weights still add up."""
    pixels = pictures.make("random", format, 9, 3, 5)
    for settings in {}, {"neighborhood": "square", "abyss": "none", "percentile": 97.0}:
        check(format, pixels, region=(4, 1, 2, 1), radius=400, **settings)


@pytest.mark.parametrize("radius", [8, 9])
def test_one_colour(rng, radius):
    """The weight of one colour alone exceeds 16 bits, or nearly does."""
    pixels = np.full((25, 31, 4), 255, np.uint8)
    pixels[rng.integers(0, 8, (25, 31)) == 0, :3] = 7
    check(U8, pixels, radius=radius)


@pytest.mark.sanitized
@pytest.mark.skipif(not hasattr(fx.library.shared, "stand_in_launch_limit"),
                    reason="only the stand-in's launches can be made short")
@pytest.mark.parametrize("limit", [1.0, 3e5])
@pytest.mark.parametrize("format,radius", [
    (U8, 2), (U8, 11), (Format("u8", 3), -11), (U16, 3), (FLOAT, 2), (Format("double", 1), 2)])
def test_short_launches(rng, format, radius, limit):
    """Counters go on from one launch to the next, and so do digits; the least launch is a step."""
    pixels = draw(rng, format, "holes", (41, 37))
    most = ctypes.c_double.in_dll(fx.library.shared, "stand_in_launch_limit")
    most.value = limit
    try:
        check(format, pixels, radius=radius, percentile=40.0)
    finally:
        most.value = sys.float_info.max


@pytest.mark.parametrize("scale", [1, 0.4, 2])
def test_views(rng, scale):
    """A view shows the filter at full size, reduced."""
    pixels, rect = draw(rng, U8, "holes", (80, 50)), (5, 3, 22, 16)
    whole = U8.decode(expect_median(U8, pixels, radius=4))
    expected = reduce(premultiply(U8, "linear", whole), scale, rect)
    result = fx.Preview(pixels, U8).render("median-blur", rect, scale=scale, radius=4)
    judge(f"a view at {scale}", U8, unpremultiply(U8, "linear", expected), result, 1.0)


def test_drafts():
    """A draft has a smaller window at the view's scale, and is the same way up."""
    for radius in 24, -24:
        plan = fx.Plan(fx.Settings("median-blur", radius=radius, threshold=0.1), LINEAR)
        assert [plan.get_draft(n).reach for n in range(6)] == [
            (n,) * 4 for n in (24, 12, 6, 3, 2, 1)]


# ---- settings ----


def test_identity(rng):
    """A radius of 0 leaves each byte, NaN and what is transparent among them."""
    for n, sample in enumerate(SAMPLES):
        format = Format(sample, 1 + n % 4)
        pixels = draw(rng, format, "holes", (41, 23))
        if not format.is_integer:
            pixels[3, 5] = np.nan
        assert fx.Plan(fx.Settings("median-blur", radius=0), format).is_identity
        result = fx.run("median-blur", pixels, format, radius=0, percentile=7)
        assert result.tobytes() == pixels.tobytes()


@pytest.mark.parametrize("settings", [{"radius": 401}, {"radius": -401}, {"percentile": 100.1},
                                      {"alpha_percentile": -0.1}, {"threshold": np.nan}])
def test_refused(settings):
    with pytest.raises(fx.Error) as error:
        fx.Settings("median-blur", **settings)
    assert error.value.code == "argument"
