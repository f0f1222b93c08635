#!/usr/bin/env python3
"""Makes image files of all kinds: samples.py FOLDER RGB.jpg GREY.jpg SMALL.jpg LINE.jpg WRITTEN.jpg
RGB.webp

Each holds what its name says; WRITTEN has the profile that GIMP writes with sRGB. Of those whose
name begins with gimp- the road without GIMP cannot make what GIMP makes, and leaves them to it; of
the others it makes the same."""

import os
import random
import struct
import sys
import zlib

FOLDER, RGB, GREY, SMALL, LINE, WRITTEN, WEBP = sys.argv[1:]
random.seed(5)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(name, data):
    with open(os.path.join(FOLDER, name), "wb") as file:
        file.write(data)


# ---- EXIF, XMP, IPTC, ICC

def text(s):
    data = s.encode("latin-1")
    return 2, len(data) + 1, data + b"\0"


def rationals(*values):
    return 5, len(values) // 2, struct.pack(f"<{len(values)}I", *values)


def short(value):
    return 3, 1, struct.pack("<H", value)


def long(value):
    return 4, 1, struct.pack("<I", value)


def directory(entries, base, following=0):
    """An image file directory of TIFF's that lies at base: {tag: (type, count, bytes)}."""
    at, head, data = base + 6 + 12 * len(entries), struct.pack("<H", len(entries)), b""
    for tag, (kind, count, value) in sorted(entries.items()):
        if len(value) > 4:
            head += struct.pack("<HHII", tag, kind, count, at + len(data))
            data += value + b"\0" * (len(value) % 2)
        else:
            head += struct.pack("<HHI", tag, kind, count) + value.ljust(4, b"\0")
    return head + struct.pack("<I", following) + data


def exif(orientation=1, resolution=(300, 1, 150, 1), unit=2, space=1, comment=None, title=None,
         small=None, sized=False):
    """As a camera writes it, with a thumbnail where there is one; sized: which says how large."""
    def parts(camera_at, place_at, small_at, jpeg_at):
        image = {0x10f: text("Canon"), 0x110: text("Canon EOS 80D"), 0x112: short(orientation),
                 0x11a: rationals(*resolution[:2]), 0x11b: rationals(*resolution[2:]),
                 0x128: short(unit), 0x131: text("Firmware 1.0"),
                 0x132: text("2023:05:06 07:08:09"), 0x13b: text("A. Photographer"),
                 0x8298: text("(c) A. Photographer"), 0x213: short(2), 0x8769: long(camera_at),
                 0x8825: long(place_at)}
        camera = {0x829a: rationals(1, 250), 0x829d: rationals(56, 10), 0x8827: short(400),
                  0x9000: (7, 4, b"0230"), 0x9003: text("2023:05:06 07:08:09"),
                  0x9101: (7, 4, b"\1\2\3\0"), 0x9204: (10, 1, struct.pack("<ii", -1, 3)),
                  0x9209: short(16), 0x920a: rationals(50, 1), 0xa001: short(space),
                  0xa002: long(6000), 0xa003: long(4000), 0xa434: text("EF50mm f/1.8 STM")}
        place = {0: (1, 4, b"\2\3\0\0"), 1: text("N"), 2: rationals(48, 1, 8, 1, 1234, 100),
                 3: text("E"), 4: rationals(11, 1, 34, 1, 5678, 100), 6: rationals(5200, 10)}
        thumbnail = {0x103: short(6), 0x11a: rationals(72, 1), 0x11b: rationals(72, 1),
                     0x128: short(2), 0x201: long(jpeg_at), 0x202: long(len(small or b""))}
        if title is not None:
            image[0x10e] = text(title)
        if comment is not None:
            camera[0x9286] = 7, 8 + len(comment), b"ASCII\0\0\0" + comment.encode()
        if sized:
            thumbnail.update({0x100: short(160), 0x101: short(120)})
        result = directory(image, 8, small_at)
        for entries in [camera, place] + [thumbnail] * bool(small):
            starts.append(8 + len(result))
            result += directory(entries, 8 + len(result))
        starts.append(8 + len(result))
        return result + (small or b"")

    starts = []
    parts(0, 0, 0, 0)
    at = starts[:2] + [starts[2] if small else 0, starts[-1]]
    return b"II*\0" + struct.pack("<I", 8) + parts(*at)


XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta
xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
xmlns:stEvt="http://ns.adobe.com/xap/1.0/sType/ResourceEvent#"
xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
xmp:CreatorTool="Adobe Lightroom" xmp:Rating="4" xmpMM:DocumentID="xmp.did:1234"
photoshop:City="M\u00fcnchen"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">A title</rdf:li>
</rdf:Alt></dc:title><dc:subject><rdf:Bag><rdf:li>one</rdf:li><rdf:li>two, three</rdf:li></rdf:Bag>
</dc:subject><dc:creator><rdf:Seq><rdf:li>A. Photographer</rdf:li></rdf:Seq></dc:creator>
<xmpMM:History><rdf:Seq><rdf:li stEvt:action="derived" stEvt:parameters="converted"/>
<rdf:li stEvt:action="saved" stEvt:instanceID="xmp.iid:99" stEvt:when="2023-05-06T07:08:09+02:00"/>
</rdf:Seq></xmpMM:History><Iptc4xmpExt:LocationShown><rdf:Bag><rdf:li Iptc4xmpExt:City="Berlin"
Iptc4xmpExt:CountryCode="DE"/></rdf:Bag></Iptc4xmpExt:LocationShown></rdf:Description></rdf:RDF>
</x:xmpmeta><?xpacket end="w"?>""".encode()
XMP_OWN = XMP.replace(b'xmp:Rating="4"', b'xmlns:my="http://my.name/" my:rating="4"').replace(
    b'stEvt:action="saved"', b'stEvt:action="saved" my:reason="none"')


def iptc():
    fields = [(1, 90, b"\x1b%G"), (2, 25, b"one"), (2, 25, "Schl\u00fcssel".encode()),
              (2, 80, b"A. Photographer"), (2, 120, b"A caption")]
    data = b"".join(struct.pack(">BBBH", 0x1c, record, number, len(value)) + value
                    for record, number, value in fields)
    return (b"Photoshop 3.0\x008BIM\4\4\0\0" + struct.pack(">I", len(data)) + data +
            b"\0" * (len(data) % 2))


def icc(gamma, space=b"RGB "):
    """A profile of version 2, with the primaries of a display and that gamma."""
    def number(value):
        return struct.pack(">i", round(value * 65536))

    def xyz(*values):
        return b"XYZ \0\0\0\0" + b"".join(map(number, values))

    curve = b"curv\0\0\0\0" + struct.pack(">IH", 1, round(gamma * 256)) + b"\0\0"
    name = b"desc\0\0\0\0" + struct.pack(">I", 5) + b"mine\0" + b"\0" * 79
    tags = [(b"desc", name), (b"cprt", b"text\0\0\0\0none\0\0\0\0"),
            (b"wtpt", xyz(.9642, 1, .8249))]
    if space == b"RGB ":
        tags += [(b"rXYZ", xyz(.515, .241, -.001)), (b"gXYZ", xyz(.292, .692, .042)),
                 (b"bXYZ", xyz(.157, .067, .784)), (b"rTRC", curve), (b"gTRC", curve),
                 (b"bTRC", curve)]
    else:
        tags += [(b"kTRC", curve)]
    table, body, at = struct.pack(">I", len(tags)), b"", 132 + 12 * len(tags)
    for tag, value in tags:
        value += b"\0" * (-len(value) % 4)
        table += tag + struct.pack(">II", at + len(body), len(value))
        body += value
    head = struct.pack(">I4sI4s4s4s", at + len(body), b"none", 0x02400000, b"mntr", space, b"XYZ ")
    head += struct.pack(">6H", 2020, 1, 1, 0, 0, 0) + b"acsp" + b"\0" * 28
    return head.ljust(68, b"\0") + number(.9642) + number(1) + number(.8249) + b"\0" * 48 + \
        table + body


def builtin():
    """The profile of WRITTEN, which is in one segment."""
    data = read(WRITTEN)
    start = data.index(b"ICC_PROFILE\0\1\1")
    size = struct.unpack(">H", data[start - 2:start])[0]
    return data[start + 14:start - 2 + size]


# ---- JPEG

def marker(code, data):
    return struct.pack(">BBH", 0xff, code, len(data) + 2) + data


def jpeg(name, *segments, base=RGB, jfif=False):
    """base with these segments, after or in place of its JFIF segment."""
    data = read(base)
    head = 4 + struct.unpack(">H", data[4:6])[0]
    write(name + ".jpg", data[:2] + data[2:head] * jfif + b"".join(segments) + data[head:])


def app1(data):
    return marker(0xe1, b"Exif\0\0" + data)


def app2(data):
    return marker(0xe2, b"ICC_PROFILE\0\1\1" + data)


def app1_xmp(data):
    return marker(0xe1, b"http://ns.adobe.com/xap/1.0/\0" + data)


def make_jpegs():
    small = read(SMALL)
    for orientation in range(9):
        jpeg(f"orientation{orientation}", app1(exif(orientation)))
    jpeg("orientation-grey", app1(exif(6)), base=GREY)
    jpeg("camera", app1(exif(small=small)), app1_xmp(XMP), marker(0xed, iptc()))
    jpeg("phone", app1(exif(6, small=small, sized=True)))
    jpeg("phone-grey", app1(exif(3, small=small, sized=True)), base=GREY)
    jpeg("gimp-phone-narrow", app1(exif(small=small, sized=True)), base=LINE)
    jpeg("centimetres", app1(exif(resolution=(118, 1, 118, 1), unit=3)))
    jpeg("jfif-and-exif", app1(exif(3)), jfif=True)
    jpeg("adobe-rgb", app1(exif(space=2)))
    jpeg("gimp-adobe-grey", app1(exif(space=2)), base=GREY)
    jpeg("gimp-adobe-and-srgb", app1(exif(space=2)), app2(builtin()))
    jpeg("profile-builtin", app2(builtin()), jfif=True)
    jpeg("uncalibrated", app1(exif(space=0xffff)))
    jpeg("xmp", app1_xmp(XMP), jfif=True)
    jpeg("xmp-own", app1_xmp(XMP_OWN), jfif=True)
    jpeg("iptc", marker(0xed, iptc()), jfif=True)
    jpeg("comments", app1(exif(comment="of EXIF", title="a title")), marker(0xfe, b"one"),
         marker(0xfe, b"two \xe4"))
    jpeg("comment", marker(0xfe, "s\u00fc\u00df".encode()), jfif=True)
    jpeg("no-comment", app1(exif(comment="", title="                    ")))
    jpeg("title", app1(exif(title="OLYMPUS DIGITAL CAMERA")))
    jpeg("title-latin", app1(exif(title="Gr\u00fc\u00dfe")))
    jpeg("title-latin-comment", app1(exif(title="Gr\u00fc\u00dfe")), marker(0xfe, b"one"))
    jpeg("broken-exif", app1(b"II*\0\x08\0\0\0\xff\xff\1\2\3\4"), jfif=True)
    jpeg("broken-xmp", app1_xmp(b"<x:xmpmeta><not closed"), jfif=True)
    jpeg("profile", app1(exif()), app2(icc(1.8)))
    jpeg("profile-grey", app2(icc(2.2, b"GRAY")), base=GREY, jfif=True)
    jpeg("gimp-profile-of-grey", app2(icc(2.2, b"GRAY")), jfif=True)
    jpeg("gimp-profile-linear", app2(icc(1)), jfif=True)
    jpeg("gimp-profile-none", app2(b"nothing of the kind" * 9), jfif=True)
    data = read(RGB)
    write("more-behind.jpg", data + b"more" * 99)
    write("gimp-cut.jpg", data[:len(data) // 2])
    write("gimp-noise.jpg", data[:len(data) // 2] + b"\xff\xd8noise" * 9 + data[len(data) // 2:])
    write("gimp-head.jpg", data[:150])
    write("gimp-empty.jpg", b"")


# ---- PNG

WIDTH, HEIGHT = 61, 43


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def noise(size):
    return bytes(random.randrange(256) for _ in range(size))


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


# ---- TIFF

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


# ---- WebP

def riff(kind, data):
    return kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def webp(name, size=(121, 83), flags=0, icc_data=None, exif_data=None, xmp=None, image=None,
         more=b""):
    """image: chunks in place of those of WEBP, which is lossy and has no alpha."""
    flags |= 32 * bool(icc_data) | 8 * bool(exif_data) | 4 * bool(xmp)
    data = riff(b"VP8X", struct.pack("<I", flags) + b"".join(
        struct.pack("<I", n - 1)[:3] for n in size))
    for kind, value in (b"ICCP", icc_data), (None, image or read(WEBP)[12:]), \
            (b"EXIF", exif_data), (b"XMP ", xmp):
        if value:
            data += riff(kind, value) if kind else value
    data = riff(b"RIFF", b"WEBP" + data + more)
    write(name + ".webp", data)
    return data


def make_webps():
    small = read(SMALL)
    for orientation in range(9):
        webp(f"webp-orientation{orientation}", exif_data=exif(orientation))
    webp("webp-camera", exif_data=exif(small=small), xmp=XMP)
    webp("webp-phone", exif_data=exif(6, small=small, sized=True))
    webp("webp-centimetres", exif_data=exif(resolution=(118, 1, 118, 1), unit=3))
    webp("webp-adobe-rgb", exif_data=exif(space=2))
    webp("webp-uncalibrated", exif_data=exif(space=0xffff))
    webp("webp-xmp", xmp=XMP)
    webp("webp-xmp-own", xmp=XMP_OWN)
    webp("webp-comments", exif_data=exif(comment="of EXIF", title="a title"))
    webp("webp-title-latin", exif_data=exif(title="Gr\u00fc\u00dfe"))
    webp("webp-broken-exif", exif_data=b"II*\0\x08\0\0\0\xff\xff\1\2\3\4")
    webp("webp-broken-xmp", xmp=b"<x:xmpmeta><not closed")
    webp("webp-headed-exif", exif_data=b"Exif\0\0" + exif(6))
    webp("webp-more", more=riff(b"mine", b"no one knows"))
    webp("webp-profile", icc_data=icc(1.8))
    webp("webp-profile-builtin", icc_data=builtin(), exif_data=exif(), xmp=XMP)
    webp("gimp-webp-adobe-and-srgb", icc_data=builtin(), exif_data=exif(space=2))
    webp("gimp-webp-profile-of-grey", icc_data=icc(2.2, b"GRAY"))
    webp("gimp-webp-profile-linear", icc_data=icc(1))
    webp("gimp-webp-profile-none", icc_data=b"nothing of the kind" * 9)
    frame = b"\0" * 6 + b"".join(struct.pack("<I", n)[:3] for n in (120, 82, 40)) + b"\0"
    frame = riff(b"ANMF", frame + read(WEBP)[12:])
    webp("gimp-webp-animation", flags=2, image=riff(b"ANIM", b"\0" * 6) + frame * 2)
    data = webp("webp-whole")
    write("gimp-webp-behind.webp", data + b"more" * 99)
    write("gimp-webp-cut.webp", data[:len(data) // 2])
    write("gimp-webp-head.webp", data[:25])
    write("gimp-webp-size.webp", data[:24] + b"\0\1" + data[26:])
    write("gimp-webp-empty.webp", b"")
    write("gimp-webp-text.webp", b"no image at all")


# ---- EXR

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


make_jpegs()
make_kinds()
make_chunks()
make_tiffs()
make_webps()
make_exrs()
