"""The place at which the dialog's window opens: beside the image, then where it was closed, as
large as it was, also by the next GIMP; and always on one monitor."""

import os
import re
import shutil

import pytest

from screen import IMAGE

KEPT = re.compile(r'^\(parasite "cuda-gaussian-blur-window" .*$', re.MULTILINE)


@pytest.fixture(scope="module")
def desk(make_desk):
    """The dialog takes the screen for two monitors side by side, of 1900x1000 and 1000x800 pixels
    (monitors.c)."""
    desk = make_desk(size=(2900, 1000))
    shutil.copy(f"{desk.built}/monitors-dialog.so",
                desk.get_path("plug-ins/cuda-blur/cuda-blur-dialog.so"))
    desk.start()
    return desk


def place(desk, name, x, y, *size):
    """GIMP has noticed it when this returns."""
    desk.await_window(name)
    if size:
        desk.xdotool("windowsize", "--sync", *desk.window, *size)
    desk.xdotool("windowmove", *desk.window, x, y)
    desk.rest()


def opens_at(desk, *geometry):
    """And closes."""
    desk.open()
    desk.wait_for(f"it is not at {geometry}",
                  lambda: desk.get_geometry(desk.dialog) == geometry, seconds=5)
    desk.close("Escape")


def test_beside(desk):
    """At the right of the image, or at the left, if there is room only there."""
    desk.begin()
    x, _, width, height = desk.get_geometry(desk.dialog)
    desk.width = width
    left, _, image_width, _ = desk.get_geometry(IMAGE)
    assert left + image_width <= x <= 1900 - width
    desk.close("Escape")
    desk.gimp.end()
    os.unlink(desk.get_path("parasiterc"))  # what GIMP keeps of the dialog
    desk.start()
    desk.new_image()
    place(desk, IMAGE, 1000, 50)
    opens_at(desk, 992 - width, 50, width, height)


def test_kept(desk):
    desk.open()
    place(desk, desk.dialog, 20, 30, 1000, 700)
    desk.close("Escape")
    opens_at(desk, 20, 30, 1000, 700)
    desk.restart()
    desk.new_image()
    opens_at(desk, 20, 30, 1000, 700)


@pytest.mark.parametrize("closed,opened", [
    ((1000, 600, 1000, 700), (900, 300, 1000, 700)),  # off the screen
    ((1500, 0, 1000, 700), (1900, 0, 1000, 700)),  # to the monitor that has more of it
    ((1950, 0, 1200, 900), (1900, 0, 1000, 800))])  # and is no larger than that
def test_monitors(desk, closed, opened):
    desk.open()
    place(desk, desk.dialog, *closed)
    desk.close("Escape")
    opens_at(desk, *opened)


@pytest.mark.parametrize("data", ['5 "1 2 3"', '0 ""'])
def test_damaged(desk, data):
    """A damaged place is as good as none."""
    desk.gimp.end()
    path = desk.get_path("parasiterc")
    with open(path) as file:
        text, n = KEPT.subn(f'(parasite "cuda-gaussian-blur-window" 1 {data})', file.read())
    assert n == 1, "GIMP does not keep the place"
    with open(path, "w") as file:
        file.write(text)
    desk.start()
    desk.begin()
    assert desk.get_geometry(desk.dialog)[2] == desk.width
    desk.ok()  # keeps the place again
