"""GEGL's motion blurs taken over: they keep their sizes, their pixels are those of
cuda:motion-blur, and what that cannot do they do by themselves."""

from typing import NamedTuple

import numpy as np
import pytest

import graph
from formats import Format
from graph import Graph, get_babl
from processes import apart, run_apart
from take_over_case import (PLACE, SIZE, add_both, check_failing, get_difference, if_failing, paint,
                            render, set_take_over, start, start_failing)

FORMATS = ["R'G'B'A u8", "Y' u16"]
TOLERANCE = 2e-5  # as of one device from another
KINDS = {"linear": ("line", "length"), "circular": ("spin", "angle"), "zoom": ("zoom", "factor")}


class Motion(NamedTuple):
    """Settings by the names in which GEGL has them."""

    kind: str
    amount: float
    direction: float = 0.0
    center: tuple = (0.5, 0.5)
    theirs: bool = False  # ours cannot do that


MOTIONS = [
    Motion("linear", 12.5, 30.0), Motion("linear", 0.0, 30.0), Motion("linear", 0.4, -90.0),
    Motion("linear", 1000.0, 180.0), Motion("linear", 33.0, -135.0),
    Motion("circular", 40.0, center=(0.25, 1.5)), Motion("circular", 0.0), Motion("circular", 5.0),
    Motion("circular", 200.0, center=(-1.0, 2.0)), Motion("circular", 360.0, center=(0.1, 0.9)),
    Motion("circular", 30.0, center=(12.0, 0.5), theirs=True),
    Motion("zoom", 0.5, center=(0.75, 0.5)), Motion("zoom", 0.0, center=(0.75, 0.5)),
    Motion("zoom", -0.5, center=(0.5, 1.5)), Motion("zoom", 1.0, center=(-1.0, 2.0)),
    Motion("zoom", -3.0, theirs=True)]


def set_motion(node, motion):
    node.set(**{KINDS[motion.kind][1]: motion.amount})
    if motion.kind == "linear":
        node.set(angle=motion.direction)
    else:
        node.set(center_x=motion.center[0], center_y=motion.center[1])


def add_motion(motion, source):
    """A node of GEGL's."""
    node = Graph().add(f"gegl:motion-blur-{motion.kind}", source)
    set_motion(node, motion)
    return node


def add_ours(motion, source, **settings):
    """GEGL's centre is counted from the origin, and half a pixel from ours."""
    kind, amount = KINDS[motion.kind]
    x, y = ((part * size - place + 0.5) / size
            for part, size, place in zip(motion.center, SIZE, PLACE))
    return Graph().add("cuda:motion-blur", source, kind=kind, direction=motion.direction,
                       center_x=x, center_y=y, floats=True, **{amount: motion.amount},
                       **{"abyss_policy": "none", "clip_extent": False, **settings})


def get_common_box(a, b):
    x, y = max(a.x, b.x), max(a.y, b.y)
    return (x, y, min(a.x + a.width, b.x + b.width) - x, min(a.y + a.height, b.y + b.height) - y)


def check_ours(motion, ours, source):
    """Beyond the picture is nothing, but a spin of what lies within takes the nearest pixels."""
    itself = add_ours(motion, source)
    x, y, *_ = box = get_common_box(ours.box, itself.box)
    expected = render(itself, box)
    if motion.kind == "circular":
        inner = add_ours(motion, source, abyss_policy="clamp", clip_extent=True)
        left, top = PLACE[0] - x, PLACE[1] - y
        expected[top:top + SIZE[1], left:left + SIZE[0]] = render(inner, (*PLACE, *SIZE))
    assert np.abs(render(ours, box) - expected).max() <= TOLERANCE


@pytest.mark.parametrize("motion", MOTIONS)
@apart(CUDA_BLUR_TAKE_OVER="yes")
def test_pixels(motion):
    start()
    for format in FORMATS:
        source = paint(format)
        theirs, ours = add_both(add_motion, motion, source)
        assert theirs.box == ours.box and theirs.output == ours.output
        if motion.theirs:
            assert get_difference(theirs, ours) == 0.0
        elif "A" in format:
            check_ours(motion, ours, source)
        elif motion.kind != "circular":
            assert np.abs(render(theirs) - render(ours)).mean() <= 0.05


@apart(CUDA_BLUR_TAKE_OVER="yes")
def test_opaque():
    """A spin leaves an opaque picture opaque, also in parts, and no less so than GEGL's own."""
    start()
    source, box = paint("R'G'B' u8"), (*PLACE, *SIZE)
    for angle in 5.0, 60.0, 360.0:
        theirs, ours = add_both(add_motion, Motion("circular", angle), source)
        whole = render(ours, box)
        assert (whole[..., 3] >= render(theirs, box)[..., 3] - TOLERANCE).all()
        assert (whole[..., 3] >= 0.999).all()
        for x, y in (0, 0), (40, 28), (20, 0):
            part = render(ours, (PLACE[0] + x, PLACE[1] + y, 1, 1))
            assert np.abs(part - whole[y, x]).max() <= TOLERANCE


