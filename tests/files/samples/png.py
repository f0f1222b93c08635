"""PNGs of noise."""

import struct
import zlib

from common import HEIGHT, SMALL, WIDTH, noise, read, write
from metadata import XMP, exif, icc


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def hide(row, samples, size):
    """A row of pixels of which every other one has an alpha of 0, others a small one."""
    row, step = bytearray(row), samples * size
    for at in range(0, len(row), step):
        alpha = [0, 1, 0, 255, 0, 77][at // step % 6]
        row[at + step - size:at + step] = alpha.to_bytes(size, "big")
    return bytes(row)


def png(name, *chunks, bits=8, colour=2, after=b"", size=(WIDTH, HEIGHT), lie=None, hidden=False):
    """lie: the size that it says it has."""
    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    rows = [noise((size[0] * samples * bits + 7) // 8) for _ in range(size[1])]
    if hidden:
        rows = [hide(row, samples, bits // 8) for row in rows]
    rows = b"".join(b"\0" + row for row in rows)
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", *(lie or size), bits, colour, 0, 0, 0))
    data = b"\x89PNG\r\n\x1a\n" + head + b"".join(chunks) + chunk(b"IDAT", zlib.compress(rows)) + \
        after + chunk(b"IEND", b"")
    write(name + ".png", data)
    return data


def make_kinds():
    for bits in 1, 2, 4, 8, 16:
        png(f"grey{bits}", bits=bits, colour=0)
    for bits in 8, 16:
        png(f"rgb{bits}", bits=bits)
        png(f"rgba{bits}", bits=bits, colour=6)
        png(f"grey-alpha{bits}", bits=bits, colour=4)
        png(f"hidden{bits}", bits=bits, colour=6, hidden=True)
        png(f"hidden-grey{bits}", bits=bits, colour=4, hidden=True)
    for bits in 1, 2, 4, 8:
        palette = chunk(b"PLTE", noise(3 << bits))
        png(f"palette{bits}", palette, bits=bits, colour=3)
        png(f"palette-alpha{bits}", palette, chunk(b"tRNS", noise(1 << bits >> 1)), bits=bits,
            colour=3)
    png("gimp-palette-short", chunk(b"PLTE", noise(48)), colour=3)
    png("grey-key", chunk(b"tRNS", b"\0\2"), bits=2, colour=0)
    png("grey-key16", chunk(b"tRNS", b"\x12\x34"), bits=16, colour=0)
    png("rgb-key", chunk(b"tRNS", b"\0\1\0\2\0\3"))
    png("long", size=(16384, 1))


def make_chunks():
    png("gamma", chunk(b"gAMA", struct.pack(">I", 45455)),
        chunk(b"cHRM", struct.pack(">8I", 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)))
    png("gamma-other", chunk(b"gAMA", struct.pack(">I", 100000)))
    png("srgb", chunk(b"sRGB", b"\0"))
    png("background", chunk(b"bKGD", b"\0\1\0\2\0\3"))
    for x, y, unit in (2835, 5670, 1), (2, 1, 0), (1, 3, 0):
        png(f"resolution{x}", chunk(b"pHYs", struct.pack(">IIB", x, y, unit)))
    png("text", chunk(b"tEXt", b"Comment\0a c\xf6mment"), chunk(b"tEXt", b"Software\0Any"))
    png("text-long", chunk(b"tEXt", b"Comment\0" + b"long " * 80))
    png("text-unicode", chunk(b"iTXt", "Comment\0\0\0\0\0\u65e5\u672c \u017e".encode()))
    png("text-behind", after=chunk(b"tEXt", b"Comment\0at the end"))
    png("exif", chunk(b"eXIf", exif(6)))
    png("title-latin", chunk(b"eXIf", exif(title="Gr\u00fc\u00dfe")))
    png("gimp-phone16", chunk(b"eXIf", exif(small=read(SMALL), sized=True)), bits=16)
    png("phone8", chunk(b"eXIf", exif(small=read(SMALL), sized=True)))
    png("xmp-and-exif", chunk(b"pHYs", struct.pack(">IIB", 2835, 2835, 1)),
        chunk(b"eXIf", exif(comment="c")), chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + XMP),
        bits=16, colour=6)
    for name, extra, options in [("profile", icc(1.8), {}),
                                 ("profile-grey", icc(1.8, b"GRAY"), {"colour": 0})]:
        png(name, chunk(b"iCCP", b"mine\0\0" + zlib.compress(extra)), **options)
    png("gimp-profile-linear", chunk(b"iCCP", b"mine\0\0" + zlib.compress(icc(1))))
    png("gimp-profile-name", chunk(b"iCCP", b"m\xefne\0\0" + zlib.compress(icc(1.8))))
    png("gimp-offset", chunk(b"oFFs", struct.pack(">iiB", 5, 7, 0)))
    png("gimp-huge", lie=(0x7fffffff, 0x7fffffff))
    png("gimp-wide", lie=(600000, 1))
    data = png("whole")
    write("gimp-cut.png", data[:len(data) // 2])
    write("gimp-head.png", data[:40])
    write("gimp-empty.png", b"")
    write("gimp-text.png", b"no image at all")
    write("gimp-flipped.png", data[:60] + bytes([data[60] ^ 255]) + data[61:])
