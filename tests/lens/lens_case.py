"""Cases of the lens blur: a picture, its format and settings, held to the contract (lens.h)."""

import ctypes

import numpy as np

import fx
from cases import ABYSSES, LIGHTS, pick, pick_size
from convolve.reference import get_planes
from formats import Format
from judge import ALPHA_MIN, SHARES, get_bounds, get_range, judge_sums
from lens.reference import get_highlights, lens as expect_lens
from pixels import Expected

STOPS_MAX = 6

# The settings of the aperture's shape, as they are if they are not given.
SHAPE = {"blades": 6, "rotation": 0.0, "roundness": 0.0, "ring": 0.0, "squeeze": 0.0}


# ---- apertures as the engine computes them ----


def make_params(radius, settings):
    return fx.LensParams(radius=radius, **{**SHAPE, **settings})


def get_weights(radius, **settings):
    params, x, y = ctypes.byref(make_params(radius, settings)), ctypes.c_int(), ctypes.c_int()
    fx.library.lens_aperture_get_reach(params, radius, ctypes.byref(x), ctypes.byref(y))
    weights = np.zeros((2 * y.value + 1, 2 * x.value + 1))
    fx.library.lens_aperture_fill(params, radius, weights.ctypes.data)
    return weights


def draw(size, **settings):
    """The aperture's picture, as dialogs show it."""
    picture = np.zeros((size, size), np.float32)
    fx.library.lens_params_draw_aperture(ctypes.byref(make_params(1.0, settings)), size,
                                         picture.ctypes.data)
    return picture


def pick_shape(rng):
    return {
        "blades": int(rng.integers(3, 13)) if rng.integers(5) else 0,
        "rotation": float(pick(rng, [rng.uniform(-180.0, 180.0), 15 * rng.integers(-12, 13)])),
        "roundness": pick(rng, [0.0, 0.0, 0.01, 0.3, 0.7, 1.0, rng.random()]),
        "ring": pick(rng, [0.0, rng.uniform(-1.0, 1.0)]),
        "squeeze": pick(rng, [0.0, rng.uniform(-1.0, 1.0)]),
    }


# ---- pictures ----


def make_picture(format, size, seed, hdr=False, faint=False):
    """Some pixels are white, or brighter, and most are dark. faint: alpha is 0 or nearly 0 beside
    opaque pixels; otherwise it is random."""
    u = np.random.default_rng(seed).random((size[1], size[0], format.channels))
    values = np.where(u > 0.97, 1.0, u * u)
    if hdr:
        values = np.where(u < 0.1, -20.0 * u, np.where(u > 0.97, 8.0, u))
    if format.has_alpha:
        alphas = np.array([0.0, 0.0, 0.0, 0.004, 0.02])[(5.0 * u[..., -1]).astype(int)]
        alphas = np.where(2 * np.arange(size[0]) > size[0], 1.0, alphas)
        values[..., -1] = alphas if faint else 0.1 + 0.9 * u[..., -1]
    return format.encode(values)


# ---- the contract ----


def get_lens_bounds(format, values, expected, stops, threshold, light):
    """The bounds, for values of the source. Highlights widen the range, and a threshold close to
    white makes their curve steep."""
    highlights = get_highlights(stops, threshold, light)
    white = highlights.gain
    with np.errstate(all="ignore"):
        planes = get_planes(format, values, light, False, highlights)
    colors = planes[..., :format.colors]
    bounds = get_bounds(format, expected.value, max(white, get_range(colors)))
    if format.sample == "u8":
        return bounds
    slope = 1.0 + 2.0 * (white - 1.0) / (1.0 - highlights.threshold)
    steep = max(1.0, 0.03 * slope / white) if stops > 0.0 else 1.0
    return steep * (bounds * white if format.sample == "u16" else bounds)


def widen_faint(format, expected, bounds):
    """Colour under a faint alpha counts times alpha, so what it may be is wider, and what lies
    under none is not seen."""
    alpha = expected.value[..., -1:]
    with np.errstate(all="ignore"):
        extra = bounds * np.ones(expected.value.shape) * (1.0 / alpha - 1.0)
    extra = np.where(alpha <= 0.0, np.inf, np.where(alpha < ALPHA_MIN, extra, 0.0))
    extra[..., -1] = 0.0
    return Expected(expected.value, expected.low - extra, expected.high + extra)


def check_pixels(setting, pixels, format, result, radius, highlights=2.0, threshold=0.8,
                 abyss="clamp", light="linear", **shape):
    weights, values = get_weights(radius, **shape), format.decode(pixels)
    if weights.size == 1:
        assert result.tobytes() == pixels.tobytes(), f"not as it was, {setting}"
        return
    expected = expect_lens(format, values, weights, highlights, threshold, abyss, light)
    bounds = get_lens_bounds(format, values, expected, highlights, threshold, light)
    if format.has_alpha:
        expected = widen_faint(format, expected, bounds)
    counts = format.sample == "u8" or highlights == 0.0
    judge_sums(setting, format, expected, result, bounds, margin=0.05, counted_min=300,
               share=SHARES.get(format.sample, 0.0) if counts else 0.0)


def check(rng, format, size, hdr=False, faint=False, **settings):
    """Blurs a picture, without highlights unless told, and holds the result to the contract."""
    settings = {"highlights": 0.0, **settings}
    seed = int(rng.integers(1 << 32))
    setting = (f"picture of {size[0]}x{size[1]} with seed {seed}, HDR {hdr}, faint {faint}, "
               f"{format}, {settings}")
    pixels = make_picture(format, size, seed, hdr, faint)
    try:
        result = fx.run("lens-blur", pixels, format, **settings)
    except (AssertionError, fx.Error) as failure:
        raise AssertionError(f"{failure}, in {setting}") from failure
    check_pixels(setting, pixels, format, result, **settings)


def check_random(rng, radius, format):
    large = radius > 20.0
    width, height = pick_size(rng, *(121, 91) if large else (60, 50))
    check(rng, format, (width + 39, height + 29) if large else (width, height),
          hdr=not format.is_integer and rng.integers(3) == 0, faint=rng.integers(3) == 0,
          radius=radius, highlights=pick(rng, [0.0, rng.uniform(0.0, STOPS_MAX)]),
          threshold=pick(rng, [0.0, 0.3, 0.8, 0.95, 1.0]), abyss=pick(rng, ABYSSES),
          light=pick(rng, LIGHTS), **pick_shape(rng))


# ---- grey pictures of which the result is known without the sum ----

SIDE = 65
GREY = Format("float", 1, gamma=False)


def make_grey(value):
    """A point of that value in black."""
    pixels = np.zeros((SIDE, SIDE, 1), np.float32)
    pixels[SIDE // 2, SIDE // 2] = value
    return pixels


def draw_around(radius, **shape):
    """The aperture's picture, of a whole radius, in the middle of SIDE x SIDE pixels."""
    picture, outer = draw(2 * int(radius) + 3, **shape), max(SIDE, 2 * int(radius) + 3)
    whole, edge = np.zeros((outer, outer)), (outer - len(picture)) // 2
    whole[edge:outer - edge, edge:outer - edge] = picture
    cut = (outer - SIDE) // 2
    return whole[cut:outer - cut, cut:outer - cut]
