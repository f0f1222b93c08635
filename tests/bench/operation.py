#!/usr/bin/env python3
"""Times an operation in GEGL's graph, without GIMP, such as cuda:gaussian-blur.

    python3 operation.py OPERATION [WIDTHxHEIGHT [FORMAT [REPEATS [SIGMA,...]]]]

GEGL finds its module in GEGL_PATH. Of each sigma, or radius of a lens blur, it times:

- call: a new graph, from a buffer to another, as GIMP applies a filter
- step: a property of a standing graph changes, and its result is asked for
- dab: 128x128 pixels of its source change, and what that invalidates is asked for

The first call of all is "first". Prints figures as filters.py does: the operation, "graph", and the
rest, with one of these words as the device."""

import os
import statistics
import sys
import time

import numpy as np

TESTS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..")
sys.path[:0] = [TESTS, os.path.join(TESTS, "gegl")]

import graph  # noqa: E402
from filters import parse_size  # noqa: E402
from formats import Format  # noqa: E402
from graph import Buffer, Graph, Rect, gegl, get_babl  # noqa: E402
from peers import make_picture  # noqa: E402

RGBA, DAB = Format("u8", 4), 128


def set_sigma(node, sigma):
    if gegl.gegl_node_find_property(node, b"std-dev-x"):
        node.set(std_dev_x=sigma, std_dev_y=sigma)
    elif gegl.gegl_node_find_property(node, b"radius"):
        node.set(radius=sigma)


def ask(node, rect):
    """For a part of the result, which GEGL keeps."""
    gegl.gegl_node_blit(node, 1.0, Rect(*rect), None, None, 0, 1)


def clock(function, *arguments):
    """The milliseconds of a call."""
    start = time.perf_counter()
    function(*arguments)
    return (time.perf_counter() - start) * 1e3


class Bench:
    def __init__(self, operation, size="3840x2160", format="R'G'B'A u8", repeats="9",
                 sigmas="2,10,50,100"):
        self.operation, self.size, self.format = operation, parse_size(size), format
        self.rect, self.repeats = (0, 0, *self.size), int(repeats)
        self.sigmas = [float(sigma) for sigma in sigmas.split(",")]
        self.source, self.result = (Buffer(self.rect, gegl.babl_format(format.encode()))
                                    for _ in range(2))
        self.source.write(make_picture(*self.size, "u8"), get_babl(RGBA))

    def call(self, sigma):
        node = Graph().add(self.operation, self.source)
        set_sigma(node, sigma)
        gegl.gegl_node_process(node.graph.add("gegl:write-buffer", node, buffer=self.result))

    def step(self, node, sigma):
        set_sigma(node, sigma)
        ask(node, self.rect)

    def dab(self, node, sigma, i):
        """What is stale reaches as far as the blur."""
        corner = [i * stride % (side - DAB) for stride, side in zip((389, 211), self.size)]
        reach = int(sigma * 6.0)
        first = [max(at - reach, 0) for at in corner]
        ends = [min(at + DAB + reach, side) for at, side in zip(corner, self.size)]
        self.source.write(np.full((DAB, DAB, 4), [*3 * [255 * (i % 2)], 255], np.uint8),
                          get_babl(RGBA), (*corner, DAB, DAB))
        ask(node, (*first, *(end - start for start, end in zip(first, ends))))

    def print(self, what, sigma, times):
        figures = (f"{value:.6g}" for value in (statistics.median(times), min(times), max(times)))
        print(self.operation, "graph", *self.size, self.format, f"{sigma:g}", what, *figures,
              len(times), sep="\t", flush=True)  # what was measured stays, whatever comes next

    def check(self):
        """GEGL replaces an operation that it does not know by one that passes pixels on, which
        would look very fast."""
        if (self.source.read(RGBA) == self.result.read(RGBA)).all():
            sys.exit(f"operation.py: {self.operation} changes no pixel")

    def measure(self, sigma):
        turns = range(self.repeats)
        self.print("call", sigma, [clock(self.call, sigma) for _ in turns])
        node = Graph().add(self.operation, self.source)
        self.step(node, sigma - 0.001)
        self.print("step", sigma, [clock(self.step, node, sigma + 0.001 * (i + 1)) for i in turns])
        self.print("dab", sigma, [clock(self.dab, node, sigma, i) for i in turns])


def start(operation):
    """On the CPU, all cores, buffers in memory alone."""
    graph.start()
    graph.configure("use-opencl", False)
    graph.configure("swap", b"RAM")
    if not gegl.gegl_has_operation(operation.encode()):
        sys.exit(f"operation.py: GEGL has no operation {operation}: is its module in GEGL_PATH?")


def main(operation="cuda:gaussian-blur", *arguments):
    start(operation)
    bench = Bench(operation, *arguments)
    first = clock(bench.call, 10.0)
    bench.check()
    bench.print("first", 10.0, [first])
    time.sleep(1)  # a GPU is made ready on the side
    for sigma in bench.sigmas:
        bench.measure(sigma)
    del bench
    graph.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
