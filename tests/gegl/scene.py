"""The blur's contract as GEGL sees it: a picture in a buffer, and a node that blurs it. Settings
have the filter's names."""

import numpy as np

import fx
import pictures
from blur.reference import blur as expect_blur
from cases import ABYSSES, LIGHTS
from formats import Format
from graph import Graph, gegl, get_babl, get_name, make_buffer
from judge import get_range, judge, measure

PICTURES = ["random", "faint edge", "dots", "dark edge", "holes"]  # cases take them in turn
BLUR = {"sigma_x": 3.0, "sigma_y": 3.0, "kernel_size": 0, "abyss": "clamp", "light": "linear"}
NAMES = {"sigma_x": "std_dev_x", "sigma_y": "std_dev_y", "abyss": "abyss_policy"}  # the operation's


class Scene:
    """A picture of a format. babl: what that is to babl; least: the least value in it."""

    def __init__(self, rng, format, size, picture="random", place=(0, 0), babl=None, least=0.0):
        self.format, self.place, self.size = format, place, size
        self.babl = babl or get_babl(format)
        pixels = pictures.make(picture, format, *size, int(rng.integers(1 << 32)))
        if least:
            pixels = format.encode(least + (1.0 - least) * format.decode(pixels))
        self.buffer = make_buffer(pixels, format, place, self.babl)
        self.setting = f"\"{picture}\" of {size[0]}x{size[1]} at {place}, {get_name(self.babl)}"

    @property
    def pixels(self):
        return self.buffer.read(self.format, self.babl, (*self.place, *self.size))

    @property
    def values(self):
        return self.format.decode(self.pixels)

    def get_rect(self, region=None):
        """The place of a region of the picture, which is all of it by default."""
        x, y, *size = region or (0, 0, *self.size)
        return (x + self.place[0], y + self.place[1], *size)


def take_turn(n):
    """The picture and the abyss of case n."""
    return {"picture": PICTURES[n % 5]}, {"abyss": ABYSSES[n // 2 % 4], "light": LIGHTS[0]}


def set_blur(node, extended=False, **settings):
    """extended: the result is larger than the picture, beyond which nothing is then."""
    settings = {NAMES.get(name, name): value for name, value in {**BLUR, **settings}.items()}
    node.set(device=fx.device, clip_extent=not extended, **settings)


def add_blur(graph, source, **settings):
    node = graph.add("cuda:gaussian-blur", source)
    set_blur(node, **settings)
    return node


def expect(format, values, region=None, extended=False, **settings):
    settings = {**BLUR, **settings, **({"abyss": "none"} if extended else {})}
    return expect_blur(format, values, region, **settings)


def judge_blur(scene, values, result, region=None, expected=None, slack=1.0, **settings):
    """Holds the result in region to the blur of values. slack: times the bound; if it is more than
    1, no share of the samples has to be equal."""
    setting, light = f"{scene.setting}, {settings}", settings.get("light", "linear")
    if expected is None:
        expected = expect(scene.format, values, region, **settings)
    if slack == 1.0:
        judge(setting, scene.format, expected, result, get_range(values), light,
              (region or (0, 0))[:2])
    else:
        worst = measure(scene.format, expected, scene.format.decode(result), get_range(values),
                        light).ratios.max()
        assert worst <= slack, f"{worst:.3f} times the bound, in {setting}"


def check_node(scene, node, region=None, values=None, **settings):
    """Asks node for the region, and holds that to the blur of the picture."""
    result = node.render(scene.get_rect(region), scene.format, scene.babl)
    values = scene.values if values is None else values
    judge_blur(scene, values, result, region, **settings)


def check(scene, region=None, **settings):
    """A graph of the picture and the blur: format and result."""
    node = add_blur(Graph(), scene.buffer, **settings)
    assert node.output == scene.babl, f"{get_name(scene.babl)} became {get_name(node.output)}"
    check_node(scene, node, region, **settings)


def check_turn(rng, n, format, size, sigmas, region=None, place=(0, 0), extended=False, **settings):
    """Case n of a table."""
    options, turn = take_turn(n)
    check(Scene(rng, format, size, place=place, **options), region, extended=extended,
          sigma_x=sigmas[0], sigma_y=sigmas[1], **{**turn, **settings})


def run_within(function, device="cpu"):
    """Calls function within a call of the operation on device: the process's own engine is in use
    then, so that every other call gets a new one."""
    failures = []

    def run():
        try:
            function()
        except BaseException as failure:  # which ctypes would only print
            failures.append(failure)

    buffer = make_buffer(np.zeros((16, 16, 4), np.uint8), Format("u8", 4))
    buffer.call_when_read(run)
    Graph().add("cuda:gaussian-blur", buffer, device=device).render(buffer.rect)
    for failure in failures:
        raise failure


def check_step(node, name, value, kept):
    """Sets a whole number, which becomes kept: if that is another, the main loop is told so."""
    node.set(**{name: value})
    assert node.get(name) == kept
    told = node.count_notices(name)
    run_main_loop()
    assert len(told) == (value != kept)


def run_main_loop():
    while gegl.g_main_context_iteration(None, False):
        pass


def is_same(one, other):
    return np.ascontiguousarray(one).tobytes() == np.ascontiguousarray(other).tobytes()
