"""The engine and its filters for tests in Python.

    result = fx.run("gaussian-blur", pixels, sigma_x=3, abyss="none", device="cpu")

runs a filter over pixels, an array of height x width x channels, and returns an array of the same
kind. The settings are those of the filter's description (plugin/filters/): a text is a word as in
filter-words.h, a number or a switch is set unchecked, an array is a matrix. fx.Format says how
pixels are stored. Each run checks how the engine calls for its source and gives its result.

The library is door.c's: conftest.py loads it, with the engine or with the stand-in for CUDA.
"""

import ctypes
import hashlib
import itertools
import subprocess
import threading
import weakref
from ctypes import (CFUNCTYPE, POINTER, byref, c_char, c_char_p, c_double, c_float, c_int, c_size_t,
                    c_void_p)

import numpy as np

from formats import DTYPES, Format, Parametric, Table

DEVICES = ["auto", "gpu", "cpu"]
PATHS = ["cheapest", "taps", "fft"]  # of a convolution on a GPU
STRAIGHT = 1  # FX_ALPHA_STRAIGHT
SIZE_MAX = 1 << 24  # of an image, in pixels

library = None
device = "cpu"  # the device under test


# ---- the engine's structs, as in its headers ----


class Trc(ctypes.Structure):
    _fields_ = [("parameters", c_float * 7), ("table", c_void_p)]


class StoredFormat(ctypes.Structure):
    _fields_ = [("sample", c_int), ("channels", c_int), ("gamma", c_int), ("trc", Trc)]


class Rect(ctypes.Structure):
    _fields_ = [("x", c_int), ("y", c_int), ("width", c_int), ("height", c_int)]


class Geometry(ctypes.Structure):
    _fields_ = [("x", c_double), ("y", c_double), ("width", c_double), ("height", c_double)]


class GError(ctypes.Structure):
    _fields_ = [("domain", ctypes.c_uint32), ("code", c_int), ("message", c_char_p)]


READ = CFUNCTYPE(c_int, c_void_p, POINTER(Rect), c_void_p, c_size_t, c_void_p)
PROGRESS = CFUNCTYPE(c_int, c_void_p, c_double)
STEP = CFUNCTYPE(c_int, c_void_p, c_void_p)


class Image(ctypes.Structure):
    _fields_ = [("format", StoredFormat), ("width", c_int), ("height", c_int), ("x", c_int),
                ("y", c_int), ("region", Rect), ("band_rows", c_int), ("resident", c_void_p),
                ("read", READ), ("write", READ), ("source", c_void_p), ("result", c_void_p),
                ("progress", PROGRESS), ("data", c_void_p)]


class Report(ctypes.Structure):
    """The outcome of a run."""

    _fields_ = [("device_number", c_int), ("device_name", c_char * 96), ("fallback", c_char * 512),
                ("milliseconds", c_double)]

    @property
    def device(self):
        return DEVICES[self.device_number]


class View(ctypes.Structure):
    _fields_ = [("scale", c_double), ("rect", Rect), ("grow_x", c_int), ("grow_y", c_int),
                ("draft", c_int)]


class ViewReport(ctypes.Structure):
    _fields_ = [("report", Report), ("draft", c_int)]


class Highlights(ctypes.Structure):
    _fields_ = [("threshold", c_float), ("bend", c_float), ("gain", c_float)]


class StoredCodec(ctypes.Structure):
    _fields_ = [("format", StoredFormat), ("curve", c_int), ("alpha", c_int),
                ("highlights", Highlights)]


class Reach(ctypes.Structure):
    _fields_ = [("left", c_int), ("right", c_int), ("above", c_int), ("below", c_int),
                ("worthwhile_rows", c_int), ("find_source", c_void_p), ("data", c_void_p)]


class Span(ctypes.Structure):
    _fields_ = [("first", c_int), ("count", c_int)]


class Strip(ctypes.Structure):
    _fields_ = [(name, c_int) for name in (
        "width", "height", "x", "y", "resident", "x0", "x1", "y0", "y1", "source_x0", "source_x1",
        "source_y0", "source_y1", "chunk_rows")]


