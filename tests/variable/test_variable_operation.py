"""The operation cuda:variable-blur in GEGL's graphs: the map comes in by "aux"."""

import numpy as np
import pytest

from formats import Format
from graph import Graph, make_buffer
from operation_case import (PLAIN, SIZE, add_node, check_keys, check_names, check_parts,
                            make_source, run_engine)
from pixels import get_brightness

VARIABLE = "cuda:variable-blur"
PLACE = (-9, 4)  # of the source
SETTINGS = [{"radius": 5.0}, {"radius": 9.0, "focal": 0.3, "keep_sharp": 0.5},
            {"radius": 3.0, "invert": True, "abyss": "white", "light": "perceptual"},
            {"blur_type": "lens", "radius": 8.0, "blades": 5, "squeeze": 0.4, "highlights": 3.0}]
BRIGHTNESS = Format("float", 1)


def add_map(node, map):
    node.link(node.graph.add("gegl:buffer-source", buffer=map), "aux")


def add_mapped(source, map, settings):
    node = add_node(VARIABLE, source, settings)
    add_map(node, map)
    return node


def make_map(rng, place, size):
    """Noise, with its buffer."""
    values = rng.random((*size[::-1], 1)).astype(np.float32)
    return values, make_buffer(values, BRIGHTNESS, place)


def test_words():
    check_names(VARIABLE, "blur-type radius focal invert linear-mask keep-sharp blades "
                "blade-rotation roundness squeeze highlights threshold abyss-policy light "
                "clip-extent device map-x map-y floats")
    check_keys(VARIABLE, ("radius", "unit", "pixel-distance"),
               (None, "gimp:menu-label", "Variable Blur (_CUDA)..."))


def check(node, source, values, settings, place=PLACE):
    """Holds all of the result to the engine's for these values of the map at that place."""
    x, y = source.rect[:2]
    map = values.reshape(values.shape[:2]), (place[0] - x, place[1] - y)
    expected = run_engine(VARIABLE, source.read(PLAIN), PLAIN, {**settings, "map": map})
    assert np.abs(node.render(source.rect) - expected).max() <= 2e-5


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("place,size", [((-9, 4), SIZE), ((-30, -20), (150, 140)),
                                        ((10, 20), (15, 9)), ((200, 30), (5, 5)), ((3, 9), (1, 1))])
def test_places(rng, settings, place, size):
    """The map lies where it is in the graph; beyond it is its nearest pixel."""
    source = make_source(rng)
    values, map = make_map(rng, place, size)
    check(add_mapped(source, map, settings), source, values, settings, place)


@pytest.mark.parametrize("place", [(0, 0), (20, -13), (-500, 3)])
def test_moved(rng, place):
    """The map may be moved, as GIMP 3 does not say where layers are."""
    source, settings = make_source(rng), SETTINGS[1]
    values, map = make_map(rng, (-20, 0), (40, 50))
    node = add_mapped(source, map, settings)
    node.render(source.rect)
    node.set(map_x=place[0], map_y=place[1])
    check(node, source, values, settings, (place[0] - 20, place[1]))


@pytest.mark.parametrize("sample", ["u8", "u16", "u32", "half", "float", "double"])
@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize("gamma", [False, True])
def test_formats(rng, sample, channels, gamma):
    """The map's brightness counts, or its light, but not its alpha."""
    source, format = make_source(rng), Format(sample, channels, gamma)
    pixels = format.encode(0.01 + 0.99 * rng.random((*SIZE[::-1], channels)))
    map = make_buffer(pixels, format, PLACE)
    for linear in False, True:
        settings = {"radius": 6.0, "linear_mask": linear}
        values = get_brightness(format, format.decode(pixels), linear)
        check(add_mapped(source, map, settings), source, values, settings)


@pytest.mark.parametrize("settings", SETTINGS)
def test_no_map(rng, settings):
    """Nothing changes without a map, and when it is taken away."""
    source = make_source(rng)
    node = add_node(VARIABLE, source, settings)
    before = source.read(PLAIN)
    assert (node.render(source.rect) == before).all()
    add_map(node, make_map(rng, PLACE, SIZE)[1])
    assert (node.render(source.rect) != before).any()
    node.unlink("aux")
    assert (node.render(source.rect) == before).all()


def test_changes(rng):
    """A change of the map spreads to all of the result, and so does one of a property."""
    source, settings = make_source(rng), {"radius": 6.0}
    values, map = make_map(rng, PLACE, SIZE)
    node = add_mapped(source, map, settings)
    node.set_cached()
    check(node, source, values, settings)
    values[20:40] = 0
    map.write(values)
    check(node, source, values, settings)
    for name, value in {"radius": 3.0, "focal": 0.4, "invert": True, "keep_sharp": 1.0}.items():
        settings = {**settings, name: value}
        node.set(**{name: value})
        check(node, source, values, settings)
    source.write(np.full((4, 4, 4), np.float32([1, 0, 0, 1])), rect=(10, 24, 4, 4))
    check(node, source, values, settings)


def test_growth(rng):
    """Without a limit to its extent, the result grows by 4 sigma of the strongest blur."""
    source = make_source(rng)
    node = add_mapped(source, make_map(rng, PLACE, SIZE)[1], {"radius": 5.0})
    assert node.box == source.rect
    node.set(clip_extent=False)
    assert node.box == (-29, -16, SIZE[0] + 40, SIZE[1] + 40)
    assert node.render(tuple(node.box))[0].any()


def test_parts(rng):
    """With a map that is read once."""
    map = make_map(rng, (-7, 20), (210, 150))[1]
    check_parts(rng, lambda source: add_mapped(source, map, SETTINGS[1]))


def test_infinite(rng):
    """Either input may be an infinite plane."""
    source, graph = make_source(rng), Graph()
    node = add_node(VARIABLE, source, {"radius": 5.0}, graph)
    node.link(graph.add("gegl:color"), "aux")  # black
    assert (node.render(source.rect) == source.read(PLAIN)).all()
    endless = add_node(VARIABLE, graph.add("gegl:checkerboard"), {"radius": 5.0}, graph)
    add_map(endless, make_map(rng, (0, 0), (20, 20))[1])
    assert endless.render((0, 0, 20, 20)).any()
