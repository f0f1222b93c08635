"""8-bit pixels of three and four channels (bytes.h): each kind of vector unit, all levels, all
thresholds."""

import ctypes
import itertools
from ctypes import CFUNCTYPE, POINTER, byref, c_int, c_void_p

import numpy as np
import pytest

import fx
from codec_alone import GUARD
from formats import SRGB


class Bytes(ctypes.Structure):
    _fields_ = [("channels", c_int), ("premultiplied", c_int), ("table", c_void_p),
                ("srgb", c_int)]


CONVERT = CFUNCTYPE(None, POINTER(Bytes), c_void_p, c_int, c_void_p)


class Coder(ctypes.Structure):
    _fields_ = [("decode", CONVERT), ("encode", CONVERT)]


UNITS = {"avx2": 1, "avx512": 2}
fx.library.check({"FxBytes": Bytes})
fx.library.declare({"fx_bytes_get_coder": (POINTER(Coder), [c_int]),
                    "door_get_vector_unit": (c_int, [])})
TABLE = SRGB.to_linear(np.arange(256) / 255).astype(np.float32)


@pytest.fixture(params=UNITS)
def coder(request):
    if UNITS[request.param] > fx.library.door_get_vector_unit():
        pytest.skip(f"this processor has no {request.param}")
    return fx.library.fx_bytes_get_coder(UNITS[request.param]).contents


def test_plain():
    assert not fx.library.fx_bytes_get_coder(0)


def decode(coder, bytes, pixels, n):
    """The floats of pixels, n at a time. Begins with the last ones, so that what is written beyond
    the end of some spoils the next."""
    count, channels = pixels.shape
    floats = np.full((count + 1, 4), GUARD, np.uint8).repeat(4, axis=1).view(np.float32)
    for first in reversed(range(0, count, n)):
        coder.decode(byref(bytes), pixels.ctypes.data + first * channels, min(n, count - first),
                 floats.ctypes.data + first * 16)
    assert (floats[count].view(np.uint8) == GUARD).all()
    return floats[:count]


@pytest.mark.parametrize("curved", [False, True])
@pytest.mark.parametrize("channels,premultiplied", [(3, False), (4, False), (4, True)])
def test_decode(rng, coder, channels, premultiplied, curved):
    """Each level of colour under each alpha, from each channel."""
    numbers = np.arange(65536)
    pixels = np.stack([numbers, numbers + 85, numbers + 170, numbers // 256], 1).astype(np.uint8)
    pixels = np.ascontiguousarray(pixels[:, :channels])
    bytes = Bytes(channels, premultiplied, TABLE.ctypes.data if curved else None)
    linear = pixels * np.float32(1 / 255)
    color, alpha = TABLE[pixels[:, :3]] if curved else linear[:, :3], linear[:, 3:]
    if premultiplied:
        color = color * alpha
    expected = np.hstack([color, alpha if channels == 4 else color[:, 2:]])
    some = rng.integers(65536, size=1000)
    for n, part in [(9, numbers), (258, numbers), *((n, some) for n in (*range(1, 9), 92, 175))]:
        source = np.ascontiguousarray(pixels[part])
        assert (decode(coder, bytes, source, n) == expected[part]).all(), n


@pytest.fixture
def encode(coder):
    """A function that returns the bytes of n pixels of floats, and checks what lies behind them."""
    def encode(floats, channels=4, **others):
        floats = np.ascontiguousarray(floats, np.float32).reshape(-1, 4)
        levels = np.full(len(floats) * channels + 1, GUARD, np.uint8)
        coder.encode(byref(Bytes(channels, **others)), floats.ctypes.data, len(floats),
                 levels.ctypes.data)
        assert levels[-1] == GUARD
        return levels[:-1].reshape(-1, channels)

    return encode


def get_thresholds(srgb, more):
    """The light at which each level begins, or a little more or less, and at which the last
    ends."""
    values = (np.arange(255) + 0.5 + more) / 255
    return np.concatenate([[-np.inf], SRGB.to_linear(values) if srgb else values, [np.inf]])


def check_levels(encode, srgb, floats):
    """In all four places, the level is the nearest one, to 0.0002 of a level."""
    floats = floats[:len(floats) // 4 * 4].reshape(-1, 4)
    levels = encode(floats, srgb=srgb)
    for part, curved in ((slice(0, 3), srgb), (slice(3, 4), False)):
        least, most = get_thresholds(curved, -2e-4)[:-1], get_thresholds(curved, 2e-4)[1:]
        assert (floats[:, part] >= least[levels[:, part]]).all()
        assert (floats[:, part] <= most[levels[:, part]]).all()


@pytest.mark.parametrize("srgb", [False, True])
def test_levels(rng, encode, srgb):
    """Floats from 0 to 1 in steps of many ulp, and each one beside a threshold."""
    one = int(np.float32(1).view(np.uint32))
    steps = np.arange(rng.integers(100), one, 101, np.uint32)
    beside = np.arange(-2000, 2000)[:, None] + np.concatenate([
        get_thresholds(curved, 0)[1:-1].astype(np.float32).view(np.uint32)
        for curved in range(srgb + 1)]).astype(int)
    for part in [*np.array_split(steps, 8), beside.reshape(-1).astype(np.uint32)]:
        check_levels(encode, srgb, np.append(part, 3 * [one]).astype(np.uint32).view(np.float32))


VALUES = [-np.inf, -1, -0.0, 1e-31, 0.5, 1 - 2 ** -21, 1, 2, np.inf, np.nan]


@pytest.mark.parametrize("color,alpha", itertools.product(np.float32(VALUES), repeat=2))
def test_special(encode, color, alpha):
    """Colour and alpha that are nothing, not finite, or out of range, by 1 to 9 pixels."""
    if not np.isfinite(color) or abs(alpha - 1) <= 2 ** -20:
        straight = color
    else:
        straight = color / float(alpha) if abs(alpha) >= 1e-30 else 0.0

    def store(value):
        return int(np.rint(np.clip(np.nan_to_num(float(value), posinf=1, neginf=0), 0, 1) * 255))

    for n in range(1, 10):
        floats = np.tile([color, color, color, alpha], (n, 1))
        assert (encode(floats, premultiplied=True) == 3 * [store(straight)] + [store(alpha)]).all()
        assert (encode(floats, channels=3) == store(color)).all()
