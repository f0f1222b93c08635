"""Lens blurs in GIMP 3: what Python-Fu's batch mode is to do. The picture is a point of light,
which becomes the aperture."""

import math
import struct

from gi.repository import Gimp

import calls
import pictures

LENS = "plug-in-cuda-lens-blur"

WIDTH, HEIGHT = pictures.WIDTH, pictures.HEIGHT
X, Y = WIDTH // 2, HEIGHT // 2

DISC = {"radius": 8.0, "blades": 0}
NARROW = {"radius": 8.0, "blades": 0, "squeeze": 1.0}
TRIANGLE = {"radius": 12.0, "blades": 3, "rotation": 180.0, "ring": 0.0}


def make_layer():
    """Black, with one white pixel in the middle."""
    image = Gimp.Image.new_with_precision(WIDTH, HEIGHT, Gimp.ImageBaseType.RGB,
                                          Gimp.Precision.FLOAT_LINEAR)
    layer = pictures.new_layer(image, Gimp.ImageType.RGB_IMAGE)
    values = [0.0] * (3 * WIDTH * HEIGHT)
    values[3 * (Y * WIDTH + X):3 * (Y * WIDTH + X) + 3] = [1.0] * 3
    buffer = layer.get_buffer()
    buffer.set(pictures.get_rectangle(layer), "RGB float", struct.pack(f"={len(values)}f", *values))
    buffer.flush()
    layer.update(0, 0, WIDTH, HEIGHT)
    return image, layer


def read(layer):
    """One channel, in rows."""
    pixels = pictures.get_pixels(layer)
    channels = pictures.count_channels(layer)
    values = struct.unpack(f"={len(pixels) // 4}f", pixels)[::channels]
    return [values[y * WIDTH:][:WIDTH] for y in range(HEIGHT)]


def is_inside(x, y, radius, blades, squeeze=0.0, **_):
    """Whether a point, from the middle, is in the shape: a disc, or a triangle on its corner."""
    x *= 2.0 ** squeeze
    if blades == 0:
        return math.hypot(x, y) < radius
    return y > -radius / 2 and y < radius - math.sqrt(3) * abs(x)


def check(rows, shape):
    """Pixels well inside have the light of one point by the shape's area, those outside none."""
    total = sum(sum(row) for row in rows)
    assert abs(total - 1) < 1e-3, f"{shape}: the light is {total}"
    around = [(dx, dy) for dx in (-1.5, 0, 1.5) for dy in (-1.5, 0, 1.5)]
    inside, level = 0, rows[Y][X]
    for y, row in enumerate(rows):
        for x, value in enumerate(row):
            near = [is_inside(x - X + dx, y - Y + dy, **shape) for dx, dy in around]
            if all(near):
                inside += 1
                assert abs(value - level) < 1e-3 * level, f"{shape}: {value} at {x}, {y}"
            elif not any(near):
                assert abs(value) < 1e-5, f"{shape}: {value} outside, at {x}, {y}"
    assert inside > 30, f"{shape}: {inside} pixels"


def merge():
    for shape in DISC, NARROW, TRIANGLE:
        image, layer = make_layer()
        calls.must(image, [layer], procedure=LENS, **shape)
        check(read(layer), shape)
        image.delete()


def keep_coverage():
    """A mask has no highlights."""
    masks = []
    for highlights in 0.0, 3.0:
        image, layer = make_layer()
        mask = layer.create_mask(Gimp.AddMaskType.COPY)
        layer.add_mask(mask)
        calls.must(image, [mask], procedure=LENS, highlights=highlights, **DISC)
        masks.append(pictures.get_pixels(mask))
        image.delete()
    assert masks[0] == masks[1], "a mask has highlights"
