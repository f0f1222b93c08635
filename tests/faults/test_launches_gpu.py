"""Every plan of the sweep on a real GPU. About one result in a hundred is compared with the CPU's.
The programs are the generic ones: NVRTC compiles about 370 of them, in less than a minute."""

import numpy as np
import pytest

import fx
from judge import ALPHA_MIN, get_bounds
from launch_case import SIDE
from sweep import CASES, sweep

SHARE = 97  # one result in so many is compared
ROUNDING = 2e-7  # of two samples as floats


def check_same(format, result, other):
    """Each of the two devices may have an error. Pixels with little alpha do not count."""
    got, expected = format.decode(result), format.decode(other)
    with np.errstate(invalid="ignore"):
        same = np.abs(got - expected) <= 2.0 * get_bounds(format, expected, 1.0) + ROUNDING
    if format.has_alpha:
        same |= expected[..., -1:] < ALPHA_MIN
    assert same.all(), "not what the CPU makes of it"


@pytest.mark.parametrize("name", CASES)
def test_sweep(rng, name):
    def check(plan, format, specialised):
        shape, compared = (SIDE, SIDE, format.channels), rng.integers(SHARE) == 0
        pixels = (format.encode(rng.uniform(0.25, 1.0, shape)) if compared
                  else np.zeros(shape, format.dtype))
        result = fx.run_plan(plan, pixels, format)
        if compared:
            check_same(format, result, fx.run_plan(plan, pixels, format, device="cpu"))

    sweep(rng, name, check, few=True)
