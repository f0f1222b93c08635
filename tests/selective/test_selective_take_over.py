"""GEGL's selective blur taken over: the pixels are those of GEGL's own code, which computes by
itself if there is an aux."""

import numpy as np

from graph import Graph
from processes import apart, run_apart
from take_over_case import (add_both, check_failing, get_difference, if_failing, paint, render,
                            start, start_failing)

FORMATS = ["R'G'B'A u8", "R'G'B'A float", "RGBA float", "Y' u16", "R'G'B' u8"]
TOLERANCE = 2e-5

# Radii and deltas. The squares of the roots of 3, 6 and 23 are less in double precision. No two
# pixels of the picture differ by just delta, where rounding would decide.
SETTINGS = [(1.0, 0.1), (1.99, 0.5), (3.0, 0.1), (5.5, 0.3), (6.0, 1.0), (23.0, 0.05), (50.0, 0.3)]


def add_blur(source, radius=4.0, delta=0.3):
    return Graph().add("gegl:gaussian-blur-selective", source, blur_radius=radius, max_delta=delta)


def be_taken():
    start()
    for radius, delta in SETTINGS:
        for format in FORMATS:
            theirs, ours = add_both(add_blur, paint(format), radius, delta)
            assert theirs.box == ours.box and theirs.output == ours.output
            assert get_difference(theirs, ours) <= TOLERANCE, f"{format}, {radius}, {delta}"


def test_pixels():
    said = run_apart(be_taken, CUDA_BLUR_TAKE_OVER="yes", CUDA_BLUR_TRACE="1")
    assert said.count("cuda-blur: process ") == len(SETTINGS) * len(FORMATS)


@apart(CUDA_BLUR_TAKE_OVER="yes")
def test_large():
    """GEGL's own code has no room for all the weights of such a window, and ends the process."""
    start()
    assert np.isfinite(render(add_blur(paint(FORMATS[0]), 1000.0, 1.0))).all()


def be_with_aux():
    start()
    aux = paint("Y' u16")
    theirs, ours = add_both(add_blur, paint(FORMATS[0]))
    for node in theirs, ours:
        node.link(node.graph.add("gegl:buffer-source", buffer=aux), "aux")
    assert get_difference(theirs, ours) == 0.0


def test_aux():
    said = run_apart(be_with_aux, CUDA_BLUR_TAKE_OVER="yes", CUDA_BLUR_TRACE="1")
    assert "cuda-blur: process " not in said


@if_failing
@apart(CUDA_BLUR_TAKE_OVER="yes", CUDA_BLUR_DEVICE="cpu", CUDA_BLUR_WARN=None)
def test_failures():
    no_memory = start_failing()
    for format in FORMATS:
        check_failing(no_memory, *add_both(add_blur, paint(format)))
