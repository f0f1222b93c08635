"""The focus blur's contract (cuda/focus/include/focus.h): shapes, strengths, formats, abysses and
places against the definition in double precision."""

import itertools

import numpy as np
import pytest

import fx
import pictures
import place_case
from blur.reference import blur as expect_blur
from blur.test_blur_nonfinite import Poke, find_faults, get_reached
from cases import ABYSSES
from focus.reference import SHAPES, SIGMA_MIN, focus, get_shares
from formats import SAMPLES, Format
from judge import get_range, judge, measure
from pairs import make_pairs

FORMATS = [*place_case.FORMATS, (Format("u8", 1), "linear"), (Format("float", 2), "perceptual")]
FLOAT = Format("float", 4, False)

# From pixels that stay to several levels.
SETTINGS = [
    {"blur_radius": 2},
    {"blur_radius": 7.3, "shape": "square", "x": 0.3, "rotation": 30},
    {"blur_radius": 30, "shape": "diamond", "aspect_ratio": 0.4, "midpoint": 0.3, "focus": 0},
    {"blur_radius": 12, "shape": "horizontal", "rotation": -100, "focus": 0.5, "radius": 0.4},
    {"blur_radius": 60, "shape": "vertical", "y": -0.2, "x": 1.4, "midpoint": 0.8},
]
SHAPE = ("shape", "x", "y", "radius", "focus", "midpoint", "aspect_ratio", "rotation")


def split(settings):
    """The settings of the shape, and the others."""
    return ({name: value for name, value in settings.items() if name in SHAPE},
            {name: value for name, value in settings.items() if name not in SHAPE})


def check(rng, format, picture, size, region=None, light="linear", geometry=None, **settings):
    """Blurs a picture, and holds the result to the contract. geometry counts from the picture's
    first pixel."""
    if picture not in pictures.get_names(format):
        picture = "random"
    seed = int(rng.integers(1 << 32))
    setting = f"picture \"{picture}\" of {size} with seed {seed}, {format}, {region}, {settings}"
    pixels = pictures.make(picture, format, *size, seed)
    options = {"geometry": geometry} if geometry else {}
    result = fx.run("focus-blur", pixels, format, region=region, light=light, **options, **settings)
    values = format.decode(pixels)
    shape, others = split(settings)
    shares = get_shares(*size, geometry, **shape)
    expected = focus(format, values, shares, region, light=light, **others)
    judge(setting, format, expected, result, get_range(values), light)


# ---- formats, abysses, shapes ----


@pytest.mark.sanitized
@pytest.mark.parametrize("format,abyss,settings", make_pairs(FORMATS, ABYSSES, SETTINGS))
def test_formats(rng, format, abyss, settings):
    for picture, size in ("random", (67, 49)), ("holes", (33, 70)):
        check(rng, format[0], picture, size, light=format[1], abyss=abyss, **settings)


@pytest.mark.parametrize("settings", [
    *({"shape": shape, "aspect_ratio": aspect, "rotation": turn} for shape, aspect, turn in
      make_pairs(SHAPES, [0, -0.6, 0.7, 1, -1], [0, 37, -90, 180])),
    {"midpoint": 0}, {"midpoint": 1}, {"midpoint": 0.999}, {"midpoint": 0.02}, {"focus": 1},
    {"focus": 0, "radius": 0}, {"radius": 1000}, {"x": -10, "y": 10, "radius": 12}])
def test_shapes(rng, settings):
    check(rng, FLOAT, "random", (37, 30), blur_radius=5, **settings)


# ---- strengths ----

EVERYWHERE = {"x": 10, "radius": 0, "focus": 0}  # the largest strength
FACTORS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32]


def check_even(format, pixels, sigma, abyss="clamp", light="linear"):
    """Holds a blur of one strength to the Gaussian blur's contract."""
    result = fx.run("focus-blur", pixels, format, blur_radius=sigma, abyss=abyss, light=light,
                    **EVERYWHERE)
    values = format.decode(pixels)
    expected = expect_blur(format, values, sigma_x=sigma, sigma_y=sigma, abyss=abyss, light=light)
    judge(f"sigma {sigma} in {format}", format, expected, result, get_range(values), light)


