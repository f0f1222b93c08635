"""The selective blur's contract (cuda/selective/include/selective.h): edges, formats and abysses
against the definition in double precision."""

import ctypes
import itertools
import sys

import numpy as np
import pytest

import fx
import pictures
from cases import pick_region
from formats import CURVES, SAMPLES, Format, Parametric
from judge import get_range, judge
from pairs import make_pairs
from pictures import draw
from pixels import premultiply, reduce, unpremultiply
from selective.reference import selective as expect_selective

EDGES, ABYSSES, LIGHTS = ["hard", "soft"], ["clamp", "none"], ["linear", "perceptual"]
FORMATS = [Format(sample, channels, gamma) for (sample, gamma), channels in zip(
    itertools.product(SAMPLES, [True, False]), itertools.cycle([4, 3, 1, 2, 4]))]
# On the GPU programs are compiled for each combination, and the stand-in takes long.
choose = itertools.product if fx.device == "cpu" else make_pairs
U8, FLOAT, LINEAR = Format("u8", 4), Format("float", 4), Format("float", 4, False)


def check(format, pixels, region=None, coverage=False, **settings):
    """Holds the result of a picture to the contract, by default with hard edges, and its alpha to
    what it was."""
    settings = {"edges": "hard", **settings}
    setting = f"a picture of {pixels.shape}, {format}, {region}, {settings}"
    result = fx.run("selective-blur", pixels, format, region=region, coverage=coverage, **settings)
    expected = expect_selective(format, pixels, region, coverage=coverage, **settings)
    finite = np.isfinite(expected)
    assert np.isfinite(format.decode(result))[finite].all(), setting
    judge(setting, format, np.where(finite, expected, 0.0),
          np.where(finite, result, result.dtype.type(0)), get_finite_range(format, pixels),
          "linear" if coverage else settings.get("light", "perceptual"))
    x, y, w, h = region or (0, 0, pixels.shape[1], pixels.shape[0])
    before = pixels[y:y + h, x:x + w]
    if format.has_alpha:
        assert result[..., -1].tobytes() == before[..., -1].tobytes(), setting
    return result, before


def get_finite_range(format, pixels):
    values = format.decode(pixels)
    return get_range(values[np.isfinite(values)])


# ---- formats, edges, abysses ----


@pytest.mark.sanitized
@pytest.mark.parametrize("format,edges,abyss,light,delta", make_pairs(
    FORMATS, EDGES, ABYSSES, LIGHTS, [0.02, 0.1, 0.3]))
def test_formats(rng, format, edges, abyss, light, delta):
    for picture, size in ("random", (67, 29)), ("holes", (31, 40)), ("HDR", (20, 23)):
        check(format, draw(rng, format, picture, size), edges=edges, abyss=abyss, light=light,
              delta=delta, sigma=rng.uniform(0.4, 3))


@pytest.mark.parametrize("trc,gamma,edges", choose(CURVES, [True, False], EDGES))
def test_curves(rng, trc, gamma, edges):
    """The picture's own curve is that of perceptual values."""
    for sample in "u16", "half":
        format = Format(sample, 4, gamma, trc)
        light = LIGHTS[int(rng.integers(2))]
        check(format, draw(rng, format, "random", (41, 23)), edges=edges, delta=0.15, sigma=1.5,
              light=light)


@pytest.mark.parametrize("sigma,edges", itertools.product([0.1, 0.34, 1, 4.7, 11.3, 50], EDGES))
def test_sigmas(rng, sigma, edges):
    size = (37, 30) if sigma < 5 else (15, 12) if sigma < 20 else (5, 3)
    for format in U8, LINEAR:
        check(format, draw(rng, format, "random", size), sigma=sigma, edges=edges, delta=0.2)


@pytest.mark.parametrize("format", [Format(s, 1, g) for s in SAMPLES for g in (True, False)])
def test_delta(format):
    """A difference of delta counts, and one that is a little more does not."""
    values = np.linspace(0, 1, 256).reshape(16, 16, 1)
    pixels = format.encode(values if format.gamma else format.trc.to_linear(values))
    for delta in 0, 1 / 255, 0.1, 0.5, 1:
        check(format, pixels, sigma=5, delta=delta)


