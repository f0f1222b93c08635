"""The motion blur's contract (cuda/motion/include/motion.h): each kind, format, abyss and centre
against the definition in double precision."""

import itertools

import numpy as np
import pytest

import fx
import pictures
from cases import ABYSSES
from formats import PQ, SAMPLES, Format
from judge import get_bounds, get_range, judge, judge_sums
from motion.reference import line, motion as expect_motion
from pairs import make_pairs
from pixels import Expected, reduce
from place_case import FORMATS, check_view

FLOAT = Format("float", 4, False)

SETTINGS = [
    {"kind": "line", "length": 7.3, "direction": 30, "fade": 0.5},
    {"kind": "line", "length": 40, "direction": 90},
    {"kind": "spin", "angle": 20},
    {"kind": "spin", "angle": 200, "center_x": 1.2, "center_y": -0.3},
    {"kind": "zoom", "factor": 0.4, "fade": -1},
    {"kind": "zoom", "factor": -0.9, "center_x": 0, "fade": 0.6},
]


def expect(format, values, region=None, geometry=None, kind="line", **settings):
    if kind != "line":
        return expect_motion(format, values, region, geometry, kind, **settings)
    x, y, w, h = region or (0, 0, values.shape[1], values.shape[0])
    expected = line(format, values, **settings)
    return Expected(*(part[y:y + h, x:x + w] for part in expected))


def check(rng, format, picture, size, region=None, light="linear", geometry=None, seed=None,
          **settings):
    """Blurs a picture, and holds the result to the contract. geometry counts from the picture's
    first pixel."""
    if picture not in pictures.get_names(format):
        picture = "random"
    seed = int(rng.integers(1 << 32)) if seed is None else seed
    setting = f"picture \"{picture}\" of {size} with seed {seed}, {format}, {region}, {settings}"
    pixels = pictures.make(picture, format, *size, seed)
    options = {"geometry": geometry} if geometry else {}
    result = fx.run("motion-blur", pixels, format, region=region, light=light, **options,
                    **settings)
    values = format.decode(pixels)
    expected = expect(format, values, region, geometry, light=light, **settings)
    if settings.get("kind") == "line":
        bounds = get_bounds(format, expected.value, get_range(values))
        judge_sums(setting, format, expected, result, bounds)
    else:
        judge(setting, format, expected, result, get_range(values), light)


# ---- kinds, formats, abysses ----


@pytest.mark.sanitized
@pytest.mark.parametrize("format,abyss,settings", make_pairs(FORMATS, ABYSSES, SETTINGS))
def test_formats(rng, format, abyss, settings):
    for picture, size in ("random", (67, 49)), ("holes", (33, 70)):
        check(rng, format[0], picture, size, light=format[1], abyss=abyss, **settings)


@pytest.mark.parametrize("length,direction,fade", make_pairs(
    [0.4, 1, 2, 3.7, 16, 61.5, 250], [0, 45, 90, -117.3, 180], [0, 1, -0.4]))
def test_lines(rng, length, direction, fade):
    check(rng, FLOAT, "random", (53, 41), kind="line", length=length, direction=direction,
          fade=fade)


@pytest.mark.parametrize("length,abyss", [(300, "none"), (1000, "clamp")])
def test_long_lines(rng, length, abyss):
    check(rng, FLOAT, "random", (150, 90), kind="line", length=length, direction=20, abyss=abyss)


CENTERS = [(0.5, 0.5), (0, 1), (0.3712, 1.4), (0.5 + 0.5 / 37, 0.5)]
FAR = [(-10, 3), (10, -10)]


@pytest.mark.parametrize("center,angle", [
    *itertools.product(CENTERS, [0.01, 5, 45, 180, 360]), *itertools.product(FAR, [1, 30, 360])])
def test_spins(rng, center, angle):
    check(rng, FLOAT, "random", (37, 30), kind="spin", angle=angle, center_x=center[0],
          center_y=center[1])


@pytest.mark.parametrize("center,factor", itertools.product(CENTERS + FAR, [-1, -0.02, 0.3, 1]))
def test_zooms(rng, center, factor):
    check(rng, FLOAT, "random", (37, 30), kind="zoom", factor=factor, center_x=center[0],
          center_y=center[1], fade=rng.uniform(-1, 1), abyss=ABYSSES[1])


@pytest.mark.parametrize("factor", [1e-7, 1e-5, -0.0018, 0.02])
def test_small_factors(rng, factor):
    """Near black, the curve magnifies what places are off by 12.9 times. Near the edge, samples are
    added in another way."""
    settings = dict(kind="zoom", factor=factor, center_x=0.3, center_y=0.6, fade=0.3)
    for format in Format("float", 3), Format("u16", 1):
        values = rng.uniform(-1, 4, (61, 43, format.channels))
        pixels = format.encode(values / 4 if format.is_integer else values)
        result, values = fx.run("motion-blur", pixels, format, **settings), format.decode(pixels)
        judge(f"{settings} in {format}", format, expect_motion(format, values, **settings),
              result, get_range(values))


