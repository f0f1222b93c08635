#!/usr/bin/env python3
"""Image files with metadata of all kinds.

  carriers.py make FOLDER EXTENSION...  makes one file for each place where a picture can be hidden
                                        in a file, and a copy with each extension; all are made of
                                        base.jpg, base.png and base.webp
  carriers.py find FILE...              names the files that still have the hidden picture
  carriers.py others                    makes files for other tests
  carriers.py texts FILE                prints the texts of a PNG file"""

import base64
import os
import re
import struct
import sys
import zlib

import files
from files import chunk, ifd, list_chunks, read, riff, write

MARK = b"SHARPORIGINAL"
PREVIEW = b"\xff\xd8\xff\xfe\x00\x0f" + MARK + b"\xff\xd9"
BASE64 = base64.b64encode(PREVIEW).decode()


def exif(tags, *following):
    return b"II*\0\x08\0\0\0" + ifd(8, [(0x13b, 2, b"Ada\0")] + tags, *following)


def thumbnail(start):
    """A directory that says where the preview is, and the preview, if it is at start."""
    at = start + 2 + 12 * 3 + 4
    return [(0x103, 3, b"\6\0"), (0x201, 4, struct.pack("<I", at)),
            (0x202, 4, struct.pack("<I", len(PREVIEW)))]


def exif_thumbnail():
    size = len(exif([], thumbnail(0)))
    at = size - (2 + 12 * 3 + 4)
    return exif([], thumbnail(at)) + PREVIEW


def exif_preview():
    at = 8 + 2 + 12 * 2 + 4
    return exif([(0x14a, thumbnail(at))]) + PREVIEW


def xmp(content, attributes=""):
    return ('<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF '
            'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
            'xmlns:xmp="http://ns.adobe.com/xap/1.0/" '
            'xmlns:xmpGImg="http://ns.adobe.com/xap/1.0/g/img/" '
            'xmlns:dc="http://purl.org/dc/elements/1.1/" '
            'xmlns:tiff="http://ns.adobe.com/tiff/1.0/" '
            'xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/" '
            'xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" '
            'xmlns:Container="http://ns.google.com/photos/1.0/container/" '
            'xmlns:Item="http://ns.google.com/photos/1.0/container/item/" '
            'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" '
            'xmlns:xmpNote="http://ns.adobe.com/xmp/note/" '
            'xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/" '
            'xmlns:own="http://example.com/own/" '
            f'{attributes}>{content}</rdf:Description></rdf:RDF></x:xmpmeta>').encode()


def image_list(name):
    return xmp(f'<xmp:{name}><rdf:Alt><rdf:li rdf:parseType="Resource"><xmpGImg:format>JPEG'
               f'</xmpGImg:format><xmpGImg:image>{BASE64}</xmpGImg:image></rdf:li></rdf:Alt>'
               f'</xmp:{name}>')


PROMISES = xmp('<Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item '
               'Item:Mime="image/jpeg" Item:Semantic="GainMap" Item:Length="99"/></rdf:li>'
               '</rdf:Seq></Container:Directory>', 'hdrgm:Version="1.0" GCamera:MotionPhoto="1" '
               'GCamera:MicroVideoOffset="4096" xmp:Label="a label"')


def resource(number, data):
    return b"8BIM" + struct.pack(">HHI", number, 0, len(data)) + data + b"\0" * (len(data) % 2)


def iptc(number):
    return resource(0x404, b"\x1c\2" + bytes([number]) + struct.pack(">H", len(PREVIEW)) + PREVIEW)


def jpeg(*segments, end=b""):
    """base.jpg with segments, (number, bytes) each; 30 is a comment."""
    data = read("base.jpg")
    return data[:2] + b"".join(struct.pack(">BBH", 0xff, 0xe0 + number, len(body) + 2) + body
                               for number, body in segments) + data[2:] + end


def png(before=b"", after=b"", end=b""):
    data = read("base.png")
    return data[:33] + before + data[33:-12] + after + data[-12:] + end


def raw_profile(kind, data):
    lines = re.sub("(.{72})", "\\1\n", data.hex())
    text = f"\n{kind}\n{len(data):8}\n{lines}\n".encode()
    return chunk(b"zTXt", f"Raw profile type {kind}".encode() + b"\0\0" + zlib.compress(text))


