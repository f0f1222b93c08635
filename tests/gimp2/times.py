#!/usr/bin/python3
"""How soon the dialog's preview follows small steps of what is set, in GIMP's own window, at 8-bit
and in float:

  times.py PLUGIN PROBE [WIDTHxHEIGHT [VALUE...]]

PLUGIN and PROBE are the two executables. With CUDA_BLUR_DEVICE=gpu or cpu, on that device. A line
for each setting has the milliseconds from a value to its painted view, of all of the layer and at
100%."""

import re
import statistics
import sys

import folders  # noqa: F401 # for the others
from desk import Desk
from subject import BLUR

STEPS = 200  # of the arrow keys at 60 to a second, 25 up and 25 down in turn


def tell(what, desk, seen):
    """Of the views that were painted after the first of them."""
    lines = desk.list_traces("preview")[seen:]
    assert lines, f"{what}: there is no view"
    times = sorted(float(re.search(r"preview +(\S+) ms", line)[1]) for line in lines)
    own = sorted(float(line.split()[-2]) for line in lines)
    view = desk.view
    print(f"{what}, {view.width}x{view.height}, scale {view.scale:g}: {len(lines)} views; median "
          f"{statistics.median_low(times)} ms, 95% {times[(len(times) * 95 + 99) // 100 - 1]} ms, "
          f"at most {times[-1]} ms, over 10 ms: {sum(time > 10 for time in times)}; the "
          f"filter alone {statistics.median_low(own)} ms, at most {own[-1]} ms; "
          f"{sum(' draft, ' in line for line in lines)} drafts", flush=True)


def take_steps(desk, what, entry, value):
    """From the value, in the entry that the key leads to."""
    desk.type_in(entry, value)
    desk.rest()
    desk.previews(seconds=60)
    seen = desk.count("preview")
    keys = ("Down" if step // 25 % 2 else "Up" for step in range(STEPS))
    desk.focus(desk.dialog, "key", entry, *(word for key in keys for word in (
        "key", "--delay", 0, key, "sleep", 0.0167)))
    desk.previews(seconds=60)
    tell(what, desk, seen)


def take_all_steps(desk, what, entry, values):
    for key in "01":
        desk.focus_preview()
        desk.press(key)
        desk.rest()
        for value in values:
            take_steps(desk, f"{what}, not counted", entry, value)
            take_steps(desk, f"{what}, from {value}", entry, value)


def measure(plugin, probe, size="3840x2160", *values):
    """Of the blur's sigma and of the lens blur's radius."""
    with Desk(plugin, probe) as desk:
        desk.start()
        for sample in ("u8", "float"):
            desk.new_image("rgba", size=tuple(map(int, size.split("x"))), sample=sample)
            for filter, entry in [(BLUR, "alt+x"), ("lens-blur", "alt+u")]:
                desk.choose_filter(filter)
                desk.open()
                desk.previews(seconds=60)
                take_all_steps(desk, f"{filter}, {size} {sample}", entry, values or (20, 100, 300))
                desk.close("Escape")


measure(*sys.argv[1:])
