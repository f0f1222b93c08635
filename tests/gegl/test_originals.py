"""GEGL's own operations in the place of ours, for when the engine fails on every device."""

import ctypes

import numpy as np
import pytest

import fx
import graph
from cases import ABYSSES, product
from formats import Format
from graph import Graph, make_buffer
from matrix_scene import DEFAULTS, MATRICES, MatrixScene, take_settings

graph.start()
RGBA, OPAQUE = Format("u8", 4), Format("float", 3, False)
link = fx.library.shared.originals_link
link.argtypes = [ctypes.c_void_p, ctypes.c_int, *[ctypes.c_void_p] * 3]


def add_original(filter, source, clip=True, **settings):
    """Returns a node behind GEGL's own for a filter with these settings, which source goes
    through."""
    nodes, settings = Graph(), fx.Settings(filter, **settings)
    first, last = nodes.add("gegl:nop", source), nodes.add("gegl:nop")
    link(settings.handle, clip, nodes, first, last)
    return last


@pytest.mark.parametrize("n,matrix,abyss", product(
    [matrix for matrix in MATRICES if matrix["values"].shape[1] <= 5], ABYSSES))
def test_convolve(rng, capfd, n, matrix, abyss):
    """Straight and in linear light, as GEGL convolves."""
    settings = {**DEFAULTS, **matrix, "abyss": abyss}
    scene = MatrixScene(rng, OPAQUE, settings)
    scene.check_node(add_original("convolve", scene.buffer, **settings))
    assert "cuda-blur" not in capfd.readouterr().err


def test_too_large(rng, capfd):
    """The pixels stay as they are, with one message."""
    scene = MatrixScene(rng, RGBA, take_settings(3))  # of nine columns
    for _ in range(2):
        node = add_original("convolve", scene.buffer, values=scene.settings["values"])
        scene.check_unchanged(node)
    said = capfd.readouterr().err
    assert said.count("cuda-blur: ") == 1
    assert ("The pixels stay as they are: GEGL itself convolves with no more than 5 x 5 values"
            in said)


@pytest.mark.parametrize("radius", [4, 8, 12, 16])
def test_lens(capfd, radius):
    """A disc of the same radius."""
    grey, middle = Format("float", 1, False), 20
    point = np.zeros((41, 41, 1), np.float32)
    point[middle, middle] = 1.0
    node = add_original("lens-blur", make_buffer(point, grey), radius=radius)
    row = node.render((0, middle, 41, 1), grey)[0, :, 0] * np.pi * radius ** 2
    assert 0.7 < row[middle] < 1.4 and row[middle + radius - 2] > 0.7
    assert row[middle + radius + 2] < 1e-4 * np.pi * radius ** 2
    assert "cuda-blur" not in capfd.readouterr().err


def test_selective():
    """An even picture stays, also with a sigma whose square is too large a radius for GEGL."""
    pixels = np.full((3, 4, 4), 0.25, np.float32)
    for sigma in 0.5, 3, 50:
        node = add_original("selective-blur", make_buffer(pixels, Format("float", 4)), sigma=sigma)
        result = node.render((0, 0, 4, 3), Format("float", 4))
        assert np.abs(result - pixels).max() <= 1e-4