def test_coverage(rng):
    """A mask's values are compared as they are stored."""
    for sample in SAMPLES:
        format = Format(sample, 1, False)
        for edges in EDGES:
            check(format, draw(rng, format, "random", (43, 21)), coverage=True, edges=edges,
                  delta=0.1)


def test_flat():
    """An even picture stays as it is, however large the window."""
    for format in U8, Format("u16", 2), FLOAT:
        pixels = pictures.make("flat", format, 150, 4, 1)
        result = fx.run("selective-blur", pixels, format, sigma=40, edges="hard")
        assert (result == pixels).all()


class MemoryInUse(ctypes.Structure):
    """mallinfo2 of glibc, and of its members those that count."""

    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "mapped", "usmblks", "fsmblks", "used", "fordblks",
        "keepcost")]


def get_memory():
    """The bytes of memory that the process uses. AddressSanitizer has a count of its own."""
    libraries = ctypes.CDLL(None)
    if hasattr(libraries, "__sanitizer_get_current_allocated_bytes"):
        count = libraries["__sanitizer_get_current_allocated_bytes"]
        count.restype = ctypes.c_size_t
        return count()
    libraries.mallinfo2.restype = MemoryInUse
    in_use = libraries.mallinfo2()
    return in_use.mapped + in_use.used


def test_memory_of_curves():
    """A process that meets many curves keeps the codes of four, 1 MB each, and those that plans
    use."""

    def make(n):
        trc = Parametric("a gamma", 1.5 + n / 64, 1, 0, 0, 0, 0, 0)
        return fx.Plan(fx.Settings("selective-blur", edges="hard"), Format("u16", 1, False, trc))

    def measure(function):
        before = get_memory()
        kept = function()
        return kept, (get_memory() - before) / 2 ** 20

    for n in range(4):
        make(n)
    _, growth = measure(lambda: [make(n) is None for n in range(4, 20)])
    assert growth < 1
    plans, growth = measure(lambda: [make(n) for n in range(20, 30)])
    assert growth < 11
    drafts = [plan.get_draft(1) for plan in plans]
    _, growth = measure(plans.clear)
    assert growth > -1
    _, growth = measure(drafts.clear)
    assert growth < -5


# ---- places: regions, strips, views ----


@pytest.mark.sanitized
@pytest.mark.parametrize("format,edges,abyss", choose(
    [U8, LINEAR, Format("u32", 2)], EDGES, ABYSSES))
def test_regions(rng, monkeypatch, format, edges, abyss):
    """A pixel is the same to the last bit whatever region is asked for, and in strips. A GPU needs
    1 MB for the lights that codes begin at."""
    limit = "1200K" if fx.device == "gpu" and format is LINEAR and edges == "hard" else "256K"
    pixels = draw(rng, format, "random", (230, 70))
    settings = dict(sigma=3.2, delta=0.1, edges=edges, abyss=abyss)
    whole, _ = check(format, pixels, **settings)
    for memory in "", limit:
        monkeypatch.setenv("CUDA_BLUR_MEMORY_LIMIT", memory)
        for x, y, w, h in (0, 0, 1, 1), (229, 3, 1, 67), pick_region(rng, 230, 70):
            part = fx.run("selective-blur", pixels, format, region=(x, y, w, h), **settings)
            assert part.tobytes() == whole[y:y + h, x:x + w].tobytes()


@pytest.mark.parametrize("format,edges", itertools.product(
    [LINEAR, Format("float", 1, False)], EDGES))
