"""The curves that profiles have for the engine (profile.h), held to their definitions."""

import ctypes
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_size_t, c_uint16, c_uint32, c_void_p

import numpy as np
import pytest

import fx
from formats import SRGB, Format, Parametric, get_pq

ENTRIES = 4096
GET_LIGHT = ctypes.CFUNCTYPE(None, c_void_p, POINTER(c_double), POINTER(c_double), c_int)


class FitCurve(ctypes.Structure):
    _fields_ = [("get_light", GET_LIGHT), ("data", c_void_p)]


FORMAT = POINTER(fx.StoredFormat)
fx.library.declare({
    "cmsBuildParametricToneCurve": (c_void_p, [c_void_p, c_int, POINTER(c_double)]),
    "cmsBuildTabulatedToneCurve16": (c_void_p, [c_void_p, c_int, POINTER(c_uint16)]),
    "cmsCloseProfile": (c_int, [c_void_p]),
    "cmsCreateGrayProfile": (c_void_p, [c_double * 3, c_void_p]),
    "cmsCreateLab4Profile": (c_void_p, [c_void_p]),
    "cmsCreateRGBProfile": (c_void_p, [c_double * 3, c_double * 9, c_void_p * 3]),
    "cmsFreeToneCurve": (None, [c_void_p]),
    "cmsSaveProfileToMem": (c_int, [c_void_p, c_char_p, POINTER(c_uint32)]),
    "fit_trc": (c_int, [POINTER(FitCurve), POINTER(fx.Trc), c_void_p]),
    "g_bytes_get_data": (c_void_p, [c_void_p, POINTER(c_size_t)]),
    "g_bytes_unref": (None, [c_void_p]),
    "profile_new_from_codes": (c_void_p, [c_int, c_int, c_int]),
    "profile_new_from_gamma": (c_void_p, [c_double, POINTER(c_double), c_int]),
    "profile_set_trc": (c_int, [FORMAT, c_char_p, c_size_t]),
})

# From stored values to light, as lcms2's type 4 has them.
CURVES = {name: Parametric(name, *numbers) for name, numbers in {
    "Adobe": [563 / 256],
    "ProPhoto": [1.8, 1, 0, 1 / 16, 16 / 512],
    "Rec. 2020": [1 / 0.45, 1 / 1.0993, 0.0993 / 1.0993, 1 / 4.5, 0.08124],
    "rounded": [1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081],  # it falls by 6e-5
    "lightness": [3, 1 / 1.16, 0.16 / 1.16, 2700 / 24389, 0.08],
    "linear": [1]}.items()} | {"sRGB": SRGB}
ADOBE, LINEAR = CURVES["Adobe"], CURVES["linear"]


# ---- profiles ----


def make_table(get_light):
    values = np.array([get_light(i / (ENTRIES - 1)) for i in range(ENTRIES)])
    entries = (values * 65535 + 0.5).astype(np.uint16)
    return fx.library.cmsBuildTabulatedToneCurve16(
        None, ENTRIES, entries.ctypes.data_as(POINTER(c_uint16)))


def make_parametric(type, *numbers):
    return fx.library.cmsBuildParametricToneCurve(None, type, (c_double * len(numbers))(*numbers))


def save(profile):
    size = c_uint32()
    assert fx.library.cmsSaveProfileToMem(profile, None, byref(size))
    icc = ctypes.create_string_buffer(size.value)
    assert fx.library.cmsSaveProfileToMem(profile, icc, byref(size))
    fx.library.cmsCloseProfile(profile)
    return icc.raw


def make_profile(*curves):
    """Of one curve for gray, or three. Frees them."""
    white = (c_double * 3)(0.3127, 0.329, 1)
    primaries = (c_double * 9)(0.64, 0.33, 1, 0.3, 0.6, 1, 0.15, 0.06, 1)
    icc = save(fx.library.cmsCreateGrayProfile(white, curves[0]) if len(curves) == 1 else
               fx.library.cmsCreateRGBProfile(white, primaries, (c_void_p * 3)(*curves)))
    for curve in set(curves):
        fx.library.cmsFreeToneCurve(curve)
    return icc


def take(made):
    """The bytes of a GBytes that is freed, or None."""
    if not made:
        return None
    size = c_size_t()
    icc = ctypes.string_at(fx.library.g_bytes_get_data(made, byref(size)), size.value)
    fx.library.g_bytes_unref(made)
    return icc


