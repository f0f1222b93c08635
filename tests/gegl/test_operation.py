"""cuda:gaussian-blur in GEGL's graphs: formats, spaces, regions, properties."""

import os
import sys
from ctypes import POINTER, byref, c_char_p, cast, create_string_buffer

import numpy as np
import pytest

import graph
from cases import ABYSSES, LIGHTS, product
from formats import SAMPLES, SRGB, Curve, Format, Parametric
from graph import ABYSS_CLAMP, Buffer, Graph, get_babl, get_key, gegl, make_buffer
from scene import (Scene, add_blur, check, check_node, check_step, check_turn, expect, is_same,
                   judge_blur, take_turn)

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "command"))
from colour import icc, table  # noqa: E402

graph.start()
BLUR = "cuda:gaussian-blur"
RGBA, PLAIN = Format("u8", 4), Format("float", 4, False)
FORMATS = [RGBA, Format("u16", 3), Format("float", 2, False), Format("u8", 1, False)]


# ---- every format that GIMP passes to an operation ----


@pytest.mark.parametrize("n,sample,channels,mark", product(SAMPLES, [1, 2, 3, 4], ["", "'", "~"]))
def test_formats(rng, n, sample, channels, mark):
    """Linear, and through the space's curve or sRGB's."""
    format = Format(sample, channels, bool(mark))
    for k, light, sigmas in product(LIGHTS, [(1.3, 2.1), (13.0, 7.0)]):
        options, turn = take_turn(n + k)
        scene = Scene(rng, format, (83, 61), babl=get_babl(format, mark), **options)
        check(scene, sigma_x=sigmas[0], sigma_y=sigmas[1], **{**turn, "light": light})


def check_converted(scene, babl, **settings):
    """The scene's picture in another format is blurred in the scene's."""
    other = Buffer(scene.buffer.rect, babl)
    scene.buffer.copy_to(other)
    other.copy_to(scene.buffer)
    blur = add_blur(Graph(), other, **settings)
    assert blur.output == scene.babl
    check_node(scene, blur, **settings)


# Those that the engine does not know become linear floats, of so many channels.
OTHERS = [("RaGaBaA float", 4), ("RaGaBaA half", 4), ("RaGaBaA u16", 4), ("R'aG'aB'aA u8", 4),
          ("R'aG'aB'aA float", 4), ("R~aG~aB~aA float", 4), ("YaA float", 2), ("Y'aA u8", 2),
          ("cairo-ARGB32", 4), ("cairo-RGB24", 3), ("R'G'B'A u15", 4), ("CIE Lab float", 3),
          ("CIE Lab alpha float", 4), ("Y'CbCr u8", 3), ("cmyk float", 3), ("CMYKA float", 4)]


@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("name,channels", OTHERS)
def test_other_formats(rng, name, channels, light):
    scene = Scene(rng, Format("float", channels, False), (57, 45))
    check_converted(scene, gegl.babl_format(name.encode()), sigma_x=2.0, sigma_y=9.0, light=light)


@pytest.mark.parametrize("channels", [3, 4])
def test_palette(rng, channels):
    colors = np.uint8([255, 0, 0, 0, 255, 0, 10, 20, 200, 255, 255, 255])
    palettes = [graph.Pointer(), graph.Pointer()]
    gegl.babl_new_palette(f"test-{channels}".encode(), *map(byref, palettes))
    gegl.babl_palette_set_palette(palettes[0], gegl.babl_format(b"R'G'B' u8"), colors.ctypes, 4)
    scene = Scene(rng, Format("float", channels, False), (57, 45))
    check_converted(scene, palettes[channels - 3], sigma_x=4.0, sigma_y=2.0)


# ---- spaces: other primaries make no difference, and other curves do ----

GAMMA_1_8, GAMMA_2_2 = Parametric("gamma 1.8", 1.8), Parametric("gamma 2.2", 2.2)
LINEAR = Parametric("linear", 1.0)
PRIMARIES = [0.3127, 0.3290, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06]