def test_rows_outside(rng, format, edges):
    """What is beside a window does not matter, even if its sum overflows; nor what is not there
    yet where the rows that a block computes end with the region or with a band."""
    pixels = (draw(rng, format, "random", (64, 60)) * 0.001).astype(np.float32)
    pixels[..., format.colors:] = 1.0
    settings = dict(sigma=1.34, delta=0.05, edges=edges, light="linear")
    dark, _ = check(format, pixels, **settings)
    pixels[30:33] = -3e38
    pixels[30:33, :, format.colors:] = 3e38
    near = np.abs(np.arange(60) - 31) <= 1 + 5
    for y, rows, band_rows in (1, 59, 4), (0, 60, 2), (2, 57, 0):
        result = fx.run("selective-blur", pixels, format, region=(0, y, 64, rows),
                        band_rows=band_rows, **settings)
        far = ~near[y:y + rows]
        assert result[far].tobytes() == dark[y:y + rows][far].tobytes()


@pytest.mark.sanitized
@pytest.mark.skipif(not hasattr(fx.library.shared, "stand_in_launch_limit"),
                    reason="only the stand-in's launches can be made short")
@pytest.mark.parametrize("format,edges", itertools.product([U8, Format("float", 1, False)], EDGES))
def test_short_launches(rng, format, edges):
    """The sums of a large window go on from one launch to the next."""
    pixels = draw(rng, format, "random", (150, 21))
    settings = dict(sigma=9, delta=0.2, edges=edges)
    whole = fx.run("selective-blur", pixels, format, **settings)
    limit = ctypes.c_double.in_dll(fx.library.shared, "stand_in_launch_limit")
    limit.value = 1e6 * format.channels
    try:
        part = fx.run("selective-blur", pixels, format, **settings)
    finally:
        limit.value = sys.float_info.max
    assert part.tobytes() == whole.tobytes()


@pytest.mark.parametrize("edges,scale", itertools.product(EDGES, [1, 0.4, 2]))
def test_views(rng, edges, scale):
    """A view shows the filter at full size, reduced."""
    pixels, rect = draw(rng, U8, "edge", (80, 50)), (5, 3, 22, 16)
    settings = dict(sigma=2, delta=0.2, edges=edges)
    whole = expect_selective(U8, pixels, **settings)
    expected = reduce(premultiply(U8, "linear", whole), scale, rect)
    result = fx.Preview(pixels, U8).render("selective-blur", rect, scale=scale, **settings)
    judge(f"a view of {settings}", U8, unpremultiply(U8, "linear", expected), result, 1.0)


def test_drafts(rng):
    """A draft has a smaller window at the view's scale: with edges it is near the filter."""
    plan = fx.Plan(fx.Settings("selective-blur", sigma=8), U8)
    assert [plan.get_draft(n).reach for n in range(6)] == [
        (n,) * 4 for n in (24, 12, 6, 3, 2, 1)]


# ---- infinities ----


@pytest.mark.parametrize("format,edges,light", itertools.product(
    [FLOAT, LINEAR, Format("half", 3), Format("double", 2)], EDGES, LIGHTS))
def test_infinities(rng, format, edges, light):
    """An infinity or NaN stays where it is, and nothing else changes for it but its weight."""
    pixels = draw(rng, format, "random", (40, 30))
    for value in np.inf, -np.inf, np.nan:
        for _ in range(4):
            pixels[rng.integers(30), rng.integers(40), rng.integers(format.channels)] = value
    bad = ~np.isfinite(pixels)
    result, before = check(format, pixels, edges=edges, light=light, sigma=2, delta=0.3)
    stays = bad if edges == "hard" else bad.any(axis=-1, keepdims=True) & np.ones_like(bad)
    assert result[stays].tobytes() == before[stays].tobytes()
    assert np.isfinite(result[~bad]).all()


# ---- settings ----


@pytest.mark.parametrize("settings", [{"sigma": 0}, {"edges": "soft", "delta": 0}])
def test_identity(rng, settings):
    for n, sample in enumerate(SAMPLES):
        format = Format(sample, 1 + n % 4)
        pixels = draw(rng, format, "holes", (41, 23))
        assert fx.Plan(fx.Settings("selective-blur", **settings), format).is_identity
        assert fx.run("selective-blur", pixels, format, **settings).tobytes() == pixels.tobytes()
