#!/usr/bin/python3
"""gimp3-pairs.py GPU CPU: compares two files of gimp3-probe.c's bench-pairs. Both devices meet the
contract, so that they differ by at most twice its bounds."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import judge  # noqa: E402
from formats import DTYPES, Format  # noqa: E402


def read_format(encoding):
    """The format of a layer, by babl's name of it."""
    model, sample = encoding.rsplit(" ", 1)
    channels = (1 if model.startswith("Y") else 3) + model.endswith("A")
    return Format(sample, channels, "'" in model)


def read_results(name):
    with open(name, "rb") as file:
        while line := file.readline():
            encoding, width, height, operation = line.decode().strip().split(";")
            format = read_format(encoding)
            size = int(height), int(width), format.channels
            dtype = np.dtype(DTYPES[format.sample])
            samples = np.frombuffer(file.read(int(np.prod(size)) * dtype.itemsize), dtype)
            yield operation, format, samples.reshape(size)


worst, pairs, different = {}, 0, 0
for (operation, format, gpu), (_, _, cpu) in zip(read_results(sys.argv[1]),
                                                  read_results(sys.argv[2]), strict=True):
    pairs += 1
    different += bool((gpu != cpu).any())
    gpu, cpu = format.decode(gpu), format.decode(cpu)
    ratio = judge.measure(format, gpu, cpu, judge.get_range(gpu)).ratios.max() / 2
    key = operation, format.sample
    worst[key] = max(worst.get(key, 0.0), ratio)
for (operation, sample), ratio in sorted(worst.items()):
    print(f"{operation} {sample}: at most {ratio:.3f} of what may differ")
print(f"{pairs} pairs, {different} of them not equal in all bits")
sys.exit(int(not pairs or max(worst.values()) > 1.0))
