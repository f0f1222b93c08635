"""What the tests of each filter's operation share, which lie in the filter's folder. What most of
them make of a picture is the engine's own result."""

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


def check_names(operation, names):
    """Of its properties, in the order in which GIMP shows them."""
    specs = graph.list_properties(operation)
    assert [spec.name for spec in specs] == names.split()
    assert not any("_" in spec.nick or spec.nick.endswith(":") for spec in specs)


def check_keys(operation, *keys):
    """Of each: a property, or None for the operation; the key, and its value."""
    for name, key, value in keys:
        assert get_key(operation, key, name) == value