def text(key, value):
    return chunk(b"tEXt", key.encode() + b"\0" + value.encode("latin-1"))


def xmp_text(data):
    return chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + data)


def tiff(number, kind, value):
    return files.tiff((16, 16, bytes(range(192)) * 4, {number: (kind, value)}))


def webp(*chunks):
    data = read("base.webp")
    at = data.find(b"VP8 ")
    size = struct.unpack("<I", data[at + 4:at + 8])[0]
    width, height = (struct.unpack("<H", data[n:n + 2])[0] - 1 for n in (at + 14, at + 16))
    flags = 8 * any(kind == b"EXIF" for kind, _ in chunks)
    head = bytes([flags, 0, 0, 0]) + struct.pack("<I", width)[:3] + struct.pack("<I", height)[:3]
    parts = (b"VP8X", head), (b"VP8 ", data[at + 8:at + 8 + size]), *chunks
    return riff(b"RIFF", b"WEBP" + b"".join(riff(*part) for part in parts))


def make_carriers():
    app1 = lambda data: (1, b"Exif\0\0" + data)
    adobe = lambda data: (1, b"http://ns.adobe.com/xap/1.0/\0" + data)
    shop = lambda data: (13, b"Photoshop 3.0\0" + data)
    extended = xmp(f"<own:data>{BASE64}</own:data>")
    guid = b"0123456789ABCDEF0123456789ABCDEF"
    photo = lambda number: exif([(0x8769, [(number, 7, PREVIEW)])])
    return {
        "exif-thumbnail": jpeg(app1(exif_thumbnail())),
        "exif-preview": jpeg(app1(exif_preview())),
        "exif-maker-note": jpeg(app1(photo(0x927c))),
        "exif-device-setting": jpeg(app1(photo(0xa40b))),
        "exif-unknown": jpeg(app1(photo(0xfde8))),
        "exif-print-im": jpeg(app1(exif([(0xc4a5, 7, PREVIEW)]))),
        "exif-dng": jpeg(app1(exif([(0xc634, 1, PREVIEW)]))),
        "xmp-thumbnails": jpeg(adobe(image_list("Thumbnails"))),
        "xmp-page-info": jpeg(adobe(image_list("PageInfo"))),
        "xmp-depth": jpeg(adobe(xmp("", f'GDepth:Data="{BASE64}"'))),
        "xmp-own": jpeg(adobe(xmp(f"<own:original>{BASE64}</own:original>"))),
        "xmp-part": jpeg(adobe(xmp('<dc:source rdf:parseType="Resource">'
                                   f"<xmpGImg:image>{BASE64}</xmpGImg:image></dc:source>"))),
        "xmp-extended": jpeg(
            adobe(xmp("", f'xmpNote:HasExtendedXMP="{guid.decode()}"')),
            (1, b"http://ns.adobe.com/xmp/extension/\0" + guid +
             struct.pack(">II", len(extended), 0) + extended)),
        "iptc-preview": jpeg(shop(iptc(202))),
        "iptc-caption": jpeg(shop(iptc(125))),
        "photoshop-thumbnail": jpeg(shop(resource(1036, b"\0" * 28 + PREVIEW))),
        "jumbf": jpeg((11, b"JP\0\1\0\0\0\1" + PREVIEW)),
        "segment": jpeg((4, b"own\0" + PREVIEW)),
        "trailer": jpeg(end=PREVIEW),
        "png-app1": png(raw_profile("APP1", b"Exif\0\0" + exif_thumbnail())),
        "png-8bim": png(raw_profile("8bim", iptc(202))),
        "png-exif": png(chunk(b"eXIf", exif_thumbnail())),
        "png-xmp": png(xmp_text(image_list("Thumbnails"))),
        "png-own": png(chunk(b"owNx", PREVIEW), chunk(b"owNx", PREVIEW)),
        "png-drawing": png(text("application/drawing", BASE64 + "x" * 2000)),
        "png-late": png(after=text("application/drawing", BASE64 + "x" * 2000)),
        "png-trailer": png(end=PREVIEW),
        "tiff-source-data": tiff(37724, 7, b"Adobe Photoshop Document Data Block\0" + PREVIEW),
        "tiff-resources": tiff(34377, 1, resource(1036, b"\0" * 28 + PREVIEW)),
        "tiff-iptc": tiff(33723, 1, iptc(202)[12:]),
        "tiff-xmp": tiff(700, 1, image_list("PageInfo")),
        "tiff-own": tiff(65000, 7, PREVIEW),
        "webp-exif": webp((b"EXIF", exif_thumbnail())),
        "webp-own": webp((b"owNx", PREVIEW)),
    }


