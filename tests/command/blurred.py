#!/usr/bin/env python3
"""Compares a blurred image with the definition: blurred.py SOURCE RESULT SIGMA LEVELS

Both are binary PPM. Fails if a sample of RESULT is more than LEVELS away from SOURCE's blur."""

import os
import re
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

from blur.reference import blur as expect_blur
from formats import Format


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    width, height, largest = map(int, re.match(rb"P6\s+(?:#.*\s+)*(\d+)\s+(\d+)\s+(\d+)\s",
                                               data).groups())
    dtype = np.dtype("u1" if largest == 255 else ">u2")
    pixels = np.frombuffer(data[-3 * width * height * dtype.itemsize:], dtype)
    return pixels.reshape(height, width, 3).astype(dtype.newbyteorder("="))


source, result = map(read, sys.argv[1:3])
sigma, levels = map(float, sys.argv[3:])
format = Format(f"u{8 * source.itemsize}", 3)
expected = expect_blur(format, format.decode(source), sigma_x=sigma, sigma_y=sigma)
worst = np.abs(expected * np.iinfo(source.dtype).max - result).max()
print(f"# the largest error is {worst:.3f} levels of {np.iinfo(source.dtype).max}")
sys.exit(bool(worst > levels))
