"""Plans of matrices of all sizes in all formats, by taps, by products and by FFT, for the sweep of
launches."""

import itertools

import numpy as np

from launch_case import Case

SMALL_MAX = 63  # rows and columns; larger matrices are always transformed
SPARSE_TAPS = 200  # few enough to be compiled in


# Matrices of any size go by the path that is swept, even if another one is cheaper.


def make_matrix(values, path, **options):
    settings = {"values": values, "divisor": np.abs(values).sum(),
                "alpha_weighting": "premultiplied"}
    if options.get("with_alpha"):
        settings["channels"] = 7  # alpha has weights of its own
    return Case("convolve", settings, choice=(path, 0, 0, 0), **options)


def make_sparse(rng, rows, columns):
    """The first and the last value are not 0, so that the matrix is not cropped."""
    values, count = np.zeros(rows * columns), min(SPARSE_TAPS, rows * columns)
    values[rng.integers(values.size, size=count)] = rng.uniform(0.1, 1.0, count)
    values[0] = values[-1] = 1.0
    return values.reshape(rows, columns)


def make_products(rng, rows, columns, rank):
    return rng.uniform(-1.0, 1.0, (rows, rank)) @ rng.uniform(-1.0, 1.0, (rank, columns))


def list_shapes(large=False):
    yield from itertools.product(range(1, SMALL_MAX + 1, 2), repeat=2)
    if large:
        yield from (shape for shape in itertools.product([1, 33, 65, 255, 511, 1023], repeat=2)
                    if max(shape) > SMALL_MAX)


def list_products(rank):
    return lambda rng: (make_matrix(make_products(rng, *shape, rank), "cheapest", specialised=None)
                        for shape in list_shapes())


CASES = {
    "taps": lambda rng: (make_matrix(rng.random(shape), "taps", any_format=True)
                         for shape in list_shapes()),
    "taps-apart": lambda rng: (make_matrix(rng.uniform(-1.0, 1.0, shape), "taps", with_alpha=True)
                               for shape in list_shapes()),
    "taps-compiled-in": lambda rng: (
        make_matrix(make_sparse(rng, *shape), "cheapest", specialised=True)
        for shape in list_shapes()),
    "products-1": list_products(1),
    "products-2": list_products(2),
    "products-3": list_products(3),
    "fft": lambda rng: (make_matrix(rng.random(shape), "fft") for shape in list_shapes(True)),
}
TALL = [("convolve", {"values": np.array([[1, 2, 1], [2, 5, 2], [1, 2, 1]])})]
