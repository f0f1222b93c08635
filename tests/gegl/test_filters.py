"""The operations other than cuda:gaussian-blur in GEGL's graphs, and what infinities do. What
cuda:lens-blur, cuda:motion-blur and cuda:selective-blur make of a picture is the engine's own
result."""

import numpy as np
import pytest

import fx
import graph
from cases import ABYSSES, number
from formats import SAMPLES, Format
from graph import Buffer, Graph, get_key, make_buffer
from lens.reference import Aperture
from matrix_scene import MatrixScene, make_noise, take_settings
from scene import NAMES, check_step, is_same

graph.start()
CONVOLVE, LENS, MOTION = "cuda:convolve", "cuda:lens-blur", "cuda:motion-blur"
SELECTIVE = "cuda:selective-blur"
RGBA, PLAIN, OPAQUE = Format("u8", 4), Format("float", 4, False), Format("float", 3, False)
SIZE = (67, 53)


# ---- names, in the order in which GIMP shows them, and keys ----


@pytest.mark.parametrize("operation,names", [
    (CONVOLVE, "values problem invalid divisor offset red green blue alpha channels "
     "alpha-weighting abyss light device floats"),
    (LENS, "radius blades rotation roundness ring squeeze highlights threshold abyss-policy light "
     "clip-extent device floats"),
    (MOTION, "kind length direction angle factor center-x center-y fade abyss-policy light "
     "clip-extent device floats"),
    (SELECTIVE, "sigma delta edges abyss-policy light device floats")])
def test_names(operation, names):
    specs = graph.list_properties(operation)
    assert [spec.name for spec in specs] == names.split()
    assert not any("_" in spec.nick or spec.nick.endswith(":") for spec in specs)


@pytest.mark.parametrize("operation,name,key,value", [
    (CONVOLVE, "values", "multiline", "true"),
    (CONVOLVE, None, "gimp:menu-path", "<Image>/Filters/Generic"),
    (CONVOLVE, None, "gimp:menu-label", "Convolution Matrix (_CUDA)..."),
    (LENS, None, "title", "Lens Blur (CUDA)"),
    (LENS, None, "gimp:menu-path", "<Image>/Filters/Blur"),
    (LENS, None, "gimp:menu-label", "Lens Blur (_CUDA)..."),
    (LENS, None, "categories", "blur"),
    (MOTION, "center-x", "unit", "relative-coordinate"),
    (MOTION, "center-y", "axis", "y"),
    (MOTION, "center-x", "sensitive", "kind {spin,zoom}"),
    (MOTION, "light", "sensitive", None),
    (MOTION, None, "gimp:menu-label", "Motion Blur (_CUDA)..."),
    (SELECTIVE, None, "gimp:menu-label", "Selective Gaussian Blur (_CUDA)...")])
def test_keys(operation, name, key, value):
    assert get_key(operation, key, name) == value


# ---- convolution ----


def make_scene(rng, n=0, format=RGBA):
    return MatrixScene(rng, format, take_settings(n))


