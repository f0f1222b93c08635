"""GEGL for tests in Python: formats, buffers and the nodes of graphs, by ctypes.

    graph = Graph()
    blur = graph.add("cuda:gaussian-blur", buffer, std_dev_x=3, abyss_policy="none")
    pixels = blur.render((0, 0, 60, 40), format)

The module with the operations is CUDA_BLUR_TEST_MODULE, which own_folders.py puts where GEGL
looks for it. Call start first. A rectangle is x, y, width, height. Warnings end the program
(fx.py)."""

import ctypes
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_size_t, c_void_p

import numpy as np

import fx
from formats import Format

INT_MAX = 2 ** 31 - 1
COMMAND = ctypes.CFUNCTYPE(c_void_p, c_void_p, c_int, c_int, c_int, c_int, c_void_p)


class Pointer(c_void_p):
    """An address that ctypes does not turn into a number."""

    def __eq__(self, other):
        return self.value == other.value

    __hash__ = None


class Rect(ctypes.Structure):
    _fields_ = [("x", c_int), ("y", c_int), ("width", c_int), ("height", c_int)]

    def __iter__(self):
        return iter((self.x, self.y, self.width, self.height))

    def __eq__(self, other):
        return tuple(self) == tuple(other)

    __hash__ = None


class TileSource(ctypes.Structure):
    """A GeglTileSource, of which a GeglTileHandler is one."""

    _fields_ = [("instance", c_void_p), ("references", c_int), ("data", c_void_p),
                ("command", COMMAND)]


class Spec(ctypes.Structure):
    """A GParamSpec."""

    _fields_ = [("instance", c_void_p), ("c_name", c_char_p), ("flags", c_int),
                ("type", c_size_t), ("owner", c_size_t), ("c_nick", c_char_p),
                ("c_blurb", c_char_p), ("data", c_void_p), ("references", c_int), ("id", c_int)]

    @property
    def name(self):
        return self.c_name.decode()

    @property
    def nick(self):
        return self.c_nick.decode()

    @property
    def blurb(self):
        return (self.c_blurb or b"").decode()


class IntSpec(Spec):
    """A GeglParamSpecInt."""

    _fields_ = [("minimum", c_int), ("maximum", c_int), ("default", c_int), ("padding", c_int),
                ("low", c_int), ("high", c_int), ("gamma", c_double), ("small_step", c_int),
                ("big_step", c_int)]


class DoubleSpec(Spec):
    """A GeglParamSpecDouble."""

    _fields_ = [("minimum", c_double), ("maximum", c_double), ("default", c_double),
                ("epsilon", c_double), ("low", c_double), ("high", c_double), ("gamma", c_double)]


class EnumSpec(Spec):
    """A GParamSpecEnum."""

    _fields_ = [("values", c_void_p), ("default", c_int)]


class EnumValue(ctypes.Structure):
    _fields_ = [("value", c_int), ("name", c_char_p), ("nick", c_char_p)]


# GObject's fundamental types, and those of ctypes.
BOOLEAN, INT, ENUM, DOUBLE, STRING, OBJECT = (n << 2 for n in (5, 6, 12, 15, 16, 20))
TYPES = {BOOLEAN: c_int, INT: c_int, ENUM: c_int, DOUBLE: c_double, STRING: c_char_p,
         OBJECT: c_void_p}

RECT, TEXT, NODE = POINTER(Rect), c_char_p, c_void_p
NOTICE = ctypes.CFUNCTYPE(None, c_void_p)
TILE_GET = 2

