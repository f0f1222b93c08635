"""Curves and highlights by themselves, as the codec applies them, against their formulas in double
precision; and which curves are refused."""

import concurrent.futures
import ctypes
import itertools

import numpy as np
import pytest

import fx
from codec_alone import Codec, apply
from convolve.reference import Highlights
from formats import CURVES, ENTRIES, SRGB, Format, Parametric, Table

TRCS = [SRGB] + CURVES
GAMMA_22, REC_709, GRAY = CURVES[0], CURVES[2], CURVES[6]
DIRECTIONS = ["to linear", "to perceptual"]

# Curves that rise but are not continuous: an ICC curve of type 1, black up to 0.1, and a lifted
# one.
TOE = Parametric("toe", 2.2, 1 / 0.9, -0.1 / 0.9, d=0.1)
LIFTED = Parametric("lifted", 2.0, 0.9, 0.1, e=0.05)


def decode(trc, curve, values):
    return Codec(Format("float", 1, True, trc), curve).decode(np.float32(values)[:, None])[0]


def measure(trc, curve, first, last, step):
    """The curve's worst error in ulp, at some floats from first to last. If black is not 0, the ulp
    are those of a value that is larger by ten times the offset."""
    ends = np.float32([first, last]).view(np.uint32)
    values = np.arange(ends[0], ends[1], step, dtype=np.uint32).view(np.float32)
    expected = apply(trc, curve, values.astype(float))
    offset = trc.parameters[-1] if isinstance(trc, Parametric) else 0.0
    exponents = np.frexp(np.abs(expected) + 10.0 * offset)[1]
    ulps = np.ldexp(1.0, np.maximum(exponents - 24, -149))
    return (np.abs(decode(trc, curve, values) - expected) / ulps).max()


# The straight part, the power up to 1, and values brighter than white, in which the exponent takes
# bits from the fraction. Bounds are of processors that round products before they are added.
@pytest.mark.parametrize("first,last,to_linear,to_perceptual", [
    (1e-6, 0.0031, 1.0, 1.0), (0.0031, 0.041, 14.0, 10.0), (0.041, 1.0, 18.0, 6.5),
    (1.0, 65504.0, 64.0, 10.0)])
def test_srgb(first, last, to_linear, to_perceptual):
    assert measure(SRGB, "to linear", first, last, 101) <= to_linear
    assert measure(SRGB, "to perceptual", first, last, 101) <= to_perceptual


@pytest.mark.parametrize("trc,ends,curve", itertools.product(
    CURVES, [(1e-6, 0.0031), (0.0031, 0.2), (0.2, 1.0), (1.0, 65504.0)], DIRECTIONS))
def test_others(trc, ends, curve):
    """Their constants are not known to the compiler."""
    assert measure(trc, curve, *ends, 1009) <= 70.0


@pytest.mark.parametrize("trc,curve", itertools.product(TRCS, DIRECTIONS))
def test_one_value_is_as_many(rng, trc, curve):
    values = np.float32(rng.uniform(-0.1, 1.5, 100))
    many = decode(trc, curve, values)
    for i in range(len(values)):
        assert decode(trc, curve, values[i:i + 1])[0] == many[i]


@pytest.mark.parametrize("trc,curve", itertools.product(TRCS + [TOE, LIFTED], DIRECTIONS))
def test_ends(trc, curve):
    """Below 0 a curve is straight, or black; and infinities stay, and NaN."""
    values = np.float64([-0.5, -100.0, -0.0, 0.0])
    got, expected = decode(trc, curve, values), apply(trc, curve, values)
    assert (np.abs(got - expected) <= 1e-4 + 1e-6 * np.abs(expected)).all()
    ends = decode(trc, curve, [np.inf, -np.inf, np.nan])
    assert ends[0] == np.inf and ends[1] == -np.inf and np.isnan(ends[2])


@pytest.mark.parametrize("curve", DIRECTIONS)
def test_black_is_black(curve):
    assert (decode(GAMMA_22, curve, [-0.0, 0.0]) == 0.0).all()


