"""The focus blur by a map (cuda/focus/include/focus.h) against the definition in double
precision."""

import itertools

import numpy as np
import pytest

import fx
import pictures
from blur.reference import blur as expect_blur
from cases import ABYSSES
from focus.focus_plan import MapPlan, Values
from focus.reference import SIGMA_MIN, focus, get_map_shares
from formats import SAMPLES, Format
from judge import get_range, judge

FORMATS = [Format("u8", 4), Format("u8", 3), Format("u16", 4), Format("float", 4, False),
           Format("half", 1, False)]
SIZE = 53, 41


def make_map(name, rng, width=SIZE[0], height=SIZE[1]):
    values = np.zeros((height, width), np.float32)
    if name == "step":
        values[:, width // 2:] = 1
    elif name == "pixel":
        values[height // 2, width // 3] = 1
    elif name == "noise":
        values[...] = rng.random((height, width))
    elif name == "wild":
        values[...] = rng.normal(0.5, 1, (height, width))
        values[::3, ::5], values[1::3, ::7], values[2::5, 3::7] = np.nan, np.inf, -np.inf
    elif name == "ramp":
        values[...] = np.linspace(0, 1, width)
    return values


def check(rng, format, values, strength, region=None, origin=(0, 0), **settings):
    pixels = pictures.make("random", format, *SIZE, int(rng.integers(1 << 32)))
    plan = MapPlan(format, values, strength, **settings)
    result = fx.run_plan(plan, pixels, format, region=region, origin=origin)
    how = {name: settings.pop(name) for name in ("place", "focal", "invert") if name in settings}
    x, y = how.pop("place", (0, 0))
    shares = get_map_shares(*SIZE, values, (x - origin[0], y - origin[1]), **how)
    values = format.decode(pixels)
    expected = focus(format, values, shares, region, blur_radius=strength, **settings)
    judge(f"strength {strength} in {format}, {how}, {settings}", format, expected, result,
          get_range(values))


@pytest.mark.sanitized
@pytest.mark.parametrize("name,format", itertools.product(
    ["step", "pixel", "noise", "wild", "ramp"], FORMATS))
def test_maps(rng, name, format):
    for strength, abyss in (3, "clamp"), (14, "none"):
        check(rng, format, make_map(name, rng), strength, abyss=abyss)


@pytest.mark.parametrize("focal,invert", itertools.product([0, 0.3, 0.5, 1], [False, True]))
def test_focal(rng, focal, invert):
    check(rng, FORMATS[3], make_map("wild", rng), 9, focal=focal, invert=invert)


@pytest.mark.parametrize("place,size", itertools.product(
    [(0, 0), (-20, 7), (30, -300), (500, 500)], [(1, 1), (20, 300), (53, 1)]))
def test_places(rng, place, size):
    """Beyond the map is its nearest value, whatever its size and place."""
    check(rng, FORMATS[3], make_map("noise", rng, *size), 8, place=place)
    check(rng, FORMATS[3], make_map("noise", rng, *size), 8, place=place, origin=(-13, 11))


@pytest.mark.parametrize("value,strength,format,abyss", [
    (value, strength, format, ABYSSES[n % 4]) for n, (value, strength, format) in enumerate(
        itertools.product([1, 0.25], [1, 5, 17.3], FORMATS[:4]))])
def test_constant(rng, value, strength, format, abyss):
    """This is the Gaussian blur: by the definition, and by its engine within both bounds."""
    pixels = pictures.make("random", format, *SIZE, int(rng.integers(1 << 32)))
    sigma = value * strength
    result = fx.run_plan(MapPlan(format, np.full((1, 1), value), strength, abyss=abyss), pixels,
                         format)
    values, sides = format.decode(pixels), {"sigma_x": sigma, "sigma_y": sigma, "abyss": abyss}
    judge(f"{sigma}", format, expect_blur(format, values, **sides), result, get_range(values))
    blurred = format.decode(fx.run("gaussian-blur", pixels, format, **sides))
    level = {"u8": 2 / 255, "u16": 4 / 65535, "float": 2e-5}[format.sample]
    clear = values[..., -1].min() > 0.1 or not format.has_alpha
    assert not clear or np.abs(format.decode(result) - blurred).max() <= level * get_range(values)


@pytest.mark.parametrize("value,settings", [(0, {}), (np.nan, {}), (-3, {}), (1, {"invert": True}),
                                            (0.25, {"focal": 0.25})])
def test_black(rng, value, settings):
    """A map that is sharp everywhere changes nothing, byte for byte."""
    for n, sample in enumerate(SAMPLES):
        format = Format(sample, 1 + n % 4)
        pixels = pictures.make("holes", format, 41, 23, int(rng.integers(1 << 32)))
        plan = MapPlan(format, np.full((23, 41), value), 1500, **settings)
        assert fx.run_plan(plan, pixels, format).tobytes() == pixels.tobytes()


@pytest.mark.parametrize("strips", [False, True])
def test_regions(rng, monkeypatch, strips):
    """Each is a part of the whole: on the CPU to the bit."""
    format, values = Format("float", 4), make_map("noise", rng, 150, 90)
    pixels = pictures.make("random", format, 150, 90, int(rng.integers(1 << 32)))
    plan = MapPlan(format, values, 25, keep_sharp=0.3)
    whole = fx.run_plan(plan, pixels, format)
    limit = {"cpu": "64K", "gpu": "2500K"}[fx.device]
    monkeypatch.setenv("CUDA_BLUR_MEMORY_LIMIT", limit if strips else "")
    for x, y, w, h in ((0, 0, 1, 1), (149, 1, 1, 88), (20, 10, 130, 21), (0, 0, 150, 90)):
        result = fx.run_plan(plan, pixels, format, region=(x, y, w, h))
        part = whole[y:y + h, x:x + w]
        assert (result.tobytes() == part.tobytes() if fx.device == "cpu" else
                np.abs(result - part).max() < 2e-5)


@pytest.mark.parametrize("settings", [{}, {"keep_sharp": 0.5}, {"lens": {}}])
def test_views(rng, settings):
    """A preview shows the result, by a map that may be on the GPU already, in part or not."""
    format = Format("u8", 3)
    pixels = pictures.make("random", format, *SIZE, int(rng.integers(1 << 32)))
    preview = fx.Preview(pixels, format)
    noise, ramp, large = (Values(make_map(name, rng, *size)) for name, size in [
        ("noise", SIZE), ("ramp", (20, 300)), ("noise", (200, 100))])
    for values, how in [(noise, {}), (noise, {"focal": 0.4, "invert": True}), (ramp, {}),
                        (large, {"place": (-60, -20)}), (ramp, {"place": (7, -3)}), (noise, {})]:
        plan = MapPlan(format, values, 6, **how, **settings)
        result = fx.run_plan(plan, pixels, format).astype(int)
        for x, y, width, height in ((0, 0, *SIZE), (30, 20, 15, 9)):
            view = preview.render_plan(plan, (x, y, width, height))[..., :3]
            assert np.abs(view - result[y:y + height, x:x + width]).max() <= 1
        views = [preview.render_plan(plan, (0, 0, 16, 13), 0.3, device=device).astype(int)
                 for device in (None, "cpu")]
        assert np.abs(views[0] - views[1]).max() <= 2


@pytest.mark.parametrize("lens", [None, {}])
def test_growing_views(rng, lens):
    """The map stays where it was. What is sharp has nothing in the margin."""
    format, (width, height) = Format("u8", 2), SIZE
    pixels = pictures.make("random", format, *SIZE, int(rng.integers(1 << 32)))
    pixels[..., -1] = 255
    plan = MapPlan(format, make_map("ramp", rng), 4, abyss="none", lens=lens)
    larger = np.pad(pixels, [(9, 9), (12, 12), (0, 0)])
    result = fx.run_plan(plan, larger, format, origin=(-12, -9)).astype(int)
    view = fx.Preview(pixels, format).render_plan(
        plan, (-12, -9, width + 24, height + 18), grow=(12, 9))[..., [0, 3]]
    assert np.abs(view - result)[result[..., 1] > 64].max() <= 1
    assert np.abs(view - result)[..., 1].max() <= 1


def test_draft(rng):
    """A draft's pixel has the map's value at its middle."""
    format, values = Format("float", 1, False), make_map("noise", rng, 212, 164)
    plan = MapPlan(format, values, 40, place=(0, 0))
    pixels = rng.random((41, 53, 1)).astype(np.float32)
    result = fx.run_plan(plan.get_draft(2), pixels, format)
    shares = get_map_shares(53, 41, values[2::4, 2::4])
    judge("a draft", format, focus(format, pixels, shares, blur_radius=10), result, 1.0)


@pytest.mark.parametrize("settings", [{"width": 52}, {"width": -1}, {"focal": 1.1},
                                      {"focal": np.nan}, {"place": (1 << 30, 0)}])
def test_refused(rng, settings):
    with pytest.raises(fx.Error) as error:
        MapPlan(FORMATS[0], make_map("noise", rng), 5, **settings)
    assert error.value.code == "argument"


def test_least_strength(rng):
    """Below the least sigma a pixel stays, next to one that does not."""
    format = Format("float", 2, False)
    pixels = rng.random((9, 30, 2)).astype(np.float32)
    values = np.tile(np.linspace(0.1, 0.3, 30, dtype=np.float32), (9, 1))
    result = fx.run_plan(MapPlan(format, values, 1), pixels, format)
    stays = (result == pixels).all(axis=2)
    assert (stays == (values < SIGMA_MIN)).all()