class Backend(ctypes.Structure):
    _fields_ = [("get_held", CFUNCTYPE(c_int, c_void_p)),
                ("get_chunk_rows", CFUNCTYPE(c_int, c_void_p)),
                ("get_bytes", CFUNCTYPE(c_size_t, c_void_p, c_void_p, POINTER(Strip))),
                ("begin", CFUNCTYPE(c_void_p, c_void_p, c_void_p, POINTER(Strip), c_void_p)),
                ("push", CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int, c_void_p)),
                ("pull", CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int, c_void_p)),
                ("end", CFUNCTYPE(None, c_void_p))]


class Config(ctypes.Structure):
    _fields_ = [("device", c_int), ("memory_limit", c_size_t), ("threads", c_int), ("ptx", c_int),
                ("variants", c_int), ("timeout", c_int), ("cache_dir", c_char_p)]


class StoredPlan(ctypes.Structure):
    """The common part of all plans."""

    _fields_ = [("filter", c_void_p), ("users", c_int), ("codec", StoredCodec), ("abyss", c_int),
                ("border", c_float * 4), ("reach", Reach), ("cpu_cost", c_double),
                ("gpu_cost", c_double), ("cpu_path", c_void_p), ("gpu_path", c_void_p),
                ("identity", c_int), ("placed", c_int), ("cpu_only", c_int), ("missing", c_int)]


class Filter(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("free", c_void_p),
                ("get_draft", CFUNCTYPE(c_void_p, c_void_p, c_int))]


class LensParams(ctypes.Structure):
    _fields_ = [("radius", c_double), ("blades", c_int), ("rotation", c_double),
                ("roundness", c_double), ("ring", c_double), ("squeeze", c_double),
                ("highlights", c_double), ("threshold", c_double), ("abyss", c_int),
                ("light", c_int)]


class DoorSize(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("size", c_size_t)]


STRUCTS = {"FxBackend": Backend, "FxConfig": Config, "FxFormat": StoredFormat, "FxRect": Rect,
           "FxGeometry": Geometry, "FxImage": Image, "FxReport": Report, "FxView": View,
           "FxViewReport": ViewReport, "FxCodec": StoredCodec, "FxPlan": StoredPlan,
           "FxStrip": Strip, "LensParams": LensParams}


# ---- the library ----


PLANES = c_void_p * 4

