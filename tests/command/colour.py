#!/usr/bin/env python3
"""Pictures of 128x16 pixels, left half black, right half white, that declare their colour in many
ways.

colour.py make: writes them to the working folder.
colour.py codes FILE PRIMARIES TRANSFER: changes the code points of an AVIF file.
colour.py profile FILE: writes a profile that no program has by itself."""

import math
import struct
import sys
import zlib

from files import chunk, ifd, png, read, shorts, tiff, write

WIDTH, HEIGHT = 128, 16


def write_png(path, *chunks, gray=False):
    half = (1 if gray else 3) * WIDTH // 2
    row = b"\0" + b"\0\0" * half + b"\xff\xff" * half
    write(path, png(WIDTH, HEIGHT, zlib.compress(row * HEIGHT), *chunks, bits=16,
                    kind=0 if gray else 2))


def write_gray_tiff(path, icc):
    row = b"\0" * (WIDTH // 2) + b"\xff" * (WIDTH // 2)
    write(path, tiff((WIDTH, HEIGHT, row * HEIGHT, {
        0x102: shorts(8), 0x106: shorts(1), 0x115: shorts(1), 0x8773: (7, icc)})))


def write_tiff(path, icc):
    """Floats, without compression."""
    row = struct.pack(f"<{3 * WIDTH}f", *3 * (WIDTH // 2) * [0.0], *3 * (WIDTH // 2) * [1.0])
    write(path, tiff((WIDTH, HEIGHT, row * HEIGHT, {0x102: shorts(32, 32, 32),
                                                    0x153: shorts(3, 3, 3), 0x8773: (7, icc)})))


def fixed(*numbers):
    return b"".join(struct.pack(">i", round(number * 65536)) for number in numbers)


def parametric(kind, *numbers):
    return struct.pack(">4sIHH", b"para", 0, kind, 0) + fixed(*numbers)


def table(curve, n=4096):
    entries = [round(curve(i / (n - 1)) * 65535) for i in range(n)]
    return struct.pack(f">4sII{n}H", b"curv", 0, n, *entries)


# The primaries' XYZ, for D50.
SRGB_PRIMARIES = [(0.43607, 0.22249, 0.01392), (0.38515, 0.71687, 0.09708),
                  (0.14307, 0.06061, 0.7141)]
ADOBE_PRIMARIES = [(0.60974, 0.31111, 0.01947), (0.20528, 0.62567, 0.06087),
                   (0.14919, 0.06322, 0.74457)]


def icc(*curves, gray=False, tables=False, primaries=SRGB_PRIMARIES):
    """A profile. One curve is that of all channels."""
    def xyz(*numbers):
        return b"XYZ \0\0\0\0" + fixed(*numbers)

    tags = {b"wtpt": xyz(0.9642, 1, 0.8249)}
    if tables:  # a table of colours: identities
        tags[b"A2B0"] = (struct.pack(">4sI4B", b"mft1", 0, 3, 3, 2, 0) +
                         fixed(1, 0, 0, 0, 1, 0, 0, 0, 1) + bytes(range(256)) * 3 +
                         bytes(255 * (i >> k & 1) for i in range(8) for k in (2, 1, 0)) +
                         bytes(range(256)) * 3)
    elif gray:
        tags[b"kTRC"] = curves[0]
    else:
        tags.update({
            **{name: xyz(*place) for name, place in zip([b"rXYZ", b"gXYZ", b"bXYZ"], primaries)},
            b"rTRC": curves[0], b"gTRC": curves[-1], b"bTRC": curves[0]})
    head, body = struct.pack(">I", len(tags)), b""
    for name, tag in tags.items():
        head += struct.pack(">4sII", name, 132 + 12 * len(tags) + len(body), len(tag))
        body += tag + b"\0" * (-len(tag) % 4)
    start = struct.pack(">I4sI4s4s4s12s4s", 132 + 12 * len(tags) + len(body), b"", 0x04200000,
                        b"mntr", b"GRAY" if gray else b"RGB ", b"Lab " if tables else b"XYZ ", b"",
                        b"acsp")
    return start.ljust(68, b"\0") + fixed(0.9642, 1, 0.8249) + b"\0" * 48 + head + body


def pq(x):
    root = x ** (1 / 78.84375)
    return (max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)) ** (1 / 0.1593017578125)


def hlg(x):
    return x * x / 3 if x <= 0.5 else (math.exp((x - 0.55991073) / 0.17883277) + 0.28466892) / 12


SRGB = parametric(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
ADOBE = parametric(0, 563 / 256)
LIGHTNESS = parametric(3, 3, 1 / 1.16, 0.16 / 1.16, 2700 / 24389, 0.08)
REC_2020 = parametric(3, 1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081)
PROFILES = {
    "srgb": icc(SRGB), "adobe": icc(ADOBE), "prophoto": icc(parametric(0, 1.8)),
    "rec-2020": icc(REC_2020), "lightness": icc(LIGHTNESS), "linear": icc(parametric(0, 1)),
    "pq": icc(table(pq)), "hlg": icc(table(hlg)), "mixed": icc(ADOBE, SRGB),
    "tables": icc(tables=True),
    "adobe-table": icc(table(lambda x: x ** (563 / 256))),
}


def profile_chunk(profile):
    return chunk(b"iCCP", b"p\0\0" + zlib.compress(profile))


def gamma_chunk(value):
    return chunk(b"gAMA", struct.pack(">I", value))


def codes_chunk(*codes):
    return chunk(b"cICP", bytes(codes))


def exif_chunk(index):
    """Says that the colours are not those of sRGB, and by DCF which they are."""
    return chunk(b"eXIf", b"II*\0\x08\0\0\0" + ifd(8, [(0x8769, [
        (0xa001, *shorts(0xffff)), (0xa005, [(1, 2, index)])])]))


def make_all():
    for name, profile in PROFILES.items():
        write_png(f"icc-{name}.png", profile_chunk(profile))
    write_png("icc-gray.png", profile_chunk(icc(LIGHTNESS, gray=True)), gray=True)
    write_tiff("float.tif", PROFILES["linear"])
    write_gray_tiff("gray.tif", PROFILES["prophoto"])
    row = bytes(range(192))
    write("other-colours.tif", tiff((8, 8, row, {0x8773: (7, icc(LIGHTNESS, gray=True))})))
    gamma = gamma_chunk(100000)
    places = struct.pack(">8I", 31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000)
    write_png("gamma-1.png", gamma)
    write_png("gamma-1.8.png", gamma_chunk(55556), chunk(b"cHRM", places))
    write_png("gamma-gray.png", gamma, gray=True)
    write_png("gamma-2.2.png", gamma_chunk(45455))
    write_png("chunk-srgb.png", gamma, chunk(b"sRGB", b"\0"))
    write_png("codes-p3.png", codes_chunk(12, 13, 0, 1))
    write_png("codes-pq.png", codes_chunk(9, 16, 0, 1), profile_chunk(PROFILES["adobe"]), gamma)
    write_png("codes-hlg.png", codes_chunk(9, 18, 0, 1))
    write_png("codes-video.png", codes_chunk(9, 16, 9, 0), gamma)
    write_png("none.png")
    write_png("exif-adobe.png", exif_chunk(b"R03\0"))
    write_png("exif-srgb.png", exif_chunk(b"R98\0"))
    write_png("exif-other.png", exif_chunk(b"R03\0"), profile_chunk(PROFILES["prophoto"]))


def set_codes(path, primaries, transfer):
    data = read(path)
    place = data.index(b"colrnclx") + 8
    write(path, data[:place], struct.pack(">HH", primaries, transfer), data[place + 4:])


def main():
    if sys.argv[1] == "make":
        make_all()
    elif sys.argv[1] == "codes":
        set_codes(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        write(sys.argv[2], icc(parametric(0, 1.9), primaries=ADOBE_PRIMARIES))


if __name__ == "__main__":
    main()
