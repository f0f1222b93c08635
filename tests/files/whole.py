#!/usr/bin/env python3
"""Says which file in the folder out is not whole, of those that the file log calls done."""

import re
import struct
import sys


def tiff_is_whole(data):
    at = struct.unpack("<I", data[4:8])[0]
    count = struct.unpack("<H", data[at:at + 2])[0]
    fields = {}
    for i in range(count):
        tag, kind, number, value = struct.unpack("<HHII", data[at + 2 + 12 * i:at + 14 + 12 * i])
        if kind == 4 and number > 1:
            value = max(struct.unpack(f"<{number}I", data[value:value + 4 * number]))
        fields[tag] = value
    return fields[273] < len(data)


def exr_is_whole(data):
    at = 8
    while data[at]:
        at = data.index(b"\0", data.index(b"\0", at) + 1) + 1
        at += 4 + struct.unpack("<i", data[at:at + 4])[0]
    first = struct.unpack("<Q", data[at + 1:at + 9])[0]
    offsets = struct.unpack(f"<{(first - at - 1) // 8}Q", data[at + 1:first])
    return 0 < min(offsets) and max(offsets) < len(data)


def is_whole(data):
    if data.startswith(b"II*\0"):
        return tiff_is_whole(data)
    if data.startswith(b"v/1\1"):
        return exr_is_whole(data)
    if data.startswith(b"RIFF"):
        return struct.unpack("<I", data[4:8])[0] == len(data) - 8
    return data.endswith((b"\xff\xd9", b"IEND\xaeB`\x82"))


with open("log", errors="replace", encoding="utf-8") as log:
    for line in log:
        done = re.match(r"(.*): done *$", line)
        if not done:
            continue
        with open("out/" + done[1], "rb") as file:
            if not is_whole(file.read()):
                sys.exit("# half written: " + done[1])
