"""The descriptions of filters (filter.h): the contract of all, what each says, settings as words
and as last values, and what the engine's plans are made of."""

import ctypes
import itertools
import math
import struct
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint, c_void_p

import numpy as np
import pytest

import fx
from cases import list_examples, load_parts
from descriptions import (BLUR, CONVOLVE, FILTER, FILTERS, LENS, MATRIX, NAMES, NUMBER, Settings,
                          get_largest, get_property, matrix, take_text)
from formats import Format

fx.library.declare({
    "filter_get_shown": (c_uint, [FILTER, c_uint]),
    "filter_settings_assign": (None, [c_void_p, c_void_p]),
    "filter_settings_from_bytes": (c_void_p, [FILTER, c_char_p, c_size_t], True),
    "filter_settings_from_words": (c_void_p, [FILTER, POINTER(c_char_p), c_int], True),
    "filter_settings_set_words": (c_int, [c_void_p, c_char_p], True),
    "filters_find": (FILTER, [c_char_p]),
})

PROPERTIES = [(filter, name) for filter, names in NAMES.items() for name in names]


def read(filter, text):
    """Settings from last values, or None."""
    data = text if isinstance(text, bytes) else text.encode()
    try:
        return Settings(filter, fx.call("filter_settings_from_bytes", filter, data, len(data)))
    except fx.Error:
        return None


# ---- the contract of all ----


@pytest.mark.parametrize("filter,name", PROPERTIES)
def test_ranges(filter, name):
    """The engine, which has the last word, takes what the description says, and nothing beyond."""
    property, key = get_property(filter, name), name.replace("-", "_")

    def passes(value):
        refusal = Settings(FILTERS[filter], **{key: value}).get_refusal()
        assert refusal is None or refusal.startswith(name) or property.type == MATRIX
        return refusal is None

    least, most = property.minimum, get_largest(property)
    if property.type == MATRIX:
        for size in range(int(least) - 2, int(most) + 3):
            values = np.zeros(max(size * 3, 1))
            values[0] = 1.0
            fits = least <= size <= most and size % 2 == 1
            assert passes((size, 3, size * 3, values)) == fits
            assert passes((3, size, size * 3, values)) == fits
        return
    beyond = 0.01 if property.type == NUMBER and abs(most) < 1e6 else max(1.0, abs(most) * 1e-6)
    assert passes(least) and passes(most)
    assert not passes(least - beyond) and not passes(most + beyond)
    assert property.type != NUMBER or not passes(math.nan)


@pytest.mark.parametrize("filter,name", PROPERTIES)
def test_texts(filter, name):
    """A text of the procedure's says every number that a caller may give."""
    property = get_property(filter, name)
    blurb = take_text(fx.library.filter_property_get_blurb(byref(property)))
    choices = fx.library.filter_property_get_choices(byref(property))
    assert property.label and property.tooltip
    if choices:
        for i in range(get_largest(property) + 1):
            assert f" ({i})" in blurb
    elif property.type != MATRIX:  # whose sizes are arguments by themselves
        assert f"<= {name} <= {property.maximum:g}" in blurb


@pytest.mark.parametrize("filter", FILTERS.values(), ids=list(FILTERS))
def test_shown(filter):
    """Dialogs show all, in order, but for those that are last."""
    places = range(filter.contents.n_properties)
    shown = [fx.library.filter_get_shown(filter, place) for place in places]
    assert shown == sorted(places, key=lambda i: filter.contents.properties[i].last)


def test_kernel_size_last():
    """In dialogs; calls of the procedure have it third, by its place."""
    assert NAMES["gaussian-blur"].index("kernel-size") == 2
    assert fx.library.filter_get_shown(BLUR, BLUR.contents.n_properties - 1) == 2


def test_found():
    for filter in FILTERS.values():
        found = fx.library.filters_find(filter.contents.procedure)
        assert ctypes.addressof(found.contents) == ctypes.addressof(filter.contents)
    assert not fx.library.filters_find(b"plug-in-none")
    assert fx.library.filter_find_property(BLUR, b"none") == -1