def make_others():
    turned = b"II*\0\x08\0\0\0" + ifd(8, [(0x112, 3, b"\6\0")])
    write("turned-raw.png", png(raw_profile("exif", b"Exif\0\0" + turned)))
    write("turned-late.png", png(after=chunk(b"eXIf", turned)))
    write("turned-xmp.png", png(xmp_text(xmp("", 'tiff:Orientation="6"'))))
    write("turned-both.jpg", jpeg(
        (1, b"Exif\0\0" + exif([(0x112, 3, b"\6\0")])),
        (1, b"http://ns.adobe.com/xap/1.0/\0" + xmp("", 'tiff:Orientation="6"'))))
    dense = {n: (5, struct.pack("<II", 300, 1)) for n in (0x11a, 0x11b)}
    for unit, number in (("none", 1), ("inch", 2), ("cm", 3)):
        tags = {**dense, 0x128: files.shorts(number)}
        write(f"dense-{unit}.tif", files.tiff((16, 16, bytes(768), tags)))
    write("promises.jpg", jpeg((1, b"http://ns.adobe.com/xap/1.0/\0" + PROMISES)))
    title = "".join(f'<rdf:li xml:lang="{name}">{words}</rdf:li>'
                    for name, words in (("x-default", "a title"), ("de", "ein Titel, lang")))
    described = xmp(f"<dc:title><rdf:Alt>{title}</rdf:Alt></dc:title><Iptc4xmpCore:"
                    'CreatorContactInfo rdf:parseType="Resource"><Iptc4xmpCore:CiEmailWork>ada@x'
                    "</Iptc4xmpCore:CiEmailWork></Iptc4xmpCore:CreatorContactInfo>")
    write("described.jpg", jpeg((1, b"Exif\0\0" + exif([])), (30, b"a comment"),
                                (1, b"http://ns.adobe.com/xap/1.0/\0" + described)))
    write("long-xmp.png", png(chunk(b"eXIf", exif([])) + xmp_text(
        xmp(f"<dc:source>{'history ' * 10000}</dc:source>"))))
    write("texts.png", png(
        b"".join(text(key, "of " + key) for key in ("Title", "Author", "Description", "Comment",
                                                    "Creation Time", "parameters", "own")) +
        text("Disclaimer", "long " * 5000) + chunk(b"iTXt", "Ort\0\0\0de\0Ort\0Zürich".encode()) +
        chunk(b"zTXt", b"Source\0\0" + zlib.compress(b"packed " * 1000)), text("Warning", "late")))
    write("long-texts.png", png(b"".join(
        text("workflow", n * "x") for n in (2 ** 22 - 10, *6 * [3 * 2 ** 20]))))


def unpack(data):
    """What a PNG file has in chunks that are compressed."""
    for kind, body in list_chunks(data):
        for start in range(len(body)) if kind in (b"zTXt", b"iTXt", b"iCCP") else ():
            try:
                yield zlib.decompress(body[start:])
            except zlib.error:
                pass


def has_mark(data):
    data = re.sub(rb"\s|&#xA;", b"", b"".join((data, *unpack(data))))
    coded = [base64.b64encode(b"\0" * n + MARK)[4:16] for n in range(3)]
    return any(word in data for word in (MARK, MARK.hex().encode(), *coded))


if sys.argv[1] == "make":
    for name, data in make_carriers().items():
        for extension in sys.argv[3:]:
            write(os.path.join(sys.argv[2], f"{name}.{extension}"), data)
elif sys.argv[1] == "find":
    for path in sys.argv[2:]:
        if has_mark(read(path)):
            print(path)
elif sys.argv[1] == "texts":
    print(*(body for kind, body in list_chunks(read(sys.argv[2])) if kind[1:] == b"EXt"), sep="\n")
else:
    make_others()
