"""Python-Fu's side of gimp.py: makes the calls that a test asks for. What is no number, text or
container of these stays here, and the test gets a number for it."""

import importlib
import pickle
import socket
import traceback

from gi.repository import Babl, Gegl

PLAIN = {bool, int, float, str, bytes, type(None), list, tuple, dict}
objects = [getattr, importlib.import_module]


class Pickler(pickle.Pickler):
    def persistent_id(self, value):
        if type(value) in PLAIN:
            return None
        objects.append(value)
        return len(objects) - 1


class Unpickler(pickle.Unpickler):
    def persistent_load(self, number):
        return objects[number]


def call(function, arguments, options):
    """Returns whether it went well, and the value or the error."""
    try:
        value = function(*arguments, **options)
    except Exception:
        return False, traceback.format_exc()
    return True, list(value) if isinstance(value, tuple) else value  # GLib has its own tuples


def serve():
    """Until the test hangs up."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect("socket")
        stream = connection.makefile("rwb")
        while stream.peek(1):
            Pickler(stream).dump(call(*Unpickler(stream).load()))
            stream.flush()


# ---- pixels ----


def get_rectangle(drawable):
    return Gegl.Rectangle.new(0, 0, drawable.get_width(), drawable.get_height())


def get_encoding(drawable):
    """As babl names it: the model and the sample."""
    return Babl.format_get_encoding(drawable.get_format())


def read(drawable):
    return bytes(drawable.get_buffer().get(get_rectangle(drawable), 1.0, None,
                                           Gegl.AbyssPolicy.NONE))


def write(drawable, samples):
    buffer = drawable.get_buffer()
    buffer.set(get_rectangle(drawable), get_encoding(drawable), samples)
    buffer.flush()
    drawable.update(0, 0, drawable.get_width(), drawable.get_height())
