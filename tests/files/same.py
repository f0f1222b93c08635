#!/usr/bin/env python3
"""Compares pairs of image files: same.py DESCRIBE A B [A B...]

The files of a pair are the same if they differ in nothing but times and identities. The metadata
are compared as DESCRIBE prints them, everything else byte by byte. Prints how the files of a pair
differ, and fails if any do."""

import functools
import struct
import subprocess
import sys
import zlib


def strip_date(profile):
    return profile[:24] + profile[36:]


def split_jpeg(data):
    at, parts = 2, []
    while True:
        code, size = struct.unpack(">BH", data[at + 1:at + 4])
        segment = data[at + 4:at + 2 + size]
        if code == 0xe2 and segment.startswith(b"ICC_PROFILE"):
            segment = strip_date(segment[14:])
        parts.append((f"segment {code:x}", b"" if code in (0xe1, 0xed) else segment))
        at += 2 + size
        if code == 0xda:
            return parts + [("pixels", data[at:])]


def split_png(data):
    at, parts = 8, []
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"tIME" or body.startswith((b"Raw profile", b"XML:")):
            body = b""
        elif kind == b"iCCP":
            name, packed = body.split(b"\0\0", 1)
            body = name + strip_date(zlib.decompress(packed))
        parts.append((f"chunk {kind.decode()}", body))
        at += 12 + size
    return parts


def split_tiff(data):
    """The fields of the first page, those that tell the time or where something lies left out."""
    sizes = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4}
    at = struct.unpack("<I", data[4:8])[0]
    count, parts, fields = struct.unpack("<H", data[at:at + 2])[0], [], {}
    for i in range(count):
        entry = data[at + 2 + 12 * i:at + 14 + 12 * i]
        tag, kind, number = struct.unpack("<HHI", entry[:8])
        size = sizes[kind] * number
        start = struct.unpack("<I", entry[8:])[0]
        value = entry[8:8 + size] if size <= 4 else data[start:start + size]
        fields[tag] = struct.unpack(f"<{number}I", value) if kind == 4 else value
        if tag in (306, 700, 34665, 34853, 33723):
            value = b""
        elif tag == 34675:
            value = strip_date(value)
        parts.append((f"field {tag}", b"" if tag == 273 else value))
    pixels = b"".join(data[start:start + size] for start, size in zip(fields[273], fields[279]))
    behind = struct.unpack("<I", data[at + 2 + 12 * count:at + 6 + 12 * count])[0]
    return parts + [("pixels", pixels), ("more pages", str(behind))]


def split_webp(data):
    at, parts = 12, []
    while at < len(data):
        kind, size = struct.unpack("<4sI", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"ICCP":
            body = strip_date(body)
        parts.append((f"chunk {kind.decode()}", b"" if kind in (b"EXIF", b"XMP ") else body))
        at += 8 + size + size % 2
    return parts


def split_exr(data):
    """The attributes in the order of their names, without the type, which may be left out."""
    at, parts = 8, []
    while data[at]:
        name, kind, rest = data[at:].split(b"\0", 2)
        start = at + len(name) + len(kind) + 6
        at = start + struct.unpack("<i", rest[:4])[0]
        parts.append((f"attribute {name.decode()}", data[start:at]))
    parts = sorted(part for part in parts if part[0] != "attribute type")
    first = struct.unpack("<Q", data[at + 1:at + 9])[0]
    return parts + [("chunks", data[first:])]


@functools.cache
def split(path):
    with open(path, "rb") as file:
        data = file.read()
    if data.startswith(b"\xff\xd8"):
        return split_jpeg(data)
    if data.startswith(b"II*\0"):
        return split_tiff(data)
    if data.startswith(b"v/1\1"):
        return split_exr(data)
    if data.startswith(b"RIFF"):
        return split_webp(data)
    return split_png(data) if data.startswith(b"\x89PNG") else [("file", data)]


@functools.cache
def describe(path):
    if path.endswith(".exr"):  # has it in its attributes
        return []
    return subprocess.run([sys.argv[1], path], stdout=subprocess.PIPE,
                          check=False).stdout.split(b"\n")


def compare(a, b):
    first, second = split(a), split(b)
    if [name for name, _ in first] != [name for name, _ in second]:
        yield f"{[name for name, _ in first]} and {[name for name, _ in second]}"
    for (name, one), (_, other) in zip(first, second):
        if one != other:
            yield f"{name}: {one[:60]} and {other[:60]}"
    first, second = describe(a), describe(b)
    if first != second:
        yield from (f"metadata: {line}" for line in set(first) ^ set(second))


failed = False
for pair in zip(sys.argv[2::2], sys.argv[3::2]):
    for line in list(compare(*pair))[:9]:
        print(f"# {pair[0]}: {line}")
        failed = True
sys.exit(failed)
