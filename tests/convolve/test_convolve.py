"""The convolution's contract (cuda/convolve/include/convolve.h): every kind of matrix against the
definition in double precision; the ways that it is computed in."""

import ctypes
import os
import re

import numpy as np
import pytest

import fx
from cases import pick
from convolve_case import (ALL, MATRICES, check, check_pixels, check_random, get_way,
                           make_matrix)
from formats import Format

SMALL = 63  # the most rows, and the most columns, of a matrix that is summed

CPU = fx.device == "cpu"  # the GPU has fewer cases: most need programs that must be compiled first


# ---- matrices ----


def pick_length(rng):
    """One in eight is up to the most."""
    return int(2 * rng.integers(32 if rng.integers(8) == 0 else 6) + 1)


@pytest.mark.sanitized
@pytest.mark.parametrize("kind", MATRICES)
def test_kinds(rng, kind):
    for _ in range(40 if CPU else 4):
        check_random(rng, kind, (pick_length(rng), pick_length(rng)))


@pytest.mark.sanitized
@pytest.mark.parametrize("rows", range(1, SMALL + 1, 2))
def test_sizes(rng, rows):
    check_random(rng, "dense", (rows, rows))
    check_random(rng, "rank 1", (rows, SMALL + 1 - rows))


@pytest.mark.parametrize("shape", [
    (65, 65), (1, 65), (127, 33), (255, 255), (511, 511), (1023, 1), (1, 1023), (3, 1023),
    (1023, 5), (65, 1023), (1023, 511), (1023, 1023)])
def test_large(rng, shape):
    """Pictures that are smaller than the matrix, and larger ones. The GPU cannot leave out
    alpha."""
    for _ in range(5 if CPU else 1):
        check_random(rng, pick(rng, list(MATRICES)), shape, (400, 300),
                     **({} if CPU else {"channels": ALL}))


# ---- how it is computed ----


@pytest.mark.sanitized
@pytest.mark.parametrize("kind,size,format,channels,facts,cpu,gpu", [
    ("dense", 5, Format("u8", 4), ALL, "25 taps, rank 5", "taps, CPU", "taps, "),
    ("rank 1", 31, Format("u8", 4), ALL, "961 taps, rank 1", "products, CPU", "products"),
    ("rank 1", 31, Format("u8", 4), 7, "961 taps, rank 1", "FFT, CPU", "taps, generic"),
    ("rank 1", 31, Format("float", 1, False), ALL, "961 taps, rank 1", "products, CPU",
     "products"),
    ("rank 2", 15, Format("u16", 1), ALL, "225 taps, rank 2", "products, CPU", "products"),
    ("dense", 31, Format("u16", 4), ALL, "961 taps, rank 5", "FFT, CPU", "taps, generic"),
    ("rank 2", 31, Format("half", 3, False), ALL, "961 taps, rank 2", "FFT, CPU", "products"),
    ("rank 3", 31, Format("float", 1, False), ALL, "961 taps, rank 3", "FFT, CPU", "products"),
    ("rank 2", 9, Format("float", 1, False), ALL, "81 taps, rank 2", "taps, CPU", "taps, ")])
def test_ways(rng, read_trace, kind, size, format, channels, facts, cpu, gpu):
    """Products of infinities do not cancel out, as those of numbers do: on the CPU a matrix that is
    more than one goes by its taps or by FFT where there may be any. On the GPU, sixteen bits in
    linear light are too exact for an FFT if the matrix magnifies them, and it depends on the run
    whether taps are compiled in yet, but alpha's own weights never are."""
    check(rng, kind, (size, size), format, "random", (40, 30), divisor=9.0, channels=channels,
          alpha_weighting="premultiplied")
    assert f"{size}x{size}, {facts}: {cpu if CPU else gpu}" in get_way(read_trace())


def test_strategy(rng, read_trace):
    """The trace has the costs that decided, on both devices."""
    check(rng, "dense", (31, 31), Format("float", 4, False), "random", (40, 30),
          alpha_weighting="premultiplied")
    costs = r"\(CPU: FFT [\d.]+ ns, else [\d.]+.*; GPU: FFT \d+ taps, sums 961, recomputed"
    assert re.search(costs, get_way(read_trace()))


@pytest.mark.parametrize("kind,size,generic,specialised", [
    ("dense", 5, "taps, generic", "taps, compiled in"),
    ("positive", 21, "FFT, ", "FFT, ")])  # more taps than are compiled in
@pytest.mark.skipif(not hasattr(fx.library.shared, "stand_in_background")
                    or "CUDA_BLUR_PROGRAM" in os.environ, reason="only on the stand-in for CUDA")
def test_background(rng, read_trace, kind, size, generic, specialised):
    """The generic program serves until the specialised one is there, and that from then on."""
    values = make_matrix(rng, kind, size, size)
    pixels = rng.integers(0, 256, (50, 70, 3)).astype(np.uint8)
    background = ctypes.c_int.in_dll(fx.library.shared, "stand_in_background")
    try:
        for ready, way in [(0, generic), (0, generic), (1, specialised), (1, specialised)]:
            background.value = ready
            check_pixels(way, Format("u8", 3), pixels, values)
            assert way in get_way(read_trace())
    finally:
        background.value = 0


# ---- a source that stays on the GPU ----


class CountedStream(fx.Stream):
    """Counts the rows that are read."""

    rows = 0

    def read(self, rect, *others):
        self.rows += rect.contents.height
        return super().read(rect, *others)


def run_counted(pixels, values, resident):
    """Returns the result and the number of rows that were read."""
    plan = fx.Plan(fx.Settings("convolve", values=values, offset=0.01), Format())
    height, width = pixels.shape[:2]
    stream = CountedStream(pixels, Format(), (0, 0, width, height), plan.reach)
    stream.image.resident = resident
    fx.run_stream(plan, stream, fx.DEVICES.index(fx.device), fx.Report())
    stream.finish()
    return stream.result.astype(int), stream.rows


def test_source(rng):
    """By taps and by products, premultiplied and straight, of any size: a GPU that has the source
    does not read it again, and gives what it gives without. If the specialised program takes over
    between the runs, it may round a value next to a tie the other way."""
    pixels = rng.integers(0, 256, (500, 200, 4)).astype(np.uint8)
    resident, there = fx.library.fx_resident_source_new(500), 0
    for kind, shape in [("dense", (5, 5)), ("dense", (5, 5)), ("rank 1", (31, 21)),
                        ("zero sum", (3, 63)), ("positive", (9, 1)), ("rank 1", (15, 31))]:
        values = make_matrix(rng, kind, *shape)
        expected, rows = run_counted(pixels, values, None)
        assert rows == 500
        result, rows = run_counted(pixels, values, resident)
        assert rows == (0 if there else 500), f"{rows} rows read, for {kind} {shape}"
        assert np.abs(result - expected).max() <= 1, f"for {kind} {shape}"
        there = not CPU
    fx.library.fx_resident_source_free(resident)
