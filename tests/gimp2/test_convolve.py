"""The convolution matrix in GIMP: formats, channels, coverage, selections, refusals, and GIMP's
own."""

import numpy as np
import pytest

from cases import ABYSSES, LIGHTS, product
from formats import SAMPLES, Format
from judge import get_range
from layers import (FEATHERED, Layer, check, check_coverage, check_refused, check_result,
                    check_selected, check_unchanged, is_within, lock)
from session import NONINTERACTIVE, WITH_LAST_VALS

U8, RGBA = Format("u8", 3), Format("u8", 4)

# Asymmetric in every way; sums of such numbers lie nowhere between two levels.
CROOKED = np.array([[0.53, -0.27, 0.71, 0.13, -0.52], [1.07, 0.0, 0.24, 0.5, -1.03],
                    [0.0, 0.73, 0.49, -0.97, -0.11]])
SOFT = np.array([[1.0, 2, 1], [3, 5, 2], [1, 2, 4]])
SHARPEN = np.array([[0.0, -1, 0], [-1, 5, -1], [0, -1, 0]])
EDGES = np.array([[-1.0, 0, 1], [-2, 0, 2], [-1, 0, 1]])
MATRICES = [  # what each means for alpha differs
    {"values": CROOKED, "offset": 0.11, "alpha_weighting": "straight"},
    {"values": SOFT},
    {"values": EDGES, "divisor": 4.0, "offset": 0.5},
    {"values": SHARPEN, "channels": 7},
]


@pytest.mark.parametrize("n,sample,gamma,channels",
                         product(SAMPLES, [True, False], [3, 4, 1, 2]))
