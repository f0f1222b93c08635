"""The dialog in GIMP's own window, driven by keys as a user would."""

import os

import pytest

import processes
from desk import TITLES
from layers import NORMAL, TYPES, Layer
from resident import is_over
from session import CANCEL, INTERACTIVE, Refused
from subject import BLUR, RGBA


def open_by_menu(desk):
    """The mnemonics lead to Filters > Blur, where Up leads to the last entry, and then to our other
    blurs, by their names, down to the Gaussian."""
    blurs = [title for title in TITLES.values() if "Blur" in title and title >= TITLES[BLUR]]
    desk.press_image("Escape", "alt+r", "b", *["Up"] * len(blurs), "Return")
    desk.await_dialog()


def test_menu(desk):
    """Neither the dialog's process nor the resident one has loaded GEGL's operations, which the
    test plug-in has."""
    desk.new_image()
    open_by_menu(desk)
    desk.shows()
    assert [processes.has_mapped(pid, "/gegl-0.4/") for pid in
            (*desk.find_processes(), desk.gimp.get_pid())] == [False, False, True]
    desk.close("Escape")
    desk.check_unchanged()


def test_cancel(desk):
    desk.open()
    desk.close("alt+c")
    desk.check_unchanged()


def test_no_step(desk):
    """A step that should not be there would be the one that Ctrl+Z undoes."""
    image = desk.new_image()
    image.blur()
    desk.open()
    desk.close("alt+c")
    desk.undo()
    image.blur()
    image.begin_with(0.0)
    image.blur()
    desk.undo()


def test_grow(desk):
    """Ctrl+Z restores the layer, its place and its mask in one step."""
    desk.begin("rgba", 4, grow=1)
    desk.apply()
    desk.undo()


def test_interactive(desk):
    """A script's call returns what the user has done."""
    image = desk.new_image(sigma=5)
    image.send(BLUR, INTERACTIVE, [])
    desk.await_dialog()
    desk.close("Escape")
    desk.wait_for("the call does not return", is_over, desk.gimp)
    with pytest.raises(Refused) as info:
        desk.gimp.receive()
    assert info.value.status == CANCEL
    image.send(BLUR, INTERACTIVE, [])
    desk.await_dialog()
    desk.ok()
    desk.gimp.receive()
    desk.check_applied()


def test_progress(desk):
    """A blur of a large image names itself and tells how far it is: of an image whose tiles alone
    take longer, on any machine, than the 40 ms between two such values. In batch mode GIMP drops
    all progress."""
    gimp, (base, kind) = desk.gimp, TYPES[4]
    image = gimp.image_new(5000, 4000, base)
    drawable = gimp.layer_new(image, 5000, 4000, kind, "large", 100.0, NORMAL)
    gimp.image_insert_layer(image, drawable, -1, 0)
    progress = gimp.libgimp.Progress()
    Layer(gimp, image, drawable, RGBA).call(BLUR, sigma_x=3.0, sigma_y=3.0)
    texts, values = progress.end()
    gimp.image_delete(image)
    assert texts and [value for value in values if 0.0 < value < 1.0]


def test_help(desk):
    """F1 in the menu leads to the page, by GIMP's own way from a help ID; only its browser is not
    the real one."""
    desk.press_image("Escape", "alt+r", "b", "Up", "F1")
    path = desk.await_page()
    assert "/help/en/" in path and os.path.isfile(path)
    desk.press_image("Escape", "Escape", "Escape")
