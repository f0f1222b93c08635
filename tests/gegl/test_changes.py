"""The parts of a result that become stale by a change of the input or of a property, and what of
the input a device may keep from one call to the next."""

import re

import numpy as np
import pytest

import graph
from formats import Format
from graph import ABYSS_LOOP, Graph, gegl
from scene import Scene, add_blur, judge_blur, set_blur

graph.start()
RGBA = Format("u8", 4)
ALL = None  # the whole picture


class Fixture:
    """A picture and a blur, whose result GEGL keeps. kept: the blur knows the picture's buffer
    again, and may keep it on a device; otherwise another node makes a buffer of it each time."""

    def __init__(self, rng, kept=True, format=RGBA, **settings):
        self.rng, self.graph, self.settings, self.kept = rng, Graph(), settings, kept
        self.scene = Scene(rng, format, (300, 200), place=(-30, 17))
        self.source = self.graph.add("gegl:buffer-source", buffer=self.scene.buffer)
        self.before = self.source if kept else self.graph.add("gegl:invert-gamma", self.source)
        self.blur = add_blur(self.graph, self.before, **settings)

    @property
    def values(self):
        """What the blur gets."""
        values = self.scene.values
        if not self.kept:
            colors = np.s_[..., :self.scene.format.colors]
            values[colors] = 1.0 - values[colors]
        return values

    def set(self, **settings):
        self.settings = settings
        set_blur(self.blur, **settings)

    def check(self, region=ALL):
        """Judges the region, of which only the stale parts are computed."""
        rect = self.scene.get_rect(region)
        self.blur.update(rect)
        result = self.blur.render(rect, self.scene.format, self.scene.babl, cached=True)
        judge_blur(self.scene, self.values, result, region, **self.settings)

    def replace(self, scene):
        self.scene = scene
        self.source.set(buffer=scene.buffer)

    def paint(self, x, y, width, height):
        """Other pixels than there were: of the picture shifted by one."""
        self.scene.buffer.duplicate().copy_to(self.scene.buffer, (x + 1, y + 1, width, height),
                                              (x, y, width, height), ABYSS_LOOP)


def count_computed(trace):
    """How many pixels a trace says that the operation has computed."""
    sizes = re.findall(r"cuda:gaussian-blur (\d+)x(\d+) at ", trace)
    return sum(int(width) * int(height) for width, height in sizes)


@pytest.fixture(params=[True, False], ids=["kept", "fresh"])
def f(request, rng):
    return Fixture(rng, request.param, sigma_x=3.0, sigma_y=5.0)


def test_nothing(f, read_trace):
    """Nothing is computed twice."""
    f.check()
    assert count_computed(read_trace()) == 300 * 200
    f.check()
    assert count_computed(read_trace()) == 0


@pytest.mark.parametrize("format,sigmas", [(RGBA, (1.5, 3.0)), (Format("float", 4), (8.0, 12.0))])
def test_stroke(rng, read_trace, format, sigmas):
    """A stroke makes the pixels that it reaches stale, and no others."""
    f = Fixture(rng, format=format, sigma_x=sigmas[0], sigma_y=sigmas[1])
    f.check()
    for x, y, width, height in [(100, 100, 10, 6), (-30, 17, 1, 1), (269, 216, 1, 1),
                                (-30, 60, 300, 3), (130, 17, 2, 200), (97, 97, 64, 64)]:
        read_trace()
        f.paint(x, y, width, height)
        f.check()
        reach_x, reach_y = (9.0 * sigma + 1 for sigma in sigmas)
        most = min(width + 2 * reach_x, 300) * min(height + 2 * reach_y, 200)
        assert 0 < count_computed(read_trace()) <= most


def test_strokes(f):
    """Two strokes before anybody looks; and a look at a part in between."""
    f.check()
    f.paint(-20, 20, 5, 5)
    f.paint(250, 200, 5, 5)
    f.check()
    f.paint(0, 100, 50, 5)
    for region in (0, 60, 40, 40), (30, 70, 100, 100), ALL:
        f.check(region)


