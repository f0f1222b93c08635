"""The convolution by Fourier transforms on a GPU, which matrices of each size are made to take, by
tiles of any size."""

import numpy as np
import pytest

import fx
import pictures
from cases import ABYSSES, LIGHTS, pick, pick_size, product
from convolve.reference import Matrix
from convolve_case import (WEIGHTINGS, check, check_pixels, convolve, expect, get_way, make_matrix,
                           pick_format, pick_picture)
from formats import SAMPLES, Format

pytestmark = pytest.mark.skipif(fx.device == "cpu", reason="the CPU has no such path")

FFT = ("fft", 0, 0, 0)
RGB = Format("float", 3, False)


@pytest.fixture(autouse=True)
def check_way(read_trace):
    """A transform is not exact enough for some matrices and formats: not for these."""
    yield
    assert "FFT, " in get_way(read_trace())


def pick_settings(rng, values):
    """No settings with which transforms are too inexact: 8 or 16 bits and a matrix that magnifies
    errors, more bits than 8 and a curve that is steep at 0, or an alpha that is not written."""
    magnifies = Matrix(values).gain > 4.0
    format = pick_format(rng, SAMPLES[2:] if magnifies else SAMPLES)
    settings = {"abyss": pick(rng, ABYSSES), "alpha_weighting": pick(rng, WEIGHTINGS),
                "light": pick(rng, LIGHTS if format.sample == "u8" else LIGHTS[format.gamma:])}
    if rng.integers(3) == 0:
        settings["offset"] = rng.uniform(-0.5, 1.0)
    if rng.integers(3) == 0:
        settings["channels"] = int(rng.integers(1, 16)) | 8
    return format, settings


# ---- shapes of matrices and sizes of tiles ----


@pytest.mark.sanitized
@pytest.mark.parametrize("rows,columns", [
    (1, 5), (63, 1), (3, 63), (7, 7), (15, 31), (31, 31), (63, 63)])
@pytest.mark.parametrize("kind", ["positive", "dense", "sparse", "box"])
def test_kinds(rng, kind, rows, columns):
    """With one tile at a time, or several."""
    values = make_matrix(rng, kind, rows, columns)
    values[0, 0] += 1.0  # not all are 0
    format, settings = pick_settings(rng, values)
    size, seed = pick_size(rng, 300, 200), int(rng.integers(1 << 32))
    tile = [128 << int(rng.integers(3)) for _ in range(2)]
    check_pixels(f"{kind} matrix of {rows}x{columns}, picture of {size} with seed {seed}", format,
                 pictures.make(pick_picture(rng, format), format, *size, seed), values,
                 choice=("fft", *tile, int(rng.integers(2))), **settings)


@pytest.mark.sanitized
@pytest.mark.parametrize("columns,rows", [
    *((columns, 128) for columns in [512, 1024, 1536, 2048, 2560, 2816, 3072, 4096, 4352, 4608,
                                     4864]),
    *((128, rows) for rows in [512, 1024, 1536, 2048, 2560, 2816, 3072, 4096])])
def test_lengths(rng, columns, rows):
    """Each length that is chosen."""
    check(rng, "positive", (9, 9), RGB, "random", (130, 60), choice=("fft", columns, rows, 0))


@pytest.mark.sanitized
@pytest.mark.parametrize("n,more,abyss", product([0, 1], ABYSSES))
def test_shared_margins(rng, n, more, abyss):
    """Both sides of a picture share what lies beyond it, if that is the same. The largest picture
    that has room in a tile so, and one that is too large for that."""
    check(rng, "dense", (21, 31), Format("float", n % 4 + 1, False), "random",
          (256 - 15 + more, 128 - 10 + more), choice=("fft", 256, 128, 0), abyss=abyss,
          alpha_weighting="straight")


def test_small_picture(rng):
    """A picture that is smaller than the matrix, of which a tile has to have all weights: those
    that reach nothing but what lies beyond the edges count, too."""
    check(rng, "positive", (301, 301), Format("float", 2, False), "random", (40, 30),
          abyss="white")