@pytest.mark.parametrize("factor,share,format", itertools.product(
    FACTORS, [1, 1.05, 1.3], [Format("u8", 4), Format("u16", 4), Format("float", 4)]))
def test_levels(rng, factor, share, format):
    """Just at the strength from which on a level is taken, whose error is largest there, and
    above."""
    sigma = (1.6 if format.sample == "u8" else 1.8) * factor * share
    for picture in "edge", "dark edge":
        check_even(format, pictures.draw(rng, format, picture, (150, 120)), sigma)


@pytest.mark.parametrize("sigma,abyss", itertools.product(
    [0.2, 0.21, 0.3, 0.5, 1, 3.199, 25, 100, 400, 1500], ABYSSES))
def test_strengths(rng, sigma, abyss):
    for format in FLOAT, Format("u8", 4):
        check_even(format, pictures.make("random", format, 61, 47, int(rng.integers(1 << 32))),
                   sigma, abyss)


@pytest.mark.parametrize("sample,light", itertools.product(["u8", "u16"], ["linear", "perceptual"]))
def test_dark_gradients(sample, light):
    """Lines of one value, so that all samples of many are rounded alike."""
    format = Format(sample, 3)
    ramp = np.linspace(0, 0.1, 400)[:, None, None] * np.ones((1, 40, 3))
    ramp[200:] = 1.0
    for sigma in 2.9, 5, 20:
        check_even(format, format.encode(ramp), sigma, light=light)


@pytest.mark.parametrize("keep,format,abyss", make_pairs(
    [0.1, 0.5, 1, 2], [FLOAT, Format("float", 3), Format("double", 2), Format("float", 1, False)],
    ABYSSES))
def test_keep_sharp(rng, keep, format, abyss):
    """The bounds are for pixels with the weights of all."""
    pixels = pictures.make("random", format, 45, 38, int(rng.integers(1 << 32)))
    shape = {"shape": "square", "x": 0.1, "y": 0.8, "radius": 0.6, "focus": 0.5}
    values, shares = format.decode(pixels), get_shares(45, 38, **shape)
    for radius in 3, 11:
        others = {"blur_radius": radius, "keep_sharp": keep, "abyss": abyss}
        expected = focus(format, values, shares, **others)
        result = fx.run("focus-blur", pixels, format, **shape, **others)
        judge(f"{others} in {format}", format, expected, result, get_range(values) * 2)


def test_keeping_sharp():
    """A white edge hardly leaks into what is soft behind it."""
    pixels = np.zeros((1, 240, 1), np.float32)
    pixels[:, :120] = 1.0
    settings = {"shape": "vertical", "x": 0.25, "radius": 0.5, "focus": 1, "blur_radius": 20}
    plain, kept = (fx.run("focus-blur", pixels, Format("float", 1, False), keep_sharp=keep,
                          **settings)[0, [121, 125, 140], 0] for keep in (0, 1))
    assert (plain > [0.4, 0.35, 0.1]).all()
    assert (kept < [0.05, 0.04, 0.02]).all()


# ---- what stays ----


@pytest.mark.parametrize("settings", [{"blur_radius": 0.19}, {"blur_radius": 0},
                                      {"radius": 1000, "focus": 1}])
def test_identity(rng, settings):
    for n, sample in enumerate(SAMPLES):
        format = Format(sample, 1 + n % 4)
        pixels = pictures.make("holes", format, 41, 23, int(rng.integers(1 << 32)))
        result = fx.run("focus-blur", pixels, format, **settings)
        assert result.tobytes() == pixels.tobytes()


def test_sharp_pixels(rng):
    """What is sharp stays byte for byte, also NaN, infinities and what is transparent, though they
    count in what is soft."""
    format, shape = Format("float", 4), {"radius": 0.5, "focus": 0.6}
    pixels = rng.random((40, 50, 4)).astype(np.float32)
    pixels[::7, ::5] = [np.nan, -np.inf, 3e38, 0.0]
    pixels[20, 25] = [np.nan, -np.inf, 3e9, 1.0]
    result = fx.run("focus-blur", pixels, format, blur_radius=9, **shape)
    sharp = 9 * get_shares(50, 40, **shape) < SIGMA_MIN
    assert sharp[20, 25] and 100 < sharp.sum() < 1000
    assert result[sharp].tobytes() == pixels[sharp].tobytes()
    assert np.isinf(result[~sharp][:, :2]).any() and np.isfinite(result[~sharp][:, 2:]).all()
    assert not np.isnan(result[~sharp]).any()