@pytest.mark.sanitized
def test_beside_the_centre(rng):
    """Where a path is shorter than a pixel, and turns all the way. A sanitizer sees reads beyond
    the source."""
    check(rng, FLOAT, "random", (41, 41), kind="spin", angle=360, center_x=0.5 + 0.1 / 41,
          center_y=0.5 - 0.07 / 41)


def test_short_paths(rng):
    """Little alpha and a steep curve show how near the samples of a short path are to theirs."""
    check(rng, Format("u16", 4, True, PQ), "holes", (33, 70), seed=1854462867, kind="spin",
          angle=20, abyss="black")


def test_many_samples(rng):
    """An even picture stays even: the sum of many samples loses nothing."""
    for settings in ({"kind": "spin", "angle": 360, "center_x": 10},
                     {"kind": "zoom", "factor": 1, "center_y": -10, "fade": 1}):
        pixels = np.full((3, 4000 if "angle" in settings else 3, 1), 0.7, np.float32)
        pixels = pixels if "angle" in settings else np.full((4000, 3, 1), 0.7, np.float32)
        region = (pixels.shape[1] // 2, pixels.shape[0] // 2, 1, 1)
        result = fx.run("motion-blur", pixels, Format("float", 1, False), region=region, **settings)
        assert abs(result[0, 0, 0] - 0.7) < 1e-6


# ---- places: regions, strips, pictures that are not at the origin, views ----


@pytest.mark.sanitized
@pytest.mark.parametrize("settings,strips", itertools.product(SETTINGS, [False, True]))
def test_regions(rng, monkeypatch, settings, strips):
    """Whole and, with little memory, in strips. The GPU needs some more, or refuses."""
    limit = {"cpu": "64K", "gpu": "256K"}[fx.device]
    monkeypatch.setenv("CUDA_BLUR_MEMORY_LIMIT", limit if strips else "")
    for region in ((0, 0, 1, 1), (149, 1, 1, 38), (20, 10, 130, 21)):
        check(rng, FLOAT, "random", (150, 40), region, **settings)


@pytest.mark.parametrize("settings", SETTINGS)
def test_places(rng, settings):
    """The centre is the picture's, of which the image may be a part; where it lies makes no
    difference."""
    geometry, format = (-7, -21, 90, 60), FLOAT
    check(rng, format, "random", (41, 33), geometry=geometry, abyss="white", **settings)
    pixels = pictures.make("random", format, 41, 33, int(rng.integers(1 << 32)))
    plain, moved = (fx.run("motion-blur", pixels, format, origin=(x, y),
                           geometry=(x - 7, y - 21, 90, 60), **settings)
                    for x, y in ((0, 0), (1000003, -70001)))
    assert np.abs(plain - moved).max() < 1e-6


def test_far_centre(rng):
    """Where it is too far for numbers of pixels, it is nearer."""
    pixels = pictures.make("random", FLOAT, 41, 33, int(rng.integers(1 << 32)))
    settings = dict(kind="zoom", factor=1e-8, center_x=0, center_y=0)
    far, near = (fx.run("motion-blur", pixels, FLOAT, geometry=(-2.0 ** x, 2.0 ** y, 41, 33),
                        **settings) for x, y in ((32, 31), (29, 29)))
    assert far.tobytes() == near.tobytes()
    assert np.abs(near - pixels).max() > 0.01


@pytest.mark.parametrize("settings,scale,grows", itertools.product(SETTINGS, [1, 0.4], [0, 1]))
def test_views(rng, settings, scale, grows):
    def expect_part(values, region, geometry, abyss):
        part = expect(Format("u8", 4), values, region, geometry, abyss=abyss, **settings)
        return part.value if isinstance(part, Expected) else part

    check_view(rng, "motion-blur", expect_part, scale, grows, **settings)


def test_drafts(rng):
    """The centre stays where it is in a draft, which the CPU makes if the GPU would take long, too.
    A picture of rings around the centre shows that: a spin does not change it."""
    y, x = np.mgrid[:1200, :1600]
    distance = np.hypot(x + 0.5 - 400, y + 0.5 - 900)
    pixels = np.uint8(np.rint(127.5 + 100 * np.cos(distance / 60)))[..., None]
    preview, report = fx.Preview(pixels), fx.ViewReport()
    settings = {"kind": "spin", "angle": 360, "center_x": 0.25, "center_y": 0.75,
                "light": "perceptual", "draft": True, "report": report}
    if fx.device == "gpu":
        preview.render("motion-blur", (0, 0, 8, 8), **{**settings, "angle": 1})
        settings["device"] = "auto"
        preview.render("motion-blur", (0, 0, 8, 8), **{**settings, "angle": 1})
        assert report.report.device == "gpu" and not report.draft
    result = preview.render("motion-blur", (0, 0, 400, 300), scale=0.25, **settings)
    expected = reduce(pixels / 255, 0.25, (0, 0, 400, 300))
    assert report.report.device == "cpu" and report.draft
    inside = distance[2::4, 2::4] < 290
    assert np.abs(result[..., :1] / 255 - expected)[inside].max() < 0.03


# ---- infinities ----


@pytest.mark.parametrize("settings", SETTINGS[2:] + [
    {"kind": "zoom", "factor": 0.5}, {"kind": "spin", "angle": 360, "center_x": 8}])
def test_infinities(rng, settings):
    """A pixel is infinite if an infinity has a weight in it, and else as if there were none."""
    format, size = Format("float", 1, False), (47, 35)
    pixels = rng.random((*size[::-1], 1)).astype(np.float32)
    bad = np.zeros_like(pixels)
    for x, y in ((3, 4), (23, 17), (40, 30)):
        bad[y, x] = 1.0
    result = fx.run("motion-blur", np.where(bad, np.inf, pixels), format, **settings)
    # Also with the centre a little to each side, as positions are rounded.
    weights = sum(expect_motion(format, bad.astype(float), **{
        **settings, "center_x": settings.get("center_x", 0.5) + 1e-7 * x,
        "center_y": settings.get("center_y", 0.5) + 1e-7 * y})
        for x, y in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)))
    expected = expect_motion(format, np.where(bad, 0.0, pixels.astype(float)), **settings)
    assert np.isinf(result[weights > 1e-4]).all()
    assert np.abs(result - expected)[weights == 0.0].max() < 1e-5


