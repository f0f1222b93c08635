"""GIMP's own Focus Blur, taken over, in its window: the handles on the canvas move our blur."""

import os
import re
import shutil

import pytest

from test_window_operation import IGNORED, find_layer

OWN = "^Focus Blur$"
SIZE = 360, 300


@pytest.fixture(scope="module")
def desk(make_desk, request):
    """The dialog has a shortcut."""
    desk = make_desk(CUDA_BLUR_TAKE_OVER="focus-blur")
    modules = os.path.join(desk.folder, "home/.local/share/gegl-0.4/plug-ins")
    os.makedirs(modules)
    shutil.copy(request.config.getoption("module"), modules)
    desk.add("menurc", '(gtk_accel_path "<Actions>/filters/filters-focus-blur" "<Primary><Alt>g")')
    desk.start()
    yield desk
    log = [line for line in desk.read_log().splitlines() if not IGNORED.search(line)]
    assert not [line for line in log if re.search("(?i)warning|critical", line)], log


def count_calls(desk):
    return sum(" cuda:focus-blur " in line for line in desk.list_traces("process"))


def open_dialog(desk):
    """Beside the image, with the preview."""
    calls = count_calls(desk)
    desk.press_image("ctrl+alt+g")
    desk.await_window(OWN)
    desk.focus(OWN, "windowmove", "--sync", *desk.window, 905, 20)
    desk.wait_for("ours is not called", lambda: count_calls(desk) > calls)


def drag_centre(desk, dx, dy):
    """On the canvas, from within the inner circle, but not from its very middle, where GIMP would
    move the circle's edge."""
    x, y = desk.place[0] + SIZE[0] // 2 + 12, desk.place[1] + SIZE[1] // 2 + 12
    calls = count_calls(desk)
    for words in (("mousemove", x - 2, y), ("mousemove", x, y), ("mousedown", 1),
                  ("mousemove", x + dx // 2, y + dy // 2), ("mousemove", x + dx, y + dy),
                  ("mouseup", 1)):
        desk.xdotool(*words)
        desk.rest()
    desk.wait_for("ours is not called", lambda: count_calls(desk) > calls)


def read_values(desk):
    """GIMP's last ones."""
    with open(desk.get_path("filters/GimpGegl-gegl-focus-blur-config.settings")) as file:
        return {name: float(value) for name, value in re.findall(r"\((\S+) (\S+?)\)", file.read())
                if name in ("x", "y", "radius", "focus")}


def check_applied(desk, x, y):
    """The centre is near that pixel, and in the middle of one."""
    desk.wait_for_change()
    values = read_values(desk)
    column, row = int(values["x"] * SIZE[0]), int(values["y"] * SIZE[1])
    assert abs(column - x) <= 2 and abs(row - y) <= 2, values
    values |= {"x": (column + 0.5) / SIZE[0], "y": (row + 0.5) / SIZE[1]}
    desk.becomes_right(lambda: desk.image.compare_filter("focus-blur", **values))


def close(desk):
    desk.press_in(OWN, "alt+o")
    desk.wait_for("the dialog does not close", desk.find_none, OWN)


def test_handles(desk):
    """One step undoes it, and another one does it again."""
    desk.new_image(size=SIZE)
    find_layer(desk)
    open_dialog(desk)
    drag_centre(desk, -80, 30)
    close(desk)
    check_applied(desk, 100, 180)
    desk.undo()
    desk.press_image("ctrl+y")
    check_applied(desk, 100, 180)


def test_cancel(desk):
    """After a drag, the layer is as it was."""
    desk.new_image(size=SIZE)
    open_dialog(desk)
    drag_centre(desk, 40, 20)
    desk.press_in(OWN, "Escape")
    desk.check_unchanged()
