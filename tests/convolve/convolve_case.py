"""Cases of the convolution: a matrix, a picture, its format and settings, held to the contract
(convolve.h)."""

import numpy as np

import fx
import pictures
from cases import ABYSSES, LIGHTS, pick, pick_region, pick_size
from convolve.reference import Matrix, convolve as expect_convolve
from formats import SAMPLES, Format
from judge import get_bounds, get_range, judge_sums

WEIGHTINGS = ["auto", "premultiplied", "straight"]
PICTURES = ["random", "dark edge", "holes", "flat", "HDR"]
ALL = 15  # channels

# ---- matrices of the kinds that a convolution may treat differently ----


def fill(rng, rows, columns, share=1.0):
    values = rng.uniform(-1.0, 1.0, (rows, columns))
    return np.where(rng.random((rows, columns)) < share, values, 0.0)


def make_product(rng, rows, columns, rank=1):
    return fill(rng, rows, rank) @ fill(rng, rank, columns)


def take_sum(values):
    values[values.shape[0] // 2, values.shape[1] // 2] -= values.sum()
    return values


def mirror(values, sign):
    """Each row is its own mirror image, or that with the opposite sign."""
    half = values.shape[1] // 2
    values[:, values.shape[1] - half:] = sign * values[:, :half][:, ::-1]
    return values


def make_one(rng, rows, columns):
    """One value that is not 0, anywhere."""
    values = np.zeros(rows * columns)
    values[rng.integers(values.size)] = rng.uniform(-1.0, 1.0)
    return values.reshape(rows, columns)


MATRICES = {
    "dense": fill,
    "positive": lambda rng, *shape: rng.random(shape),
    "sparse": lambda rng, *shape: fill(rng, *shape, 0.1),
    "rank 1": make_product,
    "rank 2": lambda rng, *shape: make_product(rng, *shape, 2),
    "rank 3": lambda rng, *shape: make_product(rng, *shape, 3),
    "zero sum": lambda rng, *shape: take_sum(fill(rng, *shape)),
    "symmetric": lambda rng, *shape: mirror(fill(rng, *shape), 1.0),
    "opposite": lambda rng, *shape: mirror(fill(rng, *shape), -1.0),
    "box": lambda rng, *shape: np.ones(shape),
    "one": make_one,
    "zero": lambda rng, *shape: np.zeros(shape),
}


def make_matrix(rng, kind, rows, columns):
    return MATRICES[kind](rng, rows, columns)


# ---- runs ----


def convolve(pixels, format, values, **options):
    """options: those of fx.run, and the filter's settings but its matrix."""
    return fx.run("convolve", pixels, format, values=values, **options)


def expect(format, pixels, values, region=None, **settings):
    """What the region's samples may be, and how far the stored ones may be from that."""
    source = format.decode(pixels)
    expected = expect_convolve(format, source, region, values, **settings)
    gain = Matrix(values, settings.get("divisor", 0.0)).gain
    return expected, get_bounds(format, expected.value, get_range(source) * gain)


def hold(setting, format, pixels, result, values, region=None, **settings):
    """Holds a result to the contract. Channels that are not written must keep their bytes."""
    x, y, w, h = region or (0, 0, pixels.shape[1], pixels.shape[0])
    expected, bounds = expect(format, pixels, values, (x, y, w, h), **settings)
    judge_sums(setting, format, expected, result, bounds, (x, y))
    matrix = Matrix(values, channels=settings.get("channels", 0))
    for c in range(format.channels):
        if not matrix.writes(format, c):
            before = np.ascontiguousarray(pixels[y:y + h, x:x + w, c])
            assert before.tobytes() == result[..., c].tobytes(), (
                f"channel {c} is not as it was, in {setting}")


def check_pixels(setting, format, pixels, values, region=None, choice=None, band_rows=0,
                 **settings):
    """Runs the convolution, and holds it to the contract."""
    setting = (f"{setting}, {format}, region {region or 'all'}, choice {choice or 'none'}, "
               f"{band_rows} rows, {settings}")
    try:
        result = convolve(pixels, format, values, region=region, choice=choice,
                          band_rows=band_rows, **settings)
    except (AssertionError, fx.Error) as failure:
        raise AssertionError(f"{failure}, in {setting}") from failure
    hold(setting, format, pixels, result, values, region, **settings)


def check(rng, kind, shape, format, picture, size, **options):
    """Convolves a picture with a matrix of that kind and shape: rows, columns."""
    seed = int(rng.integers(1 << 32))
    values = make_matrix(np.random.default_rng(seed), kind, *shape)
    pixels = pictures.make(picture, format, *size, seed)
    check_pixels(f"{kind} matrix of {shape[0]}x{shape[1]}, picture \"{picture}\" of "
                 f"{size[0]}x{size[1]} with seed {seed}", format, pixels, values, **options)


# ---- at random ----


def pick_format(rng, samples=SAMPLES):
    return Format(pick(rng, samples), int(rng.integers(1, 5)), bool(rng.integers(2)))


def pick_picture(rng, format):
    return pick(rng, PICTURES[:4] if format.is_integer else PICTURES)


def check_random(rng, kind, shape, most=(90, 70), **settings):
    """settings: those that are not random."""
    format, size = pick_format(rng), pick_size(rng, *most)
    if rng.integers(2):
        settings["divisor"] = rng.uniform(0.5, 20.0)
    if rng.integers(3) == 0:
        settings["offset"] = rng.uniform(-0.5, 1.0)
    if rng.integers(2):
        settings.setdefault("channels", int(rng.integers(16)))
    if rng.integers(3) == 0:
        settings["region"] = pick_region(rng, *size)
    check(rng, kind, shape, format, pick_picture(rng, format), size, abyss=pick(rng, ABYSSES),
          light=pick(rng, LIGHTS), alpha_weighting=pick(rng, WEIGHTINGS), **settings)


# ---- the trace ----


def get_way(trace):
    """How the last convolution was computed."""
    return [line for line in trace.splitlines() if line.startswith("cuda-blur: convolve ")][-1]
