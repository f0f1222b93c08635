"""What the tests of the take-over share: a picture, nodes with the take-over and without, what
comes out of them, and an engine that fails.

CUDA_BLUR_TEST_NO_MEMORY: the library of no-memory.c; without it, what fails is not tested."""

import ctypes
import os

import numpy as np
import pytest

import graph
from formats import Format
from graph import Buffer, gegl, get_babl

PLACE, SIZE = (-7, 11), (41, 29)
PREMULTIPLIED = "RaGaBaA float"
NO_MEMORY = os.environ.get("CUDA_BLUR_TEST_NO_MEMORY")
if_failing = pytest.mark.skipif(not NO_MEMORY, reason="no library for this")


def start():
    """GEGL's classes are taken over when an operation is first looked for."""
    graph.start()
    assert gegl.gegl_has_operation(b"cuda:gaussian-blur")


def set_take_over(value):
    """Of nodes that are made from now on, be it within an operation that runs."""
    os.environ["CUDA_BLUR_TAKE_OVER"] = value


def add_both(add, *arguments, **settings):
    """Returns what add makes without the take-over, and what it makes with it."""
    nodes = []
    for value in "no", "yes":
        set_take_over(value)
        nodes.append(add(*arguments, **settings))
    return nodes


def start_failing():
    """Starts GEGL. Returns a number: without memory for the engine while it is 1."""
    library = ctypes.CDLL(NO_MEMORY, ctypes.RTLD_GLOBAL)
    start()
    return ctypes.c_int.in_dll(library, "no_memory")


def check_failing(no_memory, theirs, ours):
    """Without memory for the engine or its plan, GEGL's own code computes."""
    expected = render(theirs)
    no_memory.value = 1
    assert (render(ours) == expected).all()
    no_memory.value = 0


def paint(format, place=PLACE):
    """Noise, of which a part is transparent if the format has room for that."""
    pixels = np.random.default_rng(1).integers(0, 256, (*SIZE[::-1], 4), np.uint8)
    pixels.reshape(-1, 4)[:SIZE[0] * SIZE[1] // 4, 3] = 0
    buffer = Buffer((*place, *SIZE), gegl.babl_format(format.encode()))
    buffer.write(pixels, get_babl(Format("u8", 4)))
    return buffer


def render(node, box=None):
    return node.render(box or tuple(node.box), babl=gegl.babl_format(PREMULTIPLIED.encode()))


def get_difference(a, b, box=None):
    """The largest difference of samples in box, the size of both."""
    return np.abs(render(a, box) - render(b, box)).max(initial=0.0)
