#!/usr/bin/python3
"""How soon the dialog's preview follows what is set, in GIMP's own window, at 8-bit and in float:

  times.py steps PLUGIN PROBE [WIDTHxHEIGHT [VALUE...]]
  times.py matrices PLUGIN PROBE [ROWS...]
  times.py operation PLUGIN PROBE MODULE OPERATION [WIDTHxHEIGHT [VALUE...]]

PLUGIN and PROBE are the two executables, MODULE the operations. With CUDA_BLUR_DEVICE=gpu or cpu,
on that device. A line for each setting has the milliseconds from a value to its painted view, of
all of the layer and at 100%."""

import os
import re
import statistics
import sys

import numpy as np

import folders  # noqa: F401 # for the others
import matrix
import tool
from desk import Desk
from subject import BLUR

SAMPLES = ["u8", "float"]
LARGE = 6000, 4000  # 24 megapixels
VALUES = 20, 100, 300
STEPS = 200  # of the arrow keys at 60 to a second, 25 up and 25 down in turn


def tell(what, desk, seen, limit):
    """Of the views that were painted after the first of them."""
    lines = desk.list_traces("preview")[seen:]
    assert lines, f"{what}: there is no view"
    times = sorted(float(re.search(r"preview +(\S+) ms", line)[1]) for line in lines)
    own = sorted(float(line.split()[-2]) for line in lines)
    view = desk.view
    print(f"{what}, {view.width}x{view.height}, scale {view.scale:g}: {len(lines)} views; median "
          f"{statistics.median_low(times)} ms, 95% {times[(len(times) * 95 + 99) // 100 - 1]} ms, "
          f"at most {times[-1]} ms, over {limit} ms: {sum(time > limit for time in times)}; the "
          f"filter alone {statistics.median_low(own)} ms, at most {own[-1]} ms; "
          f"{sum(' draft, ' in line for line in lines)} drafts", flush=True)


def show_scale(desk, key):
    desk.focus_preview()
    desk.press(key)
    desk.rest()


# ---- small steps ----


def take_steps(desk, what, entry, value, limit):
    """From the value, in the entry that the key leads to."""
    desk.type_in(entry, value)
    desk.rest()
    desk.previews(seconds=60)
    seen = desk.count("preview")
    keys = ("Down" if step // 25 % 2 else "Up" for step in range(STEPS))
    desk.focus(desk.dialog, "key", entry, *(word for key in keys for word in (
        "key", "--delay", 0, key, "sleep", 0.0167)))
    desk.previews(seconds=60)
    tell(what, desk, seen, limit)


def take_all_steps(desk, what, entry, values, limit):
    for key in "01":
        show_scale(desk, key)
        for value in values:
            take_steps(desk, f"{what}, not counted", entry, value, limit)
            take_steps(desk, f"{what}, from {value}", entry, value, limit)


def read_size(text):
    return tuple(int(number) for number in text.split("x"))


def measure_steps(plugin, probe, size="3840x2160", *values):
    """Of the blur's sigma and of the lens blur's radius."""
    with Desk(plugin, probe) as desk:
        desk.start()
        for sample in SAMPLES:
            desk.new_image("rgba", size=read_size(size), sample=sample)
            for filter, entry in [(BLUR, "alt+x"), ("lens-blur", "alt+u")]:
                desk.choose_filter(filter)
                desk.open()
                desk.previews(seconds=60)
                take_all_steps(desk, f"{filter}, {size} {sample}", entry, values or VALUES, 10)
                desk.close("Escape")


def measure_matrices(plugin, probe, *rows):
    """Dense ones over 24 megapixels. The keys change the divisor, so that each of them makes a
    plan."""
    with Desk(plugin, probe, filter="convolve") as desk:
        desk.start()
        path = os.path.join(desk.folder, "matrix.csv")
        for sample in SAMPLES:
            desk.new_image("rgba", size=LARGE, sample=sample)
            desk.open()
            for n in map(int, rows or (31, 63, 127, 255)):
                np.savetxt(path, np.random.default_rng(1).random((n, n)), "%.6f", ",")
                matrix.load(desk, path)
                desk.previews(f"matrix {n}x{n}", 60)
                take_all_steps(desk, f"matrix {n}x{n}, {sample}", "alt+i", [n * n // 2], 16)
            desk.close("Escape")


# ---- the operation ----


def follow(desk, seen):
    """Until it has been called for what was just set, and is not any more. Returns its calls."""
    desk.wait_for("a value is not computed", lambda: tool.count_calls(desk) > seen, seconds=60)
    calls = 0
    while calls != (calls := tool.count_calls(desk)):
        desk.state()  # GIMP answers when it is idle
        desk.rest()
    return desk.list_traces("process")[seen:]


def take_step(desk):
    seen = tool.count_calls(desk)
    desk.focus(tool.TOOL, "key", "Up")
    return follow(desk, seen)


def take_operation_steps(desk, what, value):
    """From where the focus is after the choice, Tab leads to the presets' menu and to the first
    property."""
    tool.open_tool(desk)
    desk.press_in(tool.TOOL, "Tab", "Tab")
    seen = tool.count_calls(desk)
    desk.focus(tool.TOOL, "type", value)
    desk.press_in(tool.TOOL, "Return")
    follow(desk, seen)
    take_step(desk)  # not counted
    steps = [take_step(desk) for _ in range(20)]
    times = [sum(float(re.search(r"process +(\S+) ms", line)[1]) for line in step)
             for step in steps]
    print(f"{what}, from {value}: {len(steps)} steps, {sum(map(len, steps))} calls, "
          f"{sum(' CPU' in line for step in steps for line in step)} by the CPU; median "
          f"{statistics.median_low(times):.3f} ms, at most {max(times):.3f} ms", flush=True)
    tool.close_tool(desk, "Escape")


def measure_operation(plugin, probe, module, operation, size="3840x2160", *values):
    """Of its first property, in GIMP's GEGL Operation tool with its preview on the canvas."""
    with Desk(plugin, probe) as desk:
        tool.prepare(desk, module, operation)
        desk.start()
        for sample in SAMPLES:
            desk.new_image("rgba", size=read_size(size), sample=sample)
            for value in values or VALUES:
                take_operation_steps(desk, f"{operation}, {size} {sample}", value)


what, *words = sys.argv[1:]
globals()[f"measure_{what}"](*words)
