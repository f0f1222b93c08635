"""The lens's aperture by itself: its weights against their definition, and what they promise."""

import numpy as np
import pytest

import fx
from lens.reference import Aperture
from lens_case import draw, get_weights, pick_shape

# The definition counts a horizontal edge by the lines on its inner side, so it is off by up to half
# a line. With as many it is exact enough to tell what the weights promise.
LINES = 6000
PROMISED = 1e-4


def check(radius, lines=LINES, **shape):
    got, expected = get_weights(radius, **shape), Aperture(radius, **shape).get_weights(lines)
    assert got.shape == expected.shape, f"reach of radius {radius}, {shape}"
    assert got.min() >= 0.0
    assert got.sum() == pytest.approx(1.0, abs=1e-9)
    off = np.abs(got - expected) / expected.max()
    y, x = place = np.unravel_index(off.argmax(), off.shape)
    assert off.max() <= max(PROMISED, 0.6 / lines), (
        f"weight at {x},{y}: {got[place]:.9g}, expected {expected[place]:.9g}, of radius {radius}, "
        f"{shape}")


@pytest.mark.parametrize("radius,lines,times", [
    (0.1, LINES, 12), (0.3, LINES, 12), (0.5, LINES, 12), (0.51, LINES, 12), (0.6, LINES, 12),
    (1.0, LINES, 12), (1.5, LINES, 12), (2.5, LINES, 12), (7.3, LINES, 12), (30.0, LINES, 2),
    (100.5, 2000, 2), (500.0, 250, 2)])
def test_weights(rng, radius, lines, times):
    for _ in range(times):
        check(radius, lines, **pick_shape(rng))


@pytest.mark.parametrize("roundness", [0.0, 1e-9, 1e-7, 1e-6, 1e-5, 1e-3])
@pytest.mark.parametrize("rotation", range(-180, 181, 45))
def test_straight(roundness, rotation):
    """Edges that are nearly straight, and corners on the sides of pixels."""
    check(4.5, blades=4, rotation=rotation, roundness=roundness)


def test_continuous():
    """Weights do not jump as the radius grows, from none at all on."""
    middles = []
    for radius in np.arange(0.0, 4.0, 0.001):
        weights = get_weights(radius, blades=5, rotation=20.0, ring=0.5)
        middles.append(weights[weights.shape[0] // 2, weights.shape[1] // 2])
        assert radius >= 0.5 or middles[-1] == 1.0
    assert np.abs(np.diff(middles)).max() < 0.01


@pytest.mark.parametrize("rotation,bright,dark", [(0, (4, 32), (60, 32)), (90, (32, 60), (32, 4))])
def test_picture(rotation, bright, dark):
    """A point of light becomes the shape as it is drawn: one corner up, and further ones
    clockwise."""
    picture = draw(65, blades=3, rotation=rotation)
    assert picture.max() == picture[bright] == 1.0 and picture[dark] == 0.0


@pytest.mark.parametrize("name,value,message", [
    ("radius", -1, "radius is -1, but must be 0 to 500 pixels"),
    ("radius", np.nan, "radius is nan, but must be 0 to 500 pixels"),
    ("blades", 2, "blades is 2, but must be 0 (a disc) or 3 to 12"),
    ("blades", 13, "blades is 13, but must be 0 (a disc) or 3 to 12"),
    ("rotation", 181, "rotation is 181, but must be -180 to 180"),
    ("roundness", 1.5, "roundness is 1.5, but must be 0 to 1"),
    ("ring", -2, "ring is -2, but must be -1 to 1"),
    ("squeeze", np.inf, "squeeze is inf, but must be -1 to 1"),
    ("highlights", 7, "highlights is 7, but must be 0 to 6"),
    ("threshold", -0.1, "threshold is -0.1, but must be 0 to 1"),
    ("abyss", 4, "abyss is 4, but must be 0 (clamp), 1 (none), 2 (black) or 3 (white)"),
    ("light", 2, "light is 2, but must be 0 (linear) or 1 (perceptual)")])
def test_refusals(name, value, message):
    with pytest.raises(fx.Error) as caught:
        fx.Settings("lens-blur", **{name: value})
    assert str(caught.value) == message and caught.value.code == "argument"
    with pytest.raises(fx.Error):
        fx.run("lens-blur", np.zeros((1, 1, 4), np.uint8), checked=False, **{name: value})