def test_formats(new, n, sample, gamma, channels):
    check(new(Format(sample, channels, gamma), (61, 47), "random"), "convolve",
          **MATRICES[(n // 4 + n) % 4], abyss=ABYSSES[n // 4 % 4], light=LIGHTS[(n // 8 + n) % 2])


@pytest.mark.parametrize("channels", range(16))
def test_channels(new, channels):
    settings = MATRICES[channels & 2] | {"channels": channels}
    check(new(RGBA, picture="random"), "convolve", **settings)


@pytest.mark.parametrize("side,size", [(63, (150, 40)), (1023, (7, 3))])
def test_large(new, side, size):
    values = np.arange(side * side).reshape(side, side) % 7 - 2.5
    check(new(U8, size, "random"), "convolve", values=values)


@pytest.mark.parametrize("n,size", enumerate([
    (1, 1), (2, 1), (129, 127), (1, 100000), (100000, 1)]))
def test_sizes(new, n, size):
    check(new(RGBA, size, "random"), "convolve", **MATRICES[n % 4])


@pytest.mark.parametrize("n,sample,add", product(SAMPLES, [Layer.add_mask, Layer.add_channel]))
def test_coverage(new, rng, n, sample, add):
    check_coverage(rng, new(Format(sample, 4, n // 4 % 2 == 0)), add, "convolve",
                   **MATRICES[n // 2 % 3], light=LIGHTS[n // 2 % 2])


def test_selection(gimp, rng):
    check_selected(Layer.make_selected(gimp, rng, RGBA, FEATHERED), "convolve", values=SOFT)


@pytest.mark.parametrize("values", [[[1.0]], [[0, 0, 0], [0, 3.0, 0], [0, 0, 0]]])
def test_identity(new, values):
    layer = new(U8)
    check_unchanged(layer, lambda: layer.call("convolve", values=np.array(values)))


# ---- other calls ----


# Script-Fu hands values on in single precision: the second matrix has no sum but their rounding.
@pytest.mark.parametrize("arguments,settings", [
    ("3 3 9 #(0 -1 0 -1 5 -1 0 -1 0) 0 0.25 5 0 2 1 0",
     {"values": SHARPEN, "offset": 0.25, "channels": 5, "abyss": "black", "light": "perceptual"}),
    ("1 3 3 #(0.1 0.2 -0.3) 0 0.5 0 0 0 0 0",
     {"values": np.array([[0.1, 0.2, -0.3]]), "offset": 0.5})])
def test_script(gimp, new, arguments, settings):
    layer = new(U8)
    before = layer.read()
    layer.script("convolve", arguments)
    check_result(gimp, "convolve", U8, before, layer.read(), **settings)


LAST = (b"values=3x5: 0.53 -0.27 0.71 0.13 -0.52 1.07 0 0.24 0.5 -1.03 0 0.73 0.49 -0.97 -0.11\n"
        b"divisor=2\noffset=0.10000000000000001\nchannels=7\nalpha-weighting=straight\n"
        b"abyss=none\nlight=perceptual\ndevice=cpu\n")


@pytest.mark.parametrize("last,settings", [
    (None, {"values": SHARPEN}),  # the initial ones
    (LAST, {"values": CROOKED, "divisor": 2.0, "offset": 0.1, "channels": 7,
            "alpha_weighting": "straight", "abyss": "none", "light": "perceptual",
            "device": "cpu"})], ids=["none", "kept"])
def test_last_values(gimp, new, last, settings):
    if last:
        gimp.procedural_db_set_data("plug-in-cuda-convolve", len(last), last)
    layer = new(RGBA)
    before = layer.read()
    layer.call("convolve", WITH_LAST_VALS, arguments=[])
    check_result(gimp, "convolve", RGBA, before, layer.read(), **settings)


FIVE = np.array([[1, 0, 2, 0, 0.5], [0, 3, -1, 0, 0], [0, 1.5, 4, 0, -1], [-2, 0, 1, 0, 0],
                 [0, 0.25, 0, 0, -1]])


@pytest.mark.parametrize("border,abyss", [(0, "clamp"), (2, "none")])
@pytest.mark.parametrize("format,light,channels", [
    (U8, "perceptual", 15), (U8, "perceptual", 2), (Format("u16", 1, False), "linear", 15),
    (Format("float", 4, False), "linear", 15), (Format("float", 4), "perceptual", 7)])
def test_own(gimp, new, format, light, channels, border, abyss):
    """As GIMP's own, which convolves what is stored, in whatever light, and takes the matrix column
    by column. If alpha counts, it does not divide by the sum's alpha, so the results agree only
    without alpha, or with straight alpha. Its border "extend" clamps; beyond "clear" is nothing."""
    layer = new(format, picture="random")
    before, copy = layer.read(), gimp.image_duplicate(layer.image)
    drawable = gimp.image_get_active_layer(copy)
    gimp.call("plug-in-convmatrix", NONINTERACTIVE, copy, drawable, 25, FIVE.T, 0, 7.25, 0.0625, 5,
              [1, *(channels >> c & 1 for c in range(4))], border)
    own = np.frombuffer(gimp.read(drawable)[2], format.dtype).reshape(before.shape)
    assert own.tobytes() != before.tobytes(), "GIMP's own changes nothing"
    layer.call("convolve", values=FIVE, divisor=7.25, offset=0.0625, abyss=abyss, light=light,
               alpha_weighting="straight", channels=channels)
    assert is_within(format, format.decode(own), layer.read(), get_range(format.decode(before)))


# ---- refusals ----


def change(values, place, value):
    values = values.copy()
    values[place] = value
    return values


@pytest.mark.parametrize("settings,words", [
    ({"values": np.ones((2, 3))}, "rows is 2, but must be an odd number from 1 to 1023"),
    ({"values": np.ones((3, 2))}, "columns is 2, but must be an odd number from 1 to 1023"),
    ({"values": np.ones((1025, 1))}, "rows is 1025, but must be an odd number from 1 to 1023"),
    ({"values": change(SOFT, (0, 1), 1e39)}, "The value in row 1, column 2 is 1e+39"),
    ({"values": change(SOFT, (1, 2), np.nan)}, "The value in row 2, column 3 is nan"),
    ({"values": change(SOFT, (0, 2), -np.inf)}, "The value in row 1, column 3 is -inf"),
    ({"values": 3e38 * np.ones((1, 3)), "divisor": 0.5},
     "divisor is 0.5, which makes the values infinite"),
    ({"divisor": 1e-38}, "divisor is 1e-38, which makes the values infinite"),
], ids=lambda value: value if isinstance(value, str) else "")
def test_refused(new, settings, words):
    check_refused(new(RGBA), "convolve", words, **{"values": SOFT} | settings)


@pytest.mark.parametrize("rows,columns,count,words", [
    (3, 3, 8, "There are 8 values, but a matrix of 3x3 needs 9"),
    (3, 5, 9, "There are 9 values, but a matrix of 3x5 needs 15"),
    (3, 3, 0, "There are 0 values, but a matrix of 3x3 needs 9"),
    (-1, -9, 9, "rows is -1, but must be an odd number from 1 to 1023"),
    (0, 0, 0, "rows is 0, but must be an odd number from 1 to 1023")])
def test_wrong_count(new, rows, columns, count, words):
    layer = new(RGBA)
    arguments = [rows, columns, count, np.ones(count), 0.0, 0.0, 0, 0, 0, 0, 0]
    check_unchanged(layer, lambda: layer.call("convolve", arguments=arguments), words)


def test_too_few_arguments(new):
    layer = new(RGBA)
    check_unchanged(layer, lambda: layer.call("convolve", arguments=[]),
                    "was given 3 arguments, but must be given 14")


def test_locked(new):
    layer = new(RGBA)
    lock(layer)
    check_refused(layer, "convolve", "whose pixels are locked", values=SOFT)