# ---- places: regions, strips, pictures that are not at the origin, views ----


# By the radius: what a GPU needs for all levels of a few columns; but for the two largest, which
# reach across the picture, less than for all of it.
GPU_LIMITS = {2: "400K", 7.3: "1400K", 12: "2000K", 30: "3300K", 60: "3300K"}


@pytest.mark.sanitized
@pytest.mark.parametrize("settings,strips,keep", make_pairs(SETTINGS, [False, True], [0, 0.5]))
def test_regions(rng, monkeypatch, settings, strips, keep):
    """Each is a part of the whole: on the CPU to the bit, also with little memory in strips."""
    settings = dict(settings, keep_sharp=keep, abyss=ABYSSES[len(settings) % 4])
    format = FLOAT if keep else Format("u8", 4)
    pixels = pictures.make("random", format, 450, 60, int(rng.integers(1 << 32)))
    whole = fx.run("focus-blur", pixels, format, **settings)
    limit = "64K" if fx.device == "cpu" else GPU_LIMITS[settings["blur_radius"]]
    monkeypatch.setenv("CUDA_BLUR_MEMORY_LIMIT", limit if strips else "")
    for region in ((0, 0, 1, 1), (449, 1, 1, 58), (20, 10, 430, 21), (0, 0, 450, 60)):
        x, y, w, h = region
        result = fx.run("focus-blur", pixels, format, region=region, **settings)
        expected = whole[y:y + h, x:x + w]
        if fx.device == "cpu":
            assert result.tobytes() == expected.tobytes()
        judge(f"{region} of {settings}", format, format.decode(expected), result, 1.0)


@pytest.mark.sanitized
@pytest.mark.skipif("fx.device != 'cpu'", reason="for the CPU")
@pytest.mark.parametrize("strength,channels", itertools.product([0.6, 3, 25], [1, 3]))
def test_beside_infinities(rng, strength, channels):
    """What no infinity reaches is the same to the bit without it, and in each region."""
    format = Format("float", channels, False)
    pixels = rng.random((40, 260, channels)).astype(np.float32)
    infinite = pixels.copy()
    infinite[20, 134] = np.inf
    settings = {"blur_radius": strength, "radius": 0, "focus": 0}
    whole = fx.run("focus-blur", infinite, format, **settings)
    apart = np.isfinite(whole)
    assert 20 < (~apart).sum() < (80 * strength + 10) ** 2
    assert (whole == fx.run("focus-blur", pixels, format, **settings))[apart].all()
    for width in 20, 119, 130:
        part = fx.run("focus-blur", infinite, format, region=(0, 0, width, 40), **settings)
        assert part.tobytes() == whole[:, :width].tobytes()


@pytest.mark.parametrize("rows", [1, 4, 128])
def test_bands(rng, rows):
    """Rows roll through the levels, however few there are at a time."""
    pixels = pictures.make("random", FLOAT, 40, 700, int(rng.integers(1 << 32)))
    settings = {"blur_radius": 11, "shape": "horizontal", "radius": 1}
    whole = fx.run("focus-blur", pixels, FLOAT, band_rows=1024, **settings)
    result = fx.run("focus-blur", pixels, FLOAT, band_rows=rows, **settings)
    assert np.abs(result - whole).max() <= (0.0 if fx.device == "cpu" else 2e-5)


@pytest.mark.parametrize("keep", [0, 1])
def test_large_levels(rng, keep):
    """Levels of so many cells that a GPU makes them in parts."""
    format, region = Format("u8", 1), (700, 1490, 20, 10)
    pixels = pictures.make("edge", format, 1500, 1500, int(rng.integers(1 << 32)))
    settings = {"blur_radius": 300, "radius": 0.7, "keep_sharp": keep, "region": region}
    expected = fx.run("focus-blur", pixels, format, device="cpu", **settings)
    result = fx.run("focus-blur", pixels, format, **settings)
    judge("large levels", format, format.decode(expected), result, 1.0)


