"""What of a result is computed in one call, during which GIMP is deaf: as much as it asked for if
the whole takes seconds, and all at once if not."""

import re

import numpy as np
import pytest

import fx
from cases import list_examples
from graph import Buffer, get_babl, make_buffer
from operation_case import RGBA, add_node

LARGE, TILE = (3840, 2160), (128, 128)
SLOW, WIDE, FAST = map(list_examples, ["SLOW", "WIDE", "FAST"])


@pytest.fixture(autouse=True)
def have_two_threads(monkeypatch):
    """Which the estimates are for."""
    monkeypatch.setenv("OMP_NUM_THREADS", "2")


def add_large(filter, settings, size=LARGE):
    """Over a picture without tiles, so that it takes no memory."""
    node = add_node(f"cuda:{filter}", Buffer((0, 0, *size), get_babl(RGBA)), settings)
    assert node.box == (0, 0, *size)  # prepares it
    return node


@pytest.mark.parametrize("filter,settings", SLOW)
@pytest.mark.parametrize("asked", [
    (0, 0, *TILE), (1792, 1024, *TILE), (0, 512, 3840, 128), (3712, 2048, 128, 112),
    (0, 512, 3840, 1648)])
def test_slow(filter, settings, asked):
    """No more than what is asked for: GIMP measures how long that takes, and asks for as much as
    takes a fraction of a second."""
    assert add_large(filter, settings).get_cached(asked) == asked


@pytest.mark.parametrize("filter,settings", WIDE)
@pytest.mark.parametrize("asked", [(0, 0, *TILE), (1792, 1024, *TILE), (3712, 2048, 128, 112)])
def test_wide(filter, settings, asked):
    """A part of a large matrix has no rows but those that are asked for, and as many columns as the
    matrix, without which it would take many times as long as its share of the whole."""
    x, y, width, height = asked
    node = add_large(filter, settings)
    columns = node.get_required((1900, 1000, 1, 1)).width
    part = node.get_cached(asked)
    assert part == (x, y, min(columns - 1, 3840 - x), height)


@pytest.mark.parametrize("filter,settings,size", [
    ("gaussian-blur", {"sigma_x": 300.0, "sigma_y": 300.0}, (20000, 15000)),
    *((*case, LARGE) for case in FAST)])
def test_fast(filter, settings, size):
    """All of it: in less than a second, or because parts would take many times as long."""
    assert add_large(filter, settings, size).get_cached((128, 128, *TILE)) == (0, 0, *size)


def test_ready():
    """All of it, if the GPU is ready and fast."""
    if fx.device == "cpu":
        pytest.skip("there is no GPU")
    pixels = np.zeros((16, 16, 4), np.uint8)
    filter, settings = SLOW[0]
    add_node(f"cuda:{filter}", make_buffer(pixels, RGBA), settings).render((0, 0, 16, 16), RGBA)
    assert add_large(filter, settings).get_cached((0, 0, *TILE)) == (0, 0, *LARGE)


def read_parts(trace):
    return [tuple(map(int, part))
            for part in re.findall(r"process .* (\d+)x(\d+) at (-?\d+) (-?\d+),", trace)]


def test_listed(read_trace):
    """The trace has the parts, of which none is computed twice."""
    if fx.device == "gpu":
        pytest.skip("all of it is a part, once the GPU is ready")
    node = add_large(*SLOW[0])
    node.set_cached()
    for _ in range(2):
        for x in 1792, 1920:
            node.render((x, 1024, *TILE), RGBA, cached=True)
    assert read_parts(read_trace()) == [(*TILE, 1792, 1024), (*TILE, 1920, 1024)]
