"""What the variable blur's description says of its map, and what settings do with one."""

import ctypes
import gc

import numpy as np

import fx
from descriptions import FILTERS, Settings

VARIABLE = FILTERS["variable-blur"]
fx.library.declare({
    "filter_settings_assign": (None, [ctypes.c_void_p, ctypes.c_void_p]),
    "filter_settings_equal": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_void_p]),
    "filter_settings_get_map": (ctypes.c_void_p, [ctypes.c_void_p]),
    "filter_settings_use_linear_map": (ctypes.c_int, [ctypes.c_void_p]),
})


def make(value):
    return fx.Settings("variable-blur", map=(np.full((2, 3), value), (4, 5)))


def get_map(settings):
    return fx.library.filter_settings_get_map(settings.handle)


def is_equal(one, other):
    return fx.library.filter_settings_equal(one.handle, other.handle)


def test_description():
    """It alone has a map."""
    assert [name for name, filter in FILTERS.items() if filter.contents.map[0]] == ["variable-blur"]
    assert VARIABLE.contents.map[1]


def test_linear():
    settings = Settings(VARIABLE)
    assert not fx.library.filter_settings_use_linear_map(settings.handle)
    settings.set(linear_mask=1)
    assert fx.library.filter_settings_use_linear_map(settings.handle)


def test_shared():
    """Copies share the map, which lives as long as one of them; settings with another map are
    others."""
    first = make(0.5)
    address = get_map(first)
    copy = Settings(VARIABLE, fx.library.filter_settings_copy(first.handle))
    assert get_map(copy) == address and is_equal(first, copy)
    assert not is_equal(first, make(0.5)) and not is_equal(first, Settings(VARIABLE))
    second = make(1.0)
    fx.library.filter_settings_assign(first.handle, second.handle)
    assert get_map(first) == get_map(second)
    del second
    gc.collect()
    fx.library.filter_settings_assign(first.handle, first.handle)
    none = Settings(VARIABLE)
    fx.library.filter_settings_assign(first.handle, none.handle)
    assert get_map(first) is None and get_map(copy) == address


def test_identity():
    assert Settings(VARIABLE, radius=0).plan().is_identity
    assert not Settings(VARIABLE).plan().is_identity