def test_defaults():
    assert not any(Settings(filter).get_refusal() for filter in FILTERS.values())
    for part in load_parts("examples").values():
        assert Settings(FILTERS[part.FILTER]).get_all() == part.DEFAULTS


SINGLE = "a number in single precision's range"
ODD = "{} is {}, but must be an odd number from 1 to 1023"
NINE = matrix([1, 2, math.nan], [0, 0, 0], [0, 0, 0])[3]
LARGE = matrix([1e38, 1e38, 1e38], [0, 0, 0], [0, 0, 0])


@pytest.mark.parametrize("filter,values,message", [
    (BLUR, {"sigma_x": -1}, "sigma-x is -1, but must be 0 to 5000 pixels"),
    (BLUR, {"kernel_size": 4},
     "kernel-size is 4, but must be 0 (automatic) or an odd number from 1 to 9999"),
    (BLUR, {"abyss": 4},
     "abyss is 4, but must be 0 (clamp), 1 (none), 2 (black) or 3 (white)"),
    (BLUR, {"grow": 2}, "grow is 2, but must be 0 (no) or 1 (yes)"),
    (BLUR, {"device": -1}, "device is -1, but must be 0 (automatic), 1 (GPU) or 2 (CPU)"),
    (CONVOLVE, {"values": (3, 3, 8, NINE)}, "There are 8 values, but a matrix of 3x3 needs 9"),
    (CONVOLVE, {"values": (3, 1, 9, NINE)}, "There are 9 values, but a matrix of 3x1 needs 3"),
    (CONVOLVE, {"values": (3, 3, 0, NINE)}, "There are 0 values, but a matrix of 3x3 needs 9"),
    (CONVOLVE, {"values": (0, 0, 0, NINE)}, ODD.format("rows", 0)),
    (CONVOLVE, {"values": (-1, -1, 1, NINE)}, ODD.format("rows", -1)),
    (CONVOLVE, {"values": (4, 2, 8, NINE)}, ODD.format("rows", 4)),
    (CONVOLVE, {"values": (65537, 65535, 9, NINE)}, ODD.format("rows", 65537)),
    (CONVOLVE, {"values": (3, (1 << 31) - 1, 9, NINE)}, ODD.format("columns", (1 << 31) - 1)),
    (CONVOLVE, {"values": (3, 3, 9, NINE)},
     f"The value in row 1, column 3 is nan, but must be {SINGLE}"),
    (CONVOLVE, {"values": LARGE, "divisor": 0.5},
     "divisor is 0.5, which makes the values infinite")])
def test_messages(filter, values, message):
    assert Settings(filter, **values).get_refusal() == message


# ---- last values ----

BLUR_TEXT = ("sigma-x=0.10000000000000001\nsigma-y=3\nkernel-size=35\nabyss=none\n"
             "light=linear\ngrow=yes\ndevice=cpu\n")
VALUES = "1x3: 0.1 -1e-300 0.3333333333333333"
CONVOLVE_TEXT = (f"values={VALUES}\ndivisor=-2\noffset=0.5\nchannels=9\n"
                 "alpha-weighting=straight\nabyss=black\nlight=perceptual\ndevice=gpu\n")
CONVOLVE_BYTES = (CONVOLVE_TEXT.split("\n", 1)[1].encode() + b"\0" +
                  struct.pack("=ii3d", 1, 3, 0.1, -1e-300, 1 / 3))


def make_blur():
    return Settings(BLUR, sigma_x=0.1, kernel_size=35, abyss=1, grow=1, device=2)


def make_convolve():
    return Settings(CONVOLVE, values=matrix([0.1, -1e-300, 1 / 3]), divisor=-2, offset=0.5,
                    channels=9, alpha_weighting=2, abyss=2, light=1, device=1)


def test_last_values(any_locale):
    """Each property's extremes, and numbers of many digits."""
    settings, description = make_blur(), BLUR.contents
    assert settings.print() == BLUR_TEXT.encode()
    for i in range(description.n_properties):
        property = description.properties[i]
        for value in (property.minimum, get_largest(property)):
            fx.library.filter_settings_set(settings.handle, i, value)
            assert read(BLUR, settings.print()).get_all() == settings.get_all()
    for sigma in (5e-324, 1 / 3, 12.34567891, 4999.9):
        settings.set(sigma_x=sigma)
        assert read(BLUR, settings.print()).get_all() == settings.get_all()