@pytest.mark.parametrize("trc,curve", itertools.product(TRCS, DIRECTIONS))
def test_extremes(trc, curve):
    """Nothing that is positive comes out as infinite, or as NaN."""
    values = np.float32([1e-45, 1e-38, 1e-20, 1e20, 3e38, -1e-45, -1e-20])
    got, expected = decode(trc, curve, values), apply(trc, curve, values.astype(float))
    large = expected >= 1e35
    assert (np.abs(got - expected) <= 1e-4 * np.abs(expected) + 1e-15)[~large].all()
    assert (np.isfinite(got) & (got > 1e35))[large].all()


def test_runs_of_a_table():
    """The light of equal entries becomes 0, 1, or the lowest of their samples; so does light beyond
    them if they are the first or the last ones."""
    def get_entry(x):
        i = round(x * (ENTRIES - 1))
        return 0.1 if i < 1900 else 0.1 + (i - 1900) * 0.003 if i < 2000 else (
            0.5 if i < 2100 else 0.9)

    got = decode(Table("runs", get_entry), "to perceptual", [-1.0, 0.1, 0.25, 0.5, 0.9, 2.0])
    assert got == pytest.approx([0.0, 0.0, 1950 / 4095, 2000 / 4095, 1.0, 1.0], abs=1e-6)


def test_gaps():
    """Curves whose parts do not meet."""
    values, light = [0.0, 0.05, 0.09, 0.1, 1.0], [-1.0, 0.0, 0.03, 0.06]
    got = decode(TOE, "to linear", values)
    assert (got[:3] == 0.0).all() and got[4] == pytest.approx(1.0, abs=1e-6)
    got = decode(TOE, "to perceptual", light)
    assert got[0] == 0.0 and got[1] == pytest.approx(0.1, abs=1e-6)
    assert decode(LIFTED, "to linear", values)[0] == pytest.approx(0.06, abs=1e-6)
    assert decode(LIFTED, "to perceptual", light) == pytest.approx([0.0] * 4, abs=1e-6)


@pytest.mark.parametrize("trc,sample", itertools.product(TRCS, ["u8", "u16"]))
def test_levels(trc, sample):
    """All values of 8 bits and of 16 bits come back as they were. In the overlap of Rec. 709's
    parts, two values may have the same light, and so have those of a run of equal entries."""
    format = Format(sample, 1, True, trc)
    levels = np.arange(format.maximum + 1)
    codec = Codec(format, "to linear")
    got = codec.encode(codec.decode(levels.astype(format.dtype)[:, None]))[:, 0].astype(int)
    if trc is GRAY:  # light is the same, but for rounding to levels
        light = trc.to_linear(levels / format.maximum)
        assert (trc.to_linear((got - 0.51) / format.maximum) <= light).all()
        assert (trc.to_linear((got + 0.51) / format.maximum) >= light).all()
        return
    overlap = (levels / format.maximum >= 0.081) & (trc is REC_709 and sample == "u16")
    assert (np.abs(got - levels) <= np.where(overlap, 17, 0)).all()


@pytest.mark.parametrize("trc,curve", itertools.product(TRCS, ["none"] + DIRECTIONS))
def test_table_of_bytes(rng, trc, curve):
    """A row of 8 bits has a table, a few pixels have none: to the bit the same."""
    pixels = rng.integers(256, size=(256, 3), dtype=np.uint8)
    pixels[:, 0] = np.arange(256)
    codec = Codec(Format("u8", 3, True, trc), curve)
    every = codec.decode(pixels)
    for i in range(256):
        assert (codec.decode(pixels[i:i + 1])[:, 0] == every[:, i]).all()


# The steepest slope of floats on the way out; of pure gammas it is infinite, and of flat tables.
STEEPEST = {"gamma 2.2": np.inf, "gamma 1.8": np.inf, "gray": np.inf, "PQ": 1e6, "HLG": 13e3}


@pytest.mark.parametrize("trc", TRCS)
def test_magnification(trc):
    """The steepest slope on the way out, by its definition over all levels."""
    with np.errstate(divide="ignore"):
        steepest = (1 / 255 / np.diff(trc.to_linear(np.arange(256) / 255))).max()
    got = Codec(Format("u8", 1, True, trc), "to linear").get_magnification()
    assert got == pytest.approx(steepest, rel=0.1)
    format = Format("float", 1, True, trc)
    got, most = Codec(format, "to linear").get_magnification(), STEEPEST.get(trc.name, 14.0)
    assert got < most or (np.isinf(got) and np.isinf(most))
    got = Codec(format, "to perceptual").get_magnification()
    assert 1000 * np.diff(trc.to_linear(np.arange(1001) / 1000)).max() <= got
    assert Codec(format, "none").get_magnification() == 1.0