@pytest.mark.parametrize("settings", SETTINGS[2:] + [{"kind": "spin", "angle": 360, "center_x": 8}])
def test_signs_of_infinities(rng, settings):
    """Infinities of one sign keep it."""
    for value in np.inf, -np.inf:
        pixels = rng.random((35, 47, 1)).astype(np.float32)
        pixels[17, 23] = value
        result = fx.run("motion-blur", pixels, Format("float", 1, False), **settings)
        assert (np.isfinite(result) | (result == value)).all()
        assert (result == value).any()


@pytest.mark.parametrize("settings", SETTINGS + [
    {"kind": "zoom", "factor": 1, "fade": 1, "center_x": 9},
    {"kind": "spin", "angle": 360, "center_x": 10}])
@pytest.mark.parametrize("channels", [1, 4])
def test_bright_paths(rng, channels, settings):
    """The mean is finite where the sum is not."""
    format, most = Format("double", channels, False), 1e37
    pixels = most * rng.uniform(0.5, 1, (24, 29, channels))
    if format.has_alpha:
        pixels[..., -1] = rng.random((24, 29))
    units = np.array([most, most, most, 1.0] if format.has_alpha else [most])
    expected = expect(format, pixels / units, **settings)
    result = fx.run("motion-blur", pixels, format, **settings)
    judge(f"{settings}", format, getattr(expected, "value", expected), result / units, 1.0)


# ---- settings ----


@pytest.mark.parametrize("settings", [
    {"kind": "line", "length": 0}, {"kind": "spin", "angle": 0}, {"kind": "zoom", "factor": 0},
    {"kind": "line", "length": 1, "direction": 90}])
def test_identity(rng, settings):
    for n, sample in enumerate(SAMPLES):
        format = Format(sample, 1 + n % 4)
        pixels = pictures.make("holes", format, 41, 23, int(rng.integers(1 << 32)))
        result = fx.run("motion-blur", pixels, format, **settings)
        assert result.tobytes() == pixels.tobytes()


@pytest.mark.parametrize("settings,growth", [
    ({"kind": "line", "length": 10, "direction": 0}, (5, 0)),
    ({"kind": "line", "length": 10, "direction": -45}, (4, 4)),
    ({"kind": "spin", "angle": 0}, (0, 0)),
    ({"kind": "spin", "angle": 180}, (31, 51)),
    ({"kind": "spin", "angle": 360, "center_x": 0}, (31, 101)),
    ({"kind": "zoom", "factor": 0.1}, (6, 4)),
    ({"kind": "zoom", "factor": -0.5, "center_y": 2}, (26, 61))])
def test_growth(settings, growth):
    """Of a layer of 100 x 60 pixels; without grow it stays."""
    assert fx.Settings("motion-blur", grow=True, **settings).get_growth(100, 60) == growth
    assert fx.Settings("motion-blur", **settings).get_growth(100, 60) == (0, 0)


def test_longest_path():
    """Paths of 42 million pixels have 2^20 samples, of which hardly any lie on the picture."""
    n, pixels = 1 << 20, np.ones((1, 64, 4), np.float32)
    result = fx.run("motion-blur", pixels, FLOAT, kind="zoom", factor=1, center_x=10, center_y=0.5,
                    abyss="none", geometry=(0, 0, 1 << 22, 1))
    x = np.arange(64)[:, None] + 0.5
    places = x + (np.arange(4) + 0.5) / n * (10 * 2.0 ** 22 - x)
    expected = np.clip(64.5 - places, 0.0, 1.0).sum(axis=1) / n
    assert result[0, :, 3] == pytest.approx(expected, rel=0.02, abs=0.01 / n)
