"""The focus blur with a lens (cuda/focus/include/focus.h), against the definition in double
precision, by maps. Weights are the lens blur's, which tests/lens holds to theirs."""

import itertools

import numpy as np
import pytest

import fx
import place_case
from cases import ABYSSES, pick
from focus.focus_lens_case import RADIUS_MIN, judge
from focus.focus_plan import MapPlan
from formats import PQ, SAMPLES, Format
from lens.lens_case import get_weights, make_picture
from pairs import make_pairs

SIZE = 47, 33
FLOAT = Format("float", 4, False)
FORMATS = [*place_case.FORMATS[:-1], (Format("u8", 4, True, PQ), "linear"),
           (Format("u8", 1), "linear"), (Format("float", 2), "perceptual")]
SHAPES = [{}, {"blades": 6, "blade_rotation": 10.0, "squeeze": 0.4},
          {"blades": 5, "blade_rotation": -35.0, "roundness": 0.3}, {"squeeze": -0.7},
          {"blades": 3, "roundness": 0.9}, {"blades": 4}]


def make_map(name, rng, size=SIZE):
    """Strengths as shares of the largest."""
    width, height = size
    if name == "ramp":
        return np.tile(np.linspace(0, 1, width, dtype=np.float32), (height, 1))
    if name == "noise":
        return rng.random((height, width)).astype(np.float32)
    return np.full((height, width), 1, np.float32)


def check(rng, format, map, strength, light="linear", size=SIZE, hdr=False, faint=False, lens={},
          **others):
    seed = int(rng.integers(1 << 32))
    pixels = make_picture(format, size, seed, hdr, faint)
    values = make_map(map, rng, size) if isinstance(map, str) else map
    plan = MapPlan(format, values, strength, light=light, lens=lens, **others)
    result = fx.run_plan(plan, pixels, format)
    radii = values * np.float32(strength)
    judge(f"seed {seed}, {format}, strength {strength}, {map}, {lens}, {others}", format,
          format.decode(pixels), radii, result, light=light, lens=lens,
          keep=others.get("keep_sharp", 0.0), abyss=others.get("abyss", "clamp"))


@pytest.mark.sanitized
@pytest.mark.parametrize("format,abyss,shape,map", make_pairs(
    FORMATS, ABYSSES, SHAPES, ["ramp", "noise", "even"]))
def test_formats(rng, format, abyss, shape, map):
    for strength in 2.7, 11.0:
        check(rng, format[0], map, strength, format[1], abyss=abyss, lens=shape)


@pytest.mark.parametrize("radius,shape", itertools.product(
    [0.3, 0.5, 0.51, 0.6, 1, 1.5, 2, 2.5, 4, 7.3, 15.5, 25, 40], SHAPES))
def test_radii(rng, radius, shape):
    check(rng, FLOAT, "even", radius, lens=shape)
    check(rng, Format("u8", 4), "even", radius, lens=shape)


@pytest.mark.parametrize("radius", [100.5, 200])
def test_large(rng, radius):
    for format, shape in (Format("u8", 3), {}), (FLOAT, {"blades": 7, "roundness": 0.5}):
        size = (40, 21)
        check(rng, format, np.linspace(0.9, 1, 840, dtype=np.float32).reshape(21, 40), radius,
              size=size, lens=shape)


@pytest.mark.parametrize("blades,roundness", itertools.product(
    range(3, 13), [0.0, 1e-8, 1e-6, 1e-4, 0.02, 0.5, 0.99, 1.0]))
def test_blades(rng, blades, roundness):
    lens = {"blades": blades, "roundness": roundness,
            "blade_rotation": pick(rng, [0.0, 15.0 * rng.integers(-12, 13),
                                         rng.uniform(-180, 180)]),
            "squeeze": pick(rng, [0.0, 1.0, -1.0, rng.uniform(-1, 1)])}
    check(rng, FLOAT, "noise", 9, lens=lens)


@pytest.mark.parametrize("format,threshold", itertools.product(
    [Format("u8", 4), Format("u16", 3), FLOAT], [0.0, 0.8, 1.0]))
def test_highlights(rng, format, threshold):
    lens = {"highlights": 6.0, "threshold": threshold, "blades": 6}
    for abyss in "white", "none":
        check(rng, format, "ramp", 8, abyss=abyss, lens=lens)


@pytest.mark.parametrize("keep,format,abyss", make_pairs(
    [0.1, 0.5, 1], [FLOAT, Format("float", 3), Format("u8", 4), Format("float", 1, False)],
    ABYSSES))
def test_keep_sharp(rng, keep, format, abyss):
    check(rng, format, "ramp", 6, keep_sharp=keep, abyss=abyss)


@pytest.mark.parametrize("sample", SAMPLES)
def test_faint(rng, sample):
    check(rng, Format(sample, 4), "noise", 7, faint=True, hdr=sample in ("half", "float"))


@pytest.mark.parametrize("value,strength", [(0, 200), (0.5, 1), (1, 0.5)])
def test_identity(rng, value, strength):
    for n, sample in enumerate(SAMPLES):
        format = Format(sample, 1 + n % 4)
        pixels = make_picture(format, (41, 23), 1)
        plan = MapPlan(format, np.full((23, 41), value), strength, lens={"highlights": 2.0})
        assert fx.run_plan(plan, pixels, format).tobytes() == pixels.tobytes()


