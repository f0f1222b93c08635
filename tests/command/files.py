"""What image files are made of, for the scripts here that make odd ones."""

import struct
import zlib

SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1}  # bytes of the types of TIFF and EXIF


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, *parts):
    with open(path, "wb") as file:
        file.write(b"".join(parts))


def chunk(kind, body):
    """Of a PNG."""
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width, height, packed, *before, after=b"", bits=8, kind=2, interlaced=0):
    """kind: 2 for RGB, 0 for grey."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, interlaced))
    return b"".join((b"\x89PNG\r\n\x1a\n", head, *before, chunk(b"IDAT", packed), after,
                     chunk(b"IEND", b"")))


def list_chunks(data):
    at = 8
    while data.startswith(b"\x89PNG") and at + 12 <= len(data):
        size = struct.unpack(">I", data[at:at + 4])[0]
        yield data[at + 4:at + 8], data[at + 8:at + 8 + size]
        at += 12 + size


def riff(kind, data):
    """A part of a WebP file, or all of it."""
    return kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def shorts(*values):
    return 3, struct.pack(f"<{len(values)}H", *values)


def longs(*values):
    return 4, struct.pack(f"<{len(values)}I", *values)


def ifd(start, tags, *following):
    """A directory of TIFF or EXIF at start, and those that follow it: tags are (number, type,
    bytes) or (number, tags)."""
    data, entries = b"", b""
    at = start + 2 + 12 * len(tags) + 4
    for number, *rest in sorted(tags, key=lambda tag: tag[0]):
        if len(rest) == 1:
            kind, count, value = 4, 1, struct.pack("<I", at + len(data))
            data += ifd(at + len(data), rest[0])
        else:
            kind, value = rest
            count = len(value) // SIZES[kind]
            if len(value) > 4:
                padded = value + b"\0" * (len(value) % 2)
                value, data = struct.pack("<I", at + len(data)), data + padded
        entries += struct.pack("<HHI", number, kind, count) + value.ljust(4, b"\0")
    end = struct.pack("<I", at + len(data) if following else 0)
    if following:
        data += ifd(at + len(data), *following)
    return struct.pack("<H", len(tags)) + entries + end + data


def read_tags(data):
    """The numbers in the first directory of a TIFF file."""
    place, = struct.unpack_from("<I", data, 4)
    tags = {}
    for i in range(struct.unpack_from("<H", data, place)[0]):
        at = place + 2 + 12 * i
        tag, kind, n, value = struct.unpack_from("<HHII", data, at)
        if kind in (3, 4):
            tags[tag] = struct.unpack_from(f"<{n}{'HI'[kind - 3]}", data,
                                           value if n * SIZES[kind] > 4 else at + 8)
    return tags


def tiff(*pages):
    """Pages of 8-bit RGB: width, height, data, and other tags as {number: (type, bytes)} or
    {number: tags}."""
    data, directories = b"", []
    for width, height, pixels, others in pages:
        tags = {0x100: longs(width), 0x101: longs(height), 0x102: shorts(8, 8, 8),
                0x103: longs(1), 0x106: longs(2), 0x111: longs(8 + len(data)), 0x115: longs(3),
                0x116: longs(height), 0x117: longs(len(pixels)), **others}
        directories.append([(number, value) if isinstance(value, list) else (number, *value)
                            for number, value in tags.items()])
        data += pixels + b"\0" * (len(pixels) % 2)
    start = 8 + len(data)
    return b"II*\0" + struct.pack("<I", start) + data + ifd(start, *directories)
