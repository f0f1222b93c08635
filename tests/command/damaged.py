#!/usr/bin/env python3
"""Makes image files that are damaged, that lie, or that hold more than one picture:
damaged.py PHOTO.jpg CMYK.jpg PROGRESSIVE.jpg PHOTO.webp

Into the folder damaged/ go files whose pixels are cut short or changed; into odd/ photos that have
all pixels, but are not quite as the standard has them; into raw/ TIFF files that libvips loads
wrongly; into huge/ those of a few bytes that declare more pixels than a machine holds; into many/
those of three pictures of 20 x 10 pixels, one red, one green and one blue."""

import os
import struct
import sys
import zlib

from files import chunk, longs, png, read, riff, shorts, tiff, write

PHOTO, CMYK, PROGRESSIVE, WEBP = map(read, sys.argv[1:])
SIZE = 200  # pixels of a side
HUGE = 520000  # of a side that GIMP might have
COLOURS = (255, 0, 0), (0, 255, 0), (0, 0, 255)


def put(data, at, value):
    return data[:at] + value + data[at + len(value):]


def flip(data, at):
    return put(data, at, bytes([data[at] ^ 0x55]))


def cut(data):
    return data[:len(data) * 2 // 3]


# ---- PNG

def rows(strange=None):
    """Of a PNG; row number strange has a filter that does not exist."""
    return b"".join(bytes([9 if y == strange else 0]) +
                    bytes((x ^ y) % 256 for x in range(3 * SIZE)) for y in range(SIZE))


def animated_png():
    def control(number):
        return chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, 20, 10, 0, 0, 1, 10, 0, 0))

    def packed(colour):
        return zlib.compress((b"\0" + bytes(colour) * 20) * 10)

    more = b"".join(control(2 * i - 1) + chunk(b"fdAT", struct.pack(">I", 2 * i) + packed(colour))
                    for i, colour in enumerate(COLOURS) if i > 0)
    return png(20, 10, packed(COLOURS[0]), chunk(b"acTL", struct.pack(">II", 3, 0)), control(0),
               after=more)


# ---- TIFF

def plain(colour, others={}, width=20, height=10, size=None):
    """A page of one colour. size: of a side, as it says."""
    said = {0x100: longs(size), 0x101: longs(size), 0x116: longs(size)} if size else {}
    return width, height, bytes(colour) * width * height, {**said, **others}


# ---- WebP

def number(value):
    return struct.pack("<I", value)[:3]


def animated_webp(frames):
    frames = b"".join(riff(b"ANMF", number(0) * 2 + number(19) + number(9) + number(100) + b"\0" +
                           frame[12:]) for frame in frames)
    return riff(b"RIFF", b"WEBP" + riff(b"VP8X", b"\2\0\0\0" + number(19) + number(9)) +
                riff(b"ANIM", b"\0" * 6) + frames)


# ---- JPEG

def widen(data, marker):
    return put(data, data.index(marker) + 5, struct.pack(">HH", 65500, 65500))


def insert(data, at, more=b"\x12\x34\x56"):
    return data[:at] + more + data[at:]


def restarts(more=b""):
    """Eight gray blocks, each a byte of data with a restart marker behind it; more bytes before the
    first one."""
    def segment(marker, data):
        return bytes([0xff, marker]) + struct.pack(">H", len(data) + 2) + data

    table = b"\0\1" + bytes(14) + b"\0"  # one code, 00, for nothing
    blocks = [b"\x0f" + bytes([0xff, 0xd0 + i]) for i in range(7)] + [b"\x0f"]
    blocks[0] = insert(blocks[0], 1, more)
    return b"\xff\xd8" + segment(0xdb, b"\0" + b"\1" * 64) + \
        segment(0xc0, struct.pack(">BHHB", 8, 8, 64, 1) + b"\1\x11\0") + \
        segment(0xc4, b"\x00" + table) + segment(0xc4, b"\x10" + table) + segment(0xdd, b"\0\1") + \
        segment(0xda, b"\1\1\0\0\x3f\0") + b"".join(blocks) + b"\xff\xd9"


