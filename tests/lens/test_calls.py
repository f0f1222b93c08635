"""The work of matrices that are transformed on the CPU, counted: none of it is a sum over the
values, which would take minutes for a thousand rows and columns."""

from ctypes import c_int

import numpy as np
import pytest

import fx
from formats import Format

FORMAT = Format("float", 4, False)

# A transform convolves two layers together. For the infinities of each it takes two more: with the
# values above 0 and with those below.
TIMES = 5


@pytest.fixture(autouse=True)
def one_thread(monkeypatch):
    """The tiles depend on the number of threads."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


def count_transforms(filter, pixels, **settings):
    """Returns the result, too."""
    transforms, sums = (c_int.in_dll(fx.library.shared, f"door_{name}")
                        for name in ("transforms", "sums"))
    transforms.value = sums.value = 0
    result = fx.run(filter, pixels, FORMAT, engine=fx.Engine(), **settings)
    assert sums.value == 0
    return transforms.value, result


def count_infinite(every, filter, settings):
    """The colour of one pixel in so many is infinite, or of none."""
    pixels = np.full((30, 40, 4), 0.5, np.float32)
    pixels[..., 3] = 1.0
    if every:
        pixels.reshape(-1, 4)[::every, :3] = np.inf
    transforms, result = count_transforms(filter, pixels, **settings)
    assert np.isinf(result[..., 0]).any() == (every is not None)
    return transforms


@pytest.mark.parametrize("filter", ["lens-blur", "convolve"])
def test_infinities(rng, filter):
    """They cost as much, however many there are."""
    settings = {"radius": 500, "blades": 6, "rotation": 10} if filter == "lens-blur" else {
        "values": rng.uniform(-0.5, 1.0, (1023, 1023)), "channels": 15,
        "alpha_weighting": "premultiplied"}
    finite, one, many = (count_infinite(every, filter, settings) for every in (None, 1200, 7))
    assert 0 < finite < one == many <= TIMES * finite


def count_white(radius, white):
    """Blurs a picture that is white in places and transparent elsewhere. Its results are white or
    transparent, however little alpha they have."""
    pixels = np.repeat(white[..., None], 4, axis=2).astype(np.float32)
    transforms, result = count_transforms("lens-blur", pixels, radius=radius, blades=0)
    seen = result[..., 3] != 0.0
    assert (result[~seen] == 0.0).all()
    assert np.abs(result[seen][:, :3] - 1.0).max() <= 1e-5
    return transforms


def test_transparent():
    """Half of the picture is, so that there are results of little alpha."""
    white = np.zeros((3000, 100))
    white[:1500] = 1.0
    count_white(100, white)


def test_edges():
    """The same wherever the transparent part begins, beside an edge of the tiles, too."""
    for end in range(1000, 2000, 8):
        white = np.zeros((3, 3000))
        white[:, end - 8 if end > 1000 else 0:end] = 1.0
        count_white(100, white)


def test_hole():
    """Results of little alpha take no more work than others, under a disc that sums could do."""
    def count_hole(size):
        white, start = np.ones((200, 200)), 100 - size // 2
        white[start:start + size, start:start + size] = 0.0
        return count_white(30, white)

    assert max(count_hole(56), count_hole(120)) <= count_hole(0)
