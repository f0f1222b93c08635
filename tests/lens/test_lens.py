"""The lens blur's contract (lens.h), against its definition in double precision. Only the weights
are the engine's, which test_aperture.py holds to theirs."""

import itertools

import numpy as np
import pytest

import fx
from cases import LIGHTS, pick, product
from formats import HLG, PQ, SAMPLES, SRGB, Format
from lens_case import (GREY, SIDE, STOPS_MAX, check, check_random, draw_around, make_grey,
                       make_picture, pick_shape)

# On the GPU many cases need programs that must first be compiled.
ON_CPU = fx.device == "cpu"

# ---- against the definition ----


@pytest.mark.parametrize("radius,times", [
    (0.0, 20), (0.3, 20), (0.5, 20), (0.51, 20), (1.0, 20), (2.5, 20), (7.3, 20), (15.5, 20),
    (30.0, 6), (100.5, 6), (500.0, 6)])
def test_radii(rng, radius, times):
    for _ in range(times if ON_CPU else 2 if radius < 200.0 else 1):
        check_random(rng, radius, Format(pick(rng, SAMPLES), pick(rng, [1, 2, 3, 4]),
                                         pick(rng, [False, True])))


@pytest.mark.sanitized
@pytest.mark.parametrize("sample,trc,channels,radius", [
    (sample, trc, 3 + n, [12.0, 3.5][n])
    for sample, trc in [("u8", PQ), ("u16", HLG), ("float", PQ)] for n in range(2)])
def test_tables(rng, sample, trc, channels, radius):
    """Tone curves that are tables."""
    check_random(rng, radius, Format(sample, channels, True, trc))


@pytest.mark.sanitized
@pytest.mark.parametrize("n,gamma,channels,sample", [
    case for case in product([False, True], [1, 2, 3, 4], SAMPLES) if ON_CPU or case[0] % 7 == 0])
def test_formats(rng, n, gamma, channels, sample):
    check_random(rng, 4.3 if n % 3 else 11.0, Format(sample, channels, gamma))


@pytest.mark.parametrize("threshold,light,radius", itertools.product(
    [0.0, 0.5, 0.9, 0.9999, 1.0], LIGHTS, [3.0, 12.0]))
def test_highlights(rng, threshold, light, radius):
    format = Format("float" if light == "linear" else "u8", 4)
    check(rng, format, (70, 40), radius=radius, rotation=10.0, blades=6, threshold=threshold,
          highlights=STOPS_MAX, abyss="white", light=light)


# ---- what lamps, points and infinities become ----


@pytest.mark.parametrize("lamp", [(255, 255, 255), (255, 240, 192), (192, 224, 255)])
@pytest.mark.parametrize("threshold", [0.8, 1.0])
def test_lamp(lamp, threshold):
    """A lamp in the dark becomes a disc of its own colour, 2^stops times as bright; an even area
    stays as it is. The lamp is of 8 bits, as in a photo."""
    settings = {"radius": 20, "blades": 0, "threshold": threshold}
    pixels = np.zeros((81, 81, 3), np.uint8)
    pixels[39:42, 39:42] = lamp
    dim, bright = (fx.run("lens-blur", pixels, highlights=stops, **settings)[40, 40].astype(int)
                   for stops in (0, 3))
    light = 8.0 * 9.0 / (np.pi * 400.0) * SRGB.to_linear(np.array(lamp) / 255.0)
    assert (bright > dim + 20).all()
    assert np.abs(bright - 255.0 * SRGB.to_gamma(light)).max() <= 1.5
    pixels[:] = lamp
    assert (fx.run("lens-blur", pixels, highlights=3, **settings) == pixels).all()


SHAPE = {"blades": 3, "rotation": 20.0, "ring": 0.5}  # of points


@pytest.mark.parametrize("radius,bound", [(3, 1e-5), (17, 1e-3), (31, 1e-3)])
def test_point(radius, bound):
    """A point of light becomes the aperture as it is drawn, whatever the path."""
    result = fx.run("lens-blur", make_grey(1.0), GREY, radius=radius, highlights=0,
                    abyss="black", **SHAPE)
    assert np.abs(result[..., 0] / result.max() - draw_around(radius, **SHAPE)).max() <= bound


