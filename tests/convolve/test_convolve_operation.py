"""The operation cuda:convolve in GEGL's graphs."""

import numpy as np
import pytest

import fx
from cases import number
from formats import SAMPLES, Format
from graph import Graph, make_buffer
from matrix_scene import MatrixScene, take_settings
from operation_case import OPAQUE, RGBA, SIZE, check_keys, check_names

CONVOLVE = "cuda:convolve"


def test_words():
    check_names(CONVOLVE, "values problem invalid divisor offset red green blue alpha channels "
                "alpha-weighting abyss light device floats")
    check_keys(CONVOLVE, ("values", "multiline", "true"),
               (None, "gimp:menu-path", "<Image>/Filters/Generic"),
               (None, "gimp:menu-label", "Convolution Matrix (_CUDA)..."))


def make_scene(rng, n=0, format=RGBA):
    return MatrixScene(rng, format, take_settings(n))


@pytest.mark.parametrize("n,sample", number([sample] for sample in SAMPLES))
def test_formats(rng, n, sample):
    for k in range(16):
        scene = make_scene(rng, 16 * n + k, Format(sample, 1 + k // 4, bool(k // 2 % 2)))
        scene.check_node(scene.add())


def test_parts(rng):
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
def test_box(rng, n):
    """The result is as large as the input, whatever the matrix."""
    scene = make_scene(rng, n)
    assert scene.add().box == scene.buffer.rect


@pytest.mark.parametrize("level", range(4))
def test_levels(rng, level):
    """An image of one colour stays of one colour, at any of GEGL's levels."""
    color = np.float32([0.2, 0.4, 0.6])
    scene = make_scene(rng, 2, OPAQUE)
    scene.buffer = make_buffer(np.full((256, 256, 3), color), OPAQUE)
    node, side = scene.add(), 256 >> level
    node.set(abyss="clamp", light="linear")
    pixels = node.render((0, 0, side, side), OPAQUE, scale=2.0 ** -level)
    assert np.abs(pixels - color - scene.settings["offset"]).max() < 1e-4


def test_changes(rng):
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
def test_texts(rng, text):
    """One matrix in every notation; the property returns the text that was set."""
    scene = make_scene(rng)
    node = scene.add()
    scene.settings["values"] = [[0.5, -1, 0], [2.25, 4, 1], [0, 0, -0.75]]
    node.set(values=text)
    assert node.get("values") == text
    scene.check_node(node)


def get_switches(node):
    return sum(node.get(name) << i for i, name in enumerate(["red", "green", "blue", "alpha"]))


def test_channels():
    """A sum is seen in the switches; the first of them that is changed takes its place."""
    node = Graph().add(CONVOLVE)
    assert get_switches(node) == 15
    for channels, switches in (6, 6), (0, 15), (6, 6):
        node.set(channels=channels)
        assert get_switches(node) == switches
    told = node.count_notices("channels")
    node.set(green=False)
    assert get_switches(node) == 4 and node.get("channels") == 0 and told


def test_switches(rng):
    """Those that are off stay as they are."""
    scene = make_scene(rng)
    node = scene.add()
    scene.settings["channels"] = 5
    node.set(green=False, alpha=False)
    scene.check_node(node)
    node.set(red=False, blue=False)
    scene.check_unchanged(node)


def test_problem(rng):
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


def test_initial(rng):
    """Without a property set it sharpens."""
    scene = make_scene(rng, format=OPAQUE)
    scene.settings = {**take_settings(0), "values": [[0, -1, 0], [-1, 5, -1], [0, -1, 0]]}
    scene.check_node(Graph().add(CONVOLVE, scene.buffer, device=fx.device))
