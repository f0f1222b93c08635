"""The focus blur's contract (cuda/focus/include/focus.h): shapes, strengths, formats, abysses and
places against the definition in double precision."""

import itertools

import numpy as np
import pytest

import fx
import pictures
from blur.reference import blur as expect_blur
from focus.reference import SHAPES, SIGMA_MIN, focus, get_shares
from formats import PQ, SAMPLES, Format
from judge import get_range, judge
from pairs import make_pairs
from pixels import premultiply, reduce, unpremultiply

ABYSSES = ["clamp", "none", "black", "white"]

FORMATS = [
    (Format("u8", 4), "linear"),
    (Format("u8", 3), "perceptual"),
    (Format("u16", 2), "linear"),
    (Format("u32", 1), "linear"),
    (Format("half", 4, False), "perceptual"),
    (Format("float", 4), "linear"),
    (Format("double", 3, False), "linear"),
    (Format("u16", 4, True, PQ), "linear"),
    (Format("u8", 1), "linear"),
    (Format("float", 2), "perceptual"),
]
FLOAT = Format("float", 4, False)

# From pixels that stay to several levels.
SETTINGS = [
    {"blur_radius": 2},
    {"blur_radius": 7.3, "shape": "square", "x": 0.3, "rotation": 30},
    {"blur_radius": 30, "shape": "diamond", "aspect_ratio": 0.4, "midpoint": 0.3, "focus": 0},
    {"blur_radius": 12, "shape": "horizontal", "rotation": -100, "focus": 0.5, "radius": 0.4},
    {"blur_radius": 60, "shape": "vertical", "y": -0.2, "x": 1.4, "midpoint": 0.8},
]
SHAPE = ("shape", "x", "y", "radius", "focus", "midpoint", "aspect_ratio", "rotation")


def split(settings):
    """The settings of the shape, and the others."""
    return ({name: value for name, value in settings.items() if name in SHAPE},
            {name: value for name, value in settings.items() if name not in SHAPE})


def check(rng, format, picture, size, region=None, light="linear", geometry=None, **settings):
    """Blurs a picture, and holds the result to the contract. geometry counts from the picture's
    first pixel."""
    if picture not in pictures.get_names(format):
        picture = "random"
    seed = int(rng.integers(1 << 32))
    setting = f"picture \"{picture}\" of {size} with seed {seed}, {format}, {region}, {settings}"
    pixels = pictures.make(picture, format, *size, seed)
    options = {"geometry": geometry} if geometry else {}
    result = fx.run("focus-blur", pixels, format, region=region, light=light, **options, **settings)
    values = format.decode(pixels)
    shape, others = split(settings)
    shares = get_shares(*size, geometry, **shape)
    expected = focus(format, values, shares, region, light=light, **others)
    judge(setting, format, expected, result, get_range(values), light)


# ---- formats, abysses, shapes ----


@pytest.mark.sanitized
@pytest.mark.parametrize("format,abyss,settings", make_pairs(FORMATS, ABYSSES, SETTINGS))
def test_formats(rng, format, abyss, settings):
    for picture, size in ("random", (67, 49)), ("holes", (33, 70)):
        check(rng, format[0], picture, size, light=format[1], abyss=abyss, **settings)
