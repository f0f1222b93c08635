"""Lens blurs in GIMP 3, for good and as an effect: what Python-Fu's batch mode is to do, in two
processes. The picture is a point of light, which becomes the aperture."""

import math
import struct

from gi.repository import Gimp, Gio

import calls
import pictures

LENS = "plug-in-cuda-lens-blur"
OPERATION = "cuda:lens-blur"
PATH = "lens.xcf"

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


def refuse():
    image, layer = make_layer()
    before = read(layer)
    image.clean_all()
    status, message = calls.call(image, [layer], procedure=LENS, blades=2)
    assert status == calls.Status.CALLING_ERROR, status
    assert "blades is 2, but must be 0 (a disc) or 3 to 12" in message, message
    calls.must(image, [layer], procedure=LENS, radius=0.0)
    assert read(layer) == before and not image.is_dirty()
    image.delete()


def check_visible(image, shape):
    layer = Gimp.Layer.new_from_visible(image, image, "visible")
    image.insert_layer(layer, None, 0)
    check(read(layer), shape)
    image.remove_layer(layer)


def save():
    """As an effect, whose settings are in the file."""
    image, layer = make_layer()
    before = read(layer)
    calls.must(image, [layer], procedure=LENS, as_effect=True, **NARROW)
    assert read(layer) == before, "the layer's own pixels have changed"
    check_visible(image, NARROW)
    Gimp.file_save(Gimp.RunMode.NONINTERACTIVE, image, Gio.File.new_for_path(PATH), None)
    image.delete()


def load():
    """And can be edited there."""
    image = Gimp.file_load(Gimp.RunMode.NONINTERACTIVE, Gio.File.new_for_path(PATH))
    layer = image.get_layers()[0]
    [effect] = layer.get_filters()
    assert effect.get_operation_name() == OPERATION
    assert pictures.get_configuration(effect, NARROW) == NARROW
    check_visible(image, NARROW)
    pictures.configure(effect, {"squeeze": 0.0, **TRIANGLE})
    effect.update()
    check_visible(image, TRIANGLE)
    image.delete()
