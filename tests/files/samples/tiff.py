"""TIFFs of noise."""

import random
import struct

from common import HEIGHT, WIDTH, noise, write
from metadata import XMP, builtin, directory, icc, iptc, long, rationals, short, text

INT, FLOAT = 1, 3


def samples(count, bits, kind):
    if kind == FLOAT:
        letter = {16: "e", 32: "f", 64: "d"}[bits]
        return struct.pack(f"<{count}{letter}", *(random.uniform(-.1, 1.4) for _ in range(count)))
    return noise(count * bits // 8)


def tiff(name, *, bits=8, channels=3, kind=INT, fields=None, camera=None, pages=1, strip=16):
    """fields: more of them, or others, None for those that are to be left out; camera: EXIF's."""
    data, following = b"", 0
    for _ in range(pages):
        rows = samples(WIDTH * HEIGHT * channels, bits, kind)
        size = WIDTH * channels * bits // 8 * strip
        strips = [rows[i:i + size] for i in range(0, len(rows), size)]
        start = 8 + len(data)
        entries = {0x100: short(WIDTH), 0x101: short(HEIGHT),
                   0x102: (3, channels, struct.pack(f"<{channels}H", *[bits] * channels)),
                   0x103: short(1), 0x106: short(1 if channels < 3 else 2),
                   0x111: (4, len(strips), struct.pack(
                       f"<{len(strips)}I", *(start + i * size for i in range(len(strips))))),
                   0x115: short(channels), 0x116: short(strip),
                   0x117: (4, len(strips), struct.pack(f"<{len(strips)}I", *map(len, strips))),
                   0x153: (3, channels, struct.pack(f"<{channels}H", *[kind] * channels))}
        if channels % 2 == 0:
            entries[0x152] = short(2)
        data += rows + b"\0" * (len(rows) % 2)
        if camera:
            entries[0x8769] = long(8 + len(data))
            data += directory(camera, 8 + len(data))
        entries.update(fields or {})
        entries = {tag: value for tag, value in entries.items() if value}
        firsts = 8 + len(data)
        page = directory(entries, firsts)
        if following:
            data = data[:following - 8] + struct.pack("<I", firsts) + data[following - 4:]
        else:
            first = firsts
        following = firsts + 2 + 12 * len(entries)
        data += page
    write(name + ".tif", b"II*\0" + struct.pack("<I", first) + data)
    return data


def make_tiffs():
    for channels in 1, 2, 3, 4:
        for bits in 8, 16, 32:
            tiff(f"tiff{channels}-{bits}", bits=bits, channels=channels)
        for bits in 16, 32, 64:
            tiff(f"tiff{channels}-float{bits}", bits=bits, channels=channels, kind=FLOAT)
    for unit, x, y in (1, 72, 72), (2, 300, 150), (3, 118, 79), (2, 1, 3):
        tiff(f"tiff-resolution{unit}-{x}", fields={
            0x11a: rationals(x, 1), 0x11b: rationals(y, 1), 0x128: short(unit)})
    tiff("tiff-no-unit", fields={0x11a: rationals(200, 1), 0x11b: rationals(100, 1)})
    tiff("tiff-texts", fields={0x10e: text("A description"), 0x11d: text("A layer"),
                               0x10f: text("Canon"), 0x131: text("Any"), 0x13b: text("Someone"),
                               0x132: text("2023:05:06 07:08:09"), 0x8298: text("(c) Someone")})
    tiff("tiff-latin", fields={0x10e: text("Gr\u00fc\u00dfe"), 0x11d: text("B\u00e4r")})
    tiff("tiff-unicode", fields={0x10e: (2, 8, "Gr\u00fc\u00df".encode() + b"e\0"),
                                 0x11d: (2, 5, "B\u00e4r".encode() + b"\0")})
    tiff("tiff-private", fields={0xc001: text("no one knows"), 0xfde8: short(7)})
    camera = {0x829a: rationals(1, 250), 0x8827: short(400), 0x9000: (7, 4, b"0230"),
              0x9003: text("2023:05:06 07:08:09"), 0x9286: (7, 11, b"ASCII\0\0\0yes"),
              0xa001: short(1), 0xa434: text("EF50mm f/1.8 STM")}
    iptc_data = iptc()[26:]
    tiff("tiff-camera", camera=camera, fields={
        0x2bc: (1, len(XMP), XMP), 0x83bb: (7, len(iptc_data), iptc_data)})
    tiff("tiff-adobe-rgb", camera={**camera, 0xa001: short(2)})
    for name, profile, options in [("tiff-profile", icc(1.8), {"bits": 16}),
                                   ("tiff-profile-grey", icc(1.8, b"GRAY"), {"channels": 1}),
                                   ("tiff-profile-builtin", builtin(), {}),
                                   ("gimp-tiff-profile-linear", icc(1), {}),
                                   ("gimp-tiff-profile-none", b"nothing" * 30, {})]:
        tiff(name, fields={0x8773: (7, len(profile), profile)}, **options)
    tiff("gimp-tiff-associated", channels=4, fields={0x152: short(1)})
    tiff("gimp-tiff-unspecified", channels=4, fields={0x152: short(0)})
    tiff("gimp-tiff-more", channels=4, fields={0x152: None})
    tiff("gimp-tiff-white", channels=1, fields={0x106: short(0)})
    tiff("gimp-tiff-cmyk", channels=4, fields={0x106: short(5), 0x152: None})
    tiff("gimp-tiff-signed", fields={0x153: (3, 3, struct.pack("<3H", 2, 2, 2))})
    tiff("gimp-tiff-pages", pages=2)
    tiff("gimp-tiff-reduced", fields={0xfe: long(1)})
    tiff("gimp-tiff-beside", fields={0x11e: rationals(1, 10), 0x11f: rationals(1, 10),
                                     0x11a: rationals(72, 1), 0x11b: rationals(72, 1)})
    tiff("gimp-tiff-half-resolution", fields={0x11a: rationals(72, 1)})
    tiff("gimp-tiff-photoshop", fields={0x8649: (1, 12, b"8BIM\x04\x0a\0\0\0\0\0\0")})
    tiff("gimp-tiff-map", fields={0x830e: (12, 3, struct.pack("<3d", 1, 1, 0))})
    for orientation in 3, 6:
        tiff(f"gimp-tiff-orientation{orientation}", fields={0x112: short(orientation)})
    data = tiff("tiff-whole")
    write("gimp-tiff-cut.tif", b"II*\0" + struct.pack("<I", 8 + len(data)) + data)
    write("gimp-tiff-text.tif", b"no image at all")
    write("gimp-tiff-empty.tif", b"")
