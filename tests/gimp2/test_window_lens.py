"""The dialog of the lens blur in GIMP's own window: the slider of the blades, the picture of the
aperture, and the presets that come with it and the user's."""

import pytest

from looks import ask_module

DESK = {"filter": "lens-blur"}


def test_focus(desk):
    """The window begins with the radius."""
    desk.begin()
    desk.previews("radius 10.00")
    desk.xdotool("windowfocus", "--sync", *desk.window, "key", "ctrl+a", "type", 4.5)
    desk.press("Tab")
    desk.previews("radius 4.50")
    desk.close("Escape")


def reset(desk):
    desk.begin()
    desk.press("alt+r")


def test_blades(desk):
    """An aperture has no blade, or three and more."""
    reset(desk)
    desk.type_in("alt+b", 3)
    desk.press("alt+b", "Down")
    desk.apply("lens-blur", blades=0)
    reset(desk)
    desk.press("alt+b", "Next")  # a page below the 6 of the start
    desk.apply("lens-blur", blades=0)
    desk.begin()
    desk.press("alt+b", "Up")
    desk.apply("lens-blur", blades=3)


def is_radius_at(desk, x, y):
    """Whether a click there on the bar of the radius, which is 10 before and after it, moves it."""
    desk.click(x, y)
    desk.next_view()
    if desk.is_view("radius 10.00"):
        return False
    desk.type_in("alt+u", 10)
    desk.previews("radius 10.00")
    return True


@pytest.fixture(scope="module")
def bar(desk):
    """A place on the bar of the blades, which is the one below that of the radius, some pixels from
    its beginning."""
    reset(desk)
    desk.previews("radius 10.00")
    desk.measure_preview()
    x, y = desk.right + 45, desk.area.y + 85
    ys = iter(range(y, y + 115, 5))
    assert any(is_radius_at(desk, x, y) for y in ys), "the radius has no bar"
    y = next(y for y in ys if not is_radius_at(desk, x, y))
    desk.close("Escape")
    return x, y + 10


@pytest.mark.parametrize("before,offset,blades", [(0, 0, 0), (12, 20, 3), (12, 60, 4)])
def test_blades_bar(desk, bar, before, offset, blades):
    """A click that many pixels further, where it has some 20 for a blade."""
    desk.begin()
    desk.type_in("alt+b", before)
    desk.click(bar[0] + offset, bar[1])
    desk.apply("lens-blur", blades=blades)


def test_tooltip(desk, bar):
    """After a click on the bar it stays away until the pointer does."""
    def has_none():
        lines = ask_module(desk, desk.dialog, "F11", "switches").splitlines()
        return "Blades: on, alike: none" in lines

    desk.begin()
    desk.click(*bar)
    desk.wait_for("the slider has a tooltip after a click", has_none)
    desk.point("mousemove", desk.area.x + 50, desk.area.y + 50)
    desk.wait_for("the slider has no tooltip any more", lambda: not has_none())
    desk.close("Escape")


def look(desk):
    """At the picture of the aperture, in the upper right corner of the dialog."""
    desk.rest()
    return desk.look(desk.right + 40, desk.area.y, 320, 100)


def choose(desk, n):
    """The nth preset of those that come with the filter, by the list's menu, which opens above the
    preview."""
    def look_above():
        return desk.look(desk.area.x, desk.area.y, 100, 40)

    desk.rest()
    closed = look_above()
    desk.press("alt+s", "space")
    desk.wait_for("the list of presets does not open", lambda: look_above() != closed)
    desk.press("Home", *["Down"] * n, "Return")


def test_presets(desk):
    """Those that come with the filter set the shape. Its picture has always the same size."""
    reset(desk)
    desk.previews("radius 10.00")
    desk.measure_preview()
    hexagon = look(desk)
    desk.type_in("alt+u", 6)
    desk.type_in("alt+i", 1)
    desk.previews("radius 6.00")
    assert look(desk) == hexagon
    desk.type_in("alt+b", 4)
    desk.wait_for("it stays a hexagon", lambda: look(desk) != hexagon)
    choose(desk, 2)
    desk.wait_for("it does not become a hexagon", lambda: look(desk) == hexagon)
    desk.previews("radius 6.00")
    choose(desk, 4)
    desk.wait_for("it stays a hexagon", lambda: look(desk) != hexagon)
    desk.apply("lens-blur", radius=6.0, blades=0, ring=0.8, highlights=1.0)


def test_saved(desk):
    """The user's presets come last; the name of one that comes with the filter is taken already."""
    reset(desk)
    desk.type_in("alt+u", 8)
    desk.save_preset("Soap bubble")
    with open(desk.get_path("filters/cuda-lens-blur.settings")) as file:
        text = file.read()
    assert '"Soap bubble #1"' in text
    assert text.count("\n(cuda-lens-blur") + text.startswith("(cuda-lens-blur") == 1
    desk.type_in("alt+u", 3)
    desk.press("alt+s", "End")
    desk.previews("radius 8.00")
    desk.close("Escape")
