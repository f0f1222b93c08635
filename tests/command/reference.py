#!/usr/bin/env python3
"""Compares a blurred image with the definition: reference.py SOURCE RESULT SIGMA LEVELS

Both are binary PPM or PGM. Convolves SOURCE with the sampled, normalised Gaussian in double
precision, in linear light with sRGB's curve; fails if a sample of RESULT is more than LEVELS
away."""

import math
import re
import struct
import sys


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    head = re.match(rb"(P[56])\s+(?:#.*\s+)*(\d+)\s+(\d+)\s+(\d+)\s", data)
    magic, width, height, largest = head[1], int(head[2]), int(head[3]), int(head[4])
    channels = {b"P5": 1, b"P6": 3}[magic]
    n = width * height * channels
    size = 2 if largest > 255 else 1
    samples = struct.unpack(f">{n}{'H' if size == 2 else 'B'}", data[-n * size:])
    return width, height, channels, largest, samples


def to_light(v):
    return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4


def from_light(v):
    return v * 12.92 if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055


def blur(line, weights):
    reach, last = len(weights) // 2, len(line) - 1
    return [sum(w * line[min(max(x + k - reach, 0), last)] for k, w in enumerate(weights))
            for x in range(len(line))]


width, height, channels, largest, source = read(sys.argv[1])
result = read(sys.argv[2])
sigma, levels = float(sys.argv[3]), float(sys.argv[4])
assert result[:4] == (width, height, channels, largest), f"{result[:4]}"
reach = math.ceil(6 * sigma)
weights = [math.exp(-k * k / (2 * sigma * sigma)) for k in range(-reach, reach + 1)]
weights = [w / sum(weights) for w in weights]
worst = 0
for c in range(channels):
    light = [to_light(v / largest) for v in source[c::channels]]
    rows = [blur(light[y * width:(y + 1) * width], weights) for y in range(height)]
    columns = [blur(column, weights) for column in zip(*rows)]
    for x in range(width):
        for y in range(height):
            got = result[4][(y * width + x) * channels + c]
            worst = max(worst, abs(got - largest * from_light(columns[x][y])))
print(f"# the largest error is {worst:.3f} levels of {largest}")
sys.exit(worst > levels)
