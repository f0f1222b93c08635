"""Inverted colours in every format against the definition in invert.h."""

import itertools

import numpy as np
import pytest

import fx
from formats import SAMPLES, Format
from judge import judge


def invert(format, values, amount, light):
    """The definition."""
    inverted, colors = np.array(values), np.s_[..., :format.colors]
    shown = format.into_light(light, values[colors])
    inverted[colors] = format.out_of_light(light, shown + amount * (1.0 - 2.0 * shown))
    return inverted


@pytest.mark.sanitized
@pytest.mark.parametrize("sample,channels,gamma,light", itertools.product(
    SAMPLES, [1, 2, 3, 4], [False, True], ["linear", "perceptual"]))
def test_formats(rng, sample, channels, gamma, light):
    format, amount = Format(sample, channels, gamma), rng.random()
    pixels = format.encode(rng.random((rng.integers(1, 40), rng.integers(1, 300), channels)))
    result = fx.run("invert", pixels, format, amount=amount, light=light)
    judge(f"{format}, {amount} in {light} light", format,
          invert(format, format.decode(pixels), amount, light), result, 1.0, light)


def test_bad_amount():
    with pytest.raises(fx.Error, match="amount is 1.5, but must be 0 to 1"):
        fx.Settings("invert", amount=1.5)
