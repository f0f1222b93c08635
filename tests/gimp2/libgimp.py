"""What the test plug-in calls: GIMP's procedures, and what reads and writes pixels. libgimp and
GEGL come with cuda-blur-test.so, which has the dialog's parts, too."""

import ctypes
import functools
import os
from array import array
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_void_p

INT32, FLOAT, STRING, INT32ARRAY, STRINGARRAY, COLOR, DRAWABLE = 0, 3, 4, 5, 9, 10, 16

# The arguments of the procedures that tell those of others.
INFO, ARGUMENT = "gimp-procedural-db-proc-info", "gimp-procedural-db-proc-arg"
KNOWN = {INFO: [STRING], ARGUMENT: [STRING, INT32]}


class Data(ctypes.Union):
    _fields_ = [("int32", c_int), ("float", c_double), ("text", c_char_p), ("pointer", c_void_p),
                ("color", 4 * c_double)]


class Param(ctypes.Structure):
    _fields_ = [("type", c_int), ("data", Data)]


class Pointer(c_void_p):
    """One that a function returns: as a number it would be cut off where it is an argument."""


library = ctypes.CDLL(os.environ["CUDA_BLUR_TEST_LIBRARY"])
for kind, names in {
        POINTER(Param): ["gimp_run_procedure2"],
        c_char_p: ["babl_format_get_encoding", "gimp_get_pdb_error",
                   "gimp_progress_install_vtable"],
        Pointer: ["gegl_buffer_new", "gegl_node_new", "gegl_node_new_child",
                  "gimp_drawable_get_buffer", "gimp_drawable_get_format"]}.items():
    for name in names:
        getattr(library, name).restype = kind

# ---- procedures ----


def make_param(type, value):
    param = Param(type)
    if type == COLOR:
        library.gimp_rgb_parse_name(byref(param.data), value.encode(), -1)
    elif isinstance(value, array):
        param.data.pointer = value.buffer_info()[0]
    elif isinstance(value, (str, bytes)):
        param.data.text = value.encode() if isinstance(value, str) else value
    elif type == FLOAT:
        param.data.float = value
    else:
        param.data.int32 = int(value)
    return param


def decode(text):
    return (text or b"").decode(errors="replace")


def read_value(value, before):
    """before: of an array, its length."""
    if value.type in (INT32ARRAY, STRINGARRAY):
        kind = c_int if value.type == INT32ARRAY else c_char_p
        values = ctypes.cast(value.data.pointer, POINTER(kind))[:before.data.int32]
        return values if kind is c_int else [decode(text) for text in values]
    if value.type == STRING:
        return decode(value.data.text)
    return value.data.float if value.type == FLOAT else value.data.int32


@functools.cache
def get_types(procedure):
    """Of its arguments: none if there is no such procedure."""
    if procedure in KNOWN:
        return KNOWN[procedure]
    info = run(INFO, procedure)
    count = info[-2] if len(info) > 2 else 0
    return [run(ARGUMENT, procedure, i)[2] for i in range(count)]


def run(procedure, *arguments):
    """Returns the status, the error and the values. An argument too many is an int32."""
    types = [*get_types(procedure), *[INT32] * len(arguments)]
    params = (Param * len(arguments))(*map(make_param, types, arguments))
    n = c_int()
    values = library.gimp_run_procedure2(procedure.encode(), byref(n), len(params), params)
    result = [values[0].data.int32, decode(library.gimp_get_pdb_error()),
              *(read_value(values[i], values[i - 1]) for i in range(1, n.value))]
    library.gimp_destroy_params(values, n)
    return result


# ---- pixels ----


def get_extent(drawable):
    return (4 * c_int)(0, 0, library.gimp_drawable_width(drawable),
                       library.gimp_drawable_height(drawable))


def read(drawable):
    """Its width and height, its pixels as they are stored, and babl's name of their encoding."""
    _, _, width, height = extent = get_extent(drawable)
    pixels = ctypes.create_string_buffer(width * height * library.gimp_drawable_bpp(drawable))
    buffer = library.gimp_drawable_get_buffer(drawable)
    library.gegl_buffer_get(buffer, extent, c_double(1.0), None, pixels, 0, 0)
    library.g_object_unref(buffer)
    encoding = library.babl_format_get_encoding(library.gimp_drawable_get_format(drawable))
    return width, height, pixels.raw, decode(encoding)


def write(drawable, pixels):
    extent, buffer = get_extent(drawable), library.gimp_drawable_get_buffer(drawable)
    library.gegl_buffer_set(buffer, extent, 0, None, pixels, 0)
    library.gegl_buffer_flush(buffer)
    library.g_object_unref(buffer)
    library.gimp_drawable_update(drawable, *extent)


def run_chain(drawable, chain):
    """The pixels that operations of GEGL's, in this process, make of its pixels; chain is as the
    gegl command has it."""
    extent, format = get_extent(drawable), library.gimp_drawable_get_format(drawable)
    pixels = ctypes.create_string_buffer(read(drawable)[2])
    buffer, graph = library.gegl_buffer_new(extent, format), library.gegl_node_new()
    library.gegl_buffer_set(buffer, extent, 0, format, pixels, 0)
    source = library.gegl_node_new_child(graph, b"operation", b"gegl:buffer-source", b"buffer",
                                         buffer, None)
    end, error = library.gegl_node_new_child(graph, b"operation", b"gegl:nop", None), Pointer()
    library.gegl_create_chain(chain.encode(), source, end, c_double(0.0), 0, None, byref(error))
    assert not error, chain
    library.gegl_node_blit(end, c_double(1.0), extent, format, pixels, 0, 0)
    library.g_object_unref(graph)
    library.g_object_unref(buffer)
    return pixels.raw[:-1]


# ---- the progress that other plug-ins show ----

TEXT = ctypes.CFUNCTYPE(None, c_char_p, c_void_p)
VALUE = ctypes.CFUNCTYPE(None, c_double, c_void_p)


class ProgressTable(ctypes.Structure):
    _fields_ = [("start", ctypes.CFUNCTYPE(None, c_char_p, c_int, c_void_p)),
                ("end", ctypes.CFUNCTYPE(None, c_void_p)), ("set_text", TEXT),
                ("set_value", VALUE), ("others", 10 * c_void_p)]


class Progress:
    """Watches it from now on."""

    def __init__(self):
        self.texts, self.values = [], []
        fields = dict(ProgressTable._fields_)
        self.table = ProgressTable(
            fields["start"](lambda text, *_: self.texts.append(text)),
            fields["end"](lambda _: None), TEXT(lambda text, _: self.texts.append(text)),
            VALUE(lambda value, _: self.values.append(value)))
        self.command = library.gimp_progress_install_vtable(byref(self.table), None)

    def end(self):
        """Returns the texts and the fractions that were shown."""
        library.gimp_progress_uninstall(self.command)
        return [text.decode() for text in self.texts if text], self.values
