"""The blur in GIMP 3's window: its menu's entry and its dialog, and what the procedures do there.
Each step goes on from where the one before has left the window."""

import zlib

import numpy as np
import pytest

from drawables import Drawable, get_settings
from window import find_blur

PLUG_IN = True
SIGMAS = ["sigma_x", "sigma_y"]

WINDOW = find_blur("Gaussian Blur (CUDA)")


@pytest.fixture(scope="module")
def layer(window):
    layer = Drawable.make(window.gimp, np.random.default_rng(1))
    window.show(layer)
    return layer


def get_effects(layer):
    """Their sigmas."""
    return [tuple(get_settings(effect, SIGMAS).values()) for effect in layer.drawable.get_filters()]


def become(window, effects):
    """The layer gets effects with these sigmas, and keeps its own pixels."""
    def get_state():
        return get_effects(window.layer), zlib.crc32(window.layer.read())

    window.become(get_state, (effects, zlib.crc32(window.original)))


def test_cancel(window, layer):
    window.open()
    window.close("Escape")
    become(window, [])


def test_ok(window, layer):
    window.open()
    window.ok()
    become(window, [(3, 3)])
    layer.check(window.original, layer.copy().see(), sigma_x=3.0, sigma_y=3.0)


def test_undo(window, layer):
    window.press_image("ctrl+z")
    become(window, [])
    window.press_image("ctrl+y")
    become(window, [(3, 3)])


def test_repeat(window, layer):
    """Ctrl+F blurs once more, for good and without a dialog."""
    window.press_image("ctrl+f")
    window.wait_for("it does nothing",
                    lambda: layer.read().tobytes() != window.original.tobytes())
    window.press_image("ctrl+z")
    become(window, [(3, 3)])


def test_several(window, layer):
    """A call blurs two layers, and one Ctrl+Z takes back both."""
    layers = [layer, layer.add(np.random.default_rng(2), 3)]

    def read():
        return [other.read().tobytes() for other in layers]

    before = read()
    layer.must("gaussian-blur", layers)
    assert all(old != new for old, new in zip(before, read()))
    window.press_image("ctrl+z")
    window.become(read, before)


def run_dialog(window, *keys):
    """A script opens the procedure's own dialog, where the keys are pressed. Returns the status."""
    window.gimp.begin(*window.layer.prepare(mode="INTERACTIVE"))
    window.await_dialog()
    window.focus(window.dialog)
    window.rest()
    window.press(*keys)
    return window.gimp.finish().index(0).value_nick


def test_run_modes(window, layer):
    effects = get_effects(layer)
    assert run_dialog(window, "Escape") == "cancel"
    become(window, effects)
    assert run_dialog(window, "alt+x", "ctrl+a", 5, "Tab", "alt+a", "alt+o") == "success"
    become(window, [(5, 3), *effects])
    layer.must(mode="WITH_LAST_VALS")
    become(window, [(5, 3), (5, 3), *effects])
    assert "no mnemonic" not in window.gimp.read_log(), "a control of the dialog has no key"
