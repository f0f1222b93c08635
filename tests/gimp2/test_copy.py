"""The dialog's copy of a drawable (drawable-copy.h): the pixels that it reads, and the changes that
it tells. In each case a row of tiles has changed within its first tile alone, which is nothing new
any more to a pass that begins before the row's end. The copy is in the test plug-in's process
(dialog_parts.py)."""

import pytest

from formats import Format
from layers import REPLACE

TILE = 128
SIDE = 300  # three tiles a row
ROWS = list(range(SIDE))


@pytest.fixture
def layer(new):
    return new(Format("u8", 3), (SIDE, SIDE), "random")


@pytest.fixture
def copy(gimp, layer):
    copy = gimp.load("dialog_parts").Copy(layer.drawable)
    yield copy
    copy.free()


def select(layer, *rect):
    layer.gimp.image_select_rectangle(layer.image, REPLACE, *(float(n) for n in rect))


def change_first_tile(layer):
    pixels = layer.read().copy()
    pixels[:TILE, :TILE] ^= 255
    layer.gimp.write(layer.drawable, pixels)


def test_pixels(layer, copy):
    change_first_tile(layer)
    assert copy.begin()
    copy.read(all=False)
    assert copy.begin()
    copy.read()
    assert copy.tell()[:TILE] == ROWS[:TILE]


def test_selection(layer, copy):
    """All rows are told, if the selection changes."""
    select(layer, 0, 0, SIDE, SIDE // 2)
    assert copy.begin()
    copy.read()
    copy.tell()
    select(layer, 8, 0, SIDE - 8, SIDE)
    assert copy.begin()
    copy.read(all=False)
    assert copy.begin()
    copy.read()
    assert copy.tell() == ROWS


def test_resized(gimp, layer, copy):
    """A layer that gets another size in the middle of a pass is not read on; what was read is
    told."""
    change_first_tile(layer)
    assert copy.begin()
    copy.read(all=False)
    gimp.layer_resize(layer.drawable, SIDE - 1, SIDE, 0, 0)
    assert not copy.read(all=False)
    assert copy.tell()[:1] == ROWS[:1]


def test_no_memory(layer, copy):
    """Without memory for the selection nothing is read, until there is some."""
    select(layer, 0, 0, SIDE, SIDE // 2)
    assert not copy.begin(no_memory=True)
    assert not copy.read(all=False) and not copy.has_mask()
    assert copy.begin()
    copy.read()
    assert copy.has_mask()