# For each function: its result and its arguments. The last argument of those that are marked with
# True is a GError, which becomes an Error.
FUNCTIONS = {
    "door_open": (None, []),
    "door_settings_new": (c_void_p, [c_char_p, POINTER(c_char_p), c_int], True),
    "door_settings_set": (c_int, [c_void_p, c_char_p, c_double], True),
    "door_settings_set_matrix": (c_int, [c_void_p, c_char_p, c_int, c_int, c_void_p], True),
    "door_settings_set_map": (None, [c_void_p, c_void_p, c_int, c_int, c_int, c_int]),
    "filter_settings_get_growth": (None, [c_void_p, POINTER(Geometry), POINTER(c_int),
                                          POINTER(c_int)]),
    "door_plan_new": (c_void_p, [c_void_p, POINTER(StoredFormat), POINTER(Geometry), c_int]),
    "door_plan_choose": (None, [c_void_p, c_int, c_int, c_int, c_size_t]),
    "filter_settings_check": (c_int, [c_void_p], True),
    "filter_settings_describe": (c_void_p, [c_void_p, c_void_p]),
    "filter_settings_set_grown": (None, [c_void_p]),
    "filter_settings_free": (None, [c_void_p]),
    "fx_codec_decode": (None, [POINTER(StoredCodec), c_void_p, c_int, PLANES]),
    "fx_codec_decode_pixels": (None, [POINTER(StoredCodec), c_void_p, c_int, c_void_p]),
    "fx_codec_encode": (None, [POINTER(StoredCodec), PLANES, c_int, c_void_p]),
    "fx_codec_encode_pixels": (None, [POINTER(StoredCodec), c_void_p, c_int, c_void_p]),
    "fx_codec_get_magnification": (c_double, [POINTER(StoredCodec)]),
    "fx_codec_set_highlights": (None, [POINTER(StoredCodec), c_int, c_double, c_double]),
    "fx_engine_new": (c_void_p, []),
    "fx_engine_free": (None, [c_void_p]),
    "fx_engine_run": (c_int, [c_void_p, c_void_p, c_int, POINTER(Image), POINTER(Report)], True),
    "fx_format_check": (c_int, [POINTER(StoredFormat)], True),
    "fx_format_size": (c_size_t, [POINTER(StoredFormat)]),
    "fx_format_equal": (c_int, [POINTER(StoredFormat), POINTER(StoredFormat)]),
    "fx_mask_convert": (None, [POINTER(StoredFormat), c_void_p, c_void_p, c_size_t]),
    "fx_mix": (None, [POINTER(StoredFormat), c_int, c_void_p, c_void_p, c_void_p, c_size_t]),
    "fx_plan_free": (None, [c_void_p]),
    "fx_plan_new_identity": (c_void_p, [POINTER(StoredFormat)]),
    "fx_preview_new": (c_void_p, [c_void_p, POINTER(StoredFormat), c_int, c_int, c_int, c_void_p]),
    "fx_preview_free": (None, [c_void_p]),
    "fx_preview_change": (None, [c_void_p, c_int, c_int]),
    "fx_preview_get_format": (POINTER(StoredFormat), [c_void_p]),
    "fx_preview_set_mask": (None, [c_void_p, c_void_p]),
    "fx_preview_set_locked": (None, [c_void_p, ctypes.c_uint]),
    "fx_preview_render": (c_int, [c_void_p, c_void_p, c_int, POINTER(View), c_void_p, PROGRESS,
                                  c_void_p, POINTER(ViewReport)], True),
    "fx_pyramid_new": (c_void_p, [POINTER(StoredFormat), c_int, c_int, c_void_p, c_void_p]),
    "fx_pyramid_free": (None, [c_void_p]),
    "fx_pyramid_get_size": (None, [c_void_p, c_int, POINTER(c_int), POINTER(c_int)]),
    "fx_pyramid_change": (None, [c_void_p, c_int, c_int]),
    "fx_pyramid_get": (c_void_p, [c_void_p, c_int, c_int, c_int, STEP, c_void_p, c_void_p]),
    "fx_reach_get_source": (Rect, [POINTER(Reach), POINTER(Rect)]),
    "fx_resident_source_new": (c_void_p, [c_int]),
    "fx_resident_source_change": (None, [c_void_p, c_int, c_int]),
    "fx_resident_source_free": (None, [c_void_p]),
    "fx_restore_channels": (None, [POINTER(StoredFormat), ctypes.c_uint, c_void_p, c_void_p,
                                   c_size_t]),
    "fx_team_new": (c_void_p, [c_int]),
    "fx_team_free": (None, [c_void_p]),
    "fx_trc_table_get": (c_void_p, [c_void_p], True),
    "lens_aperture_fill": (None, [POINTER(LensParams), c_double, c_void_p]),
    "lens_aperture_get_reach": (None, [POINTER(LensParams), c_double, POINTER(c_int),
                                       POINTER(c_int)]),
    "lens_params_draw_aperture": (None, [POINTER(LensParams), c_int, c_void_p]),
    "g_error_free": (None, [c_void_p]),
    "g_quark_to_string": (c_char_p, [ctypes.c_uint32]),
}

STAND_IN_FUNCTIONS = {
    "fx_engine_get_gpu_owner": (c_void_p, [c_void_p]),
    "fx_gpu_owner_peek_gpu": (c_void_p, [c_void_p]),
    "stand_in_poison": (None, [c_void_p]),
}

CODES = ["argument", "cancelled", "unavailable", "memory", "device"]


class Error(Exception):
    """An error of the engine's: code is one of CODES; or another domain's, as domain and number."""

    def __init__(self, error):
        super().__init__(error.message.decode())
        domain = library.g_quark_to_string(error.domain).decode()
        self.code = CODES[error.code] if domain == "cuda_blur_error_quark" else (domain, error.code)


def call(function, *args):
    """Calls a function, or the library's of that name, that sets a GError. Returns its result, or
    raises the error."""
    pointer = POINTER(GError)()
    function = getattr(library, function) if isinstance(function, str) else function
    result = function(*args, byref(pointer))
    if pointer:
        try:
            raise Error(pointer.contents)  # in no variable, which would keep the callers' frames
        finally:
            library.g_error_free(pointer)
    return result