# For each function: its result and its arguments. Variadic functions take more.
FUNCTIONS = {
    "babl_format": (Pointer, [TEXT]),
    "babl_format_get_bytes_per_pixel": (c_int, [c_void_p]),
    "babl_format_with_space": (Pointer, [TEXT, c_void_p]),
    "babl_fish": (Pointer, [c_void_p, c_void_p]),
    "babl_get_name": (TEXT, [c_void_p]),
    "babl_new_palette": (Pointer, [TEXT, c_void_p, c_void_p]),
    "babl_palette_set_palette": (None, [c_void_p, c_void_p, c_void_p, c_int]),
    "babl_process": (ctypes.c_long, [c_void_p, c_void_p, c_void_p, ctypes.c_long]),
    "babl_space": (Pointer, [TEXT]),
    "babl_space_from_chromaticities": (Pointer, [TEXT, *[c_double] * 8, *[c_void_p] * 3, c_int]),
    "babl_space_from_icc": (Pointer, [TEXT, c_int, c_int, POINTER(TEXT)]),
    "babl_trc_gamma": (Pointer, [c_double]),
    "g_enum_get_value": (POINTER(EnumValue), [c_void_p, c_int]),
    "g_enum_get_value_by_nick": (POINTER(EnumValue), [c_void_p, TEXT]),
    "g_main_context_iteration": (c_int, [c_void_p, c_int]),
    "g_object_new": (Pointer, [c_size_t, c_void_p]),
    "g_object_set": (None, [c_void_p, TEXT]),
    "g_object_unref": (None, [c_void_p]),
    "g_signal_connect_data": (ctypes.c_ulong, [c_void_p, TEXT, c_void_p, c_void_p, c_void_p,
                                               c_int]),
    "g_type_class_ref": (Pointer, [c_size_t]),
    "g_type_fundamental": (c_size_t, [c_size_t]),
    "g_type_parent": (c_size_t, [c_size_t]),
    "g_type_query": (None, [c_size_t, c_void_p]),
    "gegl_buffer_add_handler": (None, [c_void_p, c_void_p]),
    "gegl_buffer_copy": (None, [c_void_p, RECT, c_int, c_void_p, RECT]),
    "gegl_buffer_create_sub_buffer": (Pointer, [c_void_p, RECT]),
    "gegl_buffer_dup": (Pointer, [c_void_p]),
    "gegl_buffer_freeze_changed": (None, [c_void_p]),
    "gegl_buffer_get": (None, [c_void_p, RECT, c_double, c_void_p, c_void_p, c_int, c_int]),
    "gegl_buffer_new": (Pointer, [RECT, c_void_p]),
    "gegl_buffer_set": (None, [c_void_p, RECT, c_int, c_void_p, c_void_p, c_int]),
    "gegl_buffer_thaw_changed": (None, [c_void_p]),
    "gegl_config": (Pointer, []),
    "gegl_exit": (None, []),
    "gegl_get_version": (None, [c_void_p] * 3),
    "gegl_has_operation": (c_int, [TEXT]),
    "gegl_init": (None, [c_void_p, c_void_p]),
    "gegl_load_module_directory": (None, [TEXT]),
    "gegl_node_blit": (None, [NODE, c_double, RECT, c_void_p, c_void_p, c_int, c_int]),
    "gegl_node_blit_buffer": (None, [NODE, c_void_p, RECT, c_int, c_int]),
    "gegl_node_connect_to": (c_int, [NODE, TEXT, NODE, TEXT]),
    "gegl_node_create_child": (Pointer, [NODE, TEXT]),
    "gegl_node_disconnect": (c_int, [NODE, TEXT]),
    "gegl_node_find_property": (POINTER(Spec), [NODE, TEXT]),
    "gegl_node_get": (None, [NODE, TEXT]),
    "gegl_node_get_bounding_box": (Rect, [NODE]),
    "gegl_node_get_children": (Pointer, [NODE]),
    "gegl_node_get_gegl_operation": (Pointer, [NODE]),
    "gegl_node_get_operation": (TEXT, [NODE]),
    "gegl_node_new": (Pointer, []),
    "gegl_node_new_processor": (Pointer, [NODE, RECT]),
    "gegl_node_process": (None, [NODE]),
    "gegl_node_set": (None, [NODE, TEXT]),
    "gegl_operation_find_property": (POINTER(Spec), [TEXT, TEXT]),
    "gegl_operation_get_cached_region": (Rect, [c_void_p, RECT]),
    "gegl_operation_get_format": (Pointer, [c_void_p, TEXT]),
    "gegl_operation_get_key": (TEXT, [TEXT, TEXT]),
    "gegl_operation_get_op_version": (TEXT, [TEXT]),
    "gegl_operation_get_property_key": (TEXT, [TEXT, TEXT, TEXT]),
    "gegl_operation_get_required_for_output": (Rect, [c_void_p, TEXT, RECT]),
    "gegl_operation_list_properties": (POINTER(POINTER(Spec)), [TEXT, c_void_p]),
    "gegl_processor_work": (c_int, [c_void_p, c_void_p]),
    "gegl_rectangle_is_infinite_plane": (c_int, [RECT]),
    "gegl_tile_handler_get_type": (c_size_t, []),
}
gegl = ctypes.CDLL("libgegl-0.4.so.0")  # which brings babl and GObject
for function, (result, arguments) in FUNCTIONS.items():
    getattr(gegl, function).restype, getattr(gegl, function).argtypes = result, arguments

