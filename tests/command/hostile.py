#!/usr/bin/env python3
"""Damages image files: hostile.py FROM TO

Writes to the folder TO of each file in FROM one that is cut, some with other bytes here and there,
and one with other bytes whose checksums are right; and some that say they are 64000 pixels wide and
high, or as many as their kind can be. CUDA_BLUR_TEST_SEED chooses the bytes."""

import os
import random
import struct
import sys
import zlib

FROM, TO = sys.argv[1:]
HEAD = 700  # bytes, most of which are no samples


def write(name, data):
    with open(os.path.join(TO, name), "wb") as file:
        file.write(data)


def damage(data, end, count):
    data = bytearray(data)
    for _ in range(count):
        data[random.randrange(min(end, len(data)))] = random.choice([0, 1, 127, 255,
                                                                     random.randrange(256)])
    return bytes(data)


def check(data):
    """A PNG with the checksums of what is in it."""
    at, result = 8, data[:8]
    while at + 12 <= len(data):
        size = struct.unpack(">I", data[at:at + 4])[0]
        body = data[at + 4:at + 8 + size]
        result += data[at:at + 4] + body + struct.pack(">I", zlib.crc32(body))
        at += 12 + size
    return result


def widen(data, at, form, size=64000):
    return data[:at] + struct.pack(form, *[size] * (len(form) - 1)) + \
        data[at + struct.calcsize(form):]


def widen_tiff(data):
    for tag in 0x100, 0x101:
        data = widen(data, data.index(struct.pack("<HHI", tag, 3, 1)) + 8, "<H")
    return data


random.seed(int(os.environ.get("CUDA_BLUR_TEST_SEED", 5)))
for name in sorted(os.listdir(FROM)):
    with open(os.path.join(FROM, name), "rb") as source:
        whole = source.read()
    if not whole:
        continue
    write("cut-" + name, whole[:random.randrange(len(whole))])
    write("one-" + name, damage(whole, HEAD, 1))
    write("few-" + name, damage(whole, HEAD, 5))
    write("all-" + name, damage(whole, len(whole), 9))
    if whole.startswith(b"\x89PNG"):
        write("sum-" + name, check(damage(whole, HEAD, 3)))
    if name == "rgb8.png":
        write("large.png", check(widen(whole, 16, ">II")))
    if name == "orientation1.jpg":
        write("large.jpg", widen(whole, whole.index(b"\xff\xc0") + 5, ">HH"))
    if name == "tiff-whole.tif":
        write("large.tif", widen_tiff(whole))
    if name == "exr-whole.exr":
        write("large.exr", widen(whole, whole.index(b"box2i\0\x10") + 18, "<ii", 63999))
    if name == "webp-simple.webp":
        write("large.webp", widen(whole, whole.index(b"\x9d\x01\x2a") + 3, "<HH", 16383))
