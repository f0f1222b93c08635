"""GEGL's focus blur taken over, alone: a Gaussian's pixels are those of cuda:focus-blur, and those
of a lens GEGL's own, whatever is set after what."""

import numpy as np
import pytest

from formats import Format
from graph import Graph, get_babl
from processes import apart
from take_over_case import (PLACE, SIZE, add_both, get_difference, paint, render, set_take_over,
                            start)

FORMATS = ["R'G'B'A u8", "Y' u16", "RGBA float"]
TOLERANCE = 2e-5  # as of one device from another
SETTINGS = [
    {"blur_radius": 5.0},
    {"blur_radius": 3.0, "x": 0.27, "y": 0.81, "radius": 0.4, "focus": 0.5, "midpoint": 0.2},
    {"blur_radius": 12.0, "shape": "square", "x": -0.3, "y": 1.2, "radius": 1.5},
    {"blur_radius": 4.0, "shape": "diamond", "aspect_ratio": 0.4, "rotation": 30.0},
    {"blur_radius": 4.0, "shape": "horizontal", "aspect_ratio": -0.6, "rotation": -120.0},
    {"blur_radius": 2.0, "shape": "vertical", "radius": 0.0},
    {"blur_radius": 2.0, "focus": 1.0, "midpoint": 0.0},
    {"blur_radius": 0.0},
]
BEYOND = [{"x": 11.0}, {"y": -20.0}, {"radius": 2000.0}]  # of what ours can
LENS = {"blur_type": "lens", "blur_radius": 4.0, "radius": 0.5}


def add_focus(settings, source):
    """A node of GEGL's."""
    return Graph().add("gegl:focus-blur", source, **settings)


def add_ours(settings, source):
    """GEGL's centre is cut to a whole number, at the middle of a pixel."""
    x, y = ((int(place + size * settings.get(name, 0.5)) + 0.5 - place) / size
            for name, place, size in zip("xy", PLACE, SIZE))
    return Graph().add("cuda:focus-blur", source, floats=True, **{**settings, "x": x, "y": y})


def check_ours(node, settings, source):
    assert get_difference(node, add_ours(settings, source)) <= TOLERANCE


def check_theirs(node, settings, source):
    """Where all is transparent, a lens has NaNs; its sums depend on what was asked for before."""
    set_take_over("no")
    theirs = add_focus(settings, source)
    set_take_over("focus-blur")
    assert np.allclose(render(node), render(theirs), 0.0, 2e-6, equal_nan=True)


@pytest.mark.parametrize("settings", SETTINGS)
@apart(CUDA_BLUR_TAKE_OVER="focus-blur")
def test_pixels(settings):
    """Those of ours, and nearly those of GEGL's own, which mixes some blurs."""
    start()
    for format in FORMATS:
        source = paint(format)
        theirs, ours = add_both(add_focus, settings, source)
        assert theirs.box == ours.box and theirs.box == (*PLACE, *SIZE)
        check_ours(ours, settings, source)
        assert np.abs(render(theirs) - render(ours)).mean() <= 0.03


@pytest.mark.parametrize("settings", [*BEYOND, LENS, {**LENS, "highlight_factor": 0.5}])
@apart(CUDA_BLUR_TAKE_OVER="focus-blur")
def test_theirs(settings):
    """What ours cannot do is GEGL's own."""
    start()
    source = paint(FORMATS[0])
    check_theirs(add_focus(settings, source), settings, source)


# A property after another, as GIMP's dialog and its handles on the canvas set them.
STEPS = [
    {"blur_radius": 6.0}, {"x": 0.3}, {"y": 0.6}, {"radius": 0.5}, {"focus": 0.4},
    {"blur_type": "lens"}, {"midpoint": 0.3}, {"aspect_ratio": 0.25}, {"high_quality": True},
    {"blur_type": "gaussian"}, {"rotation": 40.0}, {"shape": "diamond"}, {"x": 30.0}, {"y": 0.2},
    {"x": 0.7}, {"blur_type": "lens"}, {"x": -15.0}, {"blur_type": "gaussian"}, {"x": 0.5},
    {"blur_radius": 0.0}, {"blur_radius": 2.0},
]


