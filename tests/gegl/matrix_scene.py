"""A convolution as GEGL sees it: a picture of noise in a buffer, and a node that convolves it."""

import numpy as np

import fx
from cases import ABYSSES, LIGHTS
from convolve.reference import Matrix, convolve
from graph import Graph, make_buffer
from judge import get_bounds, get_range, judge_sums
from scene import is_same

OPERATION, WIDTH, HEIGHT, PLACE = "cuda:convolve", 67, 53, (-9, 4)
CROOKED = [0.53, -0.27, 0.71, 0.13, -0.52, 1.07, 0.0, 0.24, 0.5, -1.03, 0.0, 0.73, 0.49, -0.97,
           -0.11]

# They differ in size, sum and signs.
MATRICES = [
    {"values": np.array([[1.1, 2, 1], [3, 5.3, 2], [1, 2, 4]])},
    {"values": np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]), "divisor": 4.0, "offset": 0.47},
    {"values": np.reshape(CROOKED, (3, 5)), "offset": 0.11, "alpha_weighting": "straight"},
    {"values": np.array([[0.3, 0.1, 0.4, 0.1, 0.5, 0.9, 0.2, 0.6, 0.5]]), "channels": 5},
    {"values": np.reshape(CROOKED, (5, 3)), "channels": 7},
]
DEFAULTS = {"divisor": 0.0, "offset": 0.0, "channels": 0, "alpha_weighting": "auto",
            "abyss": "clamp", "light": "linear"}


def take_settings(n):
    """Those of case n: abyss and light go by it, too."""
    return {**DEFAULTS, **MATRICES[n % 5], "abyss": ABYSSES[n // 2 % 4],
            "light": LIGHTS[n // 3 % 2]}


def print_matrix(values):
    """In lines, or in one if it is a row."""
    rows = [" ".join(map(repr, map(float, row))) for row in values]
    return "\n".join(rows) if len(rows) > 1 else f"1x{len(values[0])}: {rows[0]}"


def make_noise(rng, format, size=(WIDTH, HEIGHT)):
    """Colours anywhere in the range, alpha never nearly nothing."""
    values = rng.random((size[1], size[0], format.channels))
    if format.has_alpha:
        values[..., -1] = 0.3 + 0.7 * values[..., -1]
    return format.encode(values)


class MatrixScene:
    def __init__(self, rng, format, settings):
        self.format, self.settings = format, settings
        self.buffer = make_buffer(make_noise(rng, format), format, PLACE)

    def add(self, graph=None):
        """The operation behind a source in graph, a new one by default."""
        node = (graph or Graph()).add(OPERATION, self.buffer, device=fx.device)
        self.set(node)
        return node

    def set(self, node):
        node.set(**{**self.settings, "values": print_matrix(self.settings["values"])})

    def check_node(self, node, region=None):
        """Asks node for a part of the result, and holds that to the definition."""
        x, y, w, h = region or (0, 0, WIDTH, HEIGHT)
        result = node.render((x + PLACE[0], y + PLACE[1], w, h), self.format)
        settings = dict(self.settings)
        values, source = settings.pop("values"), self.format.decode(self.buffer.read(self.format))
        expected = convolve(self.format, source, (x, y, w, h), values, **settings)
        gain = Matrix(values, settings["divisor"]).gain
        bounds = get_bounds(self.format, expected.value, get_range(source) * gain)
        judge_sums(f"{self.format}, {self.settings}", self.format, expected, result, bounds, (x, y))

    def check_unchanged(self, node):
        result = node.render((*PLACE, WIDTH, HEIGHT), self.format)
        assert is_same(result, self.buffer.read(self.format)), "the pixels are not as they were"
