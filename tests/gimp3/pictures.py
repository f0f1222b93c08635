"""Layers with something to blur, and records of what became of them for judge.c: for Python-Fu."""

import os
import random
import struct

from gi.repository import Babl, Gegl, Gimp

WIDTH, HEIGHT = 61, 47

# struct's letters, and the largest value of integers
SAMPLES = {"u8": ("B", 2**8 - 1), "u16": ("H", 2**16 - 1), "u32": ("I", 2**32 - 1),
           "half": ("e", None), "float": ("f", None), "double": ("d", None)}

# As the engine numbers them.
ABYSSES = ["clamp", "none", "black", "white"]
LIGHTS = ["linear", "perceptual"]

OPERATION = os.environ.get("CUDA_BLUR_TEST_OPERATION", "cuda:gaussian-blur")

generator = random.Random(int(os.environ.get("CUDA_BLUR_TEST_SEED", "1")))


def make_value(x, y, most):
    """Hard edges between black, white and noise."""
    return [0.0, 1.0, generator.uniform(0.0, most)][(x // 9 + y // 7) % 3]


def make_pixels(sample, channels):
    letter, top = SAMPLES[sample]
    values = [make_value(x, y + 7 * c, 1.0 if top or c == channels - 1 else 2.0)
              for y in range(HEIGHT) for x in range(WIDTH) for c in range(channels)]
    if top:
        values = [round(value * top) for value in values]
    return struct.pack(f"={len(values)}{letter}", *values)


def get_rectangle(layer):
    return Gegl.Rectangle.new(0, 0, layer.get_width(), layer.get_height())


def get_pixels(layer):
    buffer = layer.get_buffer()
    return bytes(buffer.get(get_rectangle(layer), 1.0, None, Gegl.AbyssPolicy.NONE))


def get_encoding(layer):
    """Model and sample, by babl's names."""
    return Babl.format_get_encoding(layer.get_format()).split()


def count_channels(layer):
    return Babl.format_get_n_components(layer.get_format())


def new_layer(image, layer_type):
    """A layer of random pixels."""
    layer = Gimp.Layer.new(image, "layer", WIDTH, HEIGHT, layer_type, 100.0, Gimp.LayerMode.NORMAL)
    image.insert_layer(layer, None, 0)
    model, sample = get_encoding(layer)
    buffer = layer.get_buffer()
    buffer.set(get_rectangle(layer), f"{model} {sample}",
               make_pixels(sample, count_channels(layer)))
    buffer.flush()
    layer.update(0, 0, WIDTH, HEIGHT)
    return layer


def configure(blur, properties):
    """Properties by their names, with _ for -."""
    config = blur.get_config()
    for name, value in properties.items():
        config.set_property(name.replace("_", "-"), value)


def get_configuration(blur, names):
    config = blur.get_config()
    return {name: config.get_property(name.replace("_", "-")) for name in names}


def new_filter(layer, properties):
    blur = Gimp.DrawableFilter.new(layer, OPERATION, "")
    configure(blur, properties)
    return blur


def record(file, name, layer, before, own_curve="srgb", **properties):
    """Of the layer, whose pixels were before, and that was blurred so where it then was. Beyond one
    that grew is nothing."""
    model, sample = get_encoding(layer)
    curve = own_curve if "'" in model else "srgb" if "~" in model else "linear"
    _, x, y = layer.get_offsets()
    width, height = layer.get_width(), layer.get_height()
    grown = (width, height) != (WIDTH, HEIGHT)
    abyss = "none" if grown else properties.get("abyss_policy", "clamp")
    file.write((f"{sample} {count_channels(layer)} {curve} {WIDTH} {HEIGHT} "
                f"{x} {y} {width} {height} "
                f"{properties['std_dev_x']} {properties['std_dev_y']} "
                f"{properties.get('kernel_size', 0)} "
                f"{ABYSSES.index(abyss)} "
                f"{LIGHTS.index(properties.get('light', 'linear'))} {name}\n").encode())
    file.write(before)
    file.write(get_pixels(layer))


def record_visible(file, name, image, before, **properties):
    """Of what is seen of the image."""
    layer = Gimp.Layer.new_from_visible(image, image, "visible")
    image.insert_layer(layer, None, 0)
    record(file, name, layer, before, **properties)
    image.remove_layer(layer)
