"""The operation cuda:lens-blur in GEGL's graphs."""

import numpy as np
import pytest

from cases import ABYSSES
from formats import Format
from graph import Buffer, Graph, get_babl, make_buffer
from lens.reference import Aperture
from matrix_scene import make_noise
from operation_case import (OPAQUE, PLAIN, RGBA, SIZE, add_node, check_keys, check_names,
                            run_engine)
from scene import check_step, is_same

LENS = "cuda:lens-blur"


def test_words():
    check_names(LENS, "radius blades rotation roundness ring squeeze highlights threshold "
                "abyss-policy light clip-extent device floats")
    check_keys(LENS, (None, "title", "Lens Blur (CUDA)"),
               (None, "gimp:menu-path", "<Image>/Filters/Blur"),
               (None, "gimp:menu-label", "Lens Blur (_CUDA)..."), (None, "categories", "blur"))


def test_steps():
    """GIMP steps through the numbers of blades, and shows what becomes of each."""
    node = Graph().add(LENS)
    for value, kept in [(5, 5), (3, 3), (2, 0), (1, 3), (0, 0), (2, 3), (1, 0), (12, 12)]:
        check_step(node, "blades", value, kept)


SHAPES = [
    {"radius": 6.0, "blades": 6},
    {"radius": 3.5, "blades": 0, "ring": 0.75, "abyss": "none"},
    {"radius": 8.0, "blades": 5, "rotation": 20.0, "roundness": 0.25, "abyss": "white",
     "light": "perceptual"},
    {"radius": 9.0, "blades": 9, "squeeze": 0.5, "ring": -0.5, "abyss": "black"},
    {"radius": 5.0, "blades": 7, "highlights": 2.0, "threshold": 0.5},
]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("format", [RGBA, Format("u8", 1), Format("u16", 3),
                                    Format("half", 4), OPAQUE, PLAIN])
def test_formats(rng, format, shape):
    pixels = make_noise(rng, format)
    node = add_node(LENS, make_buffer(pixels, format, (-9, 4)), shape)
    got = node.render((-9, 4, *SIZE), format)
    assert is_same(got, run_engine(LENS, pixels, format, shape))
    assert not is_same(got, pixels)


@pytest.mark.parametrize("shape", SHAPES)
def test_growth(shape):
    """Without a limit to its extent, the result grows as far as the aperture reaches."""
    node = add_node(LENS, Buffer((3, 5, *SIZE), get_babl(PLAIN)), shape)
    assert node.box == (3, 5, *SIZE)
    node.set(clip_extent=False)
    x, y = Aperture(shape["radius"], squeeze=shape.get("squeeze", 0.0)).get_reach()
    assert x > 0 and node.box == (3 - x, 5 - y, SIZE[0] + 2 * x, SIZE[1] + 2 * y)


@pytest.mark.parametrize("abyss", ABYSSES)
def test_soft_edge(abyss):
    """Whatever the abyss, half of a disc in the middle of an edge lies beyond the edge."""
    grey = make_buffer(np.full((53, 67, 3), np.float32(0.5)), OPAQUE)
    node = add_node(LENS, grey, {"radius": 6.0, "blades": 0, "abyss": abyss})
    node.set(clip_extent=False)
    edge = node.render((-1, 26, 2, 1))[0]
    assert edge[:, 3].sum() == pytest.approx(1.0, abs=1e-4)
    assert edge[:, :3] == pytest.approx(0.5, abs=1e-4)