# The GPU leaves the largest to the CPU.
@pytest.mark.parametrize("radius", [3, 12, 40] if ON_CPU else [3, 12])
@pytest.mark.parametrize("value,stops", [(np.inf, 0), (-np.inf, 4), (np.nan, 0), (np.inf, 4),
                                         (-np.inf, 0), (np.nan, 4)])
def test_infinities(radius, value, stops):
    """An infinity or NaN makes what it reaches infinite, and nothing else."""
    result = fx.run("lens-blur", make_grey(value), GREY, radius=radius, highlights=stops,
                    abyss="black", **SHAPE)[..., 0]
    reached = draw_around(radius, **SHAPE) > 0.0
    assert np.isinf(result[reached]).all() and (result[~reached] == 0.0).all()
    assert np.isnan(value) or (result[reached] == value).all()


@pytest.mark.parametrize("radius", [0.0, 0.4999, 0.5, 1.4999, 1.5, 7.4999, 8.4999, 9.4999])
def test_continuous(rng, radius):
    """The result does not jump as a parameter grows a little: the radius from where it changes
    nothing, across whole pixels, and to where another path takes over; highlights from none."""
    pixels = make_picture(GREY, (SIDE, SIDE), int(rng.integers(1 << 32)))
    before, bright, after = (
        fx.run("lens-blur", pixels, GREY, radius=radius + more, highlights=stops, abyss="black",
               blades=5, rotation=20.0, ring=0.5)
        for more, stops in [(0.0, 0.0), (0.0, 1e-4), (2e-4, 0.0)])
    assert np.abs(before - after).max() < 2e-3 and np.abs(before - bright).max() < 1e-3


# ---- plans ----


@pytest.mark.parametrize("radius,identity", [(0.5, True), (0.51, False)])
def test_identity(rng, radius, identity):
    """Without blur, not even the colour under an alpha of 0 changes, with highlights neither."""
    settings = {"radius": radius, "highlights": 3, "threshold": 0.5}
    assert fx.Plan(fx.Settings("lens-blur", **settings), Format()).is_identity == identity
    check(rng, Format(), (41, 23), faint=True, **settings)


@pytest.mark.parametrize("level", range(8))
def test_drafts(rng, level):
    """A draft is the plan of a smaller radius, with all else as it was, in the same name."""
    others = {"highlights": 2, "threshold": 0.5, **pick_shape(rng)}
    settings = fx.Settings("lens-blur", radius=20.0, **others)
    smaller = fx.Settings("lens-blur", radius=20.0 / 2 ** level, grow=True, **others)
    draft, plan = fx.Plan(settings, Format()).get_draft(level), fx.Plan(smaller, Format())
    assert draft.name == plan.name == "lens"
    assert (draft.is_identity, draft.reach) == (plan.is_identity, plan.reach)
    assert max(draft.reach) <= max(smaller.get_growth())
    pixels = make_picture(Format(), (41, 31), int(rng.integers(1 << 32)))
    results = [fx.run_plan(one, pixels, Format()) for one in (draft, plan)]
    assert (results[0] == results[1]).all()


def make_waves(width, height, step):
    """Of an image whose pixels are step wide: smooth and opaque, so that scaling it down does not
    change what the blur makes of it."""
    y, x, _ = np.ogrid[:height, :width, :3]
    waves = np.sin((x + 0.5) * step / 30.0) * np.cos((y + 0.5) * step / 40.0)
    return np.repeat((128.0 + 127.0 * waves).astype(np.uint8), 3, axis=2)


def test_preview():
    """The preview shows the result, and the draft of a smaller image nearly what that shows
    smaller."""
    pixels, small, format = make_waves(300, 200, 1.0), make_waves(150, 100, 2.0), Format("u8", 3)
    plan = fx.Plan(fx.Settings("lens-blur", radius=12, blades=5, highlights=3, threshold=0.5),
                   format)
    result = fx.run_plan(plan, pixels, format).astype(int)
    whole, half = (fx.Preview(pixels).render_plan(plan, (0, 0, w, h), scale).astype(int)
                   for w, h, scale in [(300, 200, 1.0), (150, 100, 0.5)])
    drawn = fx.Preview(small).render_plan(plan.get_draft(1), (0, 0, 150, 100))
    assert np.abs(whole[..., :3] - result).max() <= 1
    assert np.abs(drawn - half).max() <= 3