class Press(Curve):
    """A press's, roughly: straight between the samples of a profile's table, which no formula is.
    babl takes all tables of a process for the same one, so there is only this."""

    def __init__(self):
        super().__init__("press")
        place = np.linspace(0.0, 1.0, 1024)
        self.table = np.rint(place * (0.3 + place * (0.2 + place * place * 0.5)) * 65535)

    def to_linear(self, value):
        return np.interp(value, np.linspace(0.0, 1.0, 1024), self.table / 65535)

    def to_gamma(self, light):
        return np.interp(light, self.table / 65535, np.linspace(0.0, 1.0, 1024))

    def make_profile(self):
        """With sRGB's primaries."""
        return icc(table(self.to_linear, 1024))


def make_chromatic_space(name, curve=2.2, blue=2.2):
    red, blue = gegl.babl_trc_gamma(curve), gegl.babl_trc_gamma(blue)
    return gegl.babl_space_from_chromaticities(name, *PRIMARIES, red, red, blue, 0)


def make_profile_space(curve):
    profile, error = curve.make_profile(), c_char_p()
    space = gegl.babl_space_from_icc(create_string_buffer(profile, len(profile)), len(profile), 1,
                                     byref(error))  # relative colorimetric
    assert space, error.value
    return space


PRESS = Press()
SPACES = {
    "primaries": (lambda: gegl.babl_space(b"Rec2020"), SRGB),
    "linear": (lambda: gegl.babl_space(b"scRGB"), LINEAR),
    "adobe": (lambda: gegl.babl_space(b"Adobish"), GAMMA_2_2),
    "apple": (lambda: gegl.babl_space(b"Apple"), GAMMA_1_8),
    "prophoto": (lambda: gegl.babl_space(b"ProPhoto"), GAMMA_1_8),
    "chromaticities": (lambda: make_chromatic_space(b"cuda-blur-test"), GAMMA_2_2),
    "table": (lambda: make_profile_space(PRESS), PRESS),
}
SPACE_FORMATS = [("u8", 4, "'"), ("u16", 3, "'"), ("float", 4, "'"), ("half", 2, "'"),
                 ("u8", 1, "'"), ("u8", 4, ""), ("float", 3, ""), ("u8", 4, "~"), ("u16", 2, "~")]


@pytest.mark.parametrize("name", SPACES)
def test_spaces(rng, name):
    """babl continues curves in a steep straight line somewhere below 0.02. Its curves are the
    test's, so that a failure is the operation's."""
    make, curve = SPACES[name]
    space = make()
    if name not in ("primaries", "linear"):
        values = np.linspace(0.1, 1.0, 10)
        assert graph.get_curve(space, values) == pytest.approx(curve.to_linear(values), abs=1e-4)
    for sample, channels, mark in SPACE_FORMATS:
        own = curve if mark != "~" else SRGB
        named, format = Format(sample, channels, bool(mark)), Format(
            sample, channels, bool(mark) and own is not LINEAR, SRGB if own is LINEAR else own)
        for light in LIGHTS:
            check(Scene(rng, format, (61, 43), babl=get_babl(named, mark, space), least=0.1),
                  sigma_x=2.0, sigma_y=8.0, light=light)


def test_unlike_curves(rng):
    """In a space whose channels have unlike curves, only perceptual light takes pixels as they are
    stored, also if it is chosen later."""
    space = make_chromatic_space(b"cuda-blur-unlike", blue=1.8)
    scene = Scene(rng, RGBA, (9, 7), babl=get_babl(RGBA, space=space))
    blur = add_blur(Graph(), scene.buffer)
    for _ in range(2):
        blur.set(light="linear")
        assert blur.output == get_babl(PLAIN, space=space)
        blur.set(light="perceptual")
        assert blur.output == scene.babl


# ---- the picture's place, parts of it, and the pixels beyond it ----


