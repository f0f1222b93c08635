"""WebPs: the given one, with other chunks."""

import struct

from common import SMALL, WEBP, read, write
from metadata import XMP, XMP_OWN, builtin, exif, icc


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