@pytest.mark.parametrize("radius,abyss,shape", make_pairs([1, 3.3, 12, 25.7], ABYSSES, SHAPES))
def test_lens_blur(rng, radius, abyss, shape):
    """A constant strength is the lens blur, within both bounds."""
    shape = {"blades": 0, "roundness": 0.0, "squeeze": 0.0, "blade_rotation": 0.0, **shape}
    for format in Format("u8", 3), Format("float", 3):
        pixels = make_picture(format, SIZE, int(rng.integers(1 << 32)))
        lens = {**shape, "highlights": 2.0, "threshold": 0.8}
        plan = MapPlan(format, np.ones((1, 1)), radius, abyss=abyss, lens=lens)
        ours = fx.run_plan(plan, pixels, format)
        lens["rotation"] = lens.pop("blade_rotation")
        other = fx.run("lens-blur", pixels, format, radius=radius, abyss=abyss, **lens)
        apart = np.abs(format.decode(ours) - format.decode(other)).max()
        assert apart <= {"u8": 2 / 255, "float": 8e-5}[format.sample]


@pytest.mark.parametrize("radius,value,shape", itertools.product(
    [1.7, 6, 12.4], [np.inf, -np.inf, np.nan], [{}, {"blades": 3, "blade_rotation": 20.0}]))
def test_infinities(rng, radius, value, shape):
    """They reach as far as the aperture of the pixel that sums them."""
    format, size = Format("float", 3), (50, 40)
    pixels = make_picture(format, size, int(rng.integers(1 << 32)))
    plain, pixels[20, 25, 1] = pixels.copy(), value
    values = make_map("noise", rng, size)
    plan = MapPlan(format, values, radius, lens=shape)
    result, before = fx.run_plan(plan, pixels, format), fx.run_plan(plan, plain, format)
    names = {"blade_rotation": "rotation"}
    names = {names.get(name, name): setting for name, setting in shape.items()}
    reached, near = (np.zeros(size[::-1], bool) for _ in range(2))
    for y, x in np.ndindex(*size[::-1]):
        r = values[y, x] * radius
        weights = get_weights(r, **{"blades": 0, **names})[::-1, ::-1] * np.pi * r * r
        v, u = 20 - y + weights.shape[0] // 2, 25 - x + weights.shape[1] // 2
        if r > RADIUS_MIN and 0 <= v < weights.shape[0] and 0 <= u < weights.shape[1]:
            reached[y, x], near[y, x] = weights[v, u] > 2e-3, weights[v, u] > 0
    stays = values * np.float32(radius) <= RADIUS_MIN
    got = ~np.isfinite(result[..., 1]) & ~stays
    assert got[reached].all() and not got[~near].any()
    assert not np.isnan(result[~stays]).any()
    assert value != value or (np.sign(result[..., 1][got]) == np.sign(value)).all()
    other = ~near & ~stays
    assert np.abs(result - before)[other].max() <= 1e-5
    assert np.abs(result - before)[..., [0, 2]].max() <= 1e-5
    assert result[stays].tobytes() == pixels[stays].tobytes()


@pytest.mark.parametrize("channels,keep", [(1, 0), (4, 0), (4, 1)])
def test_bright_pictures(rng, channels, keep):
    """Sums of finite pixels are finite."""
    format, most = Format("float", channels, False), 1e37
    pixels = (most * rng.uniform(0.5, 1, (24, 29, channels))).astype(np.float32)
    units = np.full(channels, most)
    if format.has_alpha:
        pixels[..., -1], units[-1] = rng.random((24, 29)), 1.0
    values = make_map("ramp", rng, (29, 24))
    result = fx.run_plan(MapPlan(format, values, 12, keep_sharp=keep, lens={}), pixels, format)
    judge("bright", format, pixels / units, values * np.float32(12), result / units, keep=keep)


@pytest.mark.parametrize("strips,format", itertools.product(
    [False, True], [Format("u8", 4), FLOAT]))
def test_regions(rng, monkeypatch, strips, format):
    """Each is a part of the whole: on the CPU to the bit."""
    values = make_map("noise", rng, (150, 90))
    pixels = make_picture(format, (150, 90), 2)
    plan = MapPlan(format, values, 19, lens={"blades": 5, "squeeze": 0.3}, abyss="none")
    whole = fx.run_plan(plan, pixels, format)
    limit = {"cpu": "64K", "gpu": "1M"}[fx.device]
    monkeypatch.setenv("CUDA_BLUR_MEMORY_LIMIT", limit if strips else "")
    for x, y, w, h in ((0, 0, 1, 1), (149, 1, 1, 88), (20, 10, 130, 21), (0, 0, 150, 90)):
        result = fx.run_plan(plan, pixels, format, region=(x, y, w, h))
        part = whole[y:y + h, x:x + w]
        assert (result.tobytes() == part.tobytes() if fx.device == "cpu" else
                np.abs(format.decode(result) - format.decode(part)).max() <= 1 / 255)


def test_draft(rng):
    format, values = Format("float", 1, False), make_map("noise", rng, (212, 164))
    plan = MapPlan(format, values, 40, lens={"blades": 6})
    pixels = rng.random((41, 53, 1)).astype(np.float32)
    result = fx.run_plan(plan.get_draft(2), pixels, format)
    judge("a draft", format, pixels, values[2::4, 2::4] * np.float32(10), result,
          lens={"blades": 6})


@pytest.mark.parametrize("strength,lens", [
    (200.1, {}), (5, {"blades": 2}), (5, {"squeeze": 1.1}), (5, {"highlights": 7.0}),
    (5, {"threshold": np.nan}), (5, {"blade_rotation": 181}), (5, {"kind": 2})])
def test_refused(rng, strength, lens):
    with pytest.raises(fx.Error) as error:
        MapPlan(FLOAT, make_map("noise", rng), strength, lens=lens)
    assert error.value.code == "argument"
