"""Matrices of many values, which go by FFT: tiles of a picture, and what must not suffer from a
transform's noise."""

import numpy as np
import pytest

import fx
import pictures
from cases import ABYSSES, LIGHTS, pick_region, pick_size, product
from convolve.reference import correlate
from convolve_case import ALL, PICTURES, WEIGHTINGS, check, check_pixels, convolve, make_matrix
from formats import HLG, PQ, SAMPLES, Format

CPU = fx.device == "cpu"  # the GPU has fewer cases: most need programs that must be compiled first

# ---- matrices ----

SHAPES = [(15, 15), (3, 63), (63, 5), (31, 17), (1, 63), (63, 1), (63, 63)]


@pytest.mark.parametrize("turn,shape,sample", product(SHAPES, SAMPLES))
def test_shapes(rng, turn, shape, sample):
    """Odd ones, over every kind of abyss, with any channels and alpha."""
    s, n = divmod(turn, len(SAMPLES))
    for n in range(n, 24 if CPU else 6, 6):
        check(rng, "positive" if n % 3 else "dense", shape,
              Format(sample, (n // 6 + s) % 4 + 1, bool(n % 2)),
              PICTURES[n // 6 + n % 2], pick_size(rng, 100, 50), channels=ALL if n % 5 else 7,
              alpha_weighting=WEIGHTINGS[n % 3], abyss=ABYSSES[(n + s) % 4],
              light=LIGHTS[n // 2 % 2])


# ---- curves ----


@pytest.mark.parametrize("n,sample,turn", product(["u8", "u16", "float"], range(4)))
def test_tables(rng, n, sample, turn):
    """Curves that are tables: by sums, products and transforms, also of a large matrix."""
    size = [5, 17, 65][n % 3]
    format = Format(sample, 3 + n % 2, n % 4 > 0, [PQ, HLG][n // 2 % 2])
    check(rng, "positive" if n % 2 else "dense", (size, size), format, "random", (90, 40),
          light="linear" if n % 4 else "perceptual")


# ---- parts of a picture ----


@pytest.mark.parametrize("n,format", product([
    Format("u8", 4), Format("u16", 1), Format("u16", 4), Format("float", 3, False),
    Format("half", 2)][:5 if CPU else 1]))
def test_tiles(rng, n, format):
    """Some tiles of a transform along x, and some bands along y."""
    check(rng, "positive", (15, 15), format, ["dark edge", "holes"][n % 2], (420, 150))


@pytest.mark.sanitized
@pytest.mark.parametrize("format", [Format("u8", 4), Format("u16", 2), Format("float", 4, False)])
def test_bands(rng, format):
    """More rows at a time than tiles have, of which those beside a hole are recomputed."""
    check(rng, "positive", (65, 33), format, "holes", (9, 700), band_rows=512)


@pytest.mark.sanitized
@pytest.mark.parametrize("limit", ["", "2M"])
def test_regions(rng, monkeypatch, limit):
    """Wherever a region begins, and however little memory there is, a pixel is the same but for
    rounding: tiles begin elsewhere."""
    values = make_matrix(rng, "positive", 17, 21)
    pixels = pictures.make("random", Format(), 420, 300, int(rng.integers(1 << 32)))
    whole = convolve(pixels, Format(), values).astype(int)
    monkeypatch.setenv("CUDA_BLUR_MEMORY_LIMIT", limit)
    for _ in range(4):
        x, y, w, h = region = pick_region(rng, 420, 300)
        part = convolve(pixels, Format(), values, region=region)
        error = np.abs(part - whole[y:y + h, x:x + w]).max()
        assert error <= 1, f"{error} levels apart in region {region}"


# ---- zeros and little alpha ----


@pytest.mark.parametrize("alpha_weighting", ["premultiplied", "straight"])
def test_zeros(rng, alpha_weighting):
    """Where there is nothing but zeros under the matrix, the sum is 0 and not noise: beside bright
    pixels, and where a channel or all of a tile is black."""
    pixels, values = np.zeros((150, 420, 4), np.float32), make_matrix(rng, "positive", 21, 31)
    pixels[60:90, 180:200, 1:] = rng.uniform(0.1, 1.0, (30, 20, 3))
    result = convolve(pixels, Format("float", 4, False), values, alpha_weighting=alpha_weighting)
    reached = np.zeros(result.shape, bool)
    reached[60 - 10:90 + 10, 180 - 15:200 + 15, 1:] = True
    assert (result[reached] > 0.0).all()
    assert (result[~reached] == 0.0).all()


@pytest.mark.parametrize("format,alpha", [
    (Format("float", 4, False), 1e-5), (Format("u8", 4), 1 / 255), (Format("u16", 4), 1 / 65535)])
def test_transparent(rng, format, alpha):
    """Colour that is nearly transparent is divided by a sum of alpha that is smaller than the noise
    of the opaque pixels beside it. Of transparent ones, few are in reach of a matrix, and that of
    some of its values only, from large to small."""
    values = rng.random((150, 420, 4))
    places = np.arange(150 * 420).reshape(150, 420)
    values[..., 3] = np.where(places % 420 >= 60, 1.0, np.where(places % 50 == 0, alpha, 0.0))
    check_pixels(f"alpha {alpha}", format, format.encode(values),
                 make_matrix(rng, "positive", 15, 15) * 10.0 ** rng.uniform(-5.0, 0.0, (15, 15)),
                 alpha_weighting="premultiplied")


def test_bell(rng):
    """A mean of one colour is that colour, however little alpha a bell reaches, whose ends weigh
    some 1e-7."""
    k = np.arange(-64, 65)
    values = np.exp(-np.add.outer(k * k, k * k) / 250.0) * rng.uniform(0.5, 1.0, (129, 129))
    pixels, color = np.zeros((40, 240, 4), np.float32), np.float32([0.5, 0.3, 1.0])
    pixels[:, :60, :3] = color
    pixels[:, :60, 3] = rng.uniform(0.2, 1.0, (40, 60))
    result = convolve(pixels, Format("float", 4, False), values, abyss="none")
    assert not result[:, 60 + 64:].any()
    seen = result[:, :60 + 64]
    assert np.abs(seen[..., :3] - color)[seen[..., 3] > 0.0].max() < 1e-5


# ---- whole numbers ----


def test_whole_numbers(rng):
    """Sums of whole numbers are whole, and their rounding is not left to noise."""
    values = rng.integers(-2, 4, (15, 15)).astype(float)
    pixels = rng.integers(0, 3, (150, 420, 1)).astype(np.uint8)
    result = convolve(pixels, Format("u8", 1, False), values, divisor=1, abyss="black")
    sums = np.rint(correlate(pixels[..., 0].astype(float), values, "black", 0.0))
    assert (result[..., 0] == np.clip(sums, 0, 255)).all()