class Library:
    """The functions of the library, and those that the engine does not export."""

    def __init__(self, path):
        self.shared, self.hidden, self.sizes = ctypes.CDLL(path), self.read_symbols(path), {}
        self.base = ctypes.cast(self.shared.door_open, c_void_p).value - self.hidden["door_open"][1]
        for row in itertools.takewhile(lambda row: row.name, (DoorSize * 1000).in_dll(
                self.shared, "door_sizes")):
            self.sizes[row.name.decode()] = row.size
        self.check(STRUCTS)
        self.declare(FUNCTIONS)

    def read_symbols(self, path):
        """The kind of each symbol, and its place in the file."""
        done = subprocess.run(["nm", path], check=True, capture_output=True, text=True)
        rows = (line.split() for line in done.stdout.splitlines())
        return {row[2]: (row[1], int(row[0], 16)) for row in rows if len(row) == 3}

    def find(self, name):
        """A function by its name. One that is compiled for several vector units (vector.h) has a
        symbol of kind i, which returns the one for this processor."""
        if hasattr(self.shared, name):
            return name, self.shared
        address = self.locate(name)
        return CFUNCTYPE(c_void_p)(address)() if self.hidden[name][0] == "i" else address

    def locate(self, name):
        return self.base + self.hidden[name][1]

    def check(self, structs):
        """Fails unless each struct has the size of the engine's, whose name it is given by."""
        for name, struct in structs.items():
            assert ctypes.sizeof(struct) == self.sizes[name], f"{name} is not as in its header"

    def declare(self, functions):
        """Makes functions members, which are as in FUNCTIONS."""
        for name, (result, arguments, *fails) in functions.items():
            kind = CFUNCTYPE(result, *arguments, *[c_void_p] * len(fails))
            setattr(self, name, kind(self.find(name)))


def load(path):
    """Loads the library. Call this first."""
    global library
    library = Library(path)
    if hasattr(library.shared, "stand_in_poison"):
        library.declare(STAND_IN_FUNCTIONS)
    library.door_open()


def store_format(format):
    """The format as the engine's struct."""
    stored = StoredFormat(list(DTYPES).index(format.sample), format.channels, format.gamma)
    if isinstance(format.trc, Parametric):
        stored.trc.parameters[:] = format.trc.parameters
    elif isinstance(format.trc, Table):
        stored.trc.table = call("fx_trc_table_get", format.trc.entries.ctypes.data)
    return stored


def guess_format(pixels):
    """The format of pixels with sRGB's curve."""
    sample = next(name for name, dtype in DTYPES.items() if pixels.dtype == dtype)
    return Format(sample, pixels.shape[2])


class Fingerprint:
    """Two builds that give exactly the same pixels print the same fingerprint for the same tests
    with the same seed. The order of the results does not matter."""

    def __init__(self):
        self.sum, self.results = 0, 0

    def add(self, pixels):
        self.sum += int.from_bytes(hashlib.sha256(np.ascontiguousarray(pixels)).digest(), "big")
        self.results += 1

    def __str__(self):
        return f"fingerprint of {self.results} results: {self.sum % (1 << 256):064x}"


fingerprint = Fingerprint()


# ---- filters ----


class Settings:
    """Settings of a filter. checked: raise an Error if they are out of range; map: rows of floats,
    and the place of the first of them."""

    def __init__(self, filter, checked=True, map=None, **settings):
        words = {name.replace("_", "-"): value for name, value in settings.items()}
        texts = [f"{n}={v}".encode() for n, v in words.items() if isinstance(v, str)]
        self.handle = None
        self.handle = call("door_settings_new", f"plug-in-cuda-{filter}".encode(),
                           (c_char_p * len(texts))(*texts), len(texts))
        for name, value in words.items():
            self.set(name.encode(), value)
        if map:
            values = np.ascontiguousarray(map[0], np.float32)
            library.door_settings_set_map(self.handle, values.ctypes.data, *map[1],
                                          *values.shape[::-1])
        if checked:
            call("filter_settings_check", self.handle)

    def set(self, name, value):
        if isinstance(value, (list, np.ndarray)):
            values = np.ascontiguousarray(value, float)
            call("door_settings_set_matrix", self.handle, name, *values.shape, values.ctypes.data)
        elif not isinstance(value, str):
            call("door_settings_set", self.handle, name, value)

    def __del__(self):
        if self.handle:
            library.filter_settings_free(self.handle)

    def get_growth(self, width=0, height=0):
        """Of a layer of that size."""
        x, y, geometry = c_int(), c_int(), Geometry(0, 0, width, height)
        library.filter_settings_get_growth(self.handle, byref(geometry), byref(x), byref(y))
        return x.value, y.value


filters = []