def get_growth(sigma, kernel_size=0):
    """As gegl:gaussian-blur's, whose sigma is a float."""
    sigma = float(np.float32(sigma))
    return 0 if sigma <= 1e-5 else (kernel_size or int(np.ceil(sigma * 6.5))) // 2


@pytest.mark.parametrize("n,format,abyss", product(FORMATS, ABYSSES))
def test_abyss(rng, n, format, abyss):
    check_turn(rng, n, format, (49, 33), (3.0, 5.5), place=(-37, 19) if n % 3 else (0, -1000),
               abyss=abyss)


@pytest.mark.parametrize("n,stored,abyss", product(FORMATS, ABYSSES))
def test_extended(rng, n, stored, abyss):
    """Beyond a picture whose blur is larger is nothing, whatever the abyss. One without alpha gets
    it."""
    format = Format(stored.sample, stored.channels + stored.channels % 2, stored.gamma)
    scene = Scene(rng, format, (49, 33), **take_turn(n)[0],
                  place=(-37, 19) if n % 3 else (0, -1000))
    buffer = Buffer(scene.buffer.rect, get_babl(stored))
    scene.buffer.copy_to(buffer)
    buffer.copy_to(scene.buffer)
    settings = {"sigma_x": 3.0, "sigma_y": 5.5, "abyss": abyss, "extended": True}
    blur = add_blur(Graph(), buffer, **settings)
    assert blur.output == scene.babl
    x, y = get_growth(3.0), get_growth(5.5)
    check_node(scene, blur, (-x, -y, 49 + 2 * x, 33 + 2 * y), **settings)


@pytest.mark.parametrize("n,sigmas,kernel_size", product([
    (0.0, 0.0), (0.0, 3.0), (0.15, 0.16), (1.0, 1.5), (2.0, 1e-6), (10.0, 100.0),
    (3.0 / 6.5, 5.0 / 6.5), (1500.0, 0.3)], [0, 9]))
def test_box(rng, n, sigmas, kernel_size):
    scene = Scene(rng, RGBA, (20, 10), place=(-3, 8))
    blur = add_blur(Graph(), scene.buffer, sigma_x=sigmas[0], sigma_y=sigmas[1],
                    kernel_size=kernel_size)
    assert blur.box == (-3, 8, 20, 10)
    x, y = (get_growth(sigma, kernel_size) for sigma in sigmas)
    blur.set(clip_extent=False)
    assert blur.box == (-3 - x, 8 - y, 20 + 2 * x, 10 + 2 * y)


@pytest.mark.parametrize("n,region,format", product([
    (0, 0, 1, 1), (149, 99, 1, 1), (0, 0, 150, 1), (70, 40, 20, 20), (128, 64, 22, 36),
    (0, 50, 150, 50), (7, 3, 130, 90)], FORMATS))
def test_parts(rng, n, region, format):
    """Each from a graph that has done nothing else."""
    check_turn(rng, n, format, (150, 100), (2.0, 2.5) if n % 2 else (14.0, 9.0), region, (-64, 5))


def pick_part(rng, width, height):
    x, y = (int(rng.integers(size)) for size in (width, height))
    return x, y, int(rng.integers(1, width + 1 - x)), int(rng.integers(1, height + 1 - y))


def test_parts_of_one(rng):
    """All from one graph."""
    scene = Scene(rng, RGBA, (150, 100))
    blur, values = add_blur(Graph(), scene.buffer, sigma_x=6.0), scene.values
    for _ in range(40):
        check_node(scene, blur, pick_part(rng, 150, 100), values, sigma_x=6.0)


def test_moved(rng):
    """The tiles of an input that was moved do not begin at multiples of their size."""
    scene, graph = Scene(rng, RGBA, (300, 200)), Graph()
    values = scene.values
    blur = add_blur(graph, graph.add("gegl:translate", scene.buffer, x=-37, y=-90))
    scene.place = (-37, -90)
    check_node(scene, blur, values=values)