def is_ours(settings):
    return settings.get("blur_type") != "lens" and abs(settings.get("x", 0.5)) <= 10.0


def check(node, settings, source):
    if is_ours(settings):
        check_ours(node, {name: value for name, value in settings.items()
                          if name not in ("blur_type", "high_quality")}, source)
    else:
        check_theirs(node, settings, source)


@apart(CUDA_BLUR_TAKE_OVER="focus-blur")
def test_steps():
    """Forth and back, as by undo: whatever computed before, the result is that of the settings."""
    start()
    source, settings = paint(FORMATS[0]), {"shape": "circle"}
    node, undo = add_focus({}, source), []
    for step in STEPS:
        undo.append({name: node.get(name) for name in step})
        node.set(**step)
        settings = {**settings, **step}
        check(node, settings, source)
    assert any(not is_ours(settings) for settings in STEPS)
    for step in reversed(undo):
        node.set(**step)
    assert get_difference(node, add_focus({}, source)) <= TOLERANCE


@apart(CUDA_BLUR_TAKE_OVER="focus-blur")
def test_changes():
    """The input's pixels and its bounds change: the centre is again cut to a pixel of these."""
    start()
    source, nodes = paint(FORMATS[0]), Graph()
    crop = nodes.add("gegl:crop", source, x=PLACE[0], y=PLACE[1], width=SIZE[0], height=SIZE[1])
    node = nodes.add("gegl:focus-blur", crop, blur_radius=5.0, x=0.37, radius=0.6)
    for x, width in (PLACE[0], SIZE[0]), (-3, 20), (1, 33):
        source.write(np.tile(np.float32([1, 0, 0, 1]), (4, 4, 1)),
                     get_babl(Format("float", 4, False)), (5, 15, 4, 4))
        crop.set(x=x, width=width)
        center = (int(x + width * 0.37) + 0.5 - x) / width
        middle = (int(PLACE[1] + SIZE[1] * 0.5) + 0.5 - PLACE[1]) / SIZE[1]
        ours = Graph()
        cut = ours.add("gegl:crop", source, x=x, y=PLACE[1], width=width, height=SIZE[1])
        expected = ours.add("cuda:focus-blur", cut, floats=True, blur_radius=5.0, x=center,
                            y=middle, radius=0.6)
        assert get_difference(node, expected) <= TOLERANCE


@apart(CUDA_BLUR_TAKE_OVER="focus-blur")
def test_center():
    """GEGL's own has the same centre: there alone the pixel stays."""
    start()
    source = paint("RGBA float")
    before = Graph().add("gegl:buffer-source", buffer=source)
    x, y = 10, 20
    settings = {"x": (x - PLACE[0] + 0.9) / SIZE[0], "y": (y - PLACE[1] + 0.1) / SIZE[1],
                "focus": 0.0, "radius": 0.05, "blur_radius": 8.0}
    for node in add_both(add_focus, settings, source):
        assert get_difference(node, before, (x, y, 1, 1)) <= 1e-5
        assert get_difference(node, before, (x + 1, y, 1, 1)) > 1e-3


@apart(CUDA_BLUR_TAKE_OVER="focus-blur")
def test_switch():
    """A node that is made while it is off stays GEGL's own, whatever is set later."""
    start()
    source = paint(FORMATS[0])
    set_take_over("gaussian-blur")
    node = add_focus({}, source)
    set_take_over("focus-blur")
    assert get_difference(node, add_focus({}, source)) > 0.0
    for settings in {"blur_radius": 3.0}, LENS, {"blur_type": "gaussian"}:
        node.set(**settings)
    check_theirs(node, {**LENS, "blur_type": "gaussian"}, source)
