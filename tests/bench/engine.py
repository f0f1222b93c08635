"""What filters.py times of the engine: an Engine, in a process of its own for each build.

Formats are u8, u16 and float, RGBA, each also with "-opaque": an alpha of 1. Devices:

    resident         the GPU, data resident, by its own clock
    gpu, cpu, auto   all of the engine, from memory into memory
    view-gpu:SCALE, view-cpu:SCALE, draft-cpu:SCALE
                     a view of 800x600 pixels at that scale, its plan included. The first word is
                     a number, which differs a little in each view, as under a slider
    changed-gpu:SCALE, changed-cpu:SCALE, changed-draft:SCALE
                     the same after all of the picture has changed
    plan             making the plan

Calls from Python take some microseconds; the functions that move pixels are in C.
"""

import ctypes
import hashlib
import time
from ctypes import POINTER, byref, c_char_p, c_int, c_void_p

import numpy as np

import fx
from formats import SRGB, Format
from picture import make_picture

WARM_UPS = 2
VIEW = 800, 600
CHANGE = 1e-3  # of a number, from one view to the next
VARIANTS = ["both", "generic", "specialised"]

# Of each kind of view: the device, whether it is a draft, and whether the picture has changed.
VIEWS = {"view-gpu": ("gpu", False, False), "view-cpu": ("cpu", False, False),
         "draft-cpu": ("cpu", True, False), "changed-gpu": ("gpu", False, True),
         "changed-cpu": ("cpu", False, True), "changed-draft": ("cpu", True, True)}


class Memory(ctypes.Structure):
    _fields_ = [("pixels", c_void_p), ("result", c_void_p), ("width", c_int), ("height", c_int),
                ("format", fx.StoredFormat)]


def load(library):
    fx.load(library)
    fx.library.declare({
        "fx_config_init": (c_int, [POINTER(fx.Config), c_int], True),
        "fx_engine_set_config": (None, [c_void_p, POINTER(fx.Config)]),
        "memory_get_image": (fx.Image, [POINTER(Memory)]),
    })


class Picture:
    """Pixels, and those of the result."""

    def __init__(self, pixels, format=None):
        self.pixels, self.result = pixels, np.zeros_like(pixels)
        self.format = format or fx.guess_format(pixels)
        height, width = pixels.shape[:2]
        self.place = 0, 0, width, height
        self.memory = Memory(pixels.ctypes.data, self.result.ctypes.data, width, height,
                             fx.store_format(self.format))

    def get_image(self):
        return fx.library.memory_get_image(byref(self.memory))

    def make_plan(self, settings):
        return fx.Plan(settings, self.format, geometry=self.place)


def run(engine, plan, device, image):
    """Returns its report."""
    report = fx.Report()
    fx.call("fx_engine_run", engine.handle, plan.handle, fx.DEVICES.index(device), byref(image),
            byref(report))
    return report


def make_settings(words):
    filter, *rest = words
    return fx.Settings(filter.removeprefix("cuda-"), **dict(word.split("=", 1) for word in rest))


def get_milliseconds(function, clock=time.perf_counter):
    start = clock()
    function()
    return (clock() - start) * 1e3