def make_from_codes(primaries, transfer, gray=False):
    return take(fx.library.profile_new_from_codes(primaries, transfer, gray))


def make_from_gamma(gamma, chromaticities=None, gray=False):
    return take(fx.library.profile_new_from_gamma(gamma, chromaticities, gray))


def set_trc(stored, icc):
    return bool(fx.library.profile_set_trc(stored, icc, len(icc)))


def is_srgb(trc):
    return trc.parameters[0] == 0 and not trc.table


def check(icc, curve):
    """The format's curve is that one, to within 1.1e-5, or a table if that is None."""
    stored = fx.store_format(Format("float", 3))
    assert set_trc(stored, icc)
    assert stored.gamma == (curve is not LINEAR) and bool(stored.trc.table) == (curve is None)
    assert is_srgb(stored.trc) == (curve in (SRGB, LINEAR))
    fx.call("fx_format_check", stored)
    if curve not in (None, LINEAR):
        values = np.linspace(0, 1, 1000)
        found = SRGB if is_srgb(stored.trc) else Parametric("found", *stored.trc.parameters)
        assert np.abs(found.to_linear(values) - curve.to_linear(values)).max() <= 1.1e-5


# ---- cases ----


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("name", CURVES)
def test_formula(name, channels):
    """Tables of what is a formula."""
    curve = CURVES[name]
    check(make_profile(*channels * [make_table(curve.to_linear)]), curve)


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("name,type,numbers", [
    ("Adobe", 1, [563 / 256]), ("linear", 1, [1]),
    ("sRGB", 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]),
    *((name, 4, CURVES[name].parameters[:5]) for name in (
        "ProPhoto", "Rec. 2020", "rounded", "lightness"))])
def test_parametric(name, type, numbers, channels):
    check(make_profile(*channels * [make_parametric(type, *numbers)]), CURVES[name])


@pytest.mark.parametrize("gray", [False, True])
@pytest.mark.parametrize("primaries,transfer,curve", [
    (12, 13, SRGB), (9, 16, None), (9, 18, None), (1, 8, LINEAR)])
def test_codes(primaries, transfer, curve, gray):
    """PQ and HLG are tables."""
    check(make_from_codes(primaries, transfer, gray), curve)


def test_unknown_codes():
    assert make_from_codes(9, 2) is None and make_from_codes(3, 16) is None


def test_gamma():
    check(make_from_gamma(563 / 256), ADOBE)
    check(make_from_gamma(1, gray=True), LINEAR)
    assert make_from_gamma(0) is None
    assert make_from_gamma(2.2, (c_double * 8)()) is None


def test_table():
    """The entries of PQ's are exact, although the profile's own have 16 bits."""
    def fill(data, stored, light, n):
        for i in range(n):
            light[i] = get_pq(stored[i])

    stored, trc = fx.store_format(Format("float", 3)), fx.Trc()
    assert fx.library.fit_trc(FitCurve(GET_LIGHT(fill)), trc, None)
    assert set_trc(stored, make_from_codes(9, 16))
    assert trc.table and stored.trc.table == trc.table


def test_dot_gain():
    check(make_profile(make_table(lambda x: x * (0.3 + x * (0.2 + x * x * 0.5)))), None)


def make_uneven(other):
    """A profile of which one channel has another curve."""
    curves = 3 * [make_table(ADOBE.to_linear)]
    curves[other] = make_table(SRGB.to_linear)
    return make_profile(*curves)


@pytest.mark.parametrize("make", [
    lambda: make_uneven(1), lambda: make_uneven(2),
    lambda: make_profile(make_table(lambda x: x if x < 0.5 else 1 - x)),
    lambda: save(fx.library.cmsCreateLab4Profile(None)), lambda: b"no profile"],
    ids=["green", "blue", "falling", "Lab", "no profile"])
def test_none(make):
    """What leaves sRGB's curve."""
    stored = fx.store_format(Format("u8", 3))
    assert not set_trc(stored, make())
    assert stored.gamma and is_srgb(stored.trc)


def test_stored_linear():
    """Linear samples become perceptual through the profile's curve."""
    stored = fx.store_format(Format("float", 3, False))
    assert set_trc(stored, make_from_gamma(563 / 256))
    assert not stored.gamma and abs(stored.trc.parameters[0] - 563 / 256) <= 1e-4
