"""Filters that take a map, in GIMP 2.10: the brightness of another drawable, wherever it lies."""

import struct

import pytest

import fx
from cases import list_examples, product
from descriptions import Settings
from formats import SAMPLES, Format
from layers import REPLACE, check_near, check_unchanged, list_arguments
from session import WITH_LAST_VALS

MAPPED = list_examples("MAPPED")
EACH = pytest.mark.parametrize("filter,settings", MAPPED)
FILTER, SETTINGS = MAPPED[0]
RGB, RGBA = Format("u8", 3), Format("u8", 4)
MISSING = "map is missing, but must be a layer, a layer mask or a channel"


def check_call(layer, other, filter, settings, call=None):
    """Single precision may round a brightness to its neighbour."""
    before, map = layer.read(), layer.get_map(other, settings.get("linear_mask"))
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
    """A mask is blurred by a channel, and a layer by its own mask."""
    layer = new(RGB, (80, 60), "random")
    mask, channel = layer.add_mask(rng), layer.add_channel(rng)
    for drawable, other in (mask, channel), (layer, mask):
        check_call(drawable, other, filter, settings)


def test_locked_group(gimp, new):
    """The map is only read."""
    layer, other = new(RGB, (60, 50), "random"), new(RGB, (60, 50), "random")
    gimp.item_set_lock_content(other.drawable, 1)
    check_call(layer, other, FILTER, SETTINGS)


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


@pytest.mark.parametrize("map,words", [(-1, MISSING), (1 << 20, "invalid ID for argument 'map'")])
def test_missing(new, map, words):
    """GIMP itself refuses what is not there."""
    layer = new(RGBA, (20, 20))
    arguments = [map, *list_arguments(FILTER, SETTINGS)]
    check_unchanged(layer, lambda: layer.call(FILTER, arguments=arguments), words)


def test_indexed(gimp, new):
    layer, other = new(RGBA, (20, 20)), new(RGB, (20, 20))
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