def test_matrix_last_values(any_locale):
    settings = make_convolve()
    assert settings.print() == CONVOLVE_BYTES
    for data in (CONVOLVE_BYTES, CONVOLVE_TEXT):  # of this version and of earlier ones
        again = read(CONVOLVE, data)
        assert fx.library.filter_matrix_equal(again.get_matrix(), settings.get_matrix())
        assert again.get_all() == settings.get_all()


@pytest.mark.parametrize("settings,trace", [
    (make_blur, "sigma 0.10 3.00"), (lambda: Settings(LENS), "radius 10.00"),
    (lambda: Settings(CONVOLVE), "matrix 3x3")])
def test_trace(any_locale, settings, trace):
    assert settings().trace() == trace


def test_other_version():
    """One that had fewer properties, or wrote them in another order."""
    old = read(BLUR, "device=cpu\nsigma-x=7\n")
    assert old.get("sigma_x") == 7 and old.get("sigma_y") == 3 and old.get("device") == 2


@pytest.mark.parametrize("filter,data", [
    (BLUR, BLUR_TEXT.encode()), (CONVOLVE, CONVOLVE_TEXT.encode()), (CONVOLVE, CONVOLVE_BYTES)])
def test_cut_off(filter, data):
    for i in range(len(data)):
        assert data[:i].endswith(b"\n") or not i or not read(filter, data[:i])


@pytest.mark.parametrize("text", [
    "1", "1 (sigma-x 3)", BLUR_TEXT + "later=1\n", " " + BLUR_TEXT, "\n", BLUR_TEXT + "\n",
    b"\x08\x40" + bytes(46)])
def test_other_texts(text):
    """Of a later version, and in other formats."""
    assert not read(BLUR, text)


@pytest.mark.parametrize("filter,old,new", [
    (BLUR, "sigma-y=3", "sigma-y=5001"), (BLUR, "sigma-y=3", "sigma-y=nan"),
    (BLUR, "sigma-y=3", "sigma-y=-3"), (BLUR, "kernel-size=35", "kernel-size=36"),
    (BLUR, "abyss=none", "abyss=grey"), (BLUR, "grow=yes", "grow=1"), (BLUR, "sigma-y", "sigma-z"),
    *((CONVOLVE, VALUES, other) for other in [
        "3x1: 0.1 -1e-300", "1x4: 1 2 3 4", "1x3: 1 2 1e999", "1x65: 1", "1x3: 1 2 1e39", ""])])
def test_wrong_last_values(filter, old, new):
    """A value out of range is refused, as in words."""
    text = BLUR_TEXT if filter is BLUR else CONVOLVE_TEXT
    assert text.count(old) == 1
    assert not read(filter, text.replace(old, new))


@pytest.mark.parametrize("rows,columns,n", [
    (1, 3, 2), (1, 3, 4), (3, 3, 3), (-1, -3, 3), (1, 0, 0), (2, 2, 4), (1 << 30, 1 << 30, 1)])
def test_wrong_matrices(rows, columns, n):
    """Of another size than they say, or than there can be."""
    text = CONVOLVE_BYTES.split(b"\0")[0]
    assert not read(CONVOLVE, text + struct.pack(f"=xii{n}d", rows, columns, *range(1, n + 1)))
    assert not read(BLUR, BLUR_TEXT.encode() + struct.pack("=xiid", 1, 1, 1))


def test_copies():
    """Settings that are copied or assigned share the matrix, until one of them gets another."""
    settings, other = make_convolve(), Settings(CONVOLVE)
    copy = Settings(CONVOLVE, fx.library.filter_settings_copy(settings.handle))
    for source in (settings, other):
        fx.library.filter_settings_assign(other.handle, source.handle)
    assert copy.get_matrix() == other.get_matrix() == settings.get_matrix()
    copy.set(values=matrix([1]))
    assert not fx.library.filter_matrix_equal(copy.get_matrix(), settings.get_matrix())
    assert settings.print() == CONVOLVE_BYTES and other.get("channels") == 9


# ---- words ----


