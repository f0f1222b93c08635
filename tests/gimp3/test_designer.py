"""The designer in GIMP 3's window. Each step goes on from where the one before has left it."""

import os
import subprocess
import zlib

import numpy as np
import pytest

from drawables import LINEAR, SIZE, Drawable
from looks import check_small
from window import Window

PLUG_IN = True
ALL = SIZE[0] * SIZE[1]  # pixels of the layer

# Ours is the third entry from below of Filters > Generic.
PATH = "g", "Up", "Up", "Up"


@pytest.fixture(scope="module")
def window(request, home):
    """Numbers have commas; the texts stay English, as the tree has no others."""
    folder = home.get_path("locale")
    os.mkdir(folder)
    subprocess.run(["localedef", "--no-archive", "-i", "de_DE", "-f", "UTF-8",
                    f"{folder}/de_DE.UTF-8"], check=True)
    with Window(home, r"^Matrix Designer \(CUDA\)$", PATH, (1920, 1080),
                LC_ALL="de_DE.UTF-8", LOCPATH=f"{home.inside}/locale") as window:
        layer = Drawable.make(window.gimp, np.random.default_rng(1), 3, LINEAR)
        layer.drawable.set_opacity(50)  # the only undo step
        layer.image.clean_all()
        window.show(layer)
        yield window
        window.gimp.well = not request.session.testsfailed


@pytest.fixture
def layer(window):
    return window.layer


# ---- what must become of the layer ----


def sharpen(middle, offset=0, opacity=1, visible=True):
    """An effect, with what the designer does not show."""
    return f"0 -1 0 -1 {middle} -1 0 -1 0", offset, opacity, visible


def describe(effect):
    config = effect.get_config()
    return (" ".join(config.get_property("values").split()), config.get_property("offset"),
            effect.get_opacity(), effect.get_visible())


def get_state(layer):
    """libgimp remembers the first properties of an effect; a copy's are those that GIMP has now."""
    copy = layer.copy()
    effects = [describe(effect) for effect in copy.drawable.get_filters()]
    copy.image.delete()
    return (zlib.crc32(layer.read()), layer.drawable.get_opacity(), layer.image.is_dirty(),
            effects)


def become(window, *effects, opacity=50, unsaved=True):
    """The layer keeps its own pixels."""
    window.become(lambda: get_state(window.layer),
                  (zlib.crc32(window.original), opacity, unsaved, [*effects]))


# ---- the window ----


def type_matrix(window, text):
    """On the page for that."""
    window.focus(window.dialog, "key", "alt+x", "ctrl+a", "type", text)


def type_middle(window, value):
    """In the cell in the middle."""
    window.focus(window.dialog, "key", "alt+n", "type", value)


def confirm(window, middle):
    type_middle(window, middle)
    window.ok()


def choose_effect(window, *keys):
    """Of the list, End is a new effect, and the first one the topmost. With the list, the window is
    at its tallest."""
    window.open()
    check_small(window)
    window.press("alt+k")
    window.press("space", *keys, "Return")


def is_white(window):
    """All that it shows of the layer, which has fewer white pixels."""
    x, y, width, height = window.get_geometry(window.dialog)
    return (window.grab(x, y, width, height) == 255).all(axis=-1).sum() >= ALL


def previews(window, white):
    window.become(lambda: is_white(window), white)


def has_size(window, *size):
    return window.get_geometry(window.dialog)[2:] == size


def test_preview(window):
    """What the window shows is in the window alone: GIMP could save nothing else of the image."""
    window.open()
    previews(window, False)
    type_matrix(window, 0)
    window.type_in("alt+f", 1)  # the offset
    previews(window, True)
    become(window, unsaved=False)
    type_matrix(window, "q")
    window.press("alt+p")
    previews(window, False)  # the layer as it is
    window.press("alt+p")
    previews(window, True)  # the last result, as the text is no matrix
    window.press("alt+r")
    previews(window, False)  # it begins again


def test_columns(window):
    """The window begins with the width of three columns, and makes room for 15."""

    def is_wide():
        return window.get_geometry(window.dialog)[2] >= 1500

    assert not is_wide()
    window.focus(window.dialog, "key", "alt+n", "alt+z", "Tab", "ctrl+a", "type", 15)
    window.press("Tab")
    window.wait_for("there is no room", is_wide)


def test_cancel(window):
    """It leaves neither an effect nor an undo step, and the window's size is kept."""
    window.xdotool("windowsize", *window.window, 1700, 800)
    window.wait_for("it has another size", has_size, window, 1700, 800)
    window.close("Escape")
    become(window, unsaved=False)
    window.press_image("ctrl+z")
    become(window, opacity=100)
    window.press_image("ctrl+y")
    become(window, unsaved=False)
    window.open()
    window.wait_for("the size is not kept", has_size, window, 1700, 800)
    window.close("Escape")


def test_merge(window, layer):
    """OK changes the pixels if it is not to be an effect."""
    window.open()
    type_middle(window, 9)
    window.press("alt+a")
    window.ok()
    window.wait_for("OK does nothing", lambda: (layer.read() != window.original).any())
    assert not layer.drawable.get_filters()
    window.press_image("ctrl+z")
    become(window, unsaved=False)