SETTINGS = [
    {"sigma_x": 2.0, "sigma_y": 3.0},
    {"sigma_x": 2.0, "sigma_y": 30.0},
    {"sigma_x": 2.0, "sigma_y": 30.0, "abyss": "white"},
    {"sigma_x": 2.0, "sigma_y": 30.0, "abyss": "white", "light": "perceptual"},
    {"sigma_x": 2.0, "sigma_y": 30.0, "kernel_size": 7},
    {"sigma_x": 0.0, "sigma_y": 0.0},
    {"sigma_x": 0.0, "sigma_y": 1.0, "abyss": "black"},
    {"sigma_x": 50.0, "sigma_y": 50.0, "abyss": "none"},
]


def test_properties(f):
    """Each change of a property takes effect at once, with strokes in between."""
    f.check()
    for i in range(3 * len(SETTINGS)):
        f.set(**SETTINGS[i * 5 % len(SETTINGS)])
        if i % 3 == 2:
            f.paint(5 * i, 4 * i + 20, 20, 10)
        f.check()


def test_growth(f):
    """The result grows and shrinks with the property."""
    f.set(sigma_x=2.0, sigma_y=2.0)
    f.check()
    f.set(sigma_x=2.0, sigma_y=2.0, extended=True)
    f.check((-6, -6, 312, 212))
    f.set(sigma_x=4.0, sigma_y=2.0, extended=True)
    f.check((-13, -6, 326, 212))
    f.paint(-30, 17, 4, 4)
    f.check((-13, -6, 326, 212))
    f.set(sigma_x=4.0, sigma_y=2.0)
    f.check()


@pytest.mark.parametrize("change", [
    lambda f: f.blur.set(clip_extent=True), lambda f: f.blur.set(std_dev_x=0.3, std_dev_y=0.3),
    lambda f: f.source.set(buffer=None)], ids=["clip", "shrink", "take away"])
def test_within(rng, change):
    """The result shrinks, or the picture goes, between GEGL's question what to compute and the
    computation: above the picture, where the result no longer is."""
    f, changes = Fixture(rng, False, sigma_x=60.0, sigma_y=60.0, extended=True), [change]
    f.before.set_cached()
    f.before.call_when_computed(lambda rect: changes and changes.pop()(f))
    assert not f.blur.render((-200, -150, 700, 20), RGBA)[..., 3].any()
    assert not changes
    f.source.set(buffer=f.scene.buffer)
    f.set(sigma_x=60.0, sigma_y=60.0)
    f.check()


@pytest.mark.parametrize("kept,first,last", [
    (True, Format("float", 3, False), Format("double", 1)), (False, Format("u16", 3), RGBA)])
def test_buffer(rng, kept, first, last):
    """Another picture of another format, size and place."""
    f = Fixture(rng, kept, sigma_x=3.0, sigma_y=5.0)
    f.check()
    for i, format in enumerate([first, Format("u16", 2), RGBA, Format("u8", 3), last]):
        f.replace(Scene(rng, format, (100 + 50 * i, 220 - 40 * i), place=(10 * i, 0)))
        f.check()


def test_unseen(f):
    """The picture changes while nobody tells the blur."""
    f.check()
    f.blur.unlink()
    f.paint(0, 50, 60, 60)
    f.blur.link(f.before)
    f.check()
    f.source.set(buffer=None)
    f.paint(100, 50, 60, 60)
    f.source.set(buffer=f.scene.buffer)
    f.check()
    gegl.gegl_buffer_freeze_changed(f.scene.buffer)
    f.paint(0, 100, 60, 60)
    f.paint(200, 20, 60, 60)
    gegl.gegl_buffer_thaw_changed(f.scene.buffer)
    f.check()


def test_views(f):
    """A buffer moves, or shows more of what it shares with another."""
    f.check()
    whole = f.scene.buffer
    for i in range(4):
        f.scene.place, f.scene.size = (-30 + 20 * i, 17 + i), (200 + i, 150)
        f.scene.buffer = whole.get_part((*f.scene.place, *f.scene.size))
        f.source.set(buffer=f.scene.buffer)
        f.check()
