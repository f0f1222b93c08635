"""The operation cuda:focus-blur in GEGL's graphs."""

import numpy as np
import pytest

from graph import Buffer, Graph, get_babl, make_buffer
from operation_case import (PLAIN, RGBA, SIZE, add_node, check_keys, check_names, make_source,
                            run_engine)

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
               (None, "gimp:menu-label", "Focus Blur (_CUDA)..."))


def check_focus(node, buffer, rect, settings):
    """Holds the result in rect to the engine's for that part of the buffer, as a picture by
    itself."""
    expected = run_engine(FOCUS, buffer.read(PLAIN, rect=rect), PLAIN, settings)
    assert np.abs(node.render(rect) - expected).max() <= 2e-5


@pytest.mark.parametrize("settings", SHAPES)
def test_places(rng, settings):
    """The shape is that of the input, wherever it lies, also after the input's bounds have changed
    as a selection's do."""
    noise, nodes = make_source(rng), Graph()
    crop = nodes.add("gegl:crop", noise)
    node = add_node(FOCUS, crop, settings, nodes)
    for x, y, width, height in noise.rect, (3, 10, 31, 40), (-5, 4, 60, 17):
        crop.set(x=x, y=y, width=width, height=height)
        check_focus(node, noise, (x, y, width, height), settings)


@pytest.mark.parametrize("settings", SHAPES)
def test_changes(rng, settings):
    """A change of the input spreads, and so does one of a property after another."""
    noise = make_source(rng)
    node = add_node(FOCUS, noise, settings)
    check_focus(node, noise, noise.rect, settings)
    noise.write(np.full((4, 4, 4), np.float32([1, 0, 0, 1])), rect=(41, 24, 4, 4))
    check_focus(node, noise, noise.rect, settings)
    for name, value in {"blur_radius": 3.0, "shape": "square", "x": 0.4, "y": 0.1, "radius": 0.6,
                        "focus": 0.1, "midpoint": 0.7, "aspect_ratio": -0.5,
                        "rotation": 70.0, "keep_sharp": 0.5}.items():
        settings = {**settings, name: value}
        node.set(**{name: value})
        check_focus(node, noise, noise.rect, settings)


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
    """The parts are those of the whole."""
    pixels = rng.integers(0, 256, (150, 210, 4), np.uint8)
    source = make_buffer(pixels, RGBA, (-7, 20))
    whole = add_node(FOCUS, source, settings).render((-7, 20, 210, 150), RGBA)
    for x, y, width, height in (0, 0, 128, 128), (128, 0, 82, 128), (0, 128, 210, 22):
        part = add_node(FOCUS, source, settings).render((x - 7, y + 20, width, height), RGBA)
        assert (part == whole[y:y + height, x:x + width]).all()
