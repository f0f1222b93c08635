"""The Gaussian in GIMP: formats, parameters, sizes, places, selections, coverage, growth."""

import colour
import numpy as np
import pytest

from cases import ABYSSES, LIGHTS, product
from formats import SAMPLES, Format
from layers import (CORNER, FEATHERED, RECTANGLE, REPLACE, SELECTIONS, Layer, check, check_coverage,
                    check_grown, check_selected, check_unchanged)

BLUR = "gaussian-blur"
PLAIN = {"sigma_x": 2.5, "sigma_y": 1.3}
CHANNELS = [3, 4, 1, 2]
U8, RGBA = Format("u8", 3), Format("u8", 4)
FLOAT_GRAY = Format("float", 1, False)


@pytest.mark.parametrize("n,sample,gamma,channels", product(SAMPLES, [True, False], CHANNELS))
def test_formats(new, n, sample, gamma, channels):
    layer = new(Format(sample, channels, gamma), (137, 61))
    check(layer, BLUR, **PLAIN, abyss=ABYSSES[(n // 4 + n) % 4], light=LIGHTS[(n // 8 + n) % 2])


@pytest.mark.parametrize("settings", [
    {"sigma_x": 4.0}, {"sigma_y": 4.0}, {"sigma_x": 0.15, "sigma_y": 3.0},
    {"sigma_x": 3.0, "sigma_y": 3.0, "device": "cpu"}, {"sigma_x": 5000.0, "sigma_y": 5000.0},
    *({"sigma_x": 5.0, "sigma_y": 7.0, "kernel_size": size} for size in (3, 31, 9999)),
    *({"sigma_x": 30.0, "sigma_y": 30.0, "abyss": abyss} for abyss in ABYSSES),
], ids=str)
@pytest.mark.parametrize("format", [U8, RGBA])
def test_parameters(new, settings, format):
    check(new(format, (70, 50), "random"), BLUR, **settings)


@pytest.mark.parametrize("settings", [
    {}, {"kernel_size": 9}, {"grow": 1}, {"sigma_x": 3.0, "sigma_y": 3.0, "kernel_size": 1},
], ids=str)
def test_identity(new, settings):
    """Script tools begin with 0 in everything."""
    layer = new(Format("float", 4))
    check_unchanged(layer, lambda: layer.call(BLUR, **settings))


# A row of tiles of the widest layer is more than a band.
@pytest.mark.parametrize("format", [RGBA, FLOAT_GRAY])
@pytest.mark.parametrize("size", [
    (1, 1), (1, 150), (150, 1), (2, 3), (128, 128), (129, 127), (130, 257), (400, 300), (1, 100000),
    (100000, 1), (33000, 140)])
def test_sizes(new, size, format):
    check(new(format, size, "random"), BLUR, **PLAIN, defined=size != (33000, 140))


@pytest.mark.parametrize("place,canvas", [
    ((40, 25), (300, 200)), ((-30, -20), (80, 50)), ((-60, 70), (150, 100)),
    ((500, 400), (100, 100))])
def test_places(gimp, new, place, canvas):
    """The canvas does not matter."""
    layer = new(RGBA, (150, 90))
    gimp.image_resize(layer.image, *canvas, 0, 0)
    gimp.layer_set_offsets(layer.drawable, *place)
    check(layer, BLUR, **PLAIN)
    assert layer.get_offsets() == place


# ---- selections, masks and channels ----


@pytest.mark.parametrize("n,format,selection", product([
    Format("u8", 4), Format("u16", 3), Format("half", 2, False), Format("float", 4),
    Format("u32", 4), Format("double", 1, False)], SELECTIONS))
def test_selections(gimp, rng, n, format, selection):
    check_selected(Layer.make_selected(gimp, rng, format, selection), BLUR, sigma_x=3.0,
                   sigma_y=4.0, abyss=ABYSSES[n % 4], light=LIGHTS[n // 4 % 2])


def test_selection_beside(gimp, rng):
    layer = Layer.make_selected(gimp, rng, RGBA, RECTANGLE)
    gimp.image_select_rectangle(layer.image, REPLACE, 0, 0, 15, 100)
    check_unchanged(layer, lambda: layer.call(BLUR, **PLAIN))


@pytest.mark.parametrize("n,sample,gamma,light", product(SAMPLES, [True, False], LIGHTS))
def test_coverage(new, rng, n, sample, gamma, light):
    """It does not grow either."""
    add = Layer.add_mask if n // 2 % 2 == n % 2 else Layer.add_channel
    check_coverage(rng, new(Format(sample, 4, gamma)), add, BLUR, sigma_x=2.0, sigma_y=3.0,
                   abyss=ABYSSES[n // 2 % 4], light=light, grow=n % 2)


@pytest.mark.parametrize("add,selection", [
    (Layer.add_mask, RECTANGLE), (Layer.add_mask, FEATHERED), (Layer.add_channel, FEATHERED),
    (Layer.add_channel, CORNER)])
def test_selected_coverage(gimp, rng, add, selection):
    check_selected(add(Layer.make_selected(gimp, rng, RGBA, selection), rng), BLUR, **PLAIN)


def test_selection_itself(gimp, new, rng):
    layer = new(U8, (90, 60))
    check_coverage(rng, layer, lambda layer, rng: layer.cover(
        rng, gimp.image_get_selection(layer.image)), BLUR, **PLAIN)


# ---- growth ----


def get_growth(sigma, kernel_size=0):
    if sigma < 0.2:
        return 0
    return (kernel_size - 1) // 2 if kernel_size else int(np.ceil(4.0 * sigma))


@pytest.mark.parametrize("format,settings", [
    (RGBA, {"sigma_x": 3.0, "sigma_y": 5.0, "abyss": "none"}),
    (Format("u16", 4), {"sigma_x": 2.3, "sigma_y": 2.3}),
    (Format("float", 2, False), {"sigma_x": 3.0, "sigma_y": 3.0, "abyss": "white",
                                 "light": "perceptual"}),
    (Format("u8", 4, False), {"sigma_x": 3.0, "sigma_y": 3.0, "kernel_size": 7, "abyss": "black"}),
    (Format("half", 4), {"sigma_x": 4.0, "sigma_y": 0.0}),
    (Format("u8", 2), {"sigma_x": 0.0, "sigma_y": 2.0, "kernel_size": 21}),
    (RGBA, {"sigma_x": 40.0, "sigma_y": 40.0}),  # by more than the layer
])
def test_grow(gimp, new, rng, format, settings):
    """With a mask, of which the new border is white."""
    layer = new(format, (60, 44), "random")
    gimp.layer_set_offsets(layer.drawable, 7, -5)
    mask = layer.add_mask(rng)
    before, kernel_size = mask.read(), settings.get("kernel_size", 0)
    x, y = (get_growth(settings[name], kernel_size) for name in ("sigma_x", "sigma_y"))
    check_grown(layer, BLUR, (x, y), **settings)
    assert mask.get_offsets() == layer.get_offsets()
    expected = np.pad(before, [(y, y), (x, x), (0, 0)],
                      constant_values=mask.format.encode(np.float64(1.0)))
    assert mask.read().tobytes() == expected.tobytes()


def test_grow_ignored(gimp, new, rng):
    """Without alpha, and under a selection."""
    check(new(U8), BLUR, sigma_x=3.0, sigma_y=3.0, grow=1)
    check_selected(Layer.make_selected(gimp, rng, RGBA, RECTANGLE), BLUR, sigma_x=3.0, sigma_y=3.0,
                   grow=1)


def test_grow_in_group(gimp, new):
    """The group grows, too."""
    layer = new(RGBA, (60, 44))
    group = layer.put_in_group()
    check_grown(layer, BLUR, (8, 8), sigma_x=2.0, sigma_y=2.0, abyss="none")
    assert gimp.drawable_width(group) == 76


# ---- linear light by the curve of the image's profile ----

DEEP = {True: Format("u16", 2), False: Format("u16", 3)}  # gray or not
SRGB, ADOBE, PROPHOTO = colour.SRGB, colour.ADOBE, colour.parametric(0, 1.8)


def make_edge(format):
    """Black columns, then white ones."""
    values = np.zeros((16, 128, format.channels))
    values[:, 64:] = 1.0
    if format.has_alpha:
        values[..., -1] = 1.0
    return format.encode(values)


def check_edge(gimp, new, format, profile, mean):
    """The mean of the columns at the edge, blurred."""
    layer = new(format, (128, 16))
    if profile:
        gimp.image_set_color_profile(layer.image, len(profile), profile)
    gimp.write(layer.drawable, make_edge(format))
    layer.call(BLUR, sigma_x=8.0, sigma_y=8.0)
    assert format.decode(layer.read())[8, 63:65, 0].mean() == pytest.approx(mean, abs=0.002)


@pytest.mark.parametrize("gray", [False, True])
@pytest.mark.parametrize("curve,mean", [
    (None, 0.735), (SRGB, 0.735), (ADOBE, 0.730), (PROPHOTO, 0.680), (colour.REC_2020, 0.705),
    (colour.LIGHTNESS, 0.761), (colour.parametric(0, 1), 0.500), (colour.table(colour.pq), 0.927),
    (colour.table(colour.hlg), 0.872)],
    ids=["none", "sRGB", "Adobe RGB", "ProPhoto", "Rec. 2020", "L*", "linear", "PQ", "HLG"])
def test_profiles(gimp, new, gray, curve, mean):
    check_edge(gimp, new, DEEP[gray], curve and colour.icc(curve, gray=gray), mean)


def test_two_curves(gimp, new):
    """As no single curve is the image's, sRGB's is taken."""
    check_edge(gimp, new, DEEP[False], colour.icc(ADOBE, PROPHOTO), 0.735)


@pytest.mark.parametrize("channels", [2, 3])
def test_linear_floats(gimp, new, channels):
    check_edge(gimp, new, Format("float", channels, False), None, 0.500)
