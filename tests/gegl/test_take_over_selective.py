"""GEGL's selective blur taken over: the pixels are those of GEGL's own code, which computes by
itself if there is an aux."""

import numpy as np
import pytest

import graph
from graph import Graph, gegl
from processes import run_apart
from take_over_case import (NO_MEMORY, get_difference, open_switch, paint, render,
                            set_take_over)

FORMATS = ["R'G'B'A u8", "R'G'B'A float", "RGBA float", "Y' u16", "R'G'B' u8"]
TOLERANCE = 2e-5

# Radii and deltas. The squares of the roots of 3, 6 and 23 are less in double precision. No two
# pixels of the picture differ by just delta, where rounding would decide.
SETTINGS = [(1.0, 0.1), (1.99, 0.5), (3.0, 0.1), (5.5, 0.3), (6.0, 1.0), (23.0, 0.05), (50.0, 0.3)]


def start():
    """GEGL's classes are taken over when an operation is first looked for."""
    graph.start()
    assert gegl.gegl_has_operation(b"cuda:selective-blur")


def add_blur(source, value, **settings):
    """A node of GEGL's that is made with the take-over set so."""
    set_take_over(value)
    return Graph().add("gegl:gaussian-blur-selective", source, **settings)


def be_taken():
    start()
    for radius, delta in SETTINGS:
        for format in FORMATS:
            source = paint(format)
            theirs, ours = (add_blur(source, value, blur_radius=radius, max_delta=delta)
                            for value in ("no", "yes"))
            assert theirs.box == ours.box and theirs.output == ours.output
            assert get_difference(theirs, ours) <= TOLERANCE, f"{format}, {radius}, {delta}"


def test_pixels():
    said = run_apart(be_taken, CUDA_BLUR_TAKE_OVER="yes", CUDA_BLUR_TRACE="1")
    assert said.count("cuda-blur: process ") == len(SETTINGS) * len(FORMATS)


def be_large():
    start()
    pixels = render(add_blur(paint(FORMATS[0]), "yes", blur_radius=1000.0, max_delta=1.0))
    assert np.isfinite(pixels).all()


def test_large():
    """GEGL's own code has no room for all the weights of such a window, and ends the process."""
    run_apart(be_large, CUDA_BLUR_TAKE_OVER="yes")


def be_with_aux():
    start()
    source, aux = paint(FORMATS[0]), paint("Y' u16")
    theirs, ours = (add_blur(source, value, blur_radius=4.0, max_delta=0.3)
                    for value in ("no", "yes"))
    for node in theirs, ours:
        node.link(node.graph.add("gegl:buffer-source", buffer=aux), "aux")
    assert get_difference(theirs, ours) == 0.0


def test_aux():
    said = run_apart(be_with_aux, CUDA_BLUR_TAKE_OVER="yes", CUDA_BLUR_TRACE="1")
    assert "cuda-blur: process " not in said


def be_failing():
    no_memory = open_switch()
    start()
    for format in FORMATS:
        source = paint(format)
        theirs, ours = (add_blur(source, value, blur_radius=4.0, max_delta=0.3)
                        for value in ("no", "yes"))
        expected = render(theirs)
        no_memory.value = 1
        assert (render(ours) == expected).all()
        no_memory.value = 0


@pytest.mark.skipif(not NO_MEMORY, reason="no library for this")
def test_failures():
    """If the engine or its plan fails, GEGL's own code computes."""
    run_apart(be_failing, CUDA_BLUR_TAKE_OVER="yes", CUDA_BLUR_DEVICE="cpu", CUDA_BLUR_WARN=None)
