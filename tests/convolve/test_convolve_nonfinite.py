"""Infinities and NaN in the convolution's source (convolve.h): what they reach, and as what."""

import numpy as np
import pytest

import fx
import pictures
from cases import product
from convolve.reference import correlate
from convolve_case import ALL, convolve, expect, make_matrix
from formats import Format
from judge import find_wrong

CPU = fx.device == "cpu"


def reach(pokes, values, abyss):
    """Which pixels an infinity reaches with its sign: plus, minus. pokes: the value of each pixel,
    or 0; NaN counts as both."""
    def see(poked, weights):
        return correlate(poked.astype(float), weights.astype(float), abyss, 0.0) > 0.5

    above, below = (pokes > 0.0) | np.isnan(pokes), (pokes < 0.0) | np.isnan(pokes)
    return (see(above, values > 0.0) | see(below, values < 0.0),
            see(above, values < 0.0) | see(below, values > 0.0))


def find_faults(format, expected, bounds, got, plus, minus):
    """Which samples are wrong, by the reason. plus, minus: what infinities reach."""
    largest = np.abs(got) >= (65504.0 if format.sample == "half" else np.finfo(np.float32).max)
    inside = plus | minus
    return {
        "not a number": np.isnan(got),
        "out of reach": ~inside & find_wrong(format, expected, got, bounds),
        "within reach, yet finite": inside & ~largest,
        "the wrong sign": inside & ~np.where(got > 0.0, plus, minus),
    }


def check(rng, kind, shape, width, format, alpha_weighting, picture, abyss, choice=None):
    """Of all pokes, those under an alpha of 0 are nothing if that weighs colour."""
    seed = int(rng.integers(1 << 32))
    values = make_matrix(np.random.default_rng(seed), kind, *shape)
    pixels, pokes = pictures.make(picture, format, width, 45, seed), np.zeros((45, width))
    settings = {"divisor": 1.5, "channels": ALL, "alpha_weighting": alpha_weighting,
                "abyss": abyss}
    expected, bounds = expect(format, pixels, values, **settings)
    for x, y, value in [(30, 20, np.inf), (36, 22, -np.inf), (69, 44, np.nan),
                        (width - 68, 40, -np.inf)]:
        pokes[y, x] = value
        pixels[y, x, 0] = value
    got = format.decode(convolve(pixels, format, values, choice=choice, **settings))
    if format.has_alpha and alpha_weighting == "premultiplied":
        pokes[pixels[..., -1] == 0] = 0.0
    plus, minus = np.zeros((2, *got.shape), bool)
    plus[..., 0], minus[..., 0] = reach(pokes, values, abyss)
    for reason, wrong in find_faults(format, expected, bounds, got, plus, minus).items():
        for y, x, c in np.argwhere(wrong)[:1]:
            pytest.fail(f"{reason}: {got[y, x, c]:.9g}, expected {expected.value[y, x, c]:.9g}, at "
                        f"{x},{y} channel {c}, {kind} matrix of {shape[0]}x{shape[1]}, picture "
                        f"\"{picture}\" of {width}x45 with seed {seed}, {format}, {settings}")


FORMATS = [Format("float", 4), Format("float", 1, False), Format("half", 4, False),
           Format("double", 2, False), Format("float", 3)]


# Every way: by the taps, with weights of 0 among them; by products, which cancel out; by FFT, which
# would spread an infinity over all of a tile.
@pytest.mark.parametrize("n,matrix,format,path", product([
    ("dense", (3, 5), 70), ("sparse", (9, 7), 70), ("sparse", (31, 31), 70),
    ("rank 1", (15, 9), 70), ("rank 2", (15, 15), 70), ("rank 3", (21, 31), 70),
    ("opposite", (7, 7), 70), ("box", (11, 11), 70), ("one", (17, 17), 70),
    ("dense", (21, 15), 300), ("positive", (15, 21), 300)], FORMATS, ["cheapest", "fft"]))
def test_ways(rng, n, matrix, format, path):
    m, f = n // 2 // len(FORMATS), n // 2 % len(FORMATS)
    check(rng, *matrix, format, ["premultiplied", "straight"][(m + f) % 2],
          ["random", "holes"][m % 2], ["none", "clamp"][f % 2], (path, 0, 0, 0))


@pytest.mark.skipif(not CPU, reason="a GPU refuses them")
@pytest.mark.parametrize("format", [Format("float", 4), Format("half", 2, False),
                                    Format("double", 1, False)])
@pytest.mark.parametrize("kind,shape,alpha_weighting,picture,abyss", [
    ("dense", (65, 33), "premultiplied", "holes", "clamp"),
    ("sparse", (65, 33), "straight", "holes", "clamp"),
    ("dense", (9, 127), "premultiplied", "random", "none"),
    ("sparse", (9, 127), "straight", "random", "none")])
def test_transforms(rng, format, kind, shape, alpha_weighting, picture, abyss):
    """The CPU finds them by transforms."""
    check(rng, kind, shape, 250, format, alpha_weighting, picture, abyss)


@pytest.mark.parametrize("channels", [ALL, 1])
def test_refused(channels):
    """A GPU refuses infinities under a large matrix, and also one that divides colour by an alpha
    that it does not write."""
    pixels = np.zeros((2, 2, 4), np.float32)
    pixels[0, 0] = 1.0, 0.5, np.inf, 1.0
    if CPU:
        convolve(pixels, Format("float", 4, False), np.ones((65, 65)), channels=channels)
        return
    with pytest.raises(fx.Error) as caught:
        convolve(pixels, Format("float", 4, False), np.ones((65, 65)), channels=channels)
    assert caught.value.code == "argument"
