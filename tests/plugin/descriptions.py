"""The descriptions of filters (filter.h) and their settings, for tests."""

import ctypes
import itertools
from ctypes import (CFUNCTYPE, POINTER, byref, c_char_p, c_double, c_float, c_int, c_size_t, c_uint,
                    c_void_p)

import numpy as np

import fx
from formats import Format

NUMBER, WHOLE_NUMBER, CHOICE, SWITCH, MATRIX = range(5)
PLAIN, PAIR, SLIDER = range(3)  # controls
POINT = 7  # a role


class Choice(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("label", c_char_p)]


class Automatic(ctypes.Structure):
    _fields_ = [("get", CFUNCTYPE(c_int, c_void_p)), ("label", c_char_p), ("tooltip", c_char_p),
                ("step", c_int)]


class Slider(ctypes.Structure):
    _fields_ = [("digits", c_int), ("step", c_double), ("start", c_double), ("end", c_double),
                ("bend", c_double)]


class Gegl(ctypes.Structure):
    _fields_ = [("ui_minimum", c_double), ("ui_maximum", c_double), ("ui_gamma", c_double),
                ("keys", c_char_p), ("nick", c_char_p)]


class Property(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("operation_name", c_char_p), ("type", c_int),
                ("place", c_size_t * 2), ("role", c_int),
                ("control", c_int), ("last", c_int), ("minimum", c_double), ("maximum", c_double),
                ("initial", c_double), ("matrix", c_void_p), ("choices", POINTER(Choice)),
                ("bits", POINTER(Choice)), ("label", c_char_p),
                ("tooltip", c_char_p), ("traced", c_char_p), ("kinds", c_uint),
                ("automatic", Automatic), ("least", c_int), ("slider", Slider), ("gegl", Gegl)]


class Description(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("procedure", c_char_p), ("operation", c_char_p),
                ("title", c_char_p), ("menu", c_char_p * 2), ("blurb", c_char_p),
                ("help", c_char_p),
                ("properties", POINTER(Property)), ("n_properties", c_uint),
                ("presets", POINTER(Choice)), ("map", c_char_p * 2),
                ("check", c_void_p),
                ("get_growth", c_void_p), ("describe", c_void_p),
                ("draw_picture", CFUNCTYPE(None, c_void_p, c_int, POINTER(c_float))),
                ("picture_label", c_char_p), ("get_line", c_void_p), ("preview_hint", c_char_p)]


FILTER = POINTER(Description)
fx.library.declare({
    "filter_find_property": (c_int, [FILTER, c_char_p]),
    "filter_find_role": (c_int, [FILTER, c_int]),
    "filter_property_get_blurb": (c_void_p, [POINTER(Property)]),
    "filter_property_get_choices": (POINTER(Choice), [POINTER(Property)]),
    "filter_settings_copy": (c_void_p, [c_void_p]),
    "filter_settings_get": (c_double, [c_void_p, c_uint]),
    "filter_settings_get_matrix": (c_void_p, [c_void_p, c_uint]),
    "filter_settings_new": (c_void_p, [FILTER]),
    "filter_settings_set": (None, [c_void_p, c_uint, c_double]),
    "filter_settings_set_matrix": (None, [c_void_p, c_uint, c_void_p]),
    "filter_settings_to_bytes": (c_void_p, [c_void_p, POINTER(c_size_t)]),
    "filter_settings_trace": (c_void_p, [c_void_p]),
    "filter_settings_use": (c_int, [c_void_p, c_uint]),
    "filter_matrix_equal": (c_int, [c_void_p, c_void_p]),
    "filter_matrix_free": (None, [c_void_p]),
    "filter_matrix_new": (c_void_p, [c_int, c_int, c_int, c_void_p]),
    "g_free": (None, [c_void_p]),
})


def read_filters():
    table = (FILTER * 100).in_dll(fx.library.shared, "filters")
    return {filter.contents.name.decode().removeprefix("cuda-"): filter
            for filter in itertools.takewhile(bool, table)}


FILTERS = read_filters()
BLUR, CONVOLVE, LENS = (FILTERS[name] for name in ["gaussian-blur", "convolve", "lens-blur"])


def get_properties(filter):
    return filter.contents.properties[:filter.contents.n_properties]


NAMES = {name: [item.name.decode() for item in get_properties(filter)]
         for name, filter in FILTERS.items()}


def get_property(filter, name):
    description = FILTERS[filter].contents
    return description.properties[NAMES[filter].index(name)]


def list_words(property):
    """Of a choice or a switch; none of others."""
    choices = fx.library.filter_property_get_choices(byref(property))
    return [choice.name.decode() for choice in itertools.takewhile(
        lambda choice: choice.name, choices or ())]


def get_largest(property):
    return len(list_words(property)) - 1 if list_words(property) else property.maximum


def take_text(address):
    text = ctypes.string_at(address).decode()
    fx.library.g_free(address)
    return text


class Settings(fx.Settings):
    """The initial ones, or of a handle that is given; numbers that are set are not checked."""

    def __init__(self, filter, handle=None, **values):
        self.filter = filter
        self.handle = handle or fx.library.filter_settings_new(filter)
        self.set(**values)

    def find(self, name):
        index = fx.library.filter_find_property(self.filter, name.replace("_", "-").encode())
        assert index >= 0, name
        return index

    def set(self, **values):
        for name, value in values.items():
            if isinstance(value, tuple):
                matrix = fx.library.filter_matrix_new(*value[:3], value[3].ctypes.data)
                fx.library.filter_settings_set_matrix(self.handle, self.find(name), matrix)
                fx.library.filter_matrix_free(matrix)
            else:
                fx.library.filter_settings_set(self.handle, self.find(name), value)

    def get(self, name):
        return fx.library.filter_settings_get(self.handle, self.find(name))

    def get_matrix(self):
        return fx.library.filter_settings_get_matrix(self.handle, self.find("values"))

    def get_all(self):
        """All numbers, in their order."""
        return [fx.library.filter_settings_get(self.handle, i)
                for i, property in enumerate(get_properties(self.filter))
                if property.type != MATRIX]

    def get_refusal(self):
        """What a check says, or None."""
        try:
            fx.call("filter_settings_check", self.handle)
        except fx.Error as error:
            assert error.code == "argument"
            return str(error)
        return None

    def plan(self, format=Format(), coverage=False):
        return fx.Plan(self, format, coverage, geometry=(0, 0, 200, 100))

    def print(self):
        """As last values have them: bytes."""
        length = c_size_t()
        address = fx.library.filter_settings_to_bytes(self.handle, byref(length))
        data = ctypes.string_at(address, length.value)
        fx.library.g_free(address)
        return data

    def trace(self):
        return take_text(fx.library.filter_settings_trace(self.handle))


def matrix(*rows, n_values=None):
    values = np.array(rows, float)
    return (*values.shape, values.size if n_values is None else n_values, values)
