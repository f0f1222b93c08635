"""The codec by itself: every format and curve against the formulas in double precision."""

import itertools

import numpy as np
import pytest

from codec_alone import CURVES, Codec, apply, invert
from formats import CURVES as TRCS
from formats import SAMPLES, SRGB, Format, Parametric, Table

COUNTS = [1, 7, 16, 255, 256, 257, 1001]  # that fill no vector, and that are not whole pieces

FORMATS = [Format(sample, channels, True, trc)
           for sample, channels, trc in itertools.product(SAMPLES, [1, 2, 3, 4], [SRGB] + TRCS)]


def get_leeway(function, trc, curve, values):
    """How much a function changes if its value is rounded. The slopes of tables are as they
    please."""
    if not isinstance(trc, Table):
        return np.zeros(np.shape(values))
    return np.abs(function(trc, curve, values * (1 + 3e-7))
                  - function(trc, curve, values * (1 - 3e-7)))


def describe(curve, ratios, pixels):
    """What a failure says: the worst sample, and its pixel."""
    i, c = np.unravel_index(ratios.argmax(), ratios.shape)
    return (f"{ratios[i, c]:.3f} times the bound, curve {curve}, in pixel {i} of {len(pixels)}, "
            f"channel {c}, of {pixels[i]}")


@pytest.mark.parametrize("format", FORMATS)
def test_decode(rng, format):
    for curve, n in itertools.product(CURVES, COUNTS):
        pixels = format.encode(rng.uniform(-0.1, 1.5, (n, format.channels)))
        values = format.decode(pixels)
        colors, expected, leeways = np.s_[:, :format.colors], np.array(values), 0.0 * values
        expected[colors] = apply(format.trc, curve, values[colors])
        leeways[colors] = get_leeway(apply, format.trc, curve, values[colors])
        if format.has_alpha:
            expected[:, :-1] *= values[:, -1:]
        # If a curve's parts have a gap between them, the result is a difference.
        apart = isinstance(format.trc, Parametric) and format.trc.parameters[-1] > 0.0
        errors = np.abs(Codec(format, curve).decode(pixels).T - expected)
        bounds = 1e-6 * np.abs(expected) + leeways + (3e-7 if apart else 1e-9)
        assert (errors <= bounds).all(), describe(curve, errors / bounds, pixels)


def get_steps(format, values):
    """How far a stored sample may be from the value that it is made of."""
    if format.is_integer:
        return 0.5 / format.maximum + 1e-6
    rounding = 2.0 ** -11 if format.sample == "half" else 0.0
    return np.abs(values) * (rounding + 2e-6) + 2.0 ** -25


@pytest.mark.parametrize("format", FORMATS)
def test_encode(rng, format):
    for curve, n in itertools.product(CURVES, COUNTS):
        planes = rng.uniform(-0.1, 1.5, (format.channels, n)).astype(np.float32)
        if format.has_alpha:
            planes[-1] = rng.uniform(0.05, 1.1, n)
        light, colors = planes.T.astype(float), np.s_[:, :format.colors]
        if format.has_alpha:
            light[:, :-1] /= light[:, -1:]
        values, leeways = np.array(light), np.zeros(light.shape)
        values[colors] = invert(format.trc, curve, light[colors])
        leeways[colors] = get_leeway(invert, format.trc, curve, light[colors])
        if format.is_integer:
            values = np.clip(values, 0.0, 1.0)
        errors = np.abs(format.decode(Codec(format, curve).encode(planes)) - values)
        if format.sample == "half":  # a table's first segment
            errors[np.abs(values) > 65000.0] = 0.0
        bounds = get_steps(format, values) + leeways
        assert (errors <= bounds).all(), describe(curve, errors / bounds, planes.T)


@pytest.mark.parametrize("format", FORMATS)
def test_pixels(rng, format):
    """Pixels of floats are the planes' samples side by side, and are stored the same."""
    step = 4 if format.channels == 3 else format.channels
    for curve, n in itertools.product(CURVES, COUNTS):
        codec = Codec(format, curve)
        pixels = format.encode(rng.uniform(-0.1, 1.5, (n, format.channels)))
        floats, planes = codec.decode_pixels(pixels, step), codec.decode(pixels)
        for c in range(step):
            assert (floats[:, c] == planes[min(c, format.channels - 1)]).all()
        assert codec.encode_pixels(floats).tobytes() == codec.encode(planes).tobytes()


def check_round_trip(format, curve, pixels):
    codec = Codec(format, curve)
    assert codec.encode(codec.decode(pixels)).tobytes() == pixels.tobytes()


@pytest.mark.parametrize("curve,channels,sample",
                         itertools.product(CURVES, [1, 2, 3, 4], ["u8", "u16"]))