def test_outside(rng):
    """If the requested region reaches beyond the result, it is empty there."""
    scene = Scene(rng, RGBA, (40, 30))
    blur = add_blur(Graph(), scene.buffer)
    asked = blur.render((-10, -15, 60, 50), RGBA)
    judge_blur(scene, scene.values, asked[15:45, 10:50].copy())
    asked[15:45, 10:50] = 0
    assert not asked[..., 3].any()
    assert not blur.render((500, 500, 60, 50), RGBA)[..., 3].any()


@pytest.mark.parametrize("start", [0, -(1 << 30)])
def test_extremes(rng, start):
    """At the ends of the coordinates the box, and what a part needs of the picture, are cut."""
    scene, graph = Scene(rng, RGBA, (40, 30)), Graph()
    source = graph.add("gegl:buffer-source", buffer=scene.buffer)
    blur = add_blur(graph, source)
    blur.render((0, 0, 1, 1), RGBA)  # makes the plan
    blur.set(clip_extent=False)
    size = 2 ** 31 - 16
    source.set(buffer=Buffer((start, start, size, size), scene.babl))
    box, last = blur.box, start + size - 1
    assert box.x <= start and box.y <= start
    assert box.x + box.width > last and box.y + box.height > last
    needed = blur.get_required((last, last, 1, 1))
    assert start <= needed.x <= last and start <= needed.y <= last
    assert needed.x + needed.width == last + 1 and needed.y + needed.height == last + 1


@pytest.mark.parametrize("size", range(1, 41, 3))
def test_kernel_size(rng, size):
    """An even size is the next odd one."""
    scene = Scene(rng, FORMATS[size % 4], (49, 33))
    blur = add_blur(Graph(), scene.buffer, sigma_x=5.0, sigma_y=30.0, kernel_size=size)
    assert blur.get("kernel-size") == size | 1
    check_node(scene, blur, sigma_x=5.0, sigma_y=30.0, kernel_size=size | 1)


@pytest.mark.parametrize("n,sigmas,format", product([(0.0, 4.0), (4.0, 0.0)], FORMATS))
def test_one_axis(rng, n, sigmas, format):
    check_turn(rng, n, format, (49, 33), sigmas)


@pytest.mark.parametrize("n,sigmas,format", product([(0.0, 0.0), (0.1, 0.0)], FORMATS))
def test_no_axis(rng, n, sigmas, format):
    """All bytes stay."""
    scene = Scene(rng, format, (49, 33), **take_turn(n)[0])
    blur = add_blur(Graph(), scene.buffer, sigma_x=sigmas[0], sigma_y=sigmas[1])
    assert is_same(blur.render(scene.get_rect(), format), scene.pixels)


@pytest.mark.parametrize("n,size,sigmas", product([
    (1, 1), (1, 200), (200, 1), (2, 3), (128, 64), (129, 65), (257, 131), (400, 300)],
    [(40.0, 60.0), (1.5, 1.0)]))
def test_sizes(rng, n, size, sigmas):
    """Sizes around those of tiles, and tiny ones."""
    check_turn(rng, n, FORMATS[n % 4], size, sigmas)


# ---- inputs without an edge, and without anything ----


@pytest.mark.parametrize("n,plane,abyss,extended", product(
    ["gegl:color", "gegl:checkerboard"], ABYSSES, [False, True]))
def test_infinite_plane(rng, n, plane, abyss, extended):
    """The source is the part of the plane that the blur can reach from the region."""
    graph, scene = Graph(), Scene(rng, PLAIN, (200, 160), place=(-100, 5000))
    settings = {"sigma_x": 2.0 if n % 2 else 7.0, "abyss": abyss, "extended": extended}
    source = graph.add(plane)
    blur = add_blur(graph, source, **settings)
    assert gegl.gegl_rectangle_is_infinite_plane(blur.box)
    source.render_to(scene.buffer)
    check_node(scene, blur, (60, 60, 70, 50), **settings)


