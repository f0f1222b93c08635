"""The reference itself, that the judge finds what is wrong, that a plan lives as long as a test
reads it, and that a crash is reported up to the end of the process."""

import itertools
import os
import subprocess
import sys
import weakref

import numpy as np
import pytest

import fx
from blur.reference import blur, get_gaussian, get_radius
from formats import SRGB, Format
from judge import get_bounds, judge, judge_sums, measure
from pixels import Expected, get_beyond, premultiply, unpremultiply

DOUBLE = Format("double", 1, False)


@pytest.mark.parametrize("value,light", [
    (0.0, 0.0), (1.0, 1.0), (0.5, 0.21404114048223255), (0.02, 0.02 / 12.92),
    (-0.5, -0.5 / 12.92), (0.8, 0.6038273388553378), (16.0, 688.1115390271982)])
def test_srgb(value, light):
    assert SRGB.to_linear(value) == pytest.approx(light, rel=1e-8, abs=1e-8)
    assert SRGB.to_gamma(light) == pytest.approx(value, abs=1e-6)


def blur_at_once(format, values, region, sigma_x, sigma_y, kernel_size=0, abyss="clamp",
                 light="linear"):
    """The sum over both axes, as the definition is written."""
    radii = [get_radius(sigma, kernel_size) for sigma in (sigma_y, sigma_x)]
    weights = np.outer(*(get_gaussian(sigma, radius)
                         for sigma, radius in zip((sigma_y, sigma_x), radii)))
    pixels = premultiply(format, light, values)
    padded = np.pad(pixels, [(r, r) for r in radii] + [(0, 0)], "edge")
    if abyss != "clamp":
        padded[:] = get_beyond(format, abyss)
        padded[radii[0]:, radii[1]:][:len(values), :values.shape[1]] = pixels
    x, y, w, h = region
    sums = [[np.einsum("ji,jic->c", weights, padded[v:, u:][:len(weights), :len(weights[0])])
             for u in range(x, x + w)] for v in range(y, y + h)]
    return unpremultiply(format, light, np.array(sums))


@pytest.mark.parametrize("settings,channels,gamma,light", itertools.product([
    {"sigma_x": 0.9, "sigma_y": 1.3}, {"sigma_x": 2.0, "sigma_y": 0.0},
    {"sigma_x": 0.19, "sigma_y": 0.7}, {"sigma_x": 3.0, "sigma_y": 1.0, "kernel_size": 7}],
    [1, 2, 3, 4], [False, True], ["linear", "perceptual"]))
def test_axes_are_separable(rng, settings, channels, gamma, light):
    """Over every format of pixel, abyss and light, with an axis left alone; short axes and long
    ones, which the reference computes otherwise."""
    format = Format("double", channels, gamma)
    for size, abyss in itertools.product([(6, 7), (5, 700)], ["clamp", "none", "black", "white"]):
        values, region = rng.random((*size, channels)) * 4.0 - 1.0, (1, 2, 5, 3)
        if format.has_alpha:
            values[..., -1] = rng.random(size)
        once = blur_at_once(format, values, region, abyss=abyss, light=light, **settings)
        twice = blur(format, values, region, abyss=abyss, light=light, **settings)
        assert np.abs(once - twice).max() < 1e-11 * max(1.0, np.abs(once).max())


def test_a_dot_becomes_the_kernel():
    values = np.zeros((1, 25, 1))
    values[0, 12] = 1.0
    row = blur(DOUBLE, values, sigma_x=2.0, sigma_y=0.0, abyss="none")[0, :, 0]
    assert row.sum() == pytest.approx(1.0, abs=1e-14)
    assert row[12] == pytest.approx(0.19947114020071635, abs=1e-8)
    assert row[10] / row[12] == pytest.approx(np.exp(-0.5), abs=1e-14)
    assert row[0] / row[12] == pytest.approx(np.exp(-18.0), abs=1e-14)


# For each sample type: an error that is within the bound, and one that is not, where 0.25 is
# expected.
ERRORS = [("u8", 1 / 255, 2 / 255), ("u16", 2 / 65535, 3 / 65535), ("u32", 0.99e-5, 1.01e-5),
          ("half", 2.0 ** -12, 2.0 ** -11), ("float", 0.99e-5, 1.01e-5),
          ("double", 0.99e-5, 1.01e-5)]


@pytest.mark.parametrize("sample,allowed,wrong", ERRORS)
def test_the_judge_knows_the_bounds(sample, allowed, wrong):
    format = Format(sample, 1)
    stored = format.decode(format.encode(np.full((2, 3, 1), 0.25)))
    for error, right in [(allowed, True), (wrong, False)]:
        result = np.array(stored)
        result[1, 2] += error
        result = format.encode(result)
        for hold in (lambda: judge("here", format, stored, result, 1.0),
                     lambda: judge_sums("here", format, Expected(*[stored] * 3), result,
                                        get_bounds(format, stored, 1.0))):
            if right:
                hold()
            else:
                with pytest.raises(AssertionError, match=r"(?s)at 2,1 channel 0.*here"):
                    hold()


@pytest.mark.parametrize("sample,equal", [("u8", 0.985), ("u16", 0.49)])
def test_the_judge_counts(sample, equal):
    """A level is within the bound, but not in so many samples."""
    format = Format(sample, 1)
    values = np.full((50, 40, 1), 100 / format.maximum)
    result = format.encode(values)
    result.reshape(-1)[int(equal * 2000):] += 1
    with pytest.raises(AssertionError, match="samples equal"):
        judge("here", format, values, result, 1.0)


def test_the_judge_weighs_color_by_alpha():
    """Colour under a faint alpha may be wrong by as much more, and NaN is always wrong."""
    format = Format("float", 2)
    expected, got = np.full((1, 1, 2), [0.5, 0.01]), np.full((1, 1, 2), [0.5009, 0.01])
    assert measure(format, expected, got, 1.0).ratios.max() == pytest.approx(0.9, rel=0.01)
    for place in range(2):
        got[0, 0, place] = np.nan
        assert np.isinf(measure(format, expected, got, 1.0).ratios).any()


def test_the_struct_keeps_the_plan():
    """Also if a test has only a part of it."""
    plan = fx.Plan(None, DOUBLE)
    there, codec = weakref.ref(plan), plan.get_stored().codec
    del plan
    assert there() and codec.format.channels == 1
    del codec
    assert not there()


def test_a_crash_at_the_end_is_reported(request, tmp_path):
    """Also after all tests have passed."""
    script = tmp_path / "test_crash.py"
    script.write_text("import atexit, os\natexit.register(os.abort)\ndef test():\n    pass\n")
    ended = subprocess.run(
        [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "conftest",
         "-c", "/dev/null", script, "--door", os.path.abspath(request.config.getoption("door"))],
        cwd=request.config.rootpath, capture_output=True, text=True, check=False)
    assert ended.returncode and "1 passed" in ended.stdout
    assert "Fatal Python error: Aborted" in ended.stderr