@apart(CUDA_BLUR_TAKE_OVER="yes")
def test_centers():
    """The pixel at the centre stays, in GEGL's own, too."""
    start()
    source = paint(FORMATS[0])
    before = Graph().add("gegl:buffer-source", buffer=source)
    center = 10 / SIZE[0], 20 / SIZE[1]
    for motion in Motion("circular", 40.0, center=center), Motion("zoom", 0.5, center=center):
        for node in add_both(add_motion, motion, source):
            assert get_difference(node, before, (10, 20, 1, 1)) <= 1e-5


@apart(CUDA_BLUR_TAKE_OVER="yes")
def test_changes():
    """What was computed is computed again after a change of the input, and of a property."""
    start()
    red = np.tile(np.float32([1, 0, 0, 1]), (4, 4, 1))
    for motion in MOTIONS:
        other = Motion(motion.kind, motion.amount / 2, 10.0, (0.4, 0.6))
        source, painted = paint(FORMATS[0]), paint(FORMATS[0])
        painted.write(red, get_babl(Format("float", 4, False)), (5, 15, 4, 4))
        changed, fresh = (add_motion(motion, buffer) for buffer in (source, painted))
        render(changed)
        source.write(red, get_babl(Format("float", 4, False)), (5, 15, 4, 4))
        assert get_difference(changed, fresh) <= TOLERANCE
        for node in changed, fresh:
            set_motion(node, other)
        assert get_difference(changed, fresh) <= TOLERANCE


def be_within():
    start()
    render(add_motion(Motion("circular", 40.0), paint(FORMATS[0])), (*PLACE, *SIZE))


def test_within():
    """What lies beyond the picture, and is not asked for, is not computed."""
    said = run_apart(be_within, CUDA_BLUR_TAKE_OVER="yes", CUDA_BLUR_TRACE="1")
    lines = [line for line in said.split("\n") if "process " in line]
    assert len(lines) == 1 and " 41x29 at -7 11," in lines[0]


@apart(CUDA_BLUR_TAKE_OVER="yes")
def test_names():
    """Each name is a switch."""
    start()
    source, nodes = paint(FORMATS[0]), []
    for value in "no", "gaussian-blur,motion-blur-linear", "motion-blur-zoom":
        set_take_over(value)
        nodes.append(add_motion(MOTIONS[0], source))
    theirs, named, other = nodes
    assert get_difference(theirs, named) > 0.0
    assert get_difference(theirs, other) == 0.0


@if_failing
@apart(CUDA_BLUR_TAKE_OVER="yes", CUDA_BLUR_DEVICE="cpu", CUDA_BLUR_WARN=None)
def test_failures():
    """A GPU does not need the memory that is missing here."""
    no_memory = start_failing()
    source = paint(FORMATS[0])
    for motion in MOTIONS:
        check_failing(no_memory, *add_both(add_motion, motion, source))


def be_failing_itself():
    no_memory = start_failing()
    source = paint(FORMATS[0])
    node = add_ours(MOTIONS[0], source)
    node.set(device="cpu")
    no_memory.value = 1
    before = Graph().add("gegl:buffer-source", buffer=source)
    assert get_difference(node, before, tuple(node.box)) <= 1e-6


@if_failing
def test_failures_of_ours():
    """If the engine fails for our own operation, the pixels stay as they are, and a message says
    so."""
    said = run_apart(be_failing_itself, CUDA_BLUR_WARN=None)
    assert said.count("cuda-blur: ") == 1 and ": the pixels stay as they are" in said


def be_endless(settings, crop):
    graph.start()
    planes = Graph()
    source = planes.add("gegl:checkerboard")
    if crop:
        source = planes.add("gegl:crop", source, width=1e6, height=1e6)
    node = planes.add("cuda:motion-blur", source, center_x=0.3, **settings)
    part = -3, 5, 40, 30
    assert (node.render(part) == source.render(part)).all()


@pytest.mark.parametrize("crop", [False, True])
@pytest.mark.parametrize("settings", [
    {"kind": "spin", "angle": 30.0}, {"kind": "zoom", "factor": 0.5},
    {"kind": "spin", "angle": 360.0, "center_y": 10.0}])
def test_endless(settings, crop):
    """Of a picture of which no computer could hold what a result depends on, the pixels stay as
    they are, and a message says so."""
    said = run_apart(be_endless, settings, crop, CUDA_BLUR_WARN=None)
    assert said.count("cuda-blur: ") == 1
    assert "There is not enough memory: the pixels stay as they are" in said