def test_numbers(window):
    """With a decimal comma, as in a cell, the offset takes what is copied there."""
    window.open()
    type_middle(window, "2,5")
    window.press("Tab", "shift+Tab", "ctrl+c", "alt+f", "ctrl+a", "ctrl+v", "Tab")
    window.ok()
    become(window, sharpen(2.5, offset=2.5))
    window.press_image("ctrl+z")
    become(window, unsaved=False)


def test_preset(window, home):
    """It is in a file that GIMP's own dialog does not have. The list begins with what was confirmed
    last, and a change by hand leaves the preset."""
    window.open()
    type_middle(window, 3)
    window.save_preset("kept")
    with open(home.get_path("gimp/filters/cuda-convolve.settings")) as file:
        assert 'cuda-convolve "kept"' in file.read()
    type_middle(window, 4)
    window.press("alt+s", "End")
    window.ok()
    become(window, sharpen(3, offset=2.5))
    window.press_image("ctrl+z")
    become(window, unsaved=False)
    window.open()
    type_middle(window, 4)
    window.press("alt+s", "Home")
    window.ok()
    become(window, sharpen(3, offset=2.5))
    window.press_image("ctrl+z")
    become(window, unsaved=False)


def test_ok(window, layer):
    """It begins with what was confirmed last. The canvas shows the effect."""
    window.open()
    window.type_in("alt+f", 0)
    confirm(window, 9)
    become(window, sharpen(9))
    copy = layer.copy()
    copy.drawable.set_opacity(100)
    copy.check(window.original, copy.see(), "convolve",
               values=np.array([[0.0, -1.0, 0.0], [-1.0, 9.0, -1.0], [0.0, -1.0, 0.0]]))
    copy.image.delete()
    window.press_image("ctrl+z")
    become(window, unsaved=False)
    window.press_image("ctrl+y")
    become(window, sharpen(9))


def test_edit(window, layer):
    """It opens on the effect, which OK changes, and which is then seen."""
    [effect] = layer.drawable.get_filters()
    effect.set_opacity(0.5)
    effect.update()
    effect.set_visible(False)
    layer.image.clean_all()
    window.open()
    type_middle(window, 7)
    window.rest()
    window.close("alt+c")
    become(window, sharpen(9, opacity=0.5, visible=False), unsaved=False)
    window.open()
    confirm(window, 7)
    become(window, sharpen(7, opacity=0.5))


def test_second(window):
    choose_effect(window, "End")
    confirm(window, 9)
    become(window, sharpen(9), sharpen(7, opacity=0.5))
    choose_effect(window, "Home", "Down")
    confirm(window, 8)
    become(window, sharpen(9), sharpen(8, opacity=0.5))


def test_two(window, layer):
    """Of two windows of one name Cancel in one leaves the effect of OK in the other."""

    def count(n):
        return len(window.xdotool("search", "--onlyvisible", "--name", window.dialog).split()) == n

    for effect in layer.drawable.get_filters():
        effect.delete()
    window.open()
    window.press_image("Escape", "alt+r", *PATH, "Return")
    window.wait_for("there is no second window", count, 2)
    type_middle(window, 9)
    window.press("alt+o")
    window.wait_for("OK closes no window", count, 1)
    become(window, sharpen(9))
    window.close("Escape")
    become(window, sharpen(9))


def test_removed(window, layer):
    """An effect that the user has removed is one of an undo step, in which another one would be
    missing: OK makes a new one."""
    window.open()
    type_middle(window, 7)
    layer.drawable.get_filters()[0].delete()
    window.ok()
    become(window, sharpen(7))
    window.press_image("ctrl+z", "ctrl+z")
    become(window, sharpen(9))


def check_closed(window):
    """By itself, when it is looked at again."""
    window.press_image()
    window.press()
    window.wait_for("it stays", window.find_none, window.dialog)
    assert window.find_none("GIMP Message")


def test_deleted(window, layer):
    """The window closes if the layer was deleted. Undo brings the layer back without an effect."""
    layer.drawable.get_filters()[0].delete()
    window.open()
    layer.image.remove_layer(layer.drawable)
    check_closed(window)
    window.press_image("ctrl+z")
    become(window)


def test_closed(window):
    """And if the image was closed, of which nothing is unsaved."""
    gimp = window.gimp
    other = Drawable.make(gimp, np.random.default_rng(2), 3, LINEAR)
    display = gimp.Gimp.Display.new(other.image)
    window.open()
    other.image.clean_all()
    display.delete()
    check_closed(window)


def test_several(window, layer):
    """With two layers selected, it is the same window, and both get the effect."""
    layers = [layer, layer.add(np.random.default_rng(3), 3)]
    layer.image.set_selected_layers([other.drawable for other in layers])
    window.open()
    confirm(window, 9)
    window.become(lambda: [len(other.drawable.get_filters()) for other in layers], [1, 1])
