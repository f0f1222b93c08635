"""What convolutions with a matrix must make of layers in GIMP 3: counted here, on pixels that
nothing encodes."""

import struct

from gi.repository import Gimp

import pictures

WIDTH, HEIGHT = pictures.WIDTH, pictures.HEIGHT

# Text, rows, divisor, offset
SHARPEN = ("0 -1 0\n-1 5 -1\n0 -1 0", [[0, -1, 0], [-1, 5, -1], [0, -1, 0]], 1, 0)
BLUR = ("1x5: 1 2,5 3 2,5 1", [[1, 2.5, 3, 2.5, 1]], 10, 0)
EDGES = ("1,0,-1;2,0,-2;1,0,-1".replace(";", "\n"), [[1, 0, -1], [2, 0, -2], [1, 0, -1]], 1, 0.5)


def get(values, channels, x, y, channel):
    """Beyond the edge lies the nearest pixel."""
    x, y = min(max(x, 0), WIDTH - 1), min(max(y, 0), HEIGHT - 1)
    return values[(y * WIDTH + x) * channels + channel]


def convolve(values, channels, rows, divisor, offset):
    down, right = len(rows) // 2, len(rows[0]) // 2
    return [sum(value * get(values, channels, x + i - right, y + j - down, c)
                for j, row in enumerate(rows) for i, value in enumerate(row)) / divisor + offset
            for y in range(HEIGHT) for x in range(WIDTH) for c in range(channels)]


def unpack(pixels):
    """Samples of 32-bit floats."""
    return struct.unpack(f"={len(pixels) // 4}f", pixels)


def read(layer):
    return unpack(pictures.get_pixels(layer))


def check(before, after, channels, matrix):
    _, rows, divisor, offset = matrix
    gain = max(1.0, sum(abs(value) for row in rows for value in row) / divisor)
    most = max(abs(value) for value in before)
    expected = convolve(before, channels, rows, divisor, offset)
    worst = max(abs(a - b) for a, b in zip(expected, after))
    assert worst <= 2e-6 * gain * most, f"{matrix[0]!r}: off by {worst}"
    assert max(abs(a - b) for a, b in zip(before, after)) > 0.1, "nothing was done"


def make_layer():
    image = Gimp.Image.new_with_precision(WIDTH, HEIGHT, Gimp.ImageBaseType.RGB,
                                          Gimp.Precision.FLOAT_LINEAR)
    return image, pictures.new_layer(image, Gimp.ImageType.RGB_IMAGE)


def check_visible(image, before, matrix):
    layer = Gimp.Layer.new_from_visible(image, image, "visible")
    image.insert_layer(layer, None, 0)
    after = read(layer)
    check(before, [v for i, v in enumerate(after) if len(after) == len(before) or i % 4 < 3], 3,
          matrix)
    image.remove_layer(layer)
