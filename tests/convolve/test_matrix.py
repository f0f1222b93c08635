"""A matrix's box and products (matrix.h), and its plans, by themselves."""

from ctypes import POINTER, byref, c_double, c_int, c_void_p
from types import SimpleNamespace

import numpy as np
import pytest

import fx
from convolve_case import MATRICES, make_matrix
from convolve_plan import PRODUCTS_MAX, ConvolveMatrix, Plan
from formats import Format

RGBA = Format("float", 4, False)
fx.library.declare({
    "convolve_matrix_clear": (None, [POINTER(ConvolveMatrix)]),
    "convolve_matrix_init": (c_int, [POINTER(ConvolveMatrix), c_void_p, c_int, c_int, c_double]),
})


def analyse(values, divisor=1.0):
    """The box, its place, its products along both axes, and the numbers of taps and products."""
    values, matrix = np.ascontiguousarray(values, float), ConvolveMatrix()
    assert fx.library.convolve_matrix_init(byref(matrix), values.ctypes.data, *values.shape,
                                           divisor)
    box = np.ctypeslib.as_array(matrix.weights, (matrix.rows, matrix.columns)).copy()
    along_y, along_x = (
        np.array(along[:matrix.rank * n], np.float32).reshape(matrix.rank, n) if along else None
        for along, n in ((matrix.along_y, matrix.rows), (matrix.along_x, matrix.columns)))
    found = SimpleNamespace(box=box, top=matrix.top, left=matrix.left, taps=matrix.taps,
                            rank=matrix.rank, along_y=along_y, along_x=along_x)
    fx.library.convolve_matrix_clear(byref(matrix))
    return found


def check_matrix(values, divisor, rank=None):
    """The products' sum is the box, if there are not too many, and the box has all of the
    matrix."""
    found, weights = analyse(values, divisor), (values / divisor).astype(np.float32)
    rows, columns = found.box.shape
    y, x = found.top + values.shape[0] // 2, found.left + values.shape[1] // 2
    inside = weights[y:y + rows, x:x + columns]
    assert (found.box == inside).all()
    assert np.count_nonzero(weights) == np.count_nonzero(inside) == found.taps
    if found.rank <= PRODUCTS_MAX:
        products = found.along_y.astype(float).T @ found.along_x.astype(float)
        assert np.abs(products - inside).sum() <= 4e-7 * np.abs(inside).sum(dtype=float)
    assert rank is None or found.rank == min(rank, rows, columns)


RANKS = {"rank 1": 1, "rank 2": 2, "rank 3": 3, "box": 1, "one": 1, "zero": 0,
         "dense": PRODUCTS_MAX + 1}  # of the others it may be low by chance


def pick_shape(rng):
    return tuple(int(n) for n in 2 * rng.integers(0, 32, 2) + 1)


@pytest.mark.parametrize("kind", MATRICES)
def test_products(rng, kind):
    for _ in range(25):
        values = make_matrix(rng, kind, *pick_shape(rng))
        check_matrix(values, rng.uniform(0.01, 100), RANKS.get(kind))


@pytest.mark.parametrize("shape", [(65, 65), (127, 255), (1023, 65), (511, 511), (1023, 1023)])
@pytest.mark.parametrize("kind", MATRICES)
def test_large_kinds(rng, kind, shape):
    """Large random values have a rank that is not low."""
    check_matrix(make_matrix(rng, kind, *shape), rng.uniform(0.01, 100),
                 RANKS.get(kind, PRODUCTS_MAX + 1))


def make_cosines(shape, terms, share, start=0):
    """A sum of products at right angles, from number start on, each share times as large as the
    one before."""
    k = np.arange(start, terms)
    along_y, along_x = (np.cos(np.pi * np.outer(np.arange(n) + 0.5, k) / n) for n in shape)
    return along_y * share ** k.astype(float) @ along_x.T


def check_rank(shape, terms, share):
    """Singular values that are known: few, many, equal, and so small that they count no more. The
    rank is not counted above the most that is used."""
    values = make_cosines(shape, terms, share)
    rank = analyse(values).rank

    def get_rest(start):
        return np.abs(make_cosines(shape, terms, share, start)).sum() / np.abs(values).sum()

    assert rank <= PRODUCTS_MAX + 1
    assert rank > PRODUCTS_MAX or get_rest(rank) < 2.1e-7
    assert get_rest(rank - 1) > 1.9e-7
    return values


@pytest.mark.parametrize("share", [1.0, 0.9, 0.5, 0.1, 1e-3, 1e-5])
def test_rank(rng, share):
    for _ in range(10):
        shape = pick_shape(rng)
        check_rank(shape, int(rng.integers(1, min(shape) + 1)), share)


@pytest.mark.parametrize("terms", range(1, 7))
@pytest.mark.parametrize("shape,share", [
    ((65, 65), 1.0), ((1, 1023), 0.1), ((1023, 1), 1e-3), ((3, 1023), 1.0), ((1023, 5), 0.1),
    ((65, 1), 1e-3), ((201, 201), 1.0), ((63, 255), 0.1), ((511, 127), 1e-3), ((1023, 1023), 1.0),
    ((201, 201), 0.1), ((1023, 1023), 1e-3)])
def test_large_rank(shape, share, terms):
    check_matrix(check_rank(shape, min(terms, *shape), share), 3.0)


# ---- plans ----


@pytest.mark.parametrize("size,rows", [(63, 0), (65, 65)])
def test_worthwhile(size, rows):
    """Transforms of a large matrix cost as much for a few rows as for many."""
    plan = Plan(np.ones((size, size)), RGBA)
    assert plan.own.base.reach.worthwhile_rows == rows


MIDDLE, ASIDE = np.zeros((2, 3, 3))
MIDDLE[1, 1] = ASIDE[1, 2] = 3


@pytest.mark.parametrize("values,format,settings,identity", [
    (MIDDLE, RGBA, {}, True),  # the divisor is 3
    (MIDDLE, RGBA, {"divisor": 2}, False), (MIDDLE, RGBA, {"offset": 0.1}, False),
    (ASIDE, RGBA, {}, False),
    # No channel of a grey image is the alpha that is asked for.
    (ASIDE, Format("u8", 1), {"channels": 8}, True)])
def test_identity(values, format, settings, identity):
    assert Plan(values, format, **settings).is_identity == identity


@pytest.mark.parametrize("level", range(1, 7))
def test_draft(rng, level):
    """It has the sum of the whole."""
    for _ in range(16):
        plan = Plan(make_matrix(rng, "positive", *pick_shape(rng)), RGBA)
        draft = plan.get_draft(level)
        white = np.ones((3, 3, 4), np.float32)
        assert np.abs(fx.run_plan(draft, white, RGBA, device="cpu") - 1).max() < 1e-5
        assert draft.reach[0] <= (plan.reach[0] >> level) + 1
