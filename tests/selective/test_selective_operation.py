"""The operation cuda:selective-blur in GEGL's graphs."""

import numpy as np
import pytest

from operation_case import PLAIN, add_node, check_keys, check_names, make_source, run_engine

SELECTIVE = "cuda:selective-blur"


def test_words():
    check_names(SELECTIVE, "sigma delta edges abyss-policy light device floats")
    check_keys(SELECTIVE, (None, "gimp:menu-label", "Selective Gaussian Blur (_CUDA)..."))


@pytest.mark.parametrize("settings", [
    {"sigma": 1.5, "delta": 0.3, "edges": "hard", "abyss": "clamp", "light": "perceptual"},
    {"sigma": 2.0, "delta": 0.1, "edges": "soft", "abyss": "none", "light": "linear"}])
def test_pixels(rng, settings):
    """Also of a part."""
    noise = make_source(rng)
    node = add_node(SELECTIVE, noise, settings)
    expected = run_engine(SELECTIVE, noise.read(PLAIN), PLAIN, settings)
    assert np.abs(node.render(noise.rect) - expected).max() <= 2e-5
    x, y, width, height = 12, 6, 31, 40
    part = node.render((x + noise.rect[0], y + noise.rect[1], width, height))
    assert np.abs(part - expected[y:y + height, x:x + width]).max() <= 2e-5