# ---- highlights ----


def make_bright(channels, light, stops, threshold):
    """In the light of the samples, so that no other curve applies."""
    codec = Codec(Format("float", channels, light == "perceptual"))
    codec.set_highlights(light, stops, threshold)
    return codec


def pass_through(codec, pixels):
    """What pixels become, and what that is stored as."""
    planes = codec.decode(np.float32(pixels))
    return planes.T, codec.encode(planes)


def get_expected(stops, threshold, light):
    value = min(threshold, 254 / 255)
    return Highlights(stops, float(SRGB.to_linear(value)) if light == "linear" else value)


@pytest.mark.parametrize("stops,threshold,light", itertools.product(
    [1e-6, 0.01, 0.5, 1.0, 3.0, 6.0], [0.0, 0.2, 0.8, 0.99, 0.999999, 1.0],
    ["linear", "perceptual"]))
def test_highlights(stops, threshold, light):
    codec, exact = make_bright(1, light, stops, threshold), get_expected(stops, threshold, light)
    got = codec.stored.highlights
    assert got.threshold == pytest.approx(exact.threshold, abs=1e-6)
    assert got.gain == pytest.approx(exact.gain, rel=1e-6)
    # f is continuous at 1.
    bent = 1.0 + got.bend * (1.0 - got.threshold) ** 2
    assert bent == pytest.approx(exact.gain, rel=1e-6)
    values = np.concatenate([np.arange(1001) / 1000,
                             [-1e30, -2.0, -0.0, 1.0001, 2.0, 1e4, np.inf, -np.inf]])
    values = values.astype(np.float32).astype(float)[:, None]
    rounded = Highlights()
    rounded.threshold, rounded.bend, rounded.gain = got.threshold, got.bend, got.gain
    planes, back = pass_through(codec, values)
    finite = np.isfinite(values)
    expected = rounded.expand(values[finite])
    assert (np.abs(planes[finite] - expected) <= 1e-6 * np.abs(expected) + 1e-12).all()
    bounds = 1e-6 * np.maximum(np.abs(values), 0.01)[finite]
    assert (np.abs(back[finite] - values[finite]) <= bounds).all()
    assert (planes == values)[~finite].all() and (back == values)[~finite].all()


@pytest.mark.parametrize("pixel,most", [
    ([1.0, 0.8, 0.4], 1.0), ([0.1, 0.9, 0.3], 0.9), ([0.2, -0.5, 4.0], 4.0),
    ([0.2, 0.3, 0.1], 0.3), ([-1.0, -0.5, -2.0], 0.0), ([0.0, 0.0, 0.0], 0.0),
    ([np.nan, 0.9, 0.2], 0.9), ([0.9, 0.2, -np.inf], 0.9), ([0.9, 0.2, np.inf], 1e30)])
