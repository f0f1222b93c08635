"""The operation cuda:median-blur in GEGL's graphs."""

import numpy as np
import pytest

from formats import Format
from graph import make_buffer
from matrix_scene import make_noise
from operation_case import add_node, check_keys, check_names, run_engine

MEDIAN = "cuda:median-blur"
FORMATS = [Format("u8", 4), Format("u8", 3), Format("u16", 2), Format("float", 4, False)]


def test_words():
    check_names(MEDIAN, "neighborhood radius percentile alpha-percentile threshold abyss-policy "
                        "clip-extent device floats")
    check_keys(MEDIAN, (None, "gimp:menu-label", "Median Blur (_CUDA)..."),
               ("radius", "unit", "pixel-distance"))


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("settings", [
    {"radius": 3}, {"radius": -4, "neighborhood": "square", "percentile": 20.0, "abyss": "none"},
    {"radius": 5, "neighborhood": "diamond", "alpha_percentile": 80.0, "threshold": 0.25}])
def test_pixels(rng, settings, format):
    """Also of a part."""
    source = make_buffer(make_noise(rng, format), format, (-9, 4))
    node = add_node(MEDIAN, source, settings)
    x, y, width, height = source.rect
    expected = run_engine(MEDIAN, source.read(format), format, settings)
    for left, top, w, h in (0, 0, width, height), (12, 6, 31, 40):
        part = node.render((x + left, y + top, w, h), format)
        assert (part == expected[top:top + h, left:left + w]).all()


def test_growth(rng):
    """As far as GEGL's own grows without an abyss."""
    source = make_buffer(make_noise(rng, FORMATS[0]), FORMATS[0], (-9, 4))
    node = add_node(MEDIAN, source, {"radius": -6})
    x, y, width, height = source.rect
    assert tuple(node.box) == (x, y, width, height)
    node.set(clip_extent=False)
    assert tuple(node.box) == (x - 6, y - 6, width + 12, height + 12)
    beyond = np.pad(source.read(FORMATS[0]), ((6, 6), (6, 6), (0, 0)))
    expected = run_engine(MEDIAN, beyond, FORMATS[0], {"radius": -6, "abyss": "none"})
    assert (node.render(tuple(node.box), FORMATS[0]) == expected).all()
