"""The variable blur's contract (cuda/variable/include/variable.h), by its description: that of the
focus blur by a map."""

import numpy as np
import pytest

import fx
import pictures
from focus import focus_lens_case
from focus.reference import focus, get_map_shares
from formats import Format
from judge import get_range, judge
from lens.lens_case import make_picture

SIZE = 53, 41
FORMATS = [Format("u8", 4), Format("u16", 1), Format("float", 4, False)]


def check(rng, format, map, place=(0, 0), radius=9.0, focal=0.0, invert=False, abyss="clamp",
          light="linear", **settings):
    pixels = pictures.make("random", format, *SIZE, int(rng.integers(1 << 32)))
    result = fx.run("variable-blur", pixels, format, map=(map, place), radius=radius, focal=focal,
                    invert=invert, abyss=abyss, light=light, **settings)
    values = format.decode(pixels)
    shares = get_map_shares(*SIZE, np.asarray(map, np.float32), place, focal, invert)
    expected = focus(format, values, shares, blur_radius=radius, abyss=abyss, light=light,
                     **settings)
    judge(f"{format}, {radius}, {focal}, {settings}", format, expected, result, get_range(values),
          light)


@pytest.mark.sanitized
@pytest.mark.parametrize("format", FORMATS)
def test_settings(rng, format):
    """Each reaches the engine."""
    map = rng.random(SIZE[::-1])
    check(rng, format, map)
    check(rng, format, map, radius=3.5, abyss="white", light="perceptual")
    check(rng, format, map, focal=0.3, keep_sharp=0.5, abyss="none")
    check(rng, format, map, invert=True)


LENS = {"blades": 0, "blade_rotation": 0.0, "roundness": 0.0, "squeeze": 0.0, "highlights": 0.0,
        "threshold": 0.8}
SHAPED = {"blades": 5, "blade_rotation": -35.0, "roundness": 0.3, "squeeze": 0.4}


def check_lens(rng, format, lens={}, place=(0, 0), radius=9.0, focal=0.0, invert=False, **settings):
    pixels = make_picture(format, SIZE, int(rng.integers(1 << 32)))
    map, lens = rng.random(SIZE[::-1]).astype(np.float32), {**LENS, **lens}
    map[20, 20], map[21, 21] = 0, 1
    result = fx.run("variable-blur", pixels, format, map=(map, place), blur_type="lens",
                    radius=radius, focal=focal, invert=invert, **lens, **settings)
    shares = get_map_shares(*SIZE, map, place, focal, invert)
    focus_lens_case.judge(f"{format}, {radius}, {focal}, {lens}, {settings}", format,
                          format.decode(pixels), shares * np.float32(min(radius, 200)), result,
                          settings.get("keep_sharp", 0.0), settings.get("abyss", "clamp"),
                          settings.get("light", "linear"), lens)


@pytest.mark.sanitized
@pytest.mark.parametrize("format", FORMATS)
def test_lens(rng, format):
    """Each of its settings reaches the engine."""
    check_lens(rng, format, place=(-5, 7), invert=True)
    check_lens(rng, format, SHAPED, focal=0.3, keep_sharp=0.5, abyss="none")
    check_lens(rng, format, {"highlights": 3.0, "threshold": 0.6}, radius=3.5, abyss="white",
               light="perceptual")


def test_largest_lens(rng):
    """A strength that is for a Gaussian alone is the largest radius."""
    check_lens(rng, FORMATS[2], radius=1500.0)


@pytest.mark.parametrize("place,size", [((-20, 7), (30, 20)), ((5, -9), (100, 90)),
                                        ((300, 10), (3, 2))])
def test_places(rng, place, size):
    """Beyond the map is its nearest value."""
    check(rng, FORMATS[2], rng.random(size[::-1]), place)


def test_wild(rng):
    """What lies beyond the range is cut off, and what is no number is black."""
    map = rng.normal(0.5, 1, SIZE[::-1])
    map[::3, ::5], map[1::3, ::7] = np.nan, np.inf
    check(rng, FORMATS[2], map, focal=0.25)


@pytest.mark.parametrize("settings", [{}, {"focal": 1}, {"invert": True}, {"focal": 0.5}])
def test_none(rng, settings):
    """Without a map, the strength is the largest everywhere: that is what a picture may cost."""
    format = FORMATS[2]
    pixels = pictures.make("random", format, *SIZE, int(rng.integers(1 << 32)))
    result = fx.run("variable-blur", pixels, format, radius=4.0, **settings)
    values = format.decode(pixels)
    expected = focus(format, values, np.ones(SIZE[::-1]), blur_radius=4.0)
    judge("no map", format, expected, result, get_range(values))


@pytest.mark.parametrize("map,settings", [(0, {}), (1, {"invert": True}), (0.25, {"focal": 0.25}),
                                          (1, {"radius": 0})])
def test_sharp(rng, map, settings):
    """Nothing changes, byte for byte."""
    for format in FORMATS:
        pixels = pictures.make("holes", format, *SIZE, int(rng.integers(1 << 32)))
        result = fx.run("variable-blur", pixels, format, map=([[map]], (0, 0)),
                        **{"radius": 50, **settings})
        assert result.tobytes() == pixels.tobytes()


@pytest.mark.parametrize("name,value,range", [
    ("radius", 1500.1, "0 to 1500"), ("focal", -0.1, "0 to 1"), ("keep-sharp", 2.1, "0 to 2"),
    ("blade-rotation", 181, "-180 to 180"), ("highlights", 6.1, "0 to 6")])
def test_ranges(name, value, range):
    with pytest.raises(fx.Error, match=f"{name} is {value}, but must be {range}"):
        fx.Settings("variable-blur", **{name: value})