class Engine:
    """options: programs, threads, repeats and hash, as in filters.py."""

    def __init__(self, options):
        self.runs, self.hash = WARM_UPS + options["repeats"], options["hash"]
        self.config, self.engine = fx.Config(), fx.Engine()
        fx.call("fx_config_init", byref(self.config), fx.DEVICES.index("auto"))
        self.config.threads = options["threads"]
        self.config.variants = VARIANTS.index(options["programs"])
        fx.library.fx_engine_set_config(self.engine.handle, byref(self.config))
        self.form = self.picture = self.preview = self.gpu = None

    def set_form(self, form, width, height):
        if self.form == (form, width, height):
            return
        sample, _, opaque = form.partition("-")
        if sample not in ("u8", "u16", "float"):
            raise ValueError(f"no format is called {form}")
        format = Format(sample, 4, sample != "float")
        pixels = make_picture(width, height, "u8" if sample == "float" else sample)
        if sample == "float":
            pixels = pixels / 255.0
            pixels[..., :3] = SRGB.to_linear(pixels[..., :3])
            pixels = format.encode(pixels)
        if opaque:
            pixels[..., 3] = format.encode(1.0)
        self.picture, self.preview = Picture(pixels, format), None
        self.form = form, width, height

    def measure(self, case):
        """The milliseconds, those of the processors, a hash of the result or "", and the GPU."""
        device, _, scale = case.device.partition(":")
        self.set_form(case.form, *case.picture)
        if device == "plan":
            wall, processors = self.time_plans(case), [0.0]
        elif device == "resident":
            wall, processors = self.time_resident(case), [0.0]
        elif device in VIEWS:
            wall, processors = self.time_views(case, float(scale), *VIEWS[device]), [0.0]
        else:
            wall, processors = self.time_runs(case, device)
        hashed = self.hash and device in ("resident", *fx.DEVICES)
        result = hashlib.sha256(self.picture.result).hexdigest()[:16] if hashed else ""
        return wall[WARM_UPS:], processors[WARM_UPS:] or [0.0], result, self.get_gpu_name()

    def make_planner(self, settings):
        """A function that calls another one with a plan, with as little of Python as can be."""
        stored, place = byref(self.picture.memory.format), byref(fx.Geometry(*self.picture.place))

        def with_plan(function):
            plan = fx.library.door_plan_new(settings.handle, stored, place, False)
            function(plan)
            fx.library.fx_plan_free(plan)

        return with_plan

    def time_plans(self, case):
        with_plan = self.make_planner(make_settings(case.words))
        return [get_milliseconds(lambda: with_plan(lambda plan: None)) for _ in range(self.runs)]

    def time_runs(self, case, device):
        plan, image = self.picture.make_plan(make_settings(case.words)), self.picture.get_image()
        image.source, image.result = self.picture.memory.pixels, self.picture.memory.result
        wall = []
        processors = [get_milliseconds(lambda: wall.append(
            run(self.engine, plan, device, image).milliseconds), time.process_time)
            for _ in range(self.runs)]
        return wall, processors

    def time_views(self, case, scale, device, draft, changed):
        """Of the middle of the picture."""
        settings, (*_, width, height) = make_settings(case.words), self.picture.place
        name, _, number = case.words[1].partition("=")
        view = fx.View(scale, fx.Rect(int(width * scale - VIEW[0]) // 2,
                                      int(height * scale - VIEW[1]) // 2, *VIEW), draft=draft)
        rgba, with_plan = np.zeros((*VIEW, 4), np.uint8), self.make_planner(settings)
        self.preview = self.preview or fx.Preview(self.picture.pixels, self.picture.format,
                                                  engine=self.engine)
        wall = []

        def render(plan):
            fx.call("fx_preview_render", self.preview.handle, plan, fx.DEVICES.index(device),
                    byref(view), rgba.ctypes.data, fx.PROGRESS(0), None, None)

        def change():
            settings.set(name.encode(), float(number) * (1.0 - CHANGE * len(wall)))
            with_plan(render)

        for _ in range(self.runs):
            if changed:
                self.preview.change(0, height)
            wall.append(get_milliseconds(change))
        return wall

    def open_gpu(self):
        """The device itself, beside the engine's."""
        fx.library.declare({"fx_gpu_open": (c_void_p, [POINTER(fx.Config)], True)})
        self.gpu = self.gpu or fx.call("fx_gpu_open", byref(self.config))
        fx.library.declare({
            "device_time": (c_int, [c_void_p, c_void_p, c_int, c_int, *[c_void_p] * 3, c_int],
                            True),
            "fx_gpu_close": (None, [c_void_p]),
            "fx_gpu_get_name": (c_char_p, [c_void_p]),
            "fx_gpu_use": (c_int, [c_void_p], True),
        })
        fx.call("fx_gpu_use", self.gpu)

    def time_resident(self, case):
        self.open_gpu()
        plan, memory = self.picture.make_plan(make_settings(case.words)), self.picture.memory
        wall = np.zeros(self.runs)
        fx.call("device_time", self.gpu, plan.handle, memory.width, memory.height, memory.pixels,
                memory.result, wall.ctypes.data, self.runs)
        return wall.tolist()

    def get_gpu_name(self):
        return self.gpu and fx.library.fx_gpu_get_name(self.gpu).decode()

    def close(self):
        self.preview = self.engine = None
        if self.gpu:
            fx.library.fx_gpu_close(self.gpu)
