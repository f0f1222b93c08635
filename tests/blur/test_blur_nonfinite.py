"""Infinities and NaN in the Gaussian's source (blur.h): how far they reach, and as what."""

import dataclasses

import numpy as np
import pytest

import fx
import pictures
from blur.reference import blur as expect_blur, get_radius
from cases import ABYSSES, product
from formats import CURVES, Format
from judge import get_range, measure

# In sigmas, along each axis: no value reaches further, and each reaches so far, or to the end of an
# explicit kernel.
REACH_MOST, REACH_LEAST = 9.0, 4.0


@dataclasses.dataclass
class Poke:
    """A sample to set. A finite value the reference gets, too."""

    x: int
    y: int
    channel: int
    value: float


def is_within(shape, poke, sigmas, sigma_x=0.0, sigma_y=0.0, kernel_size=0, **others):
    """Which pixels the poke reaches, if it reaches so many sigmas."""
    def reaches(length, place, sigma):
        reach = sigmas * sigma if sigma >= 0.2 else 0.0
        if kernel_size:
            reach = min(reach, get_radius(sigma, kernel_size))
        return np.abs(np.arange(length) - place) <= reach

    return np.logical_and.outer(reaches(shape[0], poke.y, sigma_y),
                                reaches(shape[1], poke.x, sigma_x))


def get_reached(format, values, pokes, settings):
    """Which samples an infinity reaches with its sign: plus, minus; and where it must show. NaN,
    and an alpha for its colours, count as both signs. Colour does not count in transparent
    pixels."""
    plus, minus, near = (np.zeros(values.shape, bool) for _ in range(3))
    for poke in pokes:
        is_alpha = format.has_alpha and poke.channel == format.colors
        transparent = format.has_alpha and values[poke.y, poke.x, -1] == 0.0
        if np.isfinite(poke.value) or (transparent and not is_alpha):
            continue
        most, least = (is_within(values.shape, poke, sigmas, **settings)
                       for sigmas in (REACH_MOST, REACH_LEAST))
        for c in range(format.channels) if is_alpha else [poke.channel]:
            both = np.isnan(poke.value) or c != poke.channel
            plus[..., c] |= most & (both or poke.value > 0.0)
            minus[..., c] |= most & (both or poke.value < 0.0)
            near[..., c] |= least
    return plus, minus, near


def find_faults(format, reached, ratios, got):
    """Which samples are wrong, by the reason. ratios: the errors, in bounds, against the picture
    without infinities."""
    plus, minus, near = reached
    largest = np.abs(got) >= (65504.0 if format.sample == "half" else np.finfo(np.float32).max)
    inside, wrong = plus | minus, ratios > 1.0
    return {
        "out of reach": ~inside & wrong,
        "not a number": inside & np.isnan(got),
        "the wrong sign": inside & largest & ~np.where(got > 0.0, plus, minus),
        "within reach, yet finite": near & ~largest,
        "neither infinite nor exact": inside & ~near & ~largest & wrong,
    }


def check_pokes(rng, format, picture, size, pokes, **settings):
    seed = int(rng.integers(1 << 32))
    values = format.decode(pictures.make(picture, format, *size, seed))
    for poke in pokes:
        if np.isfinite(poke.value):
            values[poke.y, poke.x, poke.channel] = poke.value
    pixels = format.encode(values)
    for poke in pokes:
        pixels[poke.y, poke.x, poke.channel] = poke.value
    got = format.decode(fx.run("gaussian-blur", pixels, format, **settings))
    expected = expect_blur(format, values, **settings)
    ratios = measure(format, expected, got, get_range(values), settings.get("light")).ratios
    faults = find_faults(format, get_reached(format, values, pokes, settings), ratios, got)
    for reason, places in faults.items():
        for y, x, c in np.argwhere(places)[:1]:
            pytest.fail(f"{reason}: {got[y, x, c]:.9g}, expected {expected[y, x, c]:.9g}, at "
                        f"{x},{y} channel {c}, of {pokes}, picture \"{picture}\" of {size} with "
                        f"seed {seed}, {format}, {settings}")


