"""Makes the calls that a test asks for (connection.py), in GIMP 2.10's test plug-in and in the
Python-Fu of GIMP 3. What is no number, text or container of these stays here, and the test gets a
number for it."""

import importlib
import pickle
import socket
import traceback

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


def serve(path):
    """Through the socket there, until the test hangs up."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        stream = connection.makefile("rwb")
        while stream.peek(1):
            Pickler(stream).dump(call(*Unpickler(stream).load()))
            stream.flush()
