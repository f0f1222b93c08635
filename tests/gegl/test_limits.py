"""The operations in a process that may take little more memory. GEGL and GLib end the process if
they get none. The operations do not, if memory that grows with the image or the matrix is missing,
and their results are right. Each limit is tried in a process of its own.

CUDA_BLUR_TEST_GIVE_UP: the library of give-up.c."""

import contextlib
import ctypes
import os
import resource

import numpy as np
import pytest

import graph
from formats import Format
from graph import Graph, make_buffer
from processes import run_apart

PLAIN, GREY = Format("float", 4, False), Format("float", 1, False)
SIDE, MARGIN, TOLERANCE = 1000, 80, 1e-3  # pixels: 16 MB of floats; where beyond shines through
MATRIX = 1023  # rows and columns, which are the most
give_up = ctypes.CDLL(os.environ["CUDA_BLUR_TEST_GIVE_UP"])

pytestmark = pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""),
                                reason="AddressSanitizer takes all addresses for itself")


@contextlib.contextmanager
def limit(megabytes):
    """To so much more than the process has. Python may have too little, too."""
    with open("/proc/self/statm", encoding="ascii") as file:
        size = int(file.read().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (size + (megabytes << 20), before[1]))
    try:
        yield
    except MemoryError:
        os._exit(0)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def load(operation, buffer):
    """Has GEGL load the modules for such a graph: it exits if there is no memory for one."""
    return Graph().add(operation, buffer)


def blur(buffer, pixels):
    node = Graph().add("cuda:gaussian-blur", buffer, std_dev_x=8, std_dev_y=8)
    node.render_into(pixels, buffer.rect, buffer.babl)


def blur_within(megabytes):
    """A slope, which a blur leaves as it is: with the limit, and then without."""
    graph.start()
    y, x = np.ogrid[:SIDE, :SIDE]
    slope = np.ones((SIDE, SIDE, 4), np.float32)
    slope[..., :3] = ((x + 2 * y) / (3 * SIDE))[..., None]
    buffer, inner = make_buffer(slope, PLAIN), np.s_[MARGIN:-MARGIN, MARGIN:-MARGIN]
    loaded = load("cuda:gaussian-blur", buffer)
    give_up.give_up_watch()
    for within in limit(megabytes), contextlib.nullcontext():
        pixels = np.zeros_like(slope)
        with within:
            blur(buffer, pixels)
        assert np.abs(pixels - slope)[inner].max() <= TOLERANCE
    del loaded


@pytest.mark.parametrize("megabytes", [0, 1, 4, 8, 16, 24, 32, 48, 64, 96, 128, 160, 192, 256])
def test_blur(megabytes):
    try:
        run_apart(blur_within, megabytes)
    except AssertionError as failure:  # babl exits if it gives up
        assert "babl_fatal" in str(failure), failure


def convolve(buffer, matrix, divisor):
    """Returns whether the pixels are convolved, to 0.5; if not, they are 0.25 as they were."""
    pixels = np.zeros((24, 24, 1), np.float32)
    node = Graph().add("cuda:convolve", buffer, values=matrix, divisor=divisor, device="cpu")
    node.render_into(pixels, buffer.rect, buffer.babl)
    assert np.ptp(pixels) <= TOLERANCE
    assert min(abs(pixels[0, 0, 0] - value) for value in (0.25, 0.5)) <= TOLERANCE
    return pixels[0, 0, 0] > 0.4


def convolve_within(megabytes, *arguments):
    """Exits with 2 if there was memory enough."""
    give_up.give_up_watch()
    with limit(megabytes):
        done = convolve(*arguments)
    assert done or convolve(*arguments)
    os._exit(2 if done else 0)


def sweep():
    """With limits from 0 on, until there is memory enough: each in a fork of this process."""
    graph.start()
    values = np.arange(MATRIX * MATRIX) * 7919 % 97 + 1
    matrix = f"{MATRIX}x{MATRIX}: {' '.join(map(str, values))}".encode()
    buffer = make_buffer(np.full((24, 24, 1), np.float32(0.25)), GREY)
    loaded = load("cuda:convolve", buffer)
    megabytes = status = 0
    while status != 2:
        child = os.fork()
        if child == 0:
            try:
                convolve_within(megabytes, buffer, matrix, values.sum() / 2)
            finally:
                os._exit(1)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert status in (0, 2) and megabytes < 512, f"{megabytes} MiB: {status}"
        megabytes += 2 + megabytes // 8
    del loaded


def test_convolve():
    """The largest matrix, whose values sum to twice the divisor. A fork has one thread alone, and
    each of the engine's would take memory."""
    run_apart(sweep, GEGL_THREADS="1", OMP_NUM_THREADS="1")
