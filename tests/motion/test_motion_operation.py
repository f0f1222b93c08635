"""The operation cuda:motion-blur in GEGL's graphs."""

import numpy as np
import pytest

from graph import Buffer, Graph, get_babl
from operation_case import (PLAIN, SIZE, add_node, check_keys, check_names, check_part,
                            check_parts, check_places, make_source)

MOTION = "cuda:motion-blur"
MOTIONS = [
    {"kind": "line", "length": 12.0, "direction": 30.0, "fade": 0.5},
    {"kind": "spin", "angle": 40.0, "center_x": 0.25, "center_y": 1.5},
    {"kind": "zoom", "factor": 0.5, "center_x": 0.75, "center_y": 0.5, "fade": -0.5},
]


def test_words():
    check_names(MOTION, "kind length direction angle factor center-x center-y fade abyss-policy "
                "light clip-extent device floats")
    check_keys(MOTION, ("center-x", "unit", "relative-coordinate"), ("center-y", "axis", "y"),
               ("center-x", "visible", "kind {spin,zoom}"), ("light", "visible", None),
               (None, "gimp:menu-label", "Motion Blur (_CUDA)..."))


@pytest.mark.parametrize("motion", MOTIONS)
def test_places(rng, motion):
    """The centre is that of the input."""
    check_places(rng, MOTION, motion)


@pytest.mark.parametrize("motion", MOTIONS)
def test_changes(rng, motion):
    """A change anywhere may change all of a spin's or a zoom's result."""
    noise = make_source(rng)
    node = add_node(MOTION, noise, motion)
    check_part(node, MOTION, noise, noise.rect, motion)
    noise.write(np.full((4, 4, 4), np.float32([1, 0, 0, 1])), rect=(41, 24, 4, 4))
    check_part(node, MOTION, noise, noise.rect, motion)


@pytest.mark.parametrize("motion,original", zip(MOTIONS, [
    ("linear", {"length": 12.0, "angle": 30.0}),
    ("circular", {"angle": 40.0, "center_x": 0.25, "center_y": 1.5}),
    ("zoom", {"factor": 0.5, "center_x": 0.75, "center_y": 0.5})]))
def test_growth(motion, original):
    """Without a limit to its extent, the result grows as GEGL's own, whose centre is half a pixel
    from ours."""
    buffer, nodes = Buffer((0, 0, *SIZE), get_babl(PLAIN)), Graph()
    node = add_node(MOTION, buffer, motion, nodes)
    assert node.box == buffer.rect
    node.set(clip_extent=False)
    box = node.box
    theirs = nodes.add(f"gegl:motion-blur-{original[0]}", buffer, **original[1]).box
    assert abs(box.x - theirs.x) <= 1 and abs(box.y - theirs.y) <= 1
    assert box.width > SIZE[0] or box.height > SIZE[1]


@pytest.mark.parametrize("kind", ["spin", "zoom"])
def test_parts(rng, kind):
    settings = {"kind": kind, "angle": 70.0, "factor": 0.6, "center_x": 0.3}
    check_parts(rng, lambda source: add_node(MOTION, source, settings))