def test_highlights_keep_hues(pixel, most):
    """All colours of a pixel are multiplied by the factor of its brightest."""
    most = float(np.float32(most))
    factor = float(get_expected(3.0, 0.8, "linear").expand(most)) / most if most > 0.0 else 1.0
    (planes,), (back,) = pass_through(make_bright(3, "linear", 3.0, 0.8), [pixel])
    for x, got, stored in zip(pixel, planes, back):
        if np.isnan(x):
            assert np.isnan(got) and stored == np.inf
        else:
            assert got == pytest.approx(x * factor, rel=2e-6, abs=1e-12)
            assert stored == pytest.approx(x, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("threshold", [0.5, 1.0])
def test_highlights_of_levels(threshold):
    """8-bit colour; alpha is as it was, and colour is multiplied by it after."""
    codec = Codec(Format("u8", 2), "to linear")
    codec.set_highlights("linear", 4.0, threshold)
    pixels = np.stack([np.arange(256), np.full(256, 128)], axis=1).astype(np.uint8)
    planes = codec.decode(pixels)
    light = SRGB.to_linear(np.arange(256) / 255)
    values = get_expected(4.0, threshold, "linear").expand(light)
    if threshold == 1.0:  # white alone is above it
        assert (values[:-1] == light[:-1]).all() and values[-1] == 16.0
    assert planes[0] == pytest.approx(values * 128 / 255, rel=4e-6, abs=1e-12)
    assert planes[1] == pytest.approx(np.full(256, 128 / 255), abs=1e-7)
    assert codec.encode(planes).tobytes() == pixels.tobytes()


def test_no_highlights():
    """Without stops, there is no curve."""
    codec = Codec(Format("float", 1))
    for stops, gain in [(0.0, 0.0), (6.0, 64.0)]:
        codec.set_highlights("linear", stops, 0.5)
        assert codec.stored.highlights.gain == gain


# ---- what is a curve ----


def store(trc, **parameters):
    stored = fx.store_format(Format("u8", 3, True, trc))
    for n, name in enumerate("gabcdef"):
        if name in parameters:
            stored.trc.parameters[n] = parameters[name]
    return ctypes.byref(stored), stored


def are_equal(a, b):
    return bool(fx.library.fx_format_equal(ctypes.byref(a), ctypes.byref(b)))


@pytest.mark.parametrize("trc", TRCS + [TOE, LIFTED])
def test_good_curves(trc):
    address, stored = store(trc)
    fx.call("fx_format_check", address)
    other = store(trc, g=stored.trc.parameters[0] + 0.1)[1]
    assert are_equal(stored, stored) and not are_equal(stored, other)


@pytest.mark.parametrize("parameters", [
    {"g": 0.0, "a": 1.0}, {"g": -1.0, "a": 1.0}, {"g": 11.0, "a": 1.0}, {"g": np.nan, "a": 1.0},
    {"g": 2.0}, {"g": 2.0, "a": -1.0}, {"g": 2.0, "a": np.inf}, {"g": 2.0, "a": 1e-40},
    {"g": 2.0, "a": 1.0, "b": np.nan}, {"g": 2.0, "a": 1.0, "b": -0.5},
    {"g": 2.0, "a": 1.0, "c": -0.1}, {"g": 2.0, "a": 1.0, "c": 1e-40},
    {"g": 2.0, "a": 1.0, "d": np.inf}, {"g": 2.0, "a": 1.0, "c": 0.2, "d": 0.1},
    {"g": 2.0, "a": 1.0, "e": -np.inf}, {"g": 2.0, "a": 1.0, "f": 0.1}])
def test_bad_curves(parameters):
    with pytest.raises(fx.Error, match="curve") as caught:
        fx.call("fx_format_check", store(SRGB, **parameters)[0])
    assert caught.value.code == "argument"


def get_table(entries):
    return fx.call("fx_trc_table_get", entries.ctypes.data)


def get_power(exponent):
    """A table that rises to 1, as its parametric curves do."""
    return np.float32(np.linspace(0.0, 1.0, ENTRIES) ** exponent)


def test_equal_entries_have_one_table():
    """Whichever thread asks first. A table is a curve without parameters."""
    curves = [Table(f"power {n}", lambda x, n=n: x ** n) for n in range(1, 9)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        tables = list(pool.map(lambda trc: get_table(trc.entries), curves * 4))
    for n, trc in enumerate(curves):
        assert set(tables[n::8]) == {tables[n]}
        address, stored = store(trc)
        fx.call("fx_format_check", address)
        assert not are_equal(stored, store(curves[n - 1])[1])
        with pytest.raises(fx.Error):
            fx.call("fx_format_check", store(trc, g=1.0, a=1.0)[0])
    assert len(set(tables)) == 8


@pytest.mark.parametrize("place,value", itertools.product(
    [0, 1000, ENTRIES - 1], [np.nan, np.inf, -np.inf, 101.0, -101.0]))
def test_bad_entries(place, value):
    entries = get_power(2.0)
    entries[place] = value
    with pytest.raises(fx.Error) as caught:
        get_table(entries)
    assert caught.value.code == "argument"


def test_entries_rise():
    entries = get_power(2.0)
    entries[2000] = entries[2001]
    assert get_table(entries)
    entries[2000] = entries[2001] + np.float32(1e-6)
    for wrong in (entries, np.zeros(ENTRIES, np.float32)):
        with pytest.raises(fx.Error):
            get_table(wrong)