class Plan:
    """The plan of a filter for a format; it has no handle if it is refused. With no settings it
    changes nothing. grown: for a layer that the settings enlarge; straight: colour is not
    multiplied by alpha, whatever the filter says; choice: how a GPU computes a convolution, one of
    PATHS, columns and rows of a tile, and bytes of scratch memory; geometry: the picture's place
    (x, y, width, height)."""

    def __init__(self, settings, format, coverage=False, grown=False, straight=False, choice=None,
                 geometry=(0, 0, 0, 0)):
        if grown and settings:
            library.filter_settings_set_grown(settings.handle)
        stored = byref(store_format(format))
        place = byref(Geometry(*geometry))
        self.handle = (library.door_plan_new(settings.handle, stored, place, coverage) if settings
                       else library.fx_plan_new_identity(stored))
        if self.handle:
            self.describe()
            if straight:
                self.get_stored().codec.alpha = STRAIGHT
            if choice:
                path, *numbers = choice
                library.door_plan_choose(self.handle, PATHS.index(path), *numbers)

    def describe(self):
        self.is_identity, self.reach = self.get_reach((0, 0, 1, 1))
        self.name = self.get_filter().name.decode()

    def get_stored(self):
        """The engine's struct. It keeps the plan, and so the memory that it lies in."""
        stored = StoredPlan.from_address(self.handle)
        stored.plan = self
        return stored

    def get_filter(self):
        return Filter.from_address(self.get_stored().filter)

    def own_filter(self):
        """Gives the plan a filter of its own, as it was, which may be changed. It is not freed,
        because the engine may hold the plan for longer."""
        filters.append(Filter.from_buffer_copy(self.get_filter()))
        self.get_stored().filter = ctypes.addressof(filters[-1])
        return filters[-1]

    def get_draft(self, level):
        """The plan for an image scaled down to 1 / 2^level."""
        draft = Plan.__new__(Plan)
        draft.handle = self.get_filter().get_draft(self.handle, level)
        draft.describe()
        return draft

    def get_reach(self, region):
        """Whether it changes nothing, and the reach from a region (Stream)."""
        stored, (x, y, width, height) = self.get_stored(), region
        source = library.fx_reach_get_source(byref(stored.reach), byref(Rect(*region)))
        return bool(stored.identity), (x - source.x, source.x + source.width - x - width,
                                       y - source.y, source.y + source.height - y - height)

    def __del__(self):
        if self.handle:
            library.fx_plan_free(self.handle)


class Engine:
    def __init__(self):
        self.handle = library.fx_engine_new()

    def __del__(self):
        library.fx_engine_free(self.handle)


engines = []


def get_engine():
    """The engine that all tests share, so that the GPU is opened only once."""
    if not engines:
        engines.append(Engine())
    return engines[0]


def close():
    """Frees that engine."""
    engines.clear()


# ---- runs ----


def view_rows(address, rows, row_bytes, stride):
    """The memory of rows as an array of bytes."""
    size = (rows - 1) * stride + row_bytes
    memory = (ctypes.c_uint8 * size).from_address(address)
    return np.ndarray((rows, row_bytes), np.uint8, memory, strides=(stride, 1))


