"""The dialog's canvas and its copy of a drawable, in the test plug-in, and what this has sent to
GIMP (wire.h)."""

import ctypes
import time
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_longlong, c_size_t, c_void_p

from libgimp import Pointer, decode, get_extent, library, run

SLICE = 10000  # microseconds
ABYSS_NONE, LINEAR, CPU = 1, 0, 2

for name in ("canvas_new", "drawable_copy_get_mask", "drawable_copy_new", "filter_settings_new",
             "filters_find", "g_memdup2"):
    getattr(library, name).restype = Pointer
library.canvas_get_refusal.restype = c_char_p
FILTER = library.filters_find(b"plug-in-cuda-gaussian-blur")


class GError(ctypes.Structure):
    _fields_ = [("domain", c_int), ("code", c_int), ("message", c_char_p)]


def attempt(function, *arguments):
    """Returns the result, and what its error says, or nothing."""
    error = POINTER(GError)()
    result = function(*arguments, byref(error))
    return result, decode(error.contents.message) if error else ""


def make_struct(name):
    """Memory for it."""
    return ctypes.create_string_buffer(c_size_t.in_dll(library, f"{name}_size").value)


def make_target(drawable):
    target = make_struct("target")
    library.apply_target_init(target, drawable, None)
    return target


# ---- the canvas ----


def get_refusal(drawable):
    """Why the canvas cannot show it, or nothing."""
    return decode(library.canvas_get_refusal(make_target(drawable)))


REMOVE = ctypes.CFUNCTYPE(None)


class Canvas:
    """Shows a preview of the drawable, and forgets what went over the wire before. deadly: the
    message instead of which it kills this process."""

    def __init__(self, drawable, deadly=0):
        self.target = make_target(drawable)
        library.wire_forget()
        library.wire_kill_at(deadly)
        self.handle, words = attempt(library.canvas_new, self.target, FILTER)
        assert self.handle, words

    def make_job(self, sigma_x, sigma_y, grow):
        """Of a blur, with nothing beyond the edge, for the drawable as it is now."""
        job, settings = make_struct("job"), library.filter_settings_new(FILTER)
        for n, value in enumerate([sigma_x, sigma_y, 0, ABYSS_NONE, LINEAR, grow, CPU]):
            library.filter_settings_set(settings, n, c_double(value))
        library.apply_job_init(job, self.target, settings)
        library.filter_settings_free(settings)
        return job

    def set_job(self, job, pixels, changed):
        """Its result, and the part of it that differs. Returns why it is not taken, or nothing."""
        words = attempt(library.canvas_set, self.handle, job,
                        library.g_memdup2(pixels, c_size_t(len(pixels))), (4 * c_int)(*changed))[1]
        library.apply_job_clear(job)
        return words

    def set(self, pixels, changed, **settings):
        return self.set_job(self.make_job(**settings), pixels, changed)

    def write(self, all=True, removed=None):
        """All that is set, or a tile of it. Says whether there is more to write, or nothing (done),
        or the canvas is lost. removed: a layer to remove before a canvas looks for the second time
        whether its layer is there."""
        if removed:
            self.remove = REMOVE(lambda: run("gimp-image-remove-layer", *removed))
            library.wire_call_before(b"gimp-item-is-valid", 2, self.remove)
        more = True
        while more:
            until = time.monotonic_ns() // 1000 + SLICE if all else 0
            more = library.canvas_write(self.handle, c_longlong(until))
            if not all:
                break
        if library.canvas_is_lost(self.handle):
            return "lost"
        return "more" if more else "done"

    def free(self):
        library.canvas_free(self.handle)
        library.gimp_displays_flush()  # or groups show what was


def die_with_canvas(drawable, message):
    """Shows results of one value on a canvas, which differ from the layer in all of it, and kills
    this process instead of that message."""
    canvas, (_, _, width, height) = Canvas(drawable, message), get_extent(drawable)
    for grown in (0, 12):  # by a sigma of 3
        size = width + 2 * grown, height + 2 * grown
        pixels = b"\x55" * (size[0] * size[1] * library.gimp_drawable_bpp(drawable))
        canvas.set(pixels, (0, 0, *size), sigma_x=3.0, sigma_y=3.0, grow=grown > 0)
        while canvas.write(all=False) == "more" and grown:
            pass
    canvas.free()


# ---- the copy ----

NOTE = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_int)


class Copy:
    """Copies all of the drawable. Rows that change are told from then on."""

    def __init__(self, drawable):
        self.target, self.extent, self.rows = make_target(drawable), get_extent(drawable), set()
        self.handle = library.drawable_copy_new(self.target, None)
        self.begin()
        self.read()
        self.note = NOTE(lambda _, y, rows: self.rows.update(range(y, y + rows)))
        library.drawable_copy_set_changed(self.handle, self.note, None)

    def begin(self, no_memory=False):
        """To read again, with no memory for the selection, if there is to be none. Returns whether
        it was begun."""
        memory_is_full = c_int.in_dll(library, "memory_is_full")
        memory_is_full.value = no_memory
        begun, words = attempt(library.drawable_copy_begin, self.handle)
        memory_is_full.value = False
        assert bool(begun) == (words == "")
        return bool(begun)

    def read(self, all=True):
        """All, or a tile. Returns whether there is more."""
        while (more := library.drawable_copy_read(self.handle, self.extent, c_longlong(0))) and all:
            pass
        return bool(more)

    def tell(self):
        """Which rows have changed since the last call."""
        rows, self.rows = sorted(self.rows), set()
        return rows

    def has_mask(self):
        return bool(library.drawable_copy_get_mask(self.handle))

    def free(self):
        library.drawable_copy_free(self.handle)


# ---- the wire ----


def count_calls(procedure):
    return library.wire_count(procedure.encode())


def count_tiles(drawable):
    """That were sent to it or to its shadow; of all: -1."""
    return library.wire_count_tiles(drawable)