def from_words(filter, *words):
    texts = (c_char_p * len(words))(*(word.encode() for word in words))
    return Settings(filter, fx.call("filter_settings_from_words", filter, texts, len(words)))


@pytest.mark.parametrize("name,word", list_examples("SEARCHED"))
def test_search(name, word):
    """GIMP's search looks at a menu item's label and at this text of the filter's."""
    assert word in FILTERS[name].contents.blurb.decode()


def test_words():
    settings = from_words(BLUR, "sigma-x=8.5", "kernel-size=7", "abyss=white", "grow=yes")
    assert settings.get_all() == [8.5, 3, 7, 3, 0, 1, 0]
    settings = from_words(CONVOLVE, "values=1.5 2 -3", "divisor=-2", "offset=.25")
    expected = Settings(CONVOLVE, values=matrix([1.5, 2, -3]))
    assert fx.library.filter_matrix_equal(settings.get_matrix(), expected.get_matrix())
    assert settings.get_all() == [-2, 0.25, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("word,message", [
    ("divisor=x", "divisor is 'x'"), ("divisor=1,5", "divisor is '1,5'"),
    ("divisor=", "divisor is ''"), ("divisor=nan", "divisor is nan"),
    ("channels=1.5", "channels is '1.5'"), ("channels=1e99", "channels is '1e99'"),
    ("channels=16", "channels is 16"),
    ("abyss=3", "abyss is '3', but must be one of: clamp, none, black, white"),
    ("sigma-x=3", "'sigma-x=3' names no property"), ("divisor", "'divisor' names no property"),
    ("values=1 2", "columns is 2"), ("values=", "no number")])
def test_refused_words(word, message):
    with pytest.raises(fx.Error) as caught:
        from_words(CONVOLVE, "divisor=1", word)
    assert caught.value.code == "argument" and message in str(caught.value)


@pytest.mark.parametrize("filter", FILTERS.values(), ids=list(FILTERS))
def test_presets(filter):
    """Those that come with a filter: each is valid, sets what it names, and leaves the rest."""
    presets = filter.contents.presets
    for preset in itertools.takewhile(lambda item: item.name, presets) if presets else ():
        settings, words = Settings(filter), preset.label.decode().split()
        fx.call("filter_settings_set_words", settings.handle, preset.label)
        assert settings.get_all() == from_words(filter, *words).get_all()
        assert len(words) >= 1 and all("=" in word for word in words)


@pytest.mark.parametrize("words", ["radius=3 blades=2", "radius=3 sigma-x=2", "radius=3 ring"])
def test_wrong_preset(words):
    """Words that are wrong change nothing."""
    settings = Settings(LENS)
    with pytest.raises(fx.Error):
        fx.call("filter_settings_set_words", settings.handle, words.encode())
    assert settings.get_all() == Settings(LENS).get_all()


# ---- what each filter says ----


@pytest.mark.parametrize("filter,example", list_examples("GROWTH"))
def test_growth(filter, example):
    """A layer grows if it is to."""
    size, values, growth = example
    assert Settings(FILTERS[filter], **values).get_growth(size, size // 2) == growth


def test_blur():
    settings = Settings(BLUR)
    assert get_property("gaussian-blur", "kernel-size").automatic.get(settings.handle) == 25
    assert not settings.plan().is_identity
    assert Settings(BLUR, kernel_size=1).plan().is_identity


def test_matrix_plan():
    plan = make_convolve().plan()
    assert not plan.is_identity and plan.reach == (1, 1, 0, 0)


@pytest.mark.parametrize("filter,example", list_examples("COVERAGE"))
def test_coverage(filter, example):
    """A mask's values are no light, so neither the light nor highlights apply to them: the result
    is as with linear light, and without highlights."""
    values, without, gamma = example
    format = Format("u8", 1, gamma)
    pixels = (np.arange(24 * 30) * 37 % 256).astype(np.uint8).reshape(24, 30, 1)

    def run(coverage, **more):
        plan = Settings(FILTERS[filter], **values | more).plan(format, coverage)
        return fx.run_plan(plan, pixels, format, device="cpu").tobytes()

    assert run(True) == run(True, **without)
    assert run(True) != run(False)
