"""The Gaussian through curves that are not sRGB's."""

import itertools

import numpy as np
import pytest

import fx
import pictures
from blur_case import EDGES, check, check_random
from cases import ABYSSES
from formats import CURVES, HLG, PQ, Format
from pairs import make_pairs

SAMPLES = ["u8", "u16", "half", "float"]

# A FIR, two grids, and the two together.
SIGMAS = [(1.5, 1.5), (14.0, 14.0), (9.0, 0.7)]


@pytest.mark.parametrize("trc,sample,sigmas,alpha",
                         make_pairs(CURVES, SAMPLES, SIGMAS, [False, True]))
def test_pictures(rng, trc, sample, sigmas, alpha):
    """Every picture; every fourth in the curve's perceptual light, too."""
    channels, turn = (1 if sample in ("u16", "float") else 3) + alpha, SIGMAS.index(sigmas)
    settings = {"sigma_x": sigmas[0], "sigma_y": sigmas[1], "abyss": ABYSSES[turn]}
    for n, picture in enumerate(pictures.get_names(Format(sample))):
        check(rng, Format(sample, channels, True, trc), picture, (97, 71), **settings)
        if (n + turn) % 4 == 0:
            check(rng, Format(sample, channels, False, trc), picture, (97, 71),
                  light="perceptual", **settings)


@pytest.mark.parametrize("trc,sample,channels,picture,sigma", itertools.product(
    CURVES if fx.device == "cpu" else CURVES[:1], SAMPLES, [1, 2], EDGES, [3.0, 14.0]))
def test_tails(rng, trc, sample, channels, picture, sigma):
    """Dark next to bright, as far from the edge as the kernel reaches."""
    check(rng, Format(sample, channels, True, trc), picture, (260, 9), sigma_x=sigma, sigma_y=0)


@pytest.mark.parametrize("sample,channels", [("u8", 3), ("u16", 4)])
def test_step(sample, channels):
    """A step from black to white is as bright in the middle as its curve says. On the GPU, programs
    for a table serve the next one."""
    for trc, gamma, mean in [(PQ, True, 0.927), (HLG, True, 0.872), (PQ, True, 0.927),
                             (PQ, False, 0.5)]:
        format = Format(sample, channels, gamma, trc)
        values = np.ones((16, 128, channels))
        values[:, :64, :3] = 0.0
        result = fx.run("gaussian-blur", format.encode(values), format, sigma_x=8, sigma_y=8)
        assert format.decode(result)[8, 63:65, 0].mean() == pytest.approx(mean, abs=0.002)


def test_random(rng):
    for n in range(1000 if fx.device == "cpu" else 20):
        check_random(rng, CURVES[n % len(CURVES)])