@pytest.mark.parametrize("n,sample", number([sample] for sample in SAMPLES))
def test_convolve_formats(rng, n, sample):
    for k in range(16):
        scene = make_scene(rng, 16 * n + k, Format(sample, 1 + k // 4, bool(k // 2 % 2)))
        scene.check_node(scene.add())


def test_convolve_parts(rng):
    """Of one graph's result, and of graphs that have done nothing else."""
    scene = make_scene(rng, 2)
    node = scene.add()
    for _ in range(40):
        x, y = rng.integers(SIZE[0]), rng.integers(SIZE[1])
        size = rng.integers(1, SIZE[0] + 1 - x), rng.integers(1, SIZE[1] + 1 - y)
        part = tuple(map(int, (x, y, *size)))
        scene.check_node(node, part)
        scene.check_node(scene.add(), part)


@pytest.mark.parametrize("n", range(5))
def test_convolve_box(rng, n):
    """The result is as large as the input, whatever the matrix."""
    scene = make_scene(rng, n)
    assert scene.add().box == scene.buffer.rect


@pytest.mark.parametrize("level", range(4))
def test_convolve_levels(rng, level):
    """An image of one colour stays of one colour, at any of GEGL's levels."""
    color = np.float32([0.2, 0.4, 0.6])
    scene = make_scene(rng, 2, OPAQUE)
    scene.buffer = make_buffer(np.full((256, 256, 3), color), OPAQUE)
    node, side = scene.add(), 256 >> level
    node.set(abyss="clamp", light="linear")
    pixels = node.render((0, 0, side, side), OPAQUE, scale=2.0 ** -level)
    assert np.abs(pixels - color - scene.settings["offset"]).max() < 1e-4


def test_convolve_changes(rng):
    """Each change of the matrix takes effect at once, and so does a stroke in between: a resident
    source knows which rows are stale."""
    scene, other = make_scene(rng), make_scene(rng)
    node = scene.add()
    for n in range(30):
        scene.settings = take_settings(2 * n)
        scene.set(node)
        if n % 3 == 2:
            other.buffer.copy_to(scene.buffer, (n, n, 9, 5), (n, n, 9, 5))
        scene.check_node(node)


@pytest.mark.parametrize("text", [
    "0.5 -1 0 2.25 4 1 0 0 -0.75", "3x3: 0.5 -1 0 2.25 4 1 0 0 -0.75",
    "0.5 -1 0\n2.25 4 1\n0 0 -0.75\n", "0,5;-1;0\r\n2,25;4;1\r\n0;0;-0,75",
    "0.5,-1,0\n2.25,4,1\n0,0,-0.75"])
def test_convolve_texts(rng, text):
    """One matrix in every notation; the property returns the text that was set."""
    scene = make_scene(rng)
    node = scene.add()
    scene.settings["values"] = [[0.5, -1, 0], [2.25, 4, 1], [0, 0, -0.75]]
    node.set(values=text)
    assert node.get("values") == text
    scene.check_node(node)


def get_switches(node):
    return sum(node.get(name) << i for i, name in enumerate(["red", "green", "blue", "alpha"]))


def test_convolve_channels():
    """A sum is seen in the switches; the first of them that is changed takes its place."""
    node = Graph().add(CONVOLVE)
    assert get_switches(node) == 15
    for channels, switches in (6, 6), (0, 15), (6, 6):
        node.set(channels=channels)
        assert get_switches(node) == switches
    told = node.count_notices("channels")
    node.set(green=False)
    assert get_switches(node) == 4 and node.get("channels") == 0 and told


def test_convolve_switches(rng):
    """Those that are off stay as they are."""
    scene = make_scene(rng)
    node = scene.add()
    scene.settings["channels"] = 5
    node.set(green=False, alpha=False)
    scene.check_node(node)
    node.set(red=False, blue=False)
    scene.check_unchanged(node)


def test_convolve_problem(rng):
    """GIMP's dialog is told at once what is wrong, and when that is over. Until then the pixels
    stay."""
    scene = make_scene(rng)
    node = scene.add()
    told = node.count_notices("problem")
    for n, values, divisor, problem in number([
            ("1 2 3 x", 0.0, "is 'x', but must be"), ("1 2", 0.0, "columns is 2"),
            ("3e38 0 0", 0.5, "divisor is 0.5"), ("1 2 3", 0.0, "")]):
        node.set(values=values, divisor=divisor)
        assert problem in node.get("problem")
        assert node.get("invalid") == bool(problem)
        assert len(told) > n
        if problem:
            scene.check_unchanged(node)


def test_convolve_initial(rng):
    """Without a property set it sharpens."""
    scene = make_scene(rng, format=OPAQUE)
    scene.settings = {**take_settings(0), "values": [[0, -1, 0], [-1, 5, -1], [0, -1, 0]]}
    scene.check_node(Graph().add(CONVOLVE, scene.buffer, device=fx.device))


# ---- lens and motion ----


def add_node(graph, operation, source, settings):
    """settings: the filter's."""
    node = graph.add(operation, source, device=fx.device)
    node.set(**{NAMES.get(name, name): value for name, value in settings.items()})
    return node


def run_engine(operation, pixels, format, settings):
    return fx.run(operation.split(":")[1], pixels, format, **settings)


def test_lens_steps():
    """GIMP steps through the numbers of blades, and shows what becomes of each."""
    node = Graph().add(LENS)
    for value, kept in [(5, 5), (3, 3), (2, 0), (1, 3), (0, 0), (2, 3), (1, 0), (12, 12)]:
        check_step(node, "blades", value, kept)


SHAPES = [
    {"radius": 6.0, "blades": 6},
    {"radius": 3.5, "blades": 0, "ring": 0.75, "abyss": "none"},
    {"radius": 8.0, "blades": 5, "rotation": 20.0, "roundness": 0.25, "abyss": "white",
     "light": "perceptual"},
    {"radius": 9.0, "blades": 9, "squeeze": 0.5, "ring": -0.5, "abyss": "black"},
    {"radius": 5.0, "blades": 7, "highlights": 2.0, "threshold": 0.5},
]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("format", [RGBA, Format("u8", 1), Format("u16", 3),
                                    Format("half", 4), OPAQUE, PLAIN])
def test_lens_formats(rng, format, shape):
    pixels = make_noise(rng, format)
    node = add_node(Graph(), LENS, make_buffer(pixels, format, (-9, 4)), shape)
    got = node.render((-9, 4, *SIZE), format)
    assert is_same(got, run_engine(LENS, pixels, format, shape))
    assert not is_same(got, pixels)


@pytest.mark.parametrize("shape", SHAPES)
def test_lens_growth(shape):
    """Without a limit to its extent, the result grows as far as the aperture reaches."""
    node = add_node(Graph(), LENS, Buffer((3, 5, *SIZE), graph.get_babl(PLAIN)), shape)
    assert node.box == (3, 5, *SIZE)
    node.set(clip_extent=False)
    x, y = Aperture(shape["radius"], squeeze=shape.get("squeeze", 0.0)).get_reach()
    assert x > 0 and node.box == (3 - x, 5 - y, SIZE[0] + 2 * x, SIZE[1] + 2 * y)


@pytest.mark.parametrize("abyss", ABYSSES)
def test_lens_soft_edge(abyss):
    """Whatever the abyss, half of a disc in the middle of an edge lies beyond the edge."""
    grey = make_buffer(np.full((53, 67, 3), np.float32(0.5)), OPAQUE)
    node = add_node(Graph(), LENS, grey, {"radius": 6.0, "blades": 0, "abyss": abyss})
    node.set(clip_extent=False)
    edge = node.render((-1, 26, 2, 1))[0]
    assert edge[:, 3].sum() == pytest.approx(1.0, abs=1e-4)
    assert edge[:, :3] == pytest.approx(0.5, abs=1e-4)


MOTIONS = [
    {"kind": "line", "length": 12.0, "direction": 30.0, "fade": 0.5},
    {"kind": "spin", "angle": 40.0, "center_x": 0.25, "center_y": 1.5},
    {"kind": "zoom", "factor": 0.5, "center_x": 0.75, "center_y": 0.5, "fade": -0.5},
]


@pytest.fixture
def noise(rng):
    return make_buffer(make_noise(rng, PLAIN), PLAIN, (-9, 4))


def check_motion(node, buffer, rect, motion):
    """Holds the result in rect to the engine's for that part of the buffer, as a picture by
    itself."""
    expected = run_engine(MOTION, buffer.read(PLAIN, rect=rect), PLAIN, motion)
    assert np.abs(node.render(rect) - expected).max() <= 2e-5


@pytest.mark.parametrize("motion", MOTIONS)
def test_motion_places(noise, motion):
    """The centre is that of the input, wherever it lies, also after the input's bounds have changed
    as a selection's do."""
    nodes = Graph()
    crop = nodes.add("gegl:crop", noise)
    node = add_node(nodes, MOTION, crop, motion)
    for x, y, width, height in noise.rect, (3, 10, 31, 40), (-5, 4, 60, 17):
        crop.set(x=x, y=y, width=width, height=height)
        check_motion(node, noise, (x, y, width, height), motion)


@pytest.mark.parametrize("motion", MOTIONS)
def test_motion_changes(noise, motion):
    """A change anywhere may change all of a spin's or a zoom's result."""
    node = add_node(Graph(), MOTION, noise, motion)
    check_motion(node, noise, noise.rect, motion)
    noise.write(np.full((4, 4, 4), np.float32([1, 0, 0, 1])), rect=(41, 24, 4, 4))
    check_motion(node, noise, noise.rect, motion)


@pytest.mark.parametrize("motion,original", zip(MOTIONS, [
    ("linear", {"length": 12.0, "angle": 30.0}),
    ("circular", {"angle": 40.0, "center_x": 0.25, "center_y": 1.5}),
    ("zoom", {"factor": 0.5, "center_x": 0.75, "center_y": 0.5})]))
def test_motion_growth(motion, original):
    """Without a limit to its extent, the result grows as GEGL's own, whose centre is half a pixel
    from ours."""
    buffer, nodes = Buffer((0, 0, *SIZE), graph.get_babl(PLAIN)), Graph()
    node = add_node(nodes, MOTION, buffer, motion)
    assert node.box == buffer.rect
    node.set(clip_extent=False)
    box = node.box
    theirs = nodes.add(f"gegl:motion-blur-{original[0]}", buffer, **original[1]).box
    assert abs(box.x - theirs.x) <= 1 and abs(box.y - theirs.y) <= 1
    assert box.width > SIZE[0] or box.height > SIZE[1]


# ---- selective ----


@pytest.mark.parametrize("settings", [
    {"sigma": 1.5, "delta": 0.3, "edges": "hard", "abyss": "clamp", "light": "perceptual"},
    {"sigma": 2.0, "delta": 0.1, "edges": "soft", "abyss": "none", "light": "linear"}])
def test_selective(noise, settings):
    """Also of a part."""
    node = add_node(Graph(), SELECTIVE, noise, settings)
    expected = run_engine(SELECTIVE, noise.read(PLAIN), PLAIN, settings)
    assert np.abs(node.render(noise.rect) - expected).max() <= 2e-5
    x, y, width, height = 12, 6, 31, 40
    part = node.render((x + noise.rect[0], y + noise.rect[1], width, height))
    assert np.abs(part - expected[y:y + height, x:x + width]).max() <= 2e-5


# ---- infinities, NaN, denormals and values far out of the range ----

WIDTH, HEIGHT, REACH, NEAR = 90, 70, 18, 1e-4
USED = {"cuda:gaussian-blur": {"std_dev_x": 2.0, "std_dev_y": 2.0},
        CONVOLVE: {"values": "1 2 1\n2 4 2\n1 2 1"}}


def filter_poked(operation, channel, value):
    """A sample of the middle is value. Colours are out of 0 to 1, too; all is opaque."""
    values = np.arange(WIDTH * HEIGHT * 4) * 7919 % 1009 / 500 - 0.5
    pixels = values.reshape(HEIGHT, WIDTH, 4).astype(np.float32)
    pixels[..., 3] = 1.0
    pixels[HEIGHT // 2, WIDTH // 2, [0, channel]] = 0.0, value
    node = Graph().add(operation, make_buffer(pixels, PLAIN), device=fx.device, **USED[operation])
    return node.render((0, 0, WIDTH, HEIGHT))


@pytest.mark.parametrize("operation", USED)
@pytest.mark.parametrize("channel,value", [
    (0, np.inf), (1, -np.inf), (2, np.nan), (3, np.nan), (3, np.inf), (0, 3e38), (1, -3e38),
    (3, 3e38), (3, -1.0), (3, 1e-42), (0, 1e-42)])
def test_nonfinite(operation, channel, value):
    """Pixels out of its reach stay the same, and nothing is NaN. A denormal colour is harmless
    everywhere."""
    got, clean = filter_poked(operation, channel, value), filter_poked(operation, 0, 0.0)
    y, x = np.ogrid[:HEIGHT, :WIDTH]
    far = (abs(x - WIDTH // 2) > REACH) | (abs(y - HEIGHT // 2) > REACH) | (
        (channel, value) == (0, 1e-42))
    assert not np.isnan(got).any()
    assert np.abs(got - clean)[far].max() <= NEAR
