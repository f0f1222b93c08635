#!/usr/bin/env python3
"""Damages image files: hostile.py FROM TO

Writes to the folder TO of each file in FROM one that is cut, some with other bytes here and there,
and of a PNG one with other bytes whose checksums are right. CUDA_BLUR_TEST_SEED chooses the
bytes."""

import os
import random
import struct
import sys
import zlib

from files import read, write

FROM, TO = sys.argv[1:]
HEAD = 700  # bytes, most of which are no samples


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


random.seed(int(os.environ.get("CUDA_BLUR_TEST_SEED", 5)))
for name in sorted(os.listdir(FROM)):
    whole = read(os.path.join(FROM, name))
    made = {"cut": whole[:random.randrange(len(whole))], "one": damage(whole, HEAD, 1),
            "few": damage(whole, HEAD, 5), "all": damage(whole, len(whole), 9)}
    if whole.startswith(b"\x89PNG"):
        made["sum"] = check(damage(whole, HEAD, 3))
    for how, data in made.items():
        write(os.path.join(TO, f"{how}-{name}"), data)