class Stream:
    """An image as the engine reads and writes it. Notes the first breach of the contract of these
    calls (image.h) as complaint. reach: pixels on the left, on the right, above and below region
    that may be read. shift: where the picture lies in the image that the engine gets. origin: the
    place of the picture's first pixel."""

    def __init__(self, pixels, format, region, reach, shift=(0, 0), restarts=True, origin=(0, 0)):
        height, width = pixels.shape[:2]
        x, y, w, h = self.region = region
        left, right, above, below = reach
        self.outer = (max(0, x - left), max(0, y - above),
                      min(width, x + w + right), min(height, y + h + below))
        self.pixel, self.shift, self.restarts = format.size, shift, restarts
        self.source = np.ascontiguousarray(pixels).reshape(height, -1).view(np.uint8)
        self.result = np.zeros((h, w * self.pixel), np.uint8)
        self.written = np.zeros((h, w), bool)
        self.complaint, self.fraction = None, None
        self.reads = self.writes = 0
        self.thread = threading.get_ident()
        # The engine may keep none of these longer than the run.
        self.image = Image(format=store_format(format), width=width + shift[0],
                           height=height + shift[1], x=origin[0] - shift[0],
                           y=origin[1] - shift[1], region=Rect(x + shift[0], y + shift[1], w, h),
                           read=READ(self.guard(self.read)), write=READ(self.guard(self.write)),
                           progress=PROGRESS(self.guard(self.progress)))

    def guard(self, function):
        """What fails in a callback is a complaint."""

        def guarded(data, *args):
            try:
                return function(*args)
            except BaseException as failure:
                self.complain(repr(failure))
                return True

        return guarded

    def complain(self, text):
        self.complaint = self.complaint or text

    def check_rect(self, what, rect, outer, stride):
        r = rect.contents
        x, y = r.x - self.shift[0], r.y - self.shift[1]
        where = f"{what} of {r.width}x{r.height} at {x},{y}"
        if threading.get_ident() != self.thread:
            self.complain(f"{where} on another thread")
        if r.height > 1 and stride < r.width * self.pixel:
            self.complain(f"{where} with a stride of {stride} bytes")
        if (min(r.width, r.height) < 1 or x < outer[0] or y < outer[1] or x + r.width > outer[2]
                or y + r.height > outer[3]):
            self.complain(f"{where}, outside {outer}")
            raise ValueError(where)
        return x, y, r.width, r.height

    def read(self, rect, pixels, stride, error):
        """Also fills the gap behind each row, with bytes that are NaN or white: they must not
        matter."""
        x, y, w, h = self.check_rect("read", rect, self.outer, stride)
        size = w * self.pixel
        self.reads += 1
        view_rows(pixels, h, size, stride)[:] = self.source[y:y + h, x * self.pixel:][:, :size]
        if h > 1 and stride > size:
            view_rows(pixels + size, h - 1, stride - size, stride)[:] = 0xff
        return True

    def write(self, rect, pixels, stride, error):
        left, top, width, height = self.region
        outer = left, top, left + width, top + height
        x, y, w, h = self.check_rect("write", rect, outer, stride)
        x, y, size = x - left, y - top, w * self.pixel
        self.writes += 1
        if x == y == 0 and self.restarts:  # from the beginning, after a device has failed
            self.written[:] = False
        if self.written[y:y + h, x:x + w].any():
            self.complain(f"pixels of {w}x{h} at {x},{y} written twice")
        self.written[y:y + h, x:x + w] = True
        rows = view_rows(pixels, h, size, stride)
        self.result[y:y + h, x * self.pixel:x * self.pixel + size] = rows
        return True

    def progress(self, fraction):
        if threading.get_ident() != self.thread:
            self.complain("progress on another thread")
        if self.fraction is None and fraction != 0.0:
            self.complain(f"progress begins at {fraction}")
        if not 0.0 <= fraction <= 1.0 or (fraction < (self.fraction or 0.0) and not self.restarts):
            self.complain(f"progress of {fraction} after {self.fraction}")
        self.fraction = fraction
        return True

    def finish(self):
        """Checks a run that has ended."""
        if not self.written.all():
            self.complain(f"{np.count_nonzero(~self.written)} pixels not written")
        if self.fraction != 1.0:
            self.complain(f"progress ends at {self.fraction}")
        assert not self.complaint, self.complaint


def poison(engine):
    """What an earlier run has left in the memory of the stand-in's device must not matter."""
    if hasattr(library, "stand_in_poison"):
        owner = library.fx_engine_get_gpu_owner(engine.handle)
        library.stand_in_poison(library.fx_gpu_owner_peek_gpu(owner))


def run_stream(plan, stream, device_number, report, engine=None):
    engine = engine or get_engine()
    poison(engine)
    call("fx_engine_run", engine.handle, plan.handle, device_number, byref(stream.image),
         byref(report))


def run_plan(plan, pixels, format, device=None, region=None, reach=None, shift=(0, 0), band_rows=0,
             engine=None, report=None, origin=(0, 0)):
    """Runs a plan over pixels, and returns the pixels of region (x, y, width, height). Checks the
    report, which it also writes to report. reach: as in Stream; the default is the plan's own."""
    assert plan.handle, "there is no plan"
    asked = device or globals()["device"]
    region = region or (0, 0, pixels.shape[1], pixels.shape[0])
    x, y, *size = region
    reach = reach or plan.get_reach((x + origin[0], y + origin[1], *size))[1]
    stream = Stream(pixels, format, region, reach, shift, asked != "cpu", origin)
    stream.image.band_rows = band_rows
    report = report or Report()
    run_stream(plan, stream, DEVICES.index(asked), report, engine)
    stream.finish()
    check_report(report, "auto" if plan.is_identity else asked)
    result = stream.result.view(format.dtype).reshape(region[3], region[2], format.channels)
    fingerprint.add(result)
    return result


