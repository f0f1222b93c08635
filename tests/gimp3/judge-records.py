#!/usr/bin/python3
"""Judges blurred pictures by the reference: judge-records.py FILE...; prints TAP without a plan, a
result a record. Files are made of records: in one line

  SAMPLE CHANNELS CURVE WIDTH HEIGHT X Y WIDTH HEIGHT
  SIGMA-X SIGMA-Y KERNEL-SIZE ABYSS LIGHT NAME

then the picture's pixels, then the result's, which is the second rectangle. CURVE is linear, srgb,
or the exponent of another curve; ABYSS and LIGHT are the engine's numbers."""

import os
import sys

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

import reference  # noqa: E402
from formats import SRGB, Format, Parametric  # noqa: E402
from judge import get_range, judge  # noqa: E402

ABYSSES = ["clamp", "none", "black", "white"]
LIGHTS = ["linear", "perceptual"]


def read_pixels(file, format, width, height):
    pixels = np.frombuffer(file.read(width * height * format.size), format.dtype)
    return pixels.reshape(height, width, format.channels)


def judge_record(line, file):
    """Raises a ValueError if the record is not whole, and an AssertionError if it is wrong."""
    words = line.split(None, 14)
    sample, curve, name = words[0], words[2], words[14].strip()
    channels, width, height, *region = (int(word) for word in words[1:2] + words[3:9])
    trc = SRGB if curve in ("linear", "srgb") else Parametric(curve, float(curve))
    format = Format(sample, channels, curve != "linear", trc)
    values = format.decode(read_pixels(file, format, width, height))
    result = read_pixels(file, format, *region[2:])
    light = LIGHTS[int(words[13])]
    expected = reference.blur(format, values, region, float(words[9]), float(words[10]),
                              int(words[11]), ABYSSES[int(words[12])], light)
    judge(name, format, expected, result, get_range(values), light, region[:2])


def judge_file(path):
    right = True
    with open(path, "rb") as file:
        while line := file.readline().decode():
            try:
                judge_record(line, file)
                print("ok -", line.split(None, 14)[-1].strip())
            except (AssertionError, LookupError, ValueError) as failure:
                right = False
                print(f"not ok - {line.split(None, 14)[-1].strip()}\n# {failure}")
    return right


sys.exit(not all([judge_file(path) for path in sys.argv[1:]]))
