"""The engine for filters.py, which times it: an Engine, in a separate process for each build.

Formats are u8, u16 and float, RGBA, each also with "-opaque": an alpha of 1. Devices:

    resident         the GPU, data resident, by its own clock
    gpu, cpu, auto   all of the engine, from memory into memory
    view-gpu:SCALE, view-cpu:SCALE, draft-cpu:SCALE
                     a view of 800x600 pixels at that scale, its plan included. The first word is
                     a number, which differs a little in each view, as under a slider
    changed-gpu:SCALE, changed-cpu:SCALE, changed-draft:SCALE
                     the same after all of the picture has changed
    plan             making the plan
    memory-gpu, memory-cpu
                     megabytes in place of milliseconds: what a run takes of the GPU's memory or of
                     the process's, beyond what one of a pixel leaves. The picture is in no memory

Calls from Python take some microseconds; the functions that move pixels are in C.
"""

import ctypes
import hashlib
import re
import time
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_void_p
from pathlib import Path

import numpy as np

import fx
from formats import SRGB, Format
from picture import make_picture

WARM_UPS = 2
VIEW = 800, 600
CHANGE = 1e-3  # of a number, from one view to the next
VARIANTS = ["both", "generic", "specialised"]
ROWS = 64  # of a picture that is in no memory, over and over

# For each kind of view: the device, whether it is a draft, and whether the picture has changed.
VIEWS = {"view-gpu": ("gpu", False, False), "view-cpu": ("cpu", False, False),
         "draft-cpu": ("cpu", True, False), "changed-gpu": ("gpu", False, True),
         "changed-cpu": ("cpu", False, True), "changed-draft": ("cpu", True, True)}

# For each map: a function of width and height that returns its values.
MAPS = {"ramp": lambda w, h: np.broadcast_to(np.linspace(0, 1, w, dtype=np.float32), (h, w)),
        "noise": lambda w, h: np.random.default_rng(1).random((h, w), np.float32)}


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


def make_settings(case):
    filter, *rest = case.words
    settings = dict(word.split("=", 1) for word in rest)
    if "map" in settings:
        settings["map"] = MAPS[settings["map"]](*case.picture), (0, 0)
    return fx.Settings(filter.removeprefix("cuda-"), **settings)


def get_milliseconds(function, clock=time.perf_counter):
    start = clock()
    function()
    return (clock() - start) * 1e3


def make_endless(picture, width, height):
    """An image of the rows of a picture, over and over; its result is dropped."""
    pixels = picture.pixels

    def read(_, rect, to, stride, __):
        r = rect.contents
        for y in range(r.height):
            row = pixels[(r.y + y) % len(pixels), r.x:]
            ctypes.memmove(to + y * stride, row.ctypes.data, r.width * picture.format.size)
        return True

    return fx.Image(format=fx.store_format(picture.format), width=width, height=height,
                    region=fx.Rect(0, 0, width, height), read=fx.READ(read),
                    write=fx.READ(lambda *_: True))


def read_kilobytes(name):
    """VmRSS is the process's memory, and VmHWM the most that it has had."""
    return int(re.search(rf"{name}:\s*(\d+)", Path("/proc/self/status").read_text())[1])


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
        in_memory = not device.startswith("memory-")
        self.set_form(case.form, case.picture[0], case.picture[1] if in_memory else ROWS)
        if not in_memory:
            wall = [self.get_memory(case, device[-3:])] * (WARM_UPS + 1)
            processors = [0.0]
        elif device == "plan":
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
        with_plan = self.make_planner(make_settings(case))
        return [get_milliseconds(lambda: with_plan(lambda plan: None)) for _ in range(self.runs)]

    def time_runs(self, case, device):
        plan, image = self.picture.make_plan(make_settings(case)), self.picture.get_image()
        image.source, image.result = self.picture.memory.pixels, self.picture.memory.result
        wall = []
        processors = [get_milliseconds(lambda: wall.append(
            run(self.engine, plan, device, image).milliseconds), time.process_time)
            for _ in range(self.runs)]
        return wall, processors

    def get_memory(self, case, device):
        engine = fx.Engine()
        plan = fx.Plan(make_settings(case), self.picture.format, geometry=(0, 0, *case.picture))
        fx.library.fx_engine_set_config(engine.handle, byref(self.config))
        run(engine, plan, device, make_endless(self.picture, 1, 1))
        Path("/proc/self/clear_refs").write_text("5")  # VmHWM begins again
        before, free = read_kilobytes("VmRSS"), self.get_free_bytes() if device == "gpu" else 0
        run(engine, plan, device, make_endless(self.picture, *case.picture))
        if device == "gpu":
            return (free - self.get_free_bytes()) / 1e6
        return (read_kilobytes("VmHWM") - before) * 1024 / 1e6

    def time_views(self, case, scale, device, draft, changed):
        """Of the middle of the picture."""
        settings, (*_, width, height) = make_settings(case), self.picture.place
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

    def get_free_bytes(self):
        """Of the GPU: buffers stay for the next run."""
        self.open_gpu()
        free, total = c_size_t(), c_size_t()
        assert ctypes.CDLL("libcuda.so.1").cuMemGetInfo_v2(byref(free), byref(total)) == 0
        return free.value

    def time_resident(self, case):
        self.open_gpu()
        plan, memory = self.picture.make_plan(make_settings(case)), self.picture.memory
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
