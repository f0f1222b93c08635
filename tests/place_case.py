"""What the contract tests of filters share whose result depends on the place in the picture."""

import numpy as np

import fx
import pictures
from formats import PQ, Format
from judge import judge
from pixels import premultiply, reduce, unpremultiply

# With the light of its cases.
FORMATS = [
    (Format("u8", 4), "linear"),
    (Format("u8", 3), "perceptual"),
    (Format("u16", 2), "linear"),
    (Format("u32", 1), "linear"),
    (Format("half", 4, False), "perceptual"),
    (Format("float", 4), "linear"),
    (Format("double", 3, False), "linear"),
    (Format("u16", 4, True, PQ), "linear"),
]


def check_view(rng, filter, expect, scale, grows, **settings):
    """A view shows the result, wherever it is and whatever the layer grows by. expect (values,
    region, geometry, abyss) has the values of a region. Too few samples to ask for equal ones: the
    result has 8 bits before it is reduced."""
    format, size = Format("u8", 4), (80, 50)
    pixels = pictures.make("edge", format, *size, int(rng.integers(1 << 32)))
    growth = fx.Settings(filter, grow=True, **settings).get_growth(*size)
    grow = tuple(min(side, 30) for side in growth) if grows else (0, 0)
    rect = (5 - int(scale * grow[0]), 3, 15, 16)
    padded = np.pad(format.decode(pixels), [(grow[1],) * 2, (grow[0],) * 2, (0, 0)])
    x, y = (max(0, int(rect[i] / scale) - 1 + grow[i]) for i in (0, 1))
    w, h = (min(int(16 / scale) + 3, padded.shape[1 - i] - (x, y)[i]) for i in (0, 1))
    expected = np.zeros(padded.shape)
    expected[y:y + h, x:x + w] = premultiply(format, "linear", expect(
        padded, (x, y, w, h), (*grow, *size), "none" if grows else "clamp"))
    view = unpremultiply(format, "linear", reduce(expected, scale, rect, grow))
    result = fx.Preview(pixels, format).render(filter, rect, scale=scale, grow=grow, **settings)
    judge(f"a view of {settings}", format, view, result, 1.0)