def get_sets(width, height, alpha):
    """Pictures and their pokes."""
    x, y, inf = width // 2, height // 2, np.inf
    sets = [
        ("random", [Poke(x, y, 0, inf)]),
        ("HDR", [Poke(width - 1, 0, 0, -inf)]),
        ("random", [Poke(x, y, 0, inf), Poke(x // 2, y // 2, 0, -inf), Poke(0, 0, 0, inf)]),
        ("holes", [Poke(x, y, 0, inf), Poke(0, y, 0, -inf)]),
        ("random", [Poke(x, y, 0, np.nan)]),
    ]
    return sets if alpha is None else sets + [
        ("dark edge", [Poke(x, y, alpha, inf)]),
        ("random", [Poke(x, y, alpha, 0.0), Poke(x, y, 0, inf)]),  # under an alpha of 0
        ("zero", [Poke(x, y, alpha, 1.0), Poke(x, y, 0, -inf)]),  # on a transparent picture
        ("random", [Poke(x, y, alpha, np.nan)]),
    ]


def check_set(rng, n, format, size, **settings):
    """Set number n, counted around."""
    sets = get_sets(*size, format.colors if format.has_alpha else None)
    n %= len(sets)
    check_pokes(rng, format, sets[n][0], size, sets[n][1], abyss=ABYSSES[n % 4], **settings)


FORMATS = [(Format("float", 4), "linear"), (Format("float", 1, False), "linear"),
           (Format("half", 4, False), "perceptual"), (Format("double", 2, False), "linear"),
           (Format("float", 3), "perceptual")]


# Every path of the blur: one FIR, two, an explicit kernel; stages along one axis and both, one to
# three of them, with the fewest cells to a sigma, whose reach is the longest.
@pytest.mark.parametrize("n,shape,format,turn", product([
    ((0.2, 0.2), 0, (23, 17)), ((0.6, 2.0), 0, (41, 47)), ((3.0, 0.0), 0, (67, 5)),
    ((2.0, 2.0), 7, (23, 29)), ((1.0, 0.7), 255, (41, 31)), ((4.0, 0.0), 9999, (91, 3)),
    ((20.0, 1.0), 61, (90, 31)), ((5.3, 5.3), 0, (119, 131)), ((8.0, 2.0), 0, (165, 41)),
    ((1.0, 12.0), 0, (31, 241)), ((0.0, 42.4), 0, (3, 801)), ((42.4, 0.0), 0, (801, 3)),
    ((64.0, 0.0), 0, (1201, 2)), ((339.2, 0.0), 0, (6301, 1)), ((5000.0, 5000.0), 0, (40, 30))],
    FORMATS, range(3)))
def test_paths(rng, n, shape, format, turn):
    sigmas, kernel_size, size = shape
    check_set(rng, n // 3 // len(FORMATS) + n // 3 % len(FORMATS) + 3 * turn, format[0], size,
              sigma_x=sigmas[0], sigma_y=sigmas[1], kernel_size=kernel_size, light=format[1])


@pytest.mark.parametrize("n,trc,sigma,turn", product(CURVES[::2], [0.6, 2.0, 8.0], range(9)))
def test_curves(rng, n, trc, sigma, turn):
    """Through curves that are not straight below 0, or not 0 there."""
    format = Format("half" if n % 2 else "float", 1 + n % 4, n % 4 != 3, trc)
    check_set(rng, turn, format, (165, 91), sigma_x=sigma, sigma_y=0.5 * sigma,
              light="linear" if format.gamma else "perceptual")


def test_sun(rng):
    """A burnt-out sun: one infinity, which takes a part of the picture and leaves the rest."""
    check_pokes(rng, Format("float", 1, False), "random", (600, 600), [Poke(20, 30, 0, np.inf)],
                sigma_x=60, sigma_y=60)
