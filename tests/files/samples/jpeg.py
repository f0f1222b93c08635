"""JPEGs: the given ones, with other segments."""

import struct

from common import GREY, LINE, RGB, SMALL, read, write
from metadata import XMP, XMP_OWN, builtin, exif, icc, iptc


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
