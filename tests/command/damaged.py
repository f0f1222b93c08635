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

PHOTO, CMYK, PROGRESSIVE, WEBP = (open(name, "rb").read() for name in sys.argv[1:])
SIZE = 200  # pixels of a side
HUGE = 520000  # of a side that GIMP might have
COLOURS = (255, 0, 0), (0, 255, 0), (0, 0, 255)


def write(name, *parts):
    with open(name, "wb") as file:
        file.write(b"".join(parts))


def put(data, at, value):
    return data[:at] + value + data[at + len(value):]


def flip(data, at):
    return put(data, at, bytes([data[at] ^ 0x55]))


def cut(data):
    return data[:len(data) * 2 // 3]


# ---- PNG

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, packed, *before, after=b"", interlaced=0):
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, interlaced))
    return b"".join((b"\x89PNG\r\n\x1a\n", head, *before, chunk(b"IDAT", packed), after,
                     chunk(b"IEND", b"")))


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

def page(at, width, height, data, size=None, more=None, following=0, bits=8):
    """The pixels and the fields of a page that begins at this place in the file. size: of a side,
    as it says."""
    fields = {0x100: size or width, 0x101: size or height, 0x102: 8, 0x103: 1, 0x106: 2,
              0x111: at, 0x115: 3, 0x116: size or height, 0x117: len(data), **(more or {})}
    data += b"\0" * (len(data) % 2)
    start = at + len(data)
    after = start + 2 + 12 * len(fields) + 4
    fields[0x102] = after
    entries = b"".join(struct.pack("<HHII", tag, 3 if tag == 0x102 else 4, 3 if tag == 0x102 else 1,
                                   value) for tag, value in sorted(fields.items()))
    return start, data + struct.pack("<H", len(fields)) + entries + \
        struct.pack("<I", after + 6 if following else 0) + struct.pack("<3H", bits, bits, bits)


def tiff(*pictures):
    """Each picture: the arguments of page."""
    parts, places, at = [], [], 8
    for arguments in pictures:
        start, data = page(at, **arguments)
        parts.append(data)
        places.append(start)
        at += len(data)
    for i, start in enumerate(places[1:]):
        first = places[i] - (8 + sum(map(len, parts[:i])))
        count = struct.unpack("<H", parts[i][first:first + 2])[0]
        parts[i] = put(parts[i], first + 2 + 12 * count, struct.pack("<I", start))
    return b"II*\0" + struct.pack("<I", places[0]) + b"".join(parts)


def plain(colour, width=20, height=10, **more):
    return {"width": width, "height": height, "data": bytes(colour) * width * height, **more}


# ---- WebP

def riff(kind, data):
    return kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


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
    strip = {"width": SIZE, "height": SIZE, "data": zlib.compress(bytes(3 * SIZE * SIZE)),
             "more": {0x103: 8}}
    write("damaged/flipped.tif", tiff({**strip, "data": flip(strip["data"], 80)}))
    write("damaged/short.tif", tiff({**strip, "data": cut(strip["data"])}))
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
    write("raw/thumbnail.tif", tiff(plain(COLOURS[0], more={0xfe: 1}), plain(COLOURS[1])))
    write("raw/sensor.tif", tiff(plain(COLOURS[0], more={0x106: 32803})))
    write("raw/named.NEF", tiff(plain(COLOURS[0])))
    write("raw/alpha-planes.tif", tiff(plain(COLOURS[0], more={0x11c: 2, 0x115: 2, 0x106: 1})))
    write("raw/bits.tif", tiff({**plain(COLOURS[0]), "bits": 12}))


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
    write("huge/planes.tif", tiff(plain(COLOURS[0], size=HUGE, more={0x11c: 2})))
    write("huge/pages.tif", tiff(plain(COLOURS[0], size=HUGE), plain(COLOURS[1])))


def make_many():
    write("many/frames.png", animated_png())
    write("many/pages.tif", tiff(*map(plain, COLOURS)))
    # A file as GIMP writes it: a page, and a small copy of it, which is no page. Here they differ.
    write("many/copy.tif", tiff(plain(COLOURS[0]), plain(COLOURS[2], 40, 20, more={0xfe: 1})))
    names = [name for name in sorted(os.listdir(".")) if name.startswith("frame-")]
    write("many/frames.webp", animated_webp([open(name, "rb").read() for name in names]))


for folder in "damaged", "odd", "raw", "huge", "many":
    os.mkdir(folder)
make_damaged()
make_odd()
make_raw()
make_huge()
make_many()
write("extra.jpg", PHOTO[:-2], bytes(range(1, 200)), PHOTO[-2:])