def make_damaged():
    packed = zlib.compress(rows())
    whole = png(SIZE, SIZE, packed)
    write("damaged/filter.png", png(SIZE, SIZE, zlib.compress(rows(strange=113))))
    write("damaged/flipped.png", flip(whole, len(whole) // 2))
    write("damaged/sum.png", png(SIZE, SIZE, flip(packed, len(packed) - 1)))
    write("damaged/cut.png", cut(whole))
    write("damaged/cut.jpg", cut(PHOTO))
    start = PHOTO.index(b"\xff\xda")
    write("damaged/marker.jpg", put(PHOTO, (start + len(PHOTO)) // 2, b"\xff\xd9"))
    strip = zlib.compress(bytes(3 * SIZE * SIZE))
    write("damaged/flipped.tif", tiff((SIZE, SIZE, flip(strip, 80), {0x103: longs(8)})))
    write("damaged/short.tif", tiff((SIZE, SIZE, cut(strip), {0x103: longs(8)})))
    write("damaged/flipped.webp", flip(WEBP, len(WEBP) // 3))
    write("damaged/restart.jpg", restarts(b"\x12\x34" * 10))


def make_odd():
    scan, frame = PHOTO.index(b"\xff\xda"), PHOTO.index(b"\xff\xc0")
    write("odd/last.jpg", put(PHOTO, scan + 12, b"\0"))
    write("odd/bits.jpg", put(PHOTO, scan + 13, b"\x11"))
    write("odd/version.jpg", put(PHOTO, PHOTO.index(b"JFIF") + 5, b"\2\1"))
    write("odd/frame.jpg", insert(PHOTO, frame))
    write("odd/scan.jpg", insert(PHOTO, scan))
    scans = PROGRESSIVE.split(b"\xff\xda")
    write("odd/progressive.jpg", b"\x12\x34\x56\xff\xda".join(scans))
    write("odd/progressive-end.jpg", insert(PROGRESSIVE, len(PROGRESSIVE) - 2))
    write("odd/restart.jpg", restarts())


def make_raw():
    write("raw/thumbnail.tif", tiff(plain(COLOURS[0], {0xfe: longs(1)}), plain(COLOURS[1])))
    write("raw/sensor.tif", tiff(plain(COLOURS[0], {0x106: longs(32803)})))
    write("raw/named.NEF", tiff(plain(COLOURS[0])))
    write("raw/alpha-planes.tif", tiff(plain(
        COLOURS[0], {0x11c: longs(2), 0x115: longs(2), 0x106: longs(1)})))
    write("raw/bits.tif", tiff(plain(COLOURS[0], {0x102: shorts(12, 12, 12)})))


def make_huge():
    nothing = zlib.compress(bytes(1000))
    beside = chunk(b"oFFs", struct.pack(">iiB", 5, 7, 0))
    write("huge/plain.png", png(HUGE, HUGE, nothing))
    write("huge/interlaced.png", png(HUGE, HUGE, nothing, interlaced=1))
    write("huge/beside.png", png(HUGE, HUGE, nothing, beside))
    write("huge/wide.png", png(524289, 1, nothing))
    write("huge/photo.jpg", widen(PHOTO, b"\xff\xc0"))
    write("huge/cmyk.jpg", widen(CMYK, b"\xff\xc0"))
    write("huge/plain.tif", tiff(plain(COLOURS[0], size=HUGE)))
    write("huge/planes.tif", tiff(plain(COLOURS[0], {0x11c: longs(2)}, size=HUGE)))
    write("huge/pages.tif", tiff(plain(COLOURS[0], size=HUGE), plain(COLOURS[1])))


def make_many():
    write("many/frames.png", animated_png())
    write("many/pages.tif", tiff(*map(plain, COLOURS)))
    # A file as GIMP writes it: a page, and a small copy of it, which is no page. Here they differ.
    write("many/copy.tif", tiff(plain(COLOURS[0]), plain(COLOURS[2], {0xfe: longs(1)}, 40, 20)))
    write("many/differ.tif", tiff(plain(COLOURS[0]), plain(COLOURS[1], width=10, height=20)))
    # All strips but the first ones are missing.
    width, height, strip, _ = plain(COLOURS[1], width=40000, height=8)
    write("many/large.tif", tiff((width, height, strip, {
        0x101: longs(40000), 0x111: longs(*[8] * 40, *[1 << 30] * 4960),
        0x117: longs(*[len(strip)] * 5000)})))
    names = [name for name in sorted(os.listdir(".")) if name.startswith("frame-")]
    write("many/frames.webp", animated_webp(map(read, names)))


for folder in "damaged", "odd", "raw", "huge", "many":
    os.mkdir(folder)
make_damaged()
make_odd()
make_raw()
make_huge()
make_many()
write("extra.jpg", PHOTO[:-2], bytes(range(1, 200)), PHOTO[-2:])
