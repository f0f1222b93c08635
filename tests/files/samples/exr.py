"""EXRs of noise."""

import random
import struct

from common import HEIGHT, WIDTH, write
from metadata import XMP

UINT, HALF, SINGLE = range(3)


def attribute(name, kind, value):
    return name + b"\0" + kind + b"\0" + struct.pack("<i", len(value)) + value


def exr(name, channels="RGB", kind=HALF, more=b"", start=(0, 0), compression=0, order=0,
        flags=0):
    """Not compressed, whatever it says. channels: the names of one letter."""
    letter, size = {UINT: ("I", 4), HALF: ("e", 2), SINGLE: ("f", 4)}[kind]
    window = struct.pack("<4i", *start, start[0] + WIDTH - 1, start[1] + HEIGHT - 1)
    listed = b"".join(c.encode() + b"\0" + struct.pack("<iiii", kind, 0, 1, 1)
                      for c in sorted(channels)) + b"\0"
    one = struct.pack("<f", 1)
    head = b"v/1\1" + struct.pack("<I", 2 | flags) + attribute(b"channels", b"chlist", listed) + \
        attribute(b"compression", b"compression", bytes([compression])) + \
        attribute(b"dataWindow", b"box2i", window) + \
        attribute(b"displayWindow", b"box2i", window) + \
        attribute(b"lineOrder", b"lineOrder", bytes([order])) + \
        attribute(b"pixelAspectRatio", b"float", one) + \
        attribute(b"screenWindowCenter", b"v2f", b"\0" * 8) + \
        attribute(b"screenWindowWidth", b"float", one) + more + b"\0"
    row = WIDTH * len(channels)
    rows = []
    for y in range(HEIGHT):
        values = [random.randrange(1 << 32) if kind == UINT else random.uniform(-.1, 1.4) ** 3
                  for _ in range(row)]
        if "A" in channels and kind != UINT:  # the first of them
            values[:WIDTH] = [random.choice([0, 1, value ** 2]) for value in values[:WIDTH]]
        rows.append(struct.pack("<ii", start[1] + y, row * size) +
                    struct.pack(f"<{row}{letter}", *values))
    at = [len(head) + 8 * HEIGHT + y * len(rows[0]) for y in range(HEIGHT)]
    if order:
        at.reverse()
        rows.reverse()
    data = head + struct.pack(f"<{HEIGHT}Q", *at) + b"".join(rows)
    write(name + ".exr", data)
    return data


def make_exrs():
    for kind, name in (HALF, "half"), (SINGLE, "float"):
        for channels in "Y", "YA", "RGB", "RGBA":
            if (channels, kind) != ("YA", HALF):
                exr(f"exr-{channels}-{name}", channels, kind)
    exr("exr-start", start=(-7, 5))
    exr("exr-more", "RGBZ", SINGLE)
    exr("exr-backwards", order=1)
    exr("exr-comment", more=attribute(b"comments", b"string", b"of no use") +
        attribute(b"comment", b"string", b"a comment"))
    colours = attribute(b"chromaticities", b"chromaticities", struct.pack(
        "<8f", .7, .3, .2, .7, .1, .05, .31, .33))
    exr("exr-chromaticities", more=colours)
    exr("gimp-exr-colours", more=colours + attribute(b"whiteLuminance", b"float",
                                                     struct.pack("<f", 1)))
    exr("gimp-exr-xmp", more=attribute(b"xmp", b"string", XMP))
    exr("gimp-exr-uint", kind=UINT)
    exr("gimp-exr-red", "R")
    exr("gimp-exr-YA-half", "YA")
    exr("gimp-exr-B44", compression=6)
    exr("gimp-exr-tiles", flags=0x200,
        more=attribute(b"tiles", b"tiledesc", struct.pack("<IIB", 32, 32, 0)))
    data = exr("exr-whole")
    write("gimp-exr-cut.exr", data[:len(data) // 2])
    write("gimp-exr-lines.exr", data.replace(b"compression\0compression",
                                             b"compression\0com\n1 done\n"))
    write("gimp-exr-head.exr", data[:200])
    write("gimp-exr-empty.exr", b"")
    write("gimp-exr-text.exr", b"no image at all")