@pytest.mark.parametrize("settings", SETTINGS)
def test_places(rng, settings):
    """The shape is the picture's, of which the image may be a part; where it lies makes no
    difference."""
    check(rng, FLOAT, "random", (41, 33), geometry=(-7, -21, 90, 60), abyss="white", **settings)
    pixels = pictures.make("random", FLOAT, 41, 33, int(rng.integers(1 << 32)))
    plain, moved = (fx.run("focus-blur", pixels, FLOAT, origin=(x, y),
                           geometry=(x - 7, y - 21, 90, 60), **settings)
                    for x, y in ((0, 0), (1000003, -70001)))
    assert np.abs(plain - moved).max() < 1e-5


@pytest.mark.parametrize("settings,scale,grows", itertools.product(SETTINGS, [1, 0.4], [0, 1]))
def test_views(rng, settings, scale, grows):
    shape, others = split(settings)

    def expect(values, region, geometry, abyss):
        shares = get_shares(*values.shape[1::-1], geometry, **shape)
        return focus(Format("u8", 4), values, shares, region, abyss=abyss, **others)

    place_case.check_view(rng, "focus-blur", expect, scale, grows, **settings)


def test_drafts(rng):
    """The shape stays where it is in a draft: a picture of one grey with a dot in each part."""
    plan = fx.Plan(fx.Settings("focus-blur", blur_radius=16, x=0.25, radius=0.8), FLOAT,
                   geometry=(-64, 32, 512, 256))
    draft = plan.get_draft(2)
    smooth = np.add.outer(np.sin(np.arange(64) / 5), np.cos(np.arange(128) / 7)) / 4 + 0.5
    small = np.repeat(smooth[..., None], 4, axis=2).astype(np.float32)
    got = fx.run_plan(draft, small, FLOAT, origin=(-16, 8))
    shares = get_shares(128, 64, x=0.25, radius=0.8)
    judge("a draft", FLOAT, focus(FLOAT, small, shares, blur_radius=4), got, 1.0)


# ---- infinities and large values ----

POKES = [[Poke(20, 15, 0, np.inf)], [Poke(46, 0, 0, -np.inf)], [Poke(23, 17, 0, np.nan)],
         [Poke(23, 17, 0, np.inf), Poke(2, 3, 0, -np.inf)]]


@pytest.mark.parametrize("sigma,pokes,channels", itertools.product(
    [0.2, 0.9, 3.3, 4, 6, 7.3, 11, 29], POKES, [1, 4]))
def test_infinities(rng, sigma, pokes, channels):
    """They reach as far as the Gaussian blur's."""
    format, size = Format("float", channels, False), (int(20 * sigma) + 47, 35)
    pixels = pictures.make("random", format, *size, int(rng.integers(1 << 32)))
    values = format.decode(pixels)
    for poke in pokes:
        pixels[poke.y, poke.x, poke.channel] = poke.value
    got = format.decode(fx.run("focus-blur", pixels, format, blur_radius=sigma, **EVERYWHERE))
    sides = {"sigma_x": sigma, "sigma_y": sigma}
    ratios = measure(format, expect_blur(format, values, **sides), got, get_range(values)).ratios
    faults = find_faults(format, get_reached(format, values, pokes, sides), ratios, got)
    assert [reason for reason, places in faults.items() if places.any()] == []


@pytest.mark.parametrize("channels,keep", [(1, 0), (4, 0), (4, 1)])
def test_bright_pictures(rng, channels, keep):
    """Sums of finite pixels are finite."""
    format, most = Format("double", channels, False), 1e37
    pixels = most * rng.uniform(0.5, 1, (24, 29, channels))
    units = np.full(channels, most)
    if format.has_alpha:
        pixels[..., -1], units[-1] = rng.random((24, 29)), 1.0
    settings = {"blur_radius": 12, "keep_sharp": keep}
    expected = focus(format, pixels / units, get_shares(29, 24), **settings)
    result = fx.run("focus-blur", pixels, format, **settings)
    judge(f"{settings}", format, expected, result / units, 1.0)


@pytest.mark.parametrize("settings,growth", [
    ({"blur_radius": 0.19}, (0, 0)), ({"blur_radius": 10.1}, (41, 41))])
def test_growth(settings, growth):
    assert fx.Settings("focus-blur", grow=True, **settings).get_growth(100, 60) == growth
    assert fx.Settings("focus-blur", **settings).get_growth(100, 60) == (0, 0)