started = []


def start():
    """Starts GEGL, if it has not started; as GIMP does."""
    if not started:
        started.append(True)
        configure("application-license", b"GPL3")
        gegl.gegl_init(None, None)


def end():
    """Ends GEGL, which warns of buffers that are left."""
    if started:
        gegl.gegl_exit()


def configure(name, value):
    gegl.g_object_set(gegl.gegl_config(), name.encode(), value, None)


def get_version():
    numbers = [c_int() for _ in range(3)]
    gegl.gegl_get_version(*map(byref, numbers))
    return tuple(number.value for number in numbers)


# ---- formats ----


def get_babl(format, mark="'", space=None):
    """The format's name to babl, such as "R'G'B'A u8". mark: what says that there is a curve, ' for
    the space's and ~ for sRGB's."""
    mark = mark if format.gamma else ""
    colors = "Y" + mark if format.channels <= 2 else "".join(c + mark for c in "RGB")
    name = f"{colors}{'A' if format.has_alpha else ''} {format.sample}"
    return gegl.babl_format_with_space(name.encode(), space)


def get_name(babl):
    return gegl.babl_get_name(babl).decode()


def get_curve(space, values):
    """The light that babl takes values for."""
    values = np.array(values, float)
    light = np.empty_like(values)
    stored, linear = (gegl.babl_format_with_space(name, space)
                      for name in (b"Y' double", b"Y double"))
    gegl.babl_process(gegl.babl_fish(stored, linear), values.ctypes, light.ctypes, values.size)
    return light


# ---- buffers ----

ABYSS_NONE, ABYSS_CLAMP, ABYSS_LOOP = range(3)