def test_cropped_plane(rng):
    graph, scene = Graph(), Scene(rng, PLAIN, (90, 70), place=(-20, 30))
    crop = graph.add("gegl:crop", graph.add("gegl:checkerboard"), x=-20, y=30, width=90, height=70)
    crop.render_to(scene.buffer)
    check_node(scene, add_blur(graph, crop, sigma_x=4.0), sigma_x=4.0)


@pytest.mark.parametrize("make_source", [
    lambda graph: None, lambda graph: Buffer((5, 6, 0, 0), get_babl(RGBA)),
    lambda graph: graph.add("gegl:buffer-source")], ids=["no input", "empty buffer", "no buffer"])
def test_nothing(make_source):
    """Nothing comes in: nothing comes out, and nobody complains."""
    graph = Graph()
    blur = graph.add(BLUR, make_source(graph))
    for clipped in (True, False):
        blur.set(clip_extent=clipped)
        assert not blur.render((-5, -5, 20, 20))[..., 3].any()
        gegl.gegl_node_process(blur)


# ---- several nodes, of which some are ours; and GEGL's pyramid ----


@pytest.mark.parametrize("n", range(8))
def test_chain(rng, n):
    """The second blurs what the first has rounded."""
    options, turn = take_turn(n)
    scene, graph = Scene(rng, PLAIN, (120, 90), **options), Graph()
    first = {**turn, "sigma_x": 2.0, "sigma_y": 9.0}
    second = {**first, "sigma_x": 5.0, "abyss": ABYSSES[(n // 2 + 1) % 4]}
    one = add_blur(graph, scene.buffer, **first)
    result = add_blur(graph, one, **second).render(scene.get_rect())
    judge_blur(scene, expect(PLAIN, scene.values, **first), result, slack=2.0, **second)
    if n % 2:
        check_node(scene, one, **first)


def test_expression(rng):
    """A difference of two blurs of what another node makes of the picture, moved."""
    scene, graph = Scene(rng, PLAIN, (120, 90)), Graph()
    inverted = graph.add("gegl:invert-linear", scene.buffer)
    difference = graph.add("gegl:subtract", add_blur(graph, inverted, sigma_x=2.0))
    difference.link(add_blur(graph, inverted, sigma_x=12.0), "aux")
    result = graph.add("gegl:translate", difference, x=11, y=-200).render((11, -200, 120, 90))
    values = scene.values
    values[..., :3] = 1.0 - values[..., :3]
    expected = expect(PLAIN, values, sigma_x=2.0)
    expected[..., :3] -= expect(PLAIN, values, sigma_x=12.0)[..., :3]
    judge_blur(scene, values, result, expected=expected, slack=2.0)


@pytest.fixture
def levels():
    graph.configure("mipmap-rendering", True)
    yield
    graph.configure("mipmap-rendering", False)


@pytest.mark.parametrize("n,level,sigma,format", product([1, 2, 3], [24.0, 3.0], [RGBA, PLAIN]))
def test_levels(rng, levels, n, level, sigma, format):
    """At a level each pixel stands for 2^level across: the picture as GEGL scales it, blurred by as
    much less. That is what a draft is; how GEGL scales is not ours."""
    options, turn = take_turn(n)
    scene, scale = Scene(rng, format, (512, 384), **options), 2.0 ** -level
    rect = (0, 0, 512 >> level, 384 >> level)
    values = format.decode(scene.buffer.read(format, rect=rect, scale=scale, abyss=ABYSS_CLAMP))
    blur = add_blur(Graph(), scene.buffer, sigma_x=sigma, sigma_y=16.0, **turn)
    result = blur.render(rect, format, scale=scale)
    judge_blur(scene, values, result, slack=2.0, sigma_x=sigma * scale, sigma_y=16.0 * scale,
               **turn)


# ---- many calls ----

GROWTH = 16  # MiB: a buffer of 400x300 floats is 1.8, 500 of them lost would be 900


def get_memory():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 2 ** 20


@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""),
                    reason="AddressSanitizer keeps what was freed")
def test_memory(rng):
    """Other formats, sizes and parameters from call to call, each in a new graph."""
    scenes = [Scene(rng, format, (400 - 50 * i, 300)) for i, format in enumerate(FORMATS)]

    def call(n):
        scene = scenes[n % 4]
        add_blur(Graph(), scene.buffer, sigma_x=1.0 + n % 37, sigma_y=2.0).render(
            scene.get_rect(), scene.format, cached=True)

    for n in range(100):
        call(n)
    before = get_memory()
    for n in range(500):
        call(n)
    assert get_memory() - before < GROWTH


# ---- properties, as GEGL and GIMP see them ----


def test_names():
    """In the order in which GIMP shows them."""
    shown = [spec for spec in graph.list_properties(BLUR)
             if get_key(BLUR, "visible", spec.name) != "0"]
    assert [spec.name for spec in shown] == ["std-dev-x", "std-dev-y", "abyss-policy", "light",
                                             "clip-extent", "device", "kernel-size"]
    for spec in shown:
        assert spec.nick and spec.blurb and "_" not in spec.nick and spec.nick[-1] != ":"
    assert shown[-1].nick == "Kernel size (0: automatic)"


@pytest.mark.parametrize("axis", "xy")
def test_slider(axis):
    """Its range, and its curve, which GIMP drops if there is a unit beside the axis."""
    name = f"std-dev-{axis}"
    spec = cast(byref(Graph().add(BLUR).find(name)), POINTER(graph.DoubleSpec)).contents
    assert (spec.low, spec.high, spec.gamma) == (0.24, 300.0, 3.0)
    assert (get_key(BLUR, "axis", name), get_key(BLUR, "unit", name)) == (axis, None)


@pytest.mark.parametrize("name,nicks", [
    ("abyss-policy", ["none", "clamp", "black", "white"]), ("light", ["linear", "perceptual"]),
    ("device", ["auto", "gpu", "cpu"])])
def test_choices(name, nicks):
    """The numbers of gegl:gaussian-blur's, and the plug-in's names."""
    assert graph.list_choices(Graph().add(BLUR).find(name)) == nicks


@pytest.mark.parametrize("key,value", [
    ("title", "Gaussian Blur (CUDA)"), ("gimp:menu-path", "<Image>/Filters/Blur"),
    ("gimp:menu-label", "Gaussian Blur (_CUDA)..."), ("categories", "blur")])
def test_keys(key, value):
    assert get_key(BLUR, key) == value


def test_version():
    """GIMP 3 discards the effects of another version."""
    assert gegl.gegl_operation_get_op_version(BLUR.encode()) == b"0:0"


@pytest.mark.parametrize("n,kernel_size,sigmas", product([0, 9999], [(1e-3, 5000.0),
                                                                     (5000.0, 0.0)]))
def test_largest(rng, n, kernel_size, sigmas):
    """GObject refuses values beyond the limits."""
    check_turn(rng, n, RGBA, (40, 30), sigmas, kernel_size=kernel_size)


def test_floats(rng):
    """For graphs within others: linear floats, as gegl:gaussian-blur's."""
    scene = Scene(rng, PLAIN, (60, 50))
    buffer = make_buffer(Scene(rng, RGBA, (60, 50)).pixels, RGBA)
    buffer.copy_to(scene.buffer)
    blur = add_blur(Graph(), buffer)
    assert blur.output == buffer.babl
    blur.set(floats=True)
    assert blur.output == scene.babl
    check_node(scene, blur)


def test_steps():
    """GIMP steps from 0, which is automatic, to what that stands for."""
    blur = Graph().add(BLUR, std_dev_x=3.0, std_dev_y=1.0)
    spec = cast(byref(blur.find("kernel-size")), POINTER(graph.IntSpec)).contents
    assert (spec.small_step, spec.big_step) == (2, 10)
    for value, kept in [(2, 25), (27, 27), (26, 25), (28, 29), (1, 1), (2, 3), (0, 0), (1, 1),
                        (0, 0), (40, 41)]:
        check_step(blur, "kernel-size", value, kept)
