"""GIMP's GEGL Operation tool with an operation of the module."""

import os
import shutil

from looks import ask_module

TOOL = "^GEGL Operation$"


def prepare(desk, module, operation):
    """The module lies in the profile's home, and the tool gets a shortcut."""
    modules = os.path.join(desk.folder, "home/.local/share/gegl-0.4/plug-ins")
    os.makedirs(modules)
    shutil.copy(module, modules)
    desk.add("menurc", '(gtk_accel_path "<Actions>/tools/tools-gegl" "<Primary><Alt>g")')
    desk.environment["CUDA_BLUR_TEST_OPERATION"] = operation
    desk.operation = operation


def count_calls(desk):
    """Of the operation since GIMP started."""
    return sum(f" {desk.operation} " in line for line in desk.list_traces("process"))


def open_tool(desk):
    """With the operation, beside the image. The order of its list depends on GEGL's version."""
    desk.press_image("ctrl+alt+g")
    desk.await_window(TOOL)
    desk.focus(TOOL, "windowmove", "--sync", *desk.window, 905, 20)
    calls = count_calls(desk)
    assert ask_module(desk, TOOL, "F9", "chosen") == "ok"
    desk.wait_for("the operation is not called", lambda: count_calls(desk) > calls)


def close_tool(desk, key):
    desk.press_in(TOOL, key)
    desk.wait_for(f"the tool does not close on {key}", desk.find_none, TOOL)