def check_report(report, asked):
    assert asked == "auto" or report.device == asked, f"{report.device} did it, not {asked}"
    assert asked == "auto" or not report.fallback, report.fallback.decode()
    assert report.device_name, "the device has no name"
    assert 0.0 <= report.milliseconds < 1e6, f"it took {report.milliseconds} ms"


PLAN_OPTIONS = ("coverage", "grown", "straight", "choice", "geometry")
RUN_OPTIONS = ("device", "region", "reach", "shift", "band_rows", "engine", "report", "origin")


def split(options, *names):
    """Takes the options that are named out of options."""
    return {name: options.pop(name) for name in names if name in options}


def run(filter, pixels, format=None, **options):
    """Runs a filter over pixels. Options: those of run_plan and of Plan, and the settings."""
    format = format or guess_format(pixels)
    run_options = split(options, *RUN_OPTIONS)
    options.setdefault("geometry", (0, 0, pixels.shape[1], pixels.shape[0]))
    plan_options = split(options, *PLAN_OPTIONS)
    plan = Plan(Settings(filter, **options), format, **plan_options)
    return run_plan(plan, pixels, format, **run_options)


def has_gpu():
    """Whether the GPU can be used. It can if it fails: then its tests fail, too."""
    try:
        run("gaussian-blur", np.zeros((1, 1, 1), np.uint8), device="gpu")
    except Error as error:
        return error.code != "unavailable"
    return True


# ---- previews ----


VIEW_OPTIONS = ("scale", "grow", "draft", "device", "report", "progress")


class Preview:
    """Views of pixels, which may be changed in place; then call change."""

    def __init__(self, pixels, format=None, coverage=False, engine=None):
        self.pixels = np.ascontiguousarray(pixels)
        self.format, self.coverage = format or guess_format(pixels), coverage
        self.engine, self.mask = engine or get_engine(), None
        height, width = pixels.shape[:2]
        self.handle = library.fx_preview_new(self.engine.handle, byref(store_format(self.format)),
                                             coverage, width, height, self.pixels.ctypes.data)
        # Before the engine, also where the garbage collector frees both.
        weakref.finalize(self, lambda handle, engine: library.fx_preview_free(handle), self.handle,
                         self.engine)

    def change(self, y, rows):
        library.fx_preview_change(self.handle, y, rows)

    def set_mask(self, mask):
        """The share of the result in each pixel, of 255; None: all of it."""
        self.mask = None if mask is None else np.ascontiguousarray(mask, np.uint8)
        library.fx_preview_set_mask(self.handle, mask if mask is None else self.mask.ctypes.data)

    def set_locked(self, channels):
        library.fx_preview_set_locked(self.handle, channels)

    def get_format(self):
        """The format that plans are made for: of coverage, a linear one."""
        gamma = bool(library.fx_preview_get_format(self.handle).contents.gamma)
        return Format(self.format.sample, self.format.channels, gamma, self.format.trc)

    def render(self, filter, rect, **options):
        """Returns the view of rect (x, y, width, height) as RGBA of 8 bits. filter: its name, or
        None for the image itself. Options: those of render_plan, and the settings."""
        view_options = split(options, *VIEW_OPTIONS)
        plan = Plan(filter and Settings(filter, **options), self.get_format(), self.coverage,
                    any(view_options.get("grow", [])),
                    geometry=(0, 0, self.pixels.shape[1], self.pixels.shape[0]))
        return self.render_plan(plan, rect, **view_options)

    def render_plan(self, plan, rect, scale=1.0, grow=(0, 0), draft=False, device=None,
                    report=None, progress=None):
        """progress: a function that gets the fraction and returns whether to go on."""
        asked = device or globals()["device"]
        view = View(scale, Rect(*rect), *grow, draft)
        rgba = np.full((rect[3] * rect[2] + 1, 4), 0xa5, np.uint8)
        ask = PROGRESS(lambda data, fraction: progress(fraction)) if progress else PROGRESS(0)
        call("fx_preview_render", self.handle, plan.handle, DEVICES.index(asked), byref(view),
             rgba.ctypes.data, ask, None, byref(report or ViewReport()))
        assert (rgba[-1] == 0xa5).all(), "written beyond the view"
        fingerprint.add(rgba[:-1])
        return rgba[:-1].reshape(rect[3], rect[2], 4)