class Buffer:
    """Pixels at a place. babl: how they are stored."""

    def __init__(self, rect, babl, pointer=None):
        self.rect, self.babl = tuple(rect), babl
        self._as_parameter_ = pointer or gegl.gegl_buffer_new(byref(Rect(*rect)), babl)

    def __del__(self):
        gegl.g_object_unref(self)

    def write(self, pixels, babl=None, rect=None):
        pixels = np.ascontiguousarray(pixels)
        gegl.gegl_buffer_set(self, Rect(*(rect or self.rect)), 0, babl or self.babl,
                             pixels.ctypes, 0)

    def read(self, format, babl=None, rect=None, scale=1.0, abyss=ABYSS_NONE):
        _, _, width, height = rect = rect or self.rect
        pixels = np.empty((height, width, format.channels), format.dtype)
        gegl.gegl_buffer_get(self, Rect(*rect), scale, babl or get_babl(format), pixels.ctypes, 0,
                             abyss)
        return pixels

    def copy_to(self, other, from_rect=None, to_rect=None, abyss=ABYSS_NONE):
        gegl.gegl_buffer_copy(self, from_rect and Rect(*from_rect), abyss, other,
                              to_rect and Rect(*to_rect))

    def duplicate(self):
        return Buffer(self.rect, self.babl, gegl.gegl_buffer_dup(self))

    def call_when_read(self, function):
        """Calls function once, while a tile is read: within a call of the operation that reads."""
        handler, functions = gegl.g_object_new(gegl.gegl_tile_handler_get_type(), None), [function]
        source = TileSource.from_address(handler.value)
        forward = COMMAND(ctypes.cast(source.command, c_void_p).value)

        def command(source, what, *arguments):
            if what == TILE_GET and functions:
                functions.pop()()
            return forward(source, what, *arguments)

        self.command = source.command = COMMAND(command)
        gegl.gegl_buffer_add_handler(self, handler)
        gegl.g_object_unref(handler)

    def get_part(self, rect):
        """A buffer that shares the pixels of rect."""
        part = gegl.gegl_buffer_create_sub_buffer(self, Rect(*rect))
        return Buffer(rect, self.babl, part)


def make_buffer(pixels, format, place=(0, 0), babl=None):
    height, width = pixels.shape[:2]
    buffer = Buffer((*place, width, height), babl or get_babl(format))
    buffer.write(pixels)
    return buffer


# ---- nodes ----


class Graph:
    def __init__(self):
        self._as_parameter_ = gegl.gegl_node_new()

    def __del__(self):
        gegl.g_object_unref(self)

    def add(self, operation, source=None, **settings):
        """A node behind source, a node or a buffer."""
        return Node(self, operation, source, settings)