def test_levels(curve, channels, sample):
    """All values of 8 bits and of 16 bits, in each number of channels, opaque."""
    format = Format(sample, channels)
    levels = np.arange(format.maximum + 1).astype(format.dtype)
    pixels = np.repeat(levels[:, None], channels, axis=1)
    if format.has_alpha:
        pixels[:, -1] = format.maximum
    check_round_trip(format, curve, pixels)


@pytest.mark.parametrize("curve", CURVES)
def test_grey_and_alpha(curve):
    """Every 8-bit grey with every alpha; under an alpha of 0 it becomes 0."""
    format = Format("u8", 2)
    alpha, grey = (v.reshape(-1) for v in np.mgrid[:256, :256].astype(np.uint8))
    check_round_trip(format, curve, np.stack([np.where(alpha == 0, 0, grey), alpha], axis=1))
    codec = Codec(format, curve)
    for level in range(256):
        planes = codec.decode(np.uint8([[level, 0]]))
        assert planes[0, 0] == 0.0
        assert not codec.encode(planes).any()


def test_halves():
    """All halves, and back to the bit; NaN is stored as infinity."""
    bits, format = np.arange(65536, dtype=np.uint16), Format("half", 1, False)
    halves = bits.view(np.float16)[:, None]
    codec, nan = Codec(format), np.isnan(halves[:, 0])
    planes = codec.decode(halves)
    assert (np.isnan(planes[0]) == nan).all()
    assert (planes[0] == halves[:, 0])[~nan].all()
    back = codec.encode(planes).view(np.uint16)[:, 0]
    assert (back == np.where(nan, 0x7c00, bits)).all()


def test_rounding_of_halves():
    """Floats halfway between halves, and their neighbours, of both signs: ties go to the even
    one."""
    format = Format("half", 1, False)
    halves = np.arange(0x7c01, dtype=np.uint16).view(np.float16).astype(np.float64)
    halves[-1] = 65536.0
    middle = np.float32((halves[:-1] + halves[1:]) / 2)
    values = np.concatenate([middle, np.nextafter(middle, np.float32(0)),
                             np.nextafter(middle, np.float32(np.inf))])
    values = np.concatenate([values, -values])
    got = Codec(format).encode(values[None, :])
    assert got.tobytes() == format.encode(values.astype(float)).tobytes()


@pytest.mark.parametrize("sample", ["u8", "u16"])
def test_rounding(sample):
    """Integers: values next to a tie on either side, values out of range, and NaN."""
    format = Format(sample, 1, False)
    levels = np.arange(format.maximum)
    values = np.float32(np.concatenate([(levels + 0.49) / format.maximum,
                                        (levels + 0.51) / format.maximum,
                                        [-0.001, 1.5, -np.inf, np.inf, np.nan]]))
    got = Codec(format).encode(values[None, :])[:, 0]
    assert (got == np.concatenate([levels, levels + 1, [0, format.maximum] * 2, [0]])).all()


LEAST = np.finfo(np.float32).tiny


@pytest.mark.parametrize("color,alpha,decoded", [
    (0.5, 0.0, 0.0), (np.inf, 0.0, 0.0), (np.nan, 0.0, 0.0), (0.5, -0.0, 0.0), (0.5, 1e-40, 0.0),
    (np.inf, 1e-40, 0.0), (0.5, LEAST, 2.0 ** -127), (np.inf, 0.5, np.inf),
    (-np.inf, 0.5, -np.inf), (0.5, np.inf, np.inf), (-0.5, np.inf, -np.inf), (2.0, -0.5, -1.0)])
def test_alpha(color, alpha, decoded):
    """Alphas that are nothing, nearly nothing, and infinite."""
    for channels in (2, 4):
        pixel = np.float32([[color] * (channels - 1) + [alpha]])
        planes = Codec(Format("float", channels, False)).decode(pixel)
        assert (planes[:-1] == np.float32(decoded)).all()
        assert planes[-1, 0] == np.float32(alpha)


@pytest.mark.parametrize("color,alpha,encoded", [
    (0.5, 0.0, 0.0), (0.5, 1e-31, 0.0), (0.5, -1e-31, 0.0), (np.inf, 0.0, np.inf),
    (-np.inf, 0.5, -np.inf), (np.inf, -0.5, np.inf), (np.nan, 0.5, np.inf), (0.5, 0.25, 2.0),
    (0.5, -0.25, -2.0)])
def test_alpha_back(color, alpha, encoded):
    """Colour without alpha becomes 0, infinities stay, NaN becomes infinite."""
    pixel = Codec(Format("float", 2, False)).encode(np.float32([[color], [alpha]]))
    assert (pixel[0] == np.float32([encoded, alpha])).all()


def test_straight():
    """Straight colour is read and stored as if there were no alpha, even if alpha is 0."""
    pixels = np.float32([[0.25, 0.5, 2.0, 0.0], [-1.0, np.inf, 0.125, 0.5]])
    codec = Codec(Format("float", 4, False), straight=True)
    planes = codec.decode(pixels)
    assert (planes.T == pixels).all()
    assert (codec.encode(planes) == pixels).all()
