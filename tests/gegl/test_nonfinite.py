"""Infinities, NaN, denormals and values far out of the range in GEGL's graphs."""

import numpy as np
import pytest

import fx
from graph import Graph, make_buffer
from operation_case import PLAIN

WIDTH, HEIGHT, REACH, NEAR = 90, 70, 18, 1e-4
USED = {"cuda:gaussian-blur": {"std_dev_x": 2.0, "std_dev_y": 2.0},
        "cuda:convolve": {"values": "1 2 1\n2 4 2\n1 2 1"}}


def filter_poked(operation, channel, value):
    """A sample of the middle is value. Colours are out of 0 to 1, too; all is opaque."""
    values = np.arange(WIDTH * HEIGHT * 4) * 7919 % 1009 / 500 - 0.5
    pixels = values.reshape(HEIGHT, WIDTH, 4).astype(np.float32)
    pixels[..., 3] = 1.0
    pixels[HEIGHT // 2, WIDTH // 2, [0, channel]] = 0.0, value
    node = Graph().add(operation, make_buffer(pixels, PLAIN), device=fx.device, **USED[operation])
    return node.render((0, 0, WIDTH, HEIGHT))


@pytest.mark.parametrize("operation", USED)
@pytest.mark.parametrize("channel,value", [
    (0, np.inf), (1, -np.inf), (2, np.nan), (3, np.nan), (3, np.inf), (0, 3e38), (1, -3e38),
    (3, 3e38), (3, -1.0), (3, 1e-42), (0, 1e-42)])
def test_nonfinite(operation, channel, value):
    """Pixels out of its reach stay the same, and nothing is NaN. A denormal colour is harmless
    everywhere."""
    got, clean = filter_poked(operation, channel, value), filter_poked(operation, 0, 0.0)
    y, x = np.ogrid[:HEIGHT, :WIDTH]
    far = (abs(x - WIDTH // 2) > REACH) | (abs(y - HEIGHT // 2) > REACH) | (
        (channel, value) == (0, 1e-42))
    assert not np.isnan(got).any()
    assert np.abs(got - clean)[far].max() <= NEAR
