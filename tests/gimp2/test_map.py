"""Filters that take a map, in GIMP 2.10: the brightness of another drawable, wherever it lies."""

import dataclasses
import struct

import numpy as np
import pytest

import fx
from cases import list_examples, product
from descriptions import NAMES, Settings
from formats import SAMPLES, Format
from layers import REPLACE, check_near, check_unchanged, list_arguments
from pixels import get_brightness
from session import WITH_LAST_VALS

MAPPED = list_examples("MAPPED")
EACH = pytest.mark.parametrize("filter,settings", MAPPED)
FILTER, SETTINGS = MAPPED[0]
RGB, RGBA = Format("u8", 3), Format("u8", 4)
MISSING = "map is missing, but must be a layer, a layer mask or a channel"


def get_map(layer, other, linear=False):
    """What the engine gets of the other: its place is relative to the layer."""
    (x, y), (left, top) = layer.get_offsets(), other.get_offsets()
    format = dataclasses.replace(other.format, gamma="'" in layer.gimp.read(other.drawable)[3])
    return get_brightness(format, format.decode(other.read()), linear), (left - x, top - y)


def check_call(layer, other, filter, settings, call=None):
    """Single precision may round a brightness to its neighbour."""
    before, map = layer.read(), get_map(layer, other, settings.get("linear_mask"))
    if call:
        call()
    else:
        layer.call(filter, map=other, **settings)
    after = layer.read()
    assert after.tobytes() != before.tobytes()
    check_near(filter, layer.format, before, after, 2.0, layer.coverage, map=map, **settings)


@EACH
@pytest.mark.parametrize("n,sample,gamma,channels", product(SAMPLES, [True, False], [3, 4, 1, 2]))
def test_formats(new, filter, settings, n, sample, gamma, channels):
    """Of the map, over a layer of another image, and of the layer."""
    other = new(Format(sample, channels, gamma), (70, 66), "random")
    layer = [new(RGBA, (70, 66), "random"), other][n % 2]
    check_call(layer, other, filter, settings)


@pytest.mark.parametrize("place,size", [((40, 25), (60, 90)), ((-30, -20), (300, 200)),
                                        ((500, 400), (10, 10))])
def test_places(gimp, new, place, size):
    """The map lies where it lies in its image; beyond it is its nearest pixel."""
    layer, other = new(RGBA, (150, 90), "random"), new(RGB, size, "random")
    gimp.layer_set_offsets(layer.drawable, 7, -5)
    gimp.layer_set_offsets(other.drawable, *place)
    check_call(layer, other, FILTER, SETTINGS)


@EACH
def test_coverage(new, rng, filter, settings):
    """A mask is blurred by a channel, and a layer by its own mask, or by itself."""
    layer = new(RGB, (80, 60), "random")
    mask, channel = layer.add_mask(rng), layer.add_channel(rng)
    for drawable, other in (mask, channel), (layer, mask), (layer, layer):
        check_call(drawable, other, filter, settings)


def test_locked_group(gimp, new):
    """The map is only read."""
    layer, other = new(RGB, (60, 50), "random"), new(RGB, (60, 50), "random")
    gimp.item_set_lock_content(other.drawable, 1)
    check_call(layer, other, FILTER, SETTINGS)


def test_selection(gimp, new):
    """What is not selected stays."""
    layer, other = new(RGB, (80, 60), "random"), new(RGB, (80, 60), "random")
    gimp.image_select_rectangle(layer.image, REPLACE, 20, 10, 30, 25)
    expected = layer.read().copy()
    map = get_map(layer, other)
    part = fx.run(FILTER, layer.read(), RGB, map=map, device="cpu", **SETTINGS)
    expected[10:35, 20:50] = part[10:35, 20:50]
    layer.call(FILTER, map=other, **SETTINGS)
    assert abs(layer.read().astype(int) - expected).max() <= 1


