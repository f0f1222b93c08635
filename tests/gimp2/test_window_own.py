"""GIMP's own Focus Blur, taken over, in its window: the handles on the canvas move our blur."""

import os
import re
import shutil

import pytest

from handles import DIALOG, DRAGS, FILTER, SIZE, VALUES, centre_on_pixel, check_values, drag
from test_window_operation import IGNORED, find_layer


@pytest.fixture(scope="module")
def desk(make_desk, request):
    """The dialog has a shortcut."""
    desk = make_desk(CUDA_BLUR_TAKE_OVER=FILTER)
    modules = os.path.join(desk.folder, "home/.local/share/gegl-0.4/plug-ins")
    os.makedirs(modules)
    shutil.copy(request.config.getoption("module"), modules)
    desk.add("menurc", f'(gtk_accel_path "<Actions>/filters/filters-{FILTER}" "<Primary><Alt>g")')
    desk.start()
    yield desk
    log = [line for line in desk.read_log().splitlines() if not IGNORED.search(line)]
    assert not [line for line in log if re.search("(?i)warning|critical", line)], log


def count_calls(desk):
    return sum(f" cuda:{FILTER} " in line for line in desk.list_traces("process"))


def open_dialog(desk):
    """Beside the image, with the preview."""
    calls = count_calls(desk)
    desk.press_image("ctrl+alt+g")
    desk.await_window(DIALOG)
    desk.focus(DIALOG, "windowmove", "--sync", *desk.window, 905, 20)
    desk.wait_for("ours is not called", lambda: count_calls(desk) > calls)


def drag_by(desk, *places):
    calls = count_calls(desk)
    drag(desk, [start + size // 2 for start, size in zip(desk.place, SIZE)], *places)
    desk.wait_for("ours is not called", lambda: count_calls(desk) > calls)


def read_values(desk):
    """GIMP's last ones."""
    with open(desk.get_path(f"filters/GimpGegl-gegl-{FILTER}-config.settings")) as file:
        values = dict(re.findall(r"\((\S+) (\S+?)\)", file.read()))
    return {name: float(values[name.replace("_", "-")]) for name in VALUES}


def check_applied(desk):
    desk.wait_for_change()
    values = read_values(desk)
    check_values(values)
    desk.becomes_right(lambda: desk.image.compare_filter(FILTER, **centre_on_pixel(values)))


def close(desk):
    desk.press_in(DIALOG, "alt+o")
    desk.wait_for("the dialog does not close", desk.find_none, DIALOG)


def test_handles(desk):
    """All, one after the other. One step undoes them, and another one does them again."""
    desk.new_image(size=SIZE)
    find_layer(desk)
    open_dialog(desk)
    for places in DRAGS:
        drag_by(desk, *places)
    close(desk)
    check_applied(desk)
    desk.undo()
    desk.press_image("ctrl+y")
    check_applied(desk)


def test_cancel(desk):
    """After a drag, the layer is as it was."""
    desk.new_image(size=SIZE)
    open_dialog(desk)
    drag_by(desk, *DRAGS[0])
    desk.press_in(DIALOG, "Escape")
    desk.check_unchanged()
