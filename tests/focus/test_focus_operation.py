"""The operation cuda:focus-blur in GEGL's graphs."""

import numpy as np
import pytest

from graph import Buffer, Graph, get_babl
from operation_case import (PLAIN, SIZE, add_node, check_keys, check_names, check_part,
                            check_parts, check_places, make_source)

FOCUS = "cuda:focus-blur"
SHAPES = [
    {"blur_radius": 4.0, "x": 0.25, "y": 0.75, "radius": 0.5, "midpoint": 0.3},
    {"blur_radius": 9.0, "shape": "horizontal", "y": 0.375, "rotation": -30.0, "focus": 0.5},
    {"blur_radius": 2.5, "shape": "diamond", "x": 1.5, "aspect_ratio": 0.25, "keep_sharp": 1.0},
    {"blur_type": "lens", "blur_radius": 6.0, "x": 0.3, "radius": 0.6, "blade_rotation": 20.0},
]


def test_words():
    check_names(FOCUS, "blur-type blur-radius shape x y radius focus midpoint aspect-ratio "
                "rotation keep-sharp blades blade-rotation roundness squeeze highlights threshold "
                "abyss-policy light clip-extent device floats")
    check_keys(FOCUS, ("x", "unit", "relative-coordinate"), ("y", "axis", "y"),
               ("radius", "unit", "relative-distance"), ("rotation", "direction", "cw"),
               ("blades", "visible", "blur-type {lens}"), ("rotation", "visible", None),
               (None, "gimp:menu-label", "Focus Blur (_CUDA)..."))


@pytest.mark.parametrize("settings", SHAPES)
def test_places(rng, settings):
    """The shape is that of the input."""
    check_places(rng, FOCUS, settings)


@pytest.mark.parametrize("settings", SHAPES)
def test_changes(rng, settings):
    """A change of the input spreads, and so does one of a property after another."""
    noise = make_source(rng)
    node = add_node(FOCUS, noise, settings)
    check_part(node, FOCUS, noise, noise.rect, settings)
    noise.write(np.full((4, 4, 4), np.float32([1, 0, 0, 1])), rect=(41, 24, 4, 4))
    check_part(node, FOCUS, noise, noise.rect, settings)
    for name, value in {"blur_radius": 3.0, "shape": "square", "x": 0.4, "y": 0.1, "radius": 0.6,
                        "focus": 0.1, "midpoint": 0.7, "aspect_ratio": -0.5,
                        "rotation": 70.0, "keep_sharp": 0.5}.items():
        settings = {**settings, name: value}
        node.set(**{name: value})
        check_part(node, FOCUS, noise, noise.rect, settings)


def test_growth():
    """Without a limit to its extent, the result grows by 4 sigma; the shape stays that of the
    input."""
    buffer, nodes = Buffer((0, 0, *SIZE), get_babl(PLAIN)), Graph()
    node = add_node(FOCUS, buffer, {"blur_radius": 5.0}, nodes)
    assert node.box == buffer.rect
    node.set(clip_extent=False)
    assert node.box == (-20, -20, SIZE[0] + 40, SIZE[1] + 40)


@pytest.mark.parametrize("settings", SHAPES)
def test_parts(rng, settings):
    check_parts(rng, lambda source: add_node(FOCUS, source, settings))
