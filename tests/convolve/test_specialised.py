"""The cost of a matrix that is compiled in: the multiplications and the loads in the text of its
program. Needs neither a GPU nor NVRTC."""

import ctypes
import re

import numpy as np
import pytest

from convolve_case import MATRICES, make_matrix
from convolve_plan import Plan
from formats import Format
from programs import get_text

GREY = Format("float", 1, False)


def get_price(values):
    """Of a thread, its results, and the multiplications of each of them and the loads of all. All
    results must cost the same."""
    text = get_text("direct-specialised", Plan(values, GREY))
    run = int(re.search("#define RUN ([0-9]+)", text)[1])
    taps = text[text.index("#define TAPS "):]
    multiplications = taps.count("sum[0] +=")
    assert run > 1
    assert all(taps.count(f"sum[{i}] +=") == multiplications for i in range(run))
    assert taps.count("* s") == run * multiplications
    return run, multiplications, taps.count("S (")


@pytest.mark.parametrize("values,multiplications,columns,singles", [
    ([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], 3, 2, 0),  # Sobel
    ([[-1, -2, -1], [0, 0, 0], [1, 2, 1]], 4, 3, 0),
    ([[0, 1, 0], [1, -4, 1], [0, 1, 0]], 4, 1, 2),  # Laplace
    ([[1, 1, 1], [1, -8, 1], [1, 1, 1]], 6, 3, 0),
    ([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 9, 3, 0),
    (np.ones((3, 3)), 3, 3, 0)])
def test_known(values, multiplications, columns, singles):
    """Matrices that can be counted by hand: the columns of three taps, and of one, that are loaded.
    A column of taps next to each other is loaded once for all results: as many samples as they have
    rows, and one for each further result."""
    run, counted, loads = get_price(values)
    assert counted == multiplications
    assert loads == columns * (run + 2) + singles * run


@pytest.mark.parametrize("kind", MATRICES)
def test_random(rng, kind):
    """Zeros cost nothing; of columns that are alike, but for their sign, each is loaded, and one is
    multiplied."""
    for _ in range(16):
        shape = 2 * rng.integers(0, 22 if kind in ("sparse", "one") else 7, 2) + 1
        values = make_matrix(rng, kind, *shape)
        run, multiplications, loads = get_price(values)
        different = []
        for column in values.T:
            if not any((column == sign * other).all() for other in different for sign in (1, -1)):
                different.append(column)
        assert multiplications == np.count_nonzero(different)
        assert loads == sum(np.count_nonzero(np.convolve(column != 0, np.ones(run)))
                            for column in values.T)


def test_once(rng):
    """A plan's matrix becomes text once."""
    plan = Plan(make_matrix(rng, "dense", 15, 15), GREY)
    text, made = get_text("direct-specialised", plan), plan.own.specialised.result
    assert ctypes.string_at(made).decode() in text
    assert get_text("direct-specialised", plan) == text
    assert plan.own.specialised.result == made
