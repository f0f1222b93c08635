"""What the tests of each filter's operation share, which lie in the filter's folder. What most of
them make of a picture is the engine's own result."""

import numpy as np

import fx
import graph
from formats import Format
from graph import Graph, get_key, make_buffer
from matrix_scene import make_noise
from scene import NAMES

graph.start()
RGBA, PLAIN, OPAQUE = Format("u8", 4), Format("float", 4, False), Format("float", 3, False)
SIZE = (67, 53)


def add_node(operation, source, settings, nodes=None):
    """settings: the filter's."""
    node = (nodes or Graph()).add(operation, source, device=fx.device)
    node.set(**{NAMES.get(name, name): value for name, value in settings.items()})
    return node


def run_engine(operation, pixels, format, settings):
    return fx.run(operation.split(":")[1], pixels, format, **settings)


def make_source(rng):
    return make_buffer(make_noise(rng, PLAIN), PLAIN, (-9, 4))


def check_part(node, operation, buffer, rect, settings):
    """Holds the result in rect to the engine's for that part of the buffer, as a picture by
    itself."""
    expected = run_engine(operation, buffer.read(PLAIN, rect=rect), PLAIN, settings)
    assert np.abs(node.render(rect) - expected).max() <= 2e-5


def check_places(rng, operation, settings):
    """A place in the picture is one in the input, wherever that lies, also after its bounds have
    changed as a selection's do."""
    noise, nodes = make_source(rng), Graph()
    crop = nodes.add("gegl:crop", noise)
    node = add_node(operation, crop, settings, nodes)
    for x, y, width, height in noise.rect, (3, 10, 31, 40), (-5, 4, 60, 17):
        crop.set(x=x, y=y, width=width, height=height)
        check_part(node, operation, noise, (x, y, width, height), settings)


def check_parts(rng, add):
    """The parts of a result, each in another node that add makes of a source, are those of the
    whole. The source is at -7, 20, of 210x150."""
    source = make_buffer(rng.integers(0, 256, (150, 210, 4), np.uint8), RGBA, (-7, 20))
    whole = add(source).render((-7, 20, 210, 150), RGBA)
    for x, y, width, height in (0, 0, 128, 128), (128, 0, 82, 128), (0, 128, 210, 22):
        part = add(source).render((x - 7, y + 20, width, height), RGBA)
        assert (part == whole[y:y + height, x:x + width]).all()


def check_names(operation, names):
    """Of its properties, in the order in which GIMP shows them."""
    specs = graph.list_properties(operation)
    assert [spec.name for spec in specs] == names.split()
    assert not any("_" in spec.nick or spec.nick.endswith(":") for spec in specs)


def check_keys(operation, *keys):
    """Of each: a property, or None for the operation; the key, and its value."""
    for name, key, value in keys:
        assert get_key(operation, key, name) == value
