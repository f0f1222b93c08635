"""The ways out of the dialog in GIMP's own window, with the preview on the canvas and without, and
what they leave of the layer and of its undo steps."""

import re
import shutil

import pytest

import processes
from layers import describe

DESK = {"kills": True}


def open_blurred(desk):
    """The dialog, with another blur in the preview."""
    desk.open()
    desk.type_in("alt+x", 9)
    desk.previews(lambda view: view.sigma_x == 9)


def show_on_canvas(desk):
    """Until the temporary layer is there and has been written."""
    desk.press("alt+a")
    desk.image.expect(9)
    desk.shows_on_canvas()


def leave(desk, way):
    if way == "close":
        desk.await_window(desk.dialog)
        desk.close_window()
    elif way == "kill":
        desk.await_window(desk.dialog)
        processes.kill(int(desk.xdotool("getwindowpid", *desk.window)))
    else:
        desk.press(way)
    desk.wait_for("the dialog does not end", desk.find_none, desk.dialog)


@pytest.mark.parametrize("way,on_canvas", [
    ("Escape", False), ("alt+c", False), ("close", False), ("kill", False), ("Escape", True),
    ("close", True)])
def test_leave(desk, way, on_canvas):
    """Nothing was done to any layer, and no step was added: one step back is the one before the
    dialog."""
    image = desk.new_image()
    image.blur()
    before, layers = desk.state(), describe(desk.gimp, image.image)
    open_blurred(desk)
    if on_canvas:
        show_on_canvas(desk)
    leave(desk, way)
    desk.check_unchanged(before)
    desk.wait_for("the layers are not as they were",
                  lambda: describe(desk.gimp, image.image) == layers, seconds=5)
    desk.undo()


def check_ok(desk):
    """OK has blurred the layer in one step."""
    desk.image.expect(9)
    desk.check_applied()
    desk.undo()


def test_ok(desk):
    """The preview's pixels in memory may be old, so all are read from GIMP again."""
    desk.begin("rgba", 9, size=(1000, 700))
    desk.shows()
    desk.ok()
    check_ok(desk)
    line = desk.list_traces("read")[-1]
    assert int(re.search(r" (\d+) bytes", line)[1]) >= 1000 * 700 * 4, line


def test_ok_after_canvas(desk):
    desk.new_image()
    open_blurred(desk)
    show_on_canvas(desk)
    desk.ok()
    check_ok(desk)


def test_threadless(desk):
    """A dialog whose thread cannot start has no preview, and does all else."""
    place = desk.get_path("plug-ins/cuda-blur/cuda-blur-dialog.so")
    shutil.copy(f"{desk.built}/threadless-dialog.so", f"{place}.new")
    shutil.move(f"{place}.new", place)
    image = desk.new_image()
    layers, seen = describe(desk.gimp, image.image), desk.count("preview")
    desk.open()
    desk.type_in("alt+x", 9)
    desk.press("alt+a")
    desk.rest()
    assert describe(desk.gimp, image.image) == layers
    desk.ok()
    check_ok(desk)
    assert desk.count("preview") == seen
