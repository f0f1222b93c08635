"""GEGL's median blur taken over: the pixels are those of GEGL's own code, to the bit, which
computes by itself what would not be."""

import itertools

import numpy as np
import pytest

from graph import Graph
from processes import apart, run_apart
from take_over_case import (PLACE, SIZE, add_both, check_failing, if_failing, paint, start,
                            start_failing)

# Each with whether ours computes it without high precision, and with it.
FORMATS = {"R'G'B'A u8": (True, True), "R'G'B' u8": (True, True), "Y' u8": (True, True),
           "Y'A u8": (True, True), "RGBA u8": (False, True), "R~G~B~A u8": (False, False),
           "R'G'B' u16": (False, True), "R'G'B'A u16": (False, False), "Y u16": (False, True),
           "R'G'B'A half": (False, True), "RGBA float": (False, True), "Y'A float": (False, True),
           "RaGaBaA float": (False, True), "R'G'B' u32": (False, False),
           "R'G'B'A double": (False, False)}
DEFAULTS = {"radius": 3, "percentile": 50.0, "alpha_percentile": 50.0}
SETTINGS = [
    {}, {"neighborhood": "square", "radius": 1}, {"neighborhood": "diamond", "radius": 6},
    {"radius": -2, "percentile": 20.0, "alpha_percentile": 70.0}, {"radius": 50},
    {"percentile": 0.0, "alpha_percentile": 100.0, "abyss_policy": "none"},
    {"radius": -4, "percentile": 100.0, "alpha_percentile": 0.0},
    {"radius": 7, "percentile": 28.0, "alpha_percentile": 36.0, "abyss_policy": "none"}]


def add_blur(source, **settings):
    return Graph().add("gegl:median-blur", source, **DEFAULTS | settings)


def check_same(source, theirs, ours, *what, box=None):
    """In the layer's format: GEGL hands on floats, and of those that babl makes of 8 bits, the last
    place depends on the conversion, which babl chooses by the time that each takes."""
    assert (theirs.box, theirs.output) == (ours.box, ours.output), what
    box = box or tuple(theirs.box)
    expected, got = (node.render_bytes(box, source.babl) for node in (theirs, ours))
    places = np.argwhere(expected != got)
    if len(places):
        at = tuple(places[0])
        pytest.fail(f"{what}: {len(places)} bytes differ, the first one at {at}: {got[at]} in "
                    f"place of {expected[at]}")


def be_taken(high_precision, formats):
    start()
    for format, settings in itertools.product(formats, SETTINGS):
        source = paint(format)
        both = add_both(add_blur, source, high_precision=high_precision, **settings)
        check_same(source, *both, format, settings)


@pytest.mark.parametrize("high_precision,ours", itertools.product([False, True], repeat=2))
def test_pixels(high_precision, ours):
    """Also beyond the picture, where it grows."""
    formats = [format for format, taken in FORMATS.items() if taken[high_precision] == ours]
    said = run_apart(be_taken, high_precision, formats, CUDA_BLUR_TAKE_OVER="yes",
                     CUDA_BLUR_TRACE="1")
    assert said.count("cuda-blur: process ") == len(formats) * len(SETTINGS) * ours


@apart(CUDA_BLUR_TAKE_OVER="yes")
def test_random():
    """What comes of any settings."""
    start()
    rng = np.random.default_rng(3)
    formats = [format for format, taken in FORMATS.items() if taken[0]]
    for _ in range(60):
        settings = {"neighborhood": int(rng.integers(3)), "radius": int(rng.integers(-30, 31)),
                    "percentile": rng.integers(0, 1001) / 10.0,
                    "alpha_percentile": rng.integers(0, 1001) / 10.0,
                    "abyss_policy": int(rng.integers(2))}
        source = paint(formats[rng.integers(len(formats))])
        check_same(source, *add_both(add_blur, source, **settings), settings)


@apart(CUDA_BLUR_TAKE_OVER="yes")
def test_changes():
    """A node follows its settings, and into what ours does not compute and back."""
    start()
    source = paint("R'G'B' u16")
    theirs, ours = add_both(add_blur, source)
    for settings in [{"high_precision": True}, {"radius": 0}, {"radius": -5},
                     {"abyss_policy": "none"}, {"high_precision": False}, {"radius": 2}]:
        for node in theirs, ours:
            node.set(**settings)
        check_same(source, theirs, ours, settings)


def be_nothing():
    start()
    source = paint("R'G'B'A u8")
    check_same(source, *add_both(add_blur, source, radius=0))


def test_nothing():
    """With a radius of 0, GEGL's own loses what colours transparent pixels have."""
    said = run_apart(be_nothing, CUDA_BLUR_TAKE_OVER="yes", CUDA_BLUR_TRACE="1")
    assert "cuda-blur: process " not in said


@apart(CUDA_BLUR_TAKE_OVER="yes")
def test_parts():
    start()
    source = paint("R'G'B'A u8")
    both = add_both(add_blur, source, abyss_policy="none")
    for x, y, *size in [(-3, -3, 5, 5), (SIZE[0] - 2, 10, 5, 9), (7, 4, 20, 1), (0, 0, *SIZE)]:
        check_same(source, *both, box=(PLACE[0] + x, PLACE[1] + y, *size))


@if_failing
@apart(CUDA_BLUR_TAKE_OVER="yes", CUDA_BLUR_DEVICE="cpu", CUDA_BLUR_WARN=None)
def test_failures():
    no_memory = start_failing()
    for format, (taken, _) in FORMATS.items():
        if taken:
            check_failing(no_memory, *add_both(add_blur, paint(format), radius=-9))
