"""The dialog's copy of a drawable (drawable-copy.h): the pixels that it reads, and the changes that
it tells. In each case a row of tiles has changed within its first tile alone, which is nothing new
any more to a pass that begins before the row's end. The copy is in the test plug-in's process
(copy-calls.c)."""

import pytest

from formats import Format
from layers import REPLACE

TILE = 128
SIDE = 300  # three tiles a row
ONE, ALL = range(2)  # tiles to read


@pytest.fixture
def layer(gimp, new):
    """A layer of which there is a copy."""
    layer = new(Format("u8", 3), (SIDE, SIDE), "random")
    gimp.probe("copy_calls_open", layer.drawable)
    yield layer
    gimp.probe("copy_calls_close")


def begin(gimp, no_memory=False):
    return bool(gimp.probe("copy_calls_begin", no_memory))


def select(layer, *rect):
    layer.gimp.image_select_rectangle(layer.image, REPLACE, *(float(n) for n in rect))


def change_first_tile(layer):
    pixels = layer.read().copy()
    pixels[:TILE, :TILE] ^= 255
    layer.gimp.write(layer.drawable, pixels)


def test_pixels(gimp, layer):
    change_first_tile(layer)
    assert begin(gimp)
    gimp.probe("copy_calls_read", ONE)
    assert begin(gimp)
    gimp.probe("copy_calls_read", ALL)
    assert gimp.probe("copy_calls_tell").startswith(TILE * "+")


def test_selection(gimp, layer):
    """All rows are told, if the selection changes."""
    select(layer, 0, 0, SIDE, SIDE // 2)
    assert begin(gimp)
    gimp.probe("copy_calls_read", ALL)
    gimp.probe("copy_calls_tell")
    select(layer, 8, 0, SIDE - 8, SIDE)
    assert begin(gimp)
    gimp.probe("copy_calls_read", ONE)
    assert begin(gimp)
    gimp.probe("copy_calls_read", ALL)
    assert gimp.probe("copy_calls_tell") == SIDE * "+"


def test_resized(gimp, layer):
    """A layer that gets another size in the middle of a pass is not read on; what was read is
    told."""
    change_first_tile(layer)
    assert begin(gimp)
    gimp.probe("copy_calls_read", ONE)
    gimp.layer_resize(layer.drawable, SIDE - 1, SIDE, 0, 0)
    assert not gimp.probe("copy_calls_read", ONE)
    assert gimp.probe("copy_calls_tell").startswith("+")


def test_no_memory(gimp, layer):
    """Without memory for the selection nothing is read, until there is some."""
    select(layer, 0, 0, SIDE, SIDE // 2)
    assert not begin(gimp, no_memory=True)
    assert not gimp.probe("copy_calls_read", ONE) and not gimp.probe("copy_calls_has_mask")
    assert begin(gimp)
    gimp.probe("copy_calls_read", ALL)
    assert gimp.probe("copy_calls_has_mask")
