"""GIMP 3's own Focus Blur, taken over, in its window: the handles on the canvas move our blur,
which is an effect afterwards. Each step goes on from where the one before has left the window."""

import numpy as np
import pytest

from drawables import Drawable, get_settings
from handles import DIALOG, DRAGS, FILTER, SIZE, VALUES, centre_on_pixel, check_values, drag

WINDOW = {"dialog": DIALOG, "path": [], "CUDA_BLUR_TRACE": "1",
          "CUDA_BLUR_TAKE_OVER": FILTER}
MAGENTA = 255, 0, 255


@pytest.fixture(scope="module")
def layer(window):
    """Noise, with a mark in the middle."""
    layer = Drawable.make(window.gimp, np.random.default_rng(1), 3)
    layer.image.scale(*SIZE)
    pixels = layer.read().copy()
    pixels[SIZE[1] // 2 - 1:SIZE[1] // 2 + 2, SIZE[0] // 2 - 1:SIZE[0] // 2 + 2] = MAGENTA
    window.gimp.remote.write(layer.drawable, pixels.tobytes())
    window.show(layer)
    window.wait_for("the mark is not shown", lambda: window.find_colour(MAGENTA) is not None)
    window.middle = window.find_colour(MAGENTA)
    return layer


@pytest.fixture(scope="module")
def see(window, layer):
    """A function that returns what is visible, by way of another image."""
    other = Drawable.make(window.gimp, np.random.default_rng(2), 3)
    return lambda: layer.see_in(other)


def count_runs(window):
    return window.gimp.read_log().count(f" cuda:{FILTER} ")


def open_dialog(window):
    """Beside the image, by the mnemonic of GIMP's entry."""
    window.press_image("Escape", "alt+r", "b", "f")
    window.await_dialog()
    window.focus(window.dialog, "windowmove", "--sync", *window.window, 905, 20)
    window.wait_for("ours does not run", lambda: count_runs(window) > 0)


def drag_by(window, see, *places):
    """The canvas follows, by a run of ours."""
    before, runs = see(), count_runs(window)
    drag(window, window.middle, *places)
    window.wait_for("the canvas does not follow", lambda: (see() != before).any())
    window.wait_for("ours does not run", lambda: count_runs(window) > runs)


def test_drags(window, layer, see):
    """One after the other, each of another setting."""
    open_dialog(window)
    for places in DRAGS:
        drag_by(window, see, *places)


def test_ok(window, layer, see):
    """The effect has all of them. libgimp asks for an effect's settings once alone."""
    window.ok()
    window.become(lambda: len(layer.drawable.get_filters()), 1)
    values = get_settings(layer.drawable.get_filters()[0], VALUES)
    check_values(values)
    layer.check(window.original, see(), filter=FILTER, **centre_on_pixel(values))


def test_undo(window, layer, see):
    """One step undoes all, and another one does it again."""
    blurred = see()
    for key, expected in ("ctrl+z", window.original), ("ctrl+y", blurred):
        window.press_image(key)
        window.wait_for(f"{key} does nothing", lambda: (see() == expected).all())


def test_cancel(window, layer, see):
    """After a drag over the effect."""
    before = see()
    open_dialog(window)
    drag_by(window, see, *DRAGS[0])
    window.close("Escape")
    window.wait_for("the drag stays", lambda: (see() == before).all())
    assert len(layer.drawable.get_filters()) == 1