class Node:
    def __init__(self, graph, operation, source, settings):
        self.graph, self.operation, self.kept = graph, operation, []
        self._as_parameter_ = gegl.gegl_node_create_child(graph, operation.encode())
        if isinstance(source, Buffer):
            source = graph.add("gegl:buffer-source", buffer=source)
        if source:
            self.link(source)
        self.set(**settings)

    def link(self, source, pad="input"):
        assert gegl.gegl_node_connect_to(source, b"output", self, pad.encode())

    def unlink(self, pad="input"):
        assert gegl.gegl_node_disconnect(self, pad.encode())

    def find(self, name):
        spec = gegl.gegl_node_find_property(self, name.replace("_", "-").encode())
        assert spec, f"{self.operation} has no property {name}"
        return spec.contents

    def set(self, **settings):
        """A choice is set by its nick or its number, and an object by a Buffer or None."""
        for name, value in settings.items():
            spec = self.find(name)
            kind = gegl.g_type_fundamental(spec.type)
            if kind == ENUM and isinstance(value, str):
                values = gegl.g_type_class_ref(spec.type)
                value = gegl.g_enum_get_value_by_nick(values, value.encode()).contents.value
            if kind == OBJECT:
                value = value and value._as_parameter_
            elif isinstance(value, str):
                value = value.encode()
            argument = value if kind == OBJECT else TYPES[kind](value)
            gegl.gegl_node_set(self, spec.c_name, argument, None)

    def get(self, name):
        spec = self.find(name)
        value = TYPES[gegl.g_type_fundamental(spec.type)]()
        gegl.gegl_node_get(self, spec.c_name, byref(value), None)
        return value.value.decode() if isinstance(value.value, bytes) else value.value

    def set_near(self, name, value):
        """Sets a number, or the nearest that it may be."""
        spec = self.find(name)
        if gegl.g_type_fundamental(spec.type) == DOUBLE:
            limits = ctypes.cast(byref(spec), POINTER(DoubleSpec)).contents
            value = min(max(value, limits.minimum), limits.maximum)
        else:
            value = int(value)
        self.set(**{name: value})

    def count_notices(self, name):
        """Returns a list that gets longer with each notice of the property."""
        notices = []
        call = NOTICE(lambda node: notices.append(name))
        self.kept.append(call)
        gegl.g_signal_connect_data(self, f"notify::{name}".encode(), call, None, None, 0)
        return notices

    def set_cached(self):
        """Has GEGL keep what the node computes, even if it is cheap."""
        gegl.gegl_node_set(self, b"cache-policy", c_int(2), None)  # GEGL_CACHE_POLICY_ALWAYS

    def call_when_computed(self, function):
        """Calls function with each rectangle that becomes part of the node's cache."""
        call = ctypes.CFUNCTYPE(None, c_void_p, RECT, c_void_p)(
            lambda node, rect, data: function(tuple(rect.contents)))
        self.kept.append(call)
        gegl.g_signal_connect_data(self, b"computed", call, None, None, 0)

    @property
    def box(self):
        return gegl.gegl_node_get_bounding_box(self)

    @property
    def object(self):
        """The GeglOperation."""
        return gegl.gegl_node_get_gegl_operation(self)

    @property
    def output(self):
        """The format of what comes out."""
        gegl.gegl_node_get_bounding_box(self)  # prepares the node
        return gegl.gegl_operation_get_format(self.object, b"output")

    def get_required(self, rect):
        """What of the input the result in rect takes."""
        return gegl.gegl_operation_get_required_for_output(self.object, b"input", Rect(*rect))

    def get_cached(self, rect):
        """What of the result is computed if rect is asked for."""
        return gegl.gegl_operation_get_cached_region(self.object, Rect(*rect))

    def get_children(self):
        """The names of the operations that this one is made of."""
        item, names = gegl.gegl_node_get_children(self).value, []
        while item:
            node, item = (c_void_p * 2).from_address(item)
            names.append(gegl.gegl_node_get_operation(node).decode())
        return names

    def render(self, rect, format=Format("float", 4, False), babl=None, scale=1.0, cached=False):
        """The pixels of rect. cached: out of the node's cache as far as that is valid."""
        _, _, width, height = rect
        pixels = np.full((height, width, format.channels), 1, format.dtype)
        self.render_into(pixels, rect, babl or get_babl(format), scale, cached)
        fx.fingerprint.add(pixels)
        return pixels

    def render_bytes(self, rect, babl):
        """The bytes of rect, a row each, as a buffer of that format has them."""
        _, _, width, height = rect
        pixels = np.ones((height, width * gegl.babl_format_get_bytes_per_pixel(babl)), np.uint8)
        self.render_into(pixels, rect, babl)
        fx.fingerprint.add(pixels)
        return pixels

    def render_into(self, pixels, rect, babl, scale=1.0, cached=False):
        gegl.gegl_node_blit(self, scale, Rect(*rect), babl, pixels.ctypes, 0, int(cached))

    def render_to(self, buffer):
        gegl.gegl_node_blit_buffer(self, buffer, Rect(*buffer.rect), 0, ABYSS_NONE)

    def update(self, rect):
        """Has GEGL compute what of rect its cache lacks, piece by piece, as applications do."""
        processor = gegl.gegl_node_new_processor(self, Rect(*rect))
        while gegl.gegl_processor_work(processor, None):
            pass
        gegl.g_object_unref(processor)


# ---- what operations say of themselves ----


def list_properties(operation):
    count = c_int()
    specs = gegl.gegl_operation_list_properties(operation.encode(), byref(count))
    return [specs[i].contents for i in range(count.value)]


def get_key(operation, key, name=None):
    """A key of the operation, or of its property of that name."""
    words = [word.encode() for word in (operation, name, key) if word]
    text = (gegl.gegl_operation_get_property_key if name else gegl.gegl_operation_get_key)(*words)
    return text and text.decode()


def list_choices(spec):
    """The nicks of a choice, by their numbers."""
    values, nicks = gegl.g_type_class_ref(spec.type), []
    while value := gegl.g_enum_get_value(values, len(nicks)):
        nicks.append(value.contents.nick.decode())
    return nicks