def test_grow(gimp, new):
    """The map stays where it was."""
    layer, other = new(RGBA, (60, 44), "random"), new(RGB, (60, 44), "random")
    gimp.layer_set_offsets(other.drawable, 9, 4)
    before, (values, place) = layer.read(), get_map(layer, other)
    layer.call(FILTER, map=other, **SETTINGS, grow=1)
    x, y = (-n for n in layer.get_offsets())
    assert x > 0 and y > 0
    large = np.pad(before, [(y, y), (x, x), (0, 0)])
    check_near(FILTER, RGBA, large, layer.read(), 2.0, map=(values, (place[0] + x, place[1] + y)),
               grow=1, geometry=(x, y, 60, 44), **SETTINGS)


def test_last_values(gimp, new):
    """There is no last map at first; then there is one, until it is deleted."""
    layer, other = new(RGBA, (60, 50), "random"), new(RGB, (60, 50), "random")
    name = f"plug-in-cuda-{FILTER}"
    check_unchanged(layer, lambda: layer.call(FILTER, WITH_LAST_VALS, []), MISSING)
    last = Settings.print(fx.Settings(FILTER, **SETTINGS))
    drawable = struct.pack("i", other.drawable)
    gimp.procedural_db_set_data(name, len(last), last)
    gimp.procedural_db_set_data(f"{name}-map", len(drawable), drawable)
    check_call(layer, other, FILTER, SETTINGS, lambda: layer.call(FILTER, WITH_LAST_VALS, []))
    gimp.image_delete(other.image)
    check_unchanged(layer, lambda: layer.call(FILTER, WITH_LAST_VALS, []), MISSING)


def test_script(gimp, new):
    layer, other = new(RGB, (60, 50), "random"), new(RGB, (60, 50), "random")
    words = " ".join(f"{value:.17g}" for value in list_arguments(FILTER, SETTINGS))
    check_call(layer, other, FILTER, SETTINGS, lambda: gimp.call(
        "plug-in-script-fu-eval", 1, f"(plug-in-cuda-{FILTER} RUN-NONINTERACTIVE {layer.image} "
        f"{layer.drawable} {other.drawable} {words})"))


@pytest.mark.parametrize("map,words", [(-1, MISSING), (1 << 20, "invalid ID for argument 'map'")])
def test_missing(new, map, words):
    """GIMP itself refuses what is not there."""
    layer = new(RGBA, (20, 20))
    arguments = [map, *list_arguments(FILTER, SETTINGS)]
    check_unchanged(layer, lambda: layer.call(FILTER, arguments=arguments), words)


def test_refused(gimp, new):
    """Arguments beside the map are those of all filters; their number counts it."""
    layer, other = new(RGBA, (20, 20)), new(RGB, (20, 20))
    check_unchanged(layer, lambda: layer.call(FILTER, map=other, focal=1.5),
                    "focal is 1.5, but must be 0 to 1")
    check_unchanged(layer, lambda: layer.call(FILTER, arguments=[]),
                    f"was given 3 arguments, but must be given {4 + len(NAMES[FILTER])}")
    gimp.image_convert_indexed(other.image, 0, 0, 16, 0, 0, "")
    check_unchanged(layer, lambda: layer.call(FILTER, map=other, **SETTINGS),
                    "map is 'layer', which is indexed, but must be RGB or grayscale")


def test_unread(gimp, new):
    """The map does not matter if there is nothing to do, or if the layer is refused."""
    layer = new(RGBA, (20, 20))
    arguments = [-1, *list_arguments(FILTER, SETTINGS)]
    check_unchanged(layer, lambda: layer.call(
        FILTER, arguments=[-1, *list_arguments(FILTER, SETTINGS | {"radius": 0.0})]))
    gimp.layer_set_offsets(layer.drawable, 100, 100)
    gimp.image_select_rectangle(layer.image, REPLACE, 0, 0, 10, 10)
    check_unchanged(layer, lambda: layer.call(FILTER, arguments=arguments))
    gimp.item_set_lock_content(layer.drawable, 1)
    check_unchanged(layer, lambda: layer.call(FILTER, arguments=arguments), "pixels are locked")


def test_undo(gimp, new):
    """One step."""
    layer, other = new(RGBA, (60, 50), "random"), new(RGB, (60, 50), "random")
    before = layer.read().tobytes()
    gimp.image_clean_all(layer.image)
    layer.call(FILTER, map=other, **SETTINGS)
    assert gimp.image_is_dirty(layer.image) and layer.read().tobytes() != before
