"""GIMP 3's own dialogs of the lens blur and of the motion blur: the presets that setup.sh installs,
and the gallery's words for a centre within a selection."""

import os
import subprocess

import numpy as np
import pytest

import fx
from cases import load_parts
from drawables import SIZE, Drawable, get_settings
from gimp import HERE
from screen import IMAGE
from window import find_blur

CENTERED = load_parts("examples")["motion"]
WINDOW = find_blur("Lens Blur (CUDA)")

PART = 10, 5, 40, 30  # which is selected
HUB = 42, 29  # far from the middle of it, and of the layer
MAGENTA = 255, 0, 255
SHOWN = ["radius", "ring", "highlights", "threshold"]  # of a preset


def paint(layer):
    """Gray noise, and the hub, which is found on the screen by its colour."""
    width, height = SIZE
    grays = np.random.default_rng(3).integers(50, 200, (height, width, 1), np.uint8)
    pixels = np.repeat(grays, 3, axis=2)
    pixels[HUB[1] - 1:HUB[1] + 2, HUB[0] - 1:HUB[0] + 2] = MAGENTA
    layer.gimp.remote.write(layer.drawable, pixels.tobytes())


@pytest.fixture(scope="module")
def layer(home, window, build):
    root = os.path.join(HERE, "..", "..")
    subprocess.run(["sh", "-euc", 'root=$1 build=$2 programs=$3; . "$1/plugin/setup/presets.sh"; '
                    'keep_presets; install_presets "$4"', "sh", root, build,
                    home.get_path("programs"), home.get_path("gimp/plug-ins/cuda-blur")],
                   check=True)
    layer = Drawable.make(window.gimp, np.random.default_rng(1), 3)
    paint(layer)
    window.show(layer)
    return layer


def take_effect(window, layer):
    """What OK leaves."""
    window.ok()
    window.become(lambda: len(layer.drawable.get_filters()), 1)
    return layer.drawable.get_filters()[0]


def check_preset(window, layer, name, *values):
    """By its effect, which is removed."""
    effect = take_effect(window, layer)
    assert tuple(get_settings(effect, SHOWN).values()) == values, name
    effect.delete()
    window.gimp.Gimp.displays_flush()


# ---- presets ----


def test_presets(window, layer):
    """One sets all, whatever was set before: lamps stay bright. They are in the order of the
    alphabet."""
    window.open()
    window.press("Tab", "Tab", "ctrl+a", 3, 3, "Tab", "shift+Tab", "shift+Tab", *["Down"] * 4)
    check_preset(window, layer, "Night lights", 10.0, 0.2, 4.0, 0.9)
    window.open()
    window.press("Tab", "End")
    check_preset(window, layer, "Soft", 10.0, -0.8, 2.0, 0.8)


# ---- a centre ----


def click_hub(window, place):
    window.await_window(IMAGE)
    window.xdotool("mousemove", "--sync", *place)
    window.settle()
    window.xdotool("click", 1)
    window.rest()


def test_centre(window, layer):
    """Choose Spin, then the entire layer as input, then the arrow, then the hub. The list of inputs
    is the tenth control from the kind on, and the arrow the fourth."""
    window.wait_for("the hub is not shown", lambda: window.find_colour(MAGENTA) is not None)
    hub, before = window.find_colour(MAGENTA), layer.read()
    layer.select(*PART)
    window.gimp.Gimp.displays_flush()
    window.dialog, window.path = find_blur(CENTERED.TITLE).values()
    window.open()
    window.press("Tab", "Tab", "Down", *["Tab"] * 10, "Down", *["shift+Tab"] * 6, "space")
    window.rest()
    click_hub(window, hub)
    effect = take_effect(window, layer)
    center = get_settings(effect, ["center_x", "center_y"])
    for part, size, place in zip(center.values(), SIZE, HUB):
        assert abs(part * size - place) <= 1.0, center
    x, y, width, height = PART
    selected = np.s_[y:y + height, x:x + width]
    expected = before.copy()
    expected[selected] = fx.run(CENTERED.FILTER, before, layer.format, kind="spin", angle=5,
                                device="cpu", **center)[selected]
    assert np.abs(layer.see().astype(int) - expected).max() <= 1
    assert (expected != before).any()
