"""Filters that take a map, in GIMP 3: the procedures' argument, which is a second input."""

import dataclasses

import pytest

import layers
from cases import list_examples
from pixels import get_brightness

PLUG_IN = True
MAPPED = list_examples("MAPPED")
EACH = pytest.mark.parametrize("filter,settings", MAPPED)
FILTER, SETTINGS = MAPPED[0]


def make_map(layer, other, linear=False):
    """What the engine gets of the other drawable: its place is relative to the layer."""
    places = [drawable.drawable.get_offsets() for drawable in (layer, other)]
    (_, x, y), (_, left, top) = places
    format = other.format
    if "'" in other.gimp.remote.get_encoding(other.drawable):
        format = dataclasses.replace(format, gamma=True)  # of a channel, too
    return get_brightness(format, format.decode(other.read()), linear), (left - x, top - y)


def check(layer, before, other, filter, settings):
    """The curves of floats by which GIMP makes the map are less exact than the engine's."""
    layers.check_near(filter, layer.format, before, layer.read(),
                      1.0 if layer.format.is_integer else 10.0, layer.coverage,
                      map=make_map(layer, other, settings.get("linear_mask")), **settings)


@EACH
@pytest.mark.parametrize("precision", ["U8_NON_LINEAR", "U16_LINEAR", "FLOAT_NON_LINEAR"])
def test_layers(rng, new, filter, settings, precision):
    """The map is another layer, of that image or of another one."""
    layer = new(4, precision)
    for other in layer.add(rng, 4), layer.add(rng, 3), new(2):
        before = layer.read()
        layer.must(filter, map=other.drawable, **settings)
        check(layer, before, other, filter, settings)


@EACH
def test_kinds(new, filter, settings):
    """A mask is blurred by a channel, and a layer by its own mask, or by itself."""
    layer = new(3)
    mask, channel = layer.add_mask(), layer.add_channel()
    for drawable, other in (mask, channel), (layer, mask), (layer, layer):
        before, map = drawable.read(), make_map(drawable, other, settings.get("linear_mask"))
        drawable.must(filter, map=other.drawable, **settings)
        drawable.check(before, drawable.read(), filter, map=map, **settings)


@pytest.mark.parametrize("place", [(7, 5), (-20, 13)])
def test_offsets(rng, new, place):
    """The map lies where it lies in the image; beyond it is its nearest pixel."""
    layer = new(4)
    other = layer.add(rng, 3)
    other.drawable.set_offsets(*place)
    layer.drawable.set_offsets(3, 2)
    before = layer.read()
    layer.must(FILTER, map=other.drawable, **SETTINGS)
    check(layer, before, other, FILTER, SETTINGS)


def test_missing(new):
    """Nothing changes."""
    layer = new()
    before = layer.read()
    assert layer.call(FILTER) == (
        "calling-error", "map is missing, but must be a layer, a layer mask or a channel")
    assert layer.read().tobytes() == before.tobytes()


def test_undo(rng, new):
    """One step."""
    layer = new()
    before = layer.read()
    other = layer.add(rng)
    layer.must(FILTER, map=other.drawable, **SETTINGS)
    assert layer.read().tobytes() != before.tobytes()
    assert not layer.drawable.get_filters()
