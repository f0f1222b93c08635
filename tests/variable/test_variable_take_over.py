"""GEGL's variable blur taken over, alone: within the map's bounds its pixels are those of
cuda:variable-blur, whatever is set after what."""

import numpy as np
import pytest

from formats import Format
from graph import Graph, make_buffer
from processes import apart
from take_over_case import (PLACE, SIZE, add_both, get_difference, paint, render, set_take_over,
                            start)

TOLERANCE = 2e-5  # as of one device from another
MAPS = [(PLACE, SIZE), ((-20, 0), (100, 90)), ((0, 20), (11, 9)), ((500, 500), (5, 5))]
SETTINGS = [{"radius": 5.0}, {"radius": 12.0, "linear_mask": True}, {"radius": 0.0},
            {"radius": 3.0, "high_quality": True}]


def make_map(place=PLACE, size=SIZE, seed=2):
    values = np.random.default_rng(seed).random((*size[::-1], 1)).astype(np.float32)
    return make_buffer(values, Format("float", 1), place)


def add(operation, settings, source, map=None, **others):
    graph = Graph()
    node = graph.add(operation, source, **others, **settings)
    if map:
        node.link(graph.add("gegl:buffer-source", buffer=map), "aux")
    return node


def add_theirs(settings, source, map=None):
    return add("gegl:variable-blur", settings, source, map)


def add_ours(settings, source, map=None):
    settings = {name: value for name, value in settings.items() if name != "high_quality"}
    return add("cuda:variable-blur", settings, source, map, floats=True)


def check_ours(node, settings, source, map):
    box = tuple(node.box)
    assert get_difference(node, add_ours(settings, source, map), box) <= TOLERANCE


@pytest.mark.parametrize("settings", SETTINGS)
@apart(CUDA_BLUR_TAKE_OVER="variable-blur")
def test_pixels(settings):
    """Those of ours, and nearly those of GEGL's own, which mixes some blurs."""
    start()
    for format in "R'G'B'A u8", "Y' u16", "RGBA float":
        source = paint(format)
        for place, size in MAPS:
            map = make_map(place, size)
            theirs, ours = add_both(add_theirs, settings, source, map)
            check_ours(ours, settings, source, map)
            box = tuple(theirs.box)
            assert np.abs(render(theirs, box) - render(ours, box)).max(initial=0) <= 0.25


@apart(CUDA_BLUR_TAKE_OVER="variable-blur")
def test_no_map():
    """Then there is nothing, as of GEGL's own; also when a map is taken away."""
    start()
    source, map = paint("R'G'B'A u8"), make_map()
    for node in add_both(add_theirs, SETTINGS[0], source):
        assert tuple(node.box)[2:] == (0, 0)
    node = add_theirs(SETTINGS[0], source, map)
    assert tuple(node.box) == (*PLACE, *SIZE)
    node.unlink("aux")
    assert tuple(node.box)[2:] == (0, 0)


@apart(CUDA_BLUR_TAKE_OVER="variable-blur")
def test_changes():
    """One property is set after another, and the map changes."""
    start()
    source, map, settings = paint("RGBA float"), make_map(), {"radius": 5.0}
    node = add_theirs(settings, source, map)
    check_ours(node, settings, source, map)
    for name, value in ("radius", 2.0), ("linear_mask", True), ("high_quality", True), (
            "radius", 40.0), ("radius", 0.0), ("radius", 7.0), ("linear_mask", False):
        settings = {**settings, name: value}
        node.set(**{name: value})
        check_ours(node, settings, source, map)
    map.write(np.zeros((*SIZE[::-1], 1), np.float32))
    check_ours(node, settings, source, map)
    assert (node.render((*PLACE, *SIZE), Format("float", 4, False)) ==
            source.read(Format("float", 4, False))).all()


@apart(CUDA_BLUR_TAKE_OVER="yes")
def test_switched():
    """A node that is made while the take-over is off stays GEGL's own."""
    start()
    source, map = paint("RGBA float"), make_map()
    set_take_over("no")
    theirs = add_theirs(SETTINGS[0], source, map)
    set_take_over("yes")
    ours = add_theirs(SETTINGS[0], source, map)
    assert "cuda:variable-blur" in ours.get_children()
    assert "cuda:variable-blur" not in theirs.get_children()
    theirs.set(radius=6.0)
    assert get_difference(theirs, ours) > 1e-3