def test_offset(rng):
    """Of a matrix that is too large for sums."""
    check(rng, "positive", (127, 127), Format("float", 1, False), "random", (260, 170), choice=FFT,
          offset=0.5)


# ---- what must not suffer from noise ----


@pytest.mark.parametrize("format", [RGB, Format("float", 4), Format("float", 1, False)])
def test_zeros(rng, format):
    """If the matrix reaches nothing but zeros, the result is 0, not noise."""
    pixels = rng.uniform(0.01, 1.0, (200, 300, format.channels)).astype(np.float32)
    pixels[:, 150:] = 0.0
    result = convolve(pixels, format, make_matrix(rng, "positive", 15, 15),
                      choice=("fft", 256, 128, 0))
    assert (result[:, :150] > 0.0).all()
    assert (result[:, 157:] == 0.0).all()


def test_dark(rng):
    """Light that is little more than the noise of the bright pixels beside it does not count as 0
    if the curve is steep there."""
    pixels = rng.uniform(0.5, 1.0, (150, 200, 3)).astype(np.float32)
    pixels[:, 100:] = 1.3e-5
    check_pixels("little light", Format("float", 3), pixels, make_matrix(rng, "positive", 9, 9),
                 choice=("fft", 256, 256, 0))


def test_faint(rng):
    """Next to opaque white, colour under little alpha is not told by a transform: its errors would
    be a thousand times as large."""
    pixels = rng.random((150, 200, 4)).astype(np.float32)
    pixels[:, :195] = 1.0
    pixels[:, 195:] *= np.float32([0.2, 0.2, 0.2, 0.002])
    check_pixels("little alpha", Format("float", 4), pixels, make_matrix(rng, "positive", 9, 9),
                 choice=FFT)


def make_blocks(rng, width, height, size):
    """Samples of the largest magnitude, with signs that blocks of size x size pixels share."""
    signs = rng.choice(np.float32([-1.0, 1.0]), (-(-height // size), -(-width // size)))
    blocks = np.repeat(np.repeat(signs, size, 0), size, 1)
    return np.repeat(blocks[:height, :width, None], 3, 2)


@pytest.mark.parametrize("size,prevailing", [(1, 1e6), (8, 0.0)])
@pytest.mark.parametrize("columns,rows", [(256, 256), (512, 256), (1024, 512), (4864, 128),
                                          (128, 3072)])
def test_noise(rng, columns, rows, size, prevailing):
    """The error is noise, whose standard deviation has a bound (gpu-fft-error.c). A matrix averages
    out the source's part of it, unless one weight prevails."""
    values = make_matrix(rng, "positive", 9, 9)
    values[4, 4] += prevailing
    pixels = make_blocks(rng, 500, 200, size)
    result = convolve(pixels, RGB, values, choice=("fft", columns, rows, 0))
    errors = np.abs(result - expect(RGB, pixels, values)[0].value)
    bound = (np.finfo(np.float32).eps / 2.0 * np.sqrt(np.log2(columns * rows))
             * np.hypot(0.65, 1.2 * np.sqrt((values ** 2).sum()) / values.sum()))
    assert np.sqrt((errors ** 2).mean()) <= bound
    assert errors.max() <= 7.0 * bound


def test_whole(rng):
    """Whole numbers times levels of 8 bits are levels, which no error may round to others."""
    values = rng.integers(-2, 3, (13, 13)).astype(float)
    values[6, 6] += 1.0 - values.sum()
    pixels = pictures.make("dark edge", Format("u8", 3), 200, 150, int(rng.integers(1 << 32)))
    taps, transformed = (convolve(pixels, Format("u8", 3), values, divisor=1, light="perceptual",
                                  choice=(path, 0, 0, 0)) for path in ["taps", "fft"])
    assert (taps == transformed).all()
