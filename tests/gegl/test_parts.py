"""What of a result is computed in one call, during which GIMP is deaf: as much as it asked for if
the whole takes seconds, and all at once if not."""

import re

import numpy as np
import pytest

import fx
import graph
from formats import Format
from graph import Buffer, Graph, get_babl, make_buffer

graph.start()
RGBA = Format("u8", 4)
LARGE, TILE = (3840, 2160), (128, 128)
ZOOM = "motion-blur", {"kind": "zoom", "factor": 0.5}
SPIN = "motion-blur", {"kind": "spin", "angle": 360.0}
SELECTIVE = "selective-blur", {"sigma": 30.0}
LENS = "lens-blur", {"radius": 500.0}


@pytest.fixture(autouse=True)
def have_two_threads(monkeypatch):
    """Which the estimates are for."""
    monkeypatch.setenv("OMP_NUM_THREADS", "2")


def add(source, filter, settings):
    return Graph().add(f"cuda:{filter}", source, device=fx.device, **settings)


def add_large(filter, settings, size=LARGE):
    """Over a picture without tiles, so that it takes no memory."""
    node = add(Buffer((0, 0, *size), get_babl(RGBA)), filter, settings)
    assert node.box == (0, 0, *size)  # prepares it
    return node


@pytest.mark.parametrize("filter,settings", [ZOOM, SPIN, SELECTIVE])
@pytest.mark.parametrize("asked", [
    (0, 0, *TILE), (1792, 1024, *TILE), (0, 512, 3840, 128), (3712, 2048, 128, 112),
    (0, 512, 3840, 1648)])
def test_slow(filter, settings, asked):
    """No more than what is asked for: GIMP measures how long that takes, and asks for as much as
    takes a fraction of a second."""
    assert add_large(filter, settings).get_cached(asked) == asked


@pytest.mark.parametrize("asked", [(0, 0, *TILE), (1792, 1024, *TILE), (3712, 2048, 128, 112)])
def test_wide(asked):
    """A part of a large matrix has no rows but those that are asked for, and as many columns as the
    matrix, without which it would take many times as long as its share of the whole."""
    x, y, width, height = asked
    node = add_large(*LENS)
    columns = node.get_required((1900, 1000, 1, 1)).width
    part = node.get_cached(asked)
    assert part == (x, y, min(columns - 1, 3840 - x), height)


@pytest.mark.parametrize("filter,settings,size", [
    ("gaussian-blur", {"std_dev_x": 300.0, "std_dev_y": 300.0}, LARGE),
    ("gaussian-blur", {"std_dev_x": 300.0, "std_dev_y": 300.0}, (20000, 15000)),
    ("motion-blur", {"kind": "zoom", "factor": 0.02}, LARGE),
    ("lens-blur", {"radius": 9.0}, LARGE)])
def test_fast(filter, settings, size):
    """All of it: in less than a second, or because parts would take many times as long."""
    assert add_large(filter, settings, size).get_cached((128, 128, *TILE)) == (0, 0, *size)


def test_ready():
    """All of it, if the GPU is ready and fast."""
    if fx.device == "cpu":
        pytest.skip("there is no GPU")
    pixels = np.zeros((16, 16, 4), np.uint8)
    add(make_buffer(pixels, RGBA), *ZOOM).render((0, 0, 16, 16), RGBA)
    assert add_large(*ZOOM).get_cached((0, 0, *TILE)) == (0, 0, *LARGE)


def read_parts(trace):
    return [tuple(map(int, part))
            for part in re.findall(r"process .* (\d+)x(\d+) at (-?\d+) (-?\d+),", trace)]


def test_listed(read_trace):
    """The trace has the parts, of which none is computed twice."""
    if fx.device == "gpu":
        pytest.skip("all of it is a part, once the GPU is ready")
    node = add_large(*ZOOM)
    node.set_cached()
    for _ in range(2):
        for x in 1792, 1920:
            node.render((x, 1024, *TILE), RGBA, cached=True)
    assert read_parts(read_trace()) == [(*TILE, 1792, 1024), (*TILE, 1920, 1024)]


@pytest.mark.parametrize("kind", ["spin", "zoom"])
def test_same(rng, kind):
    """The parts are those of the whole."""
    pixels = rng.integers(0, 256, (150, 210, 4), np.uint8)
    source = make_buffer(pixels, RGBA, (-7, 20))
    settings = {"kind": kind, "angle": 70.0, "factor": 0.6, "center_x": 0.3}
    whole = add(source, "motion-blur", settings).render((-7, 20, 210, 150), RGBA)
    for x, y, width, height in (0, 0, 128, 128), (128, 0, 82, 128), (0, 128, 210, 22):
        part = add(source, "motion-blur", settings).render((x - 7, y + 20, width, height), RGBA)
        assert (part == whole[y:y + height, x:x + width]).all()
