"""The parameters of the dialog in GIMP's own window: what each control makes of the preview."""

import pytest

from desk import is_near


@pytest.fixture(scope="module", autouse=True)
def dialog(desk):
    desk.begin("rgba")
    desk.measure_preview()


def expect(desk, sigma_x, sigma_y=None, condition=None, **others):
    """The preview has that blur, and fulfils the condition."""
    desk.image.expect(sigma_x, sigma_y, **others)
    x, y = (desk.image.settings[name] for name in ("sigma_x", "sigma_y"))
    desk.shows(lambda view: is_near(view.sigma_x, x, 0.005) and is_near(view.sigma_y, y, 0.005) and
               (not condition or condition(view)))


def test_entries(desk):
    """A value is that of both axes, whichever it is typed in for."""
    for key, value in [("x", 7), ("y", 0.5), ("y", 0)]:
        desk.type_in(f"alt+{key}", value)
        expect(desk, value)


def test_chain(desk):
    """With it broken, X and Y differ."""
    desk.type_in("alt+x", 7)
    desk.press("alt+x", "Tab", "space")
    desk.type_in("alt+y", 2)
    expect(desk, 7, 2)
    desk.type_in("alt+x", 0)
    expect(desk, 0, 2)
    desk.press("alt+x", "Tab", "space")
    desk.type_in("alt+x", 5)
    expect(desk, 5)


def look_at_sigmas(desk):
    """At their controls, with the unit's focused."""
    desk.rest()
    return desk.look(desk.right + 30, desk.area.y, 400, 80)


def test_units(desk):
    """In inches or millimetres sigma is the same, and what is written is not. The image has 300
    pixels to an inch. A combo box answers arrow keys."""
    desk.press("alt+y", "Tab")
    in_pixels = look_at_sigmas(desk)
    desk.press("Down")
    expect(desk, 5)
    desk.wait_for("the unit changes nothing", lambda: look_at_sigmas(desk) != in_pixels)
    desk.type_in("alt+x", 0.02)
    expect(desk, 6)
    desk.press("alt+y", "Tab", "Down")
    desk.type_in("alt+x", 1)
    expect(desk, 11.811)
    desk.press("alt+y", "Tab", "Up", "Up")
    desk.type_in("alt+x", 5)
    desk.press("alt+y", "Tab")
    desk.wait_for("it is not as it was", lambda: look_at_sigmas(desk) == in_pixels)


def test_kernel_size(desk):
    """An even one becomes the odd one above it."""
    desk.press("alt+u")
    desk.type_in("alt+k", 9)
    expect(desk, 5, kernel_size=9)
    desk.type_in("alt+k", 4)
    expect(desk, 5, kernel_size=5)
    desk.press("alt+u")
    expect(desk, 5)


def test_choices(desk):
    for abyss in ("none", "black", "white"):
        desk.press("alt+b", "Down")
        expect(desk, 5, abyss=abyss)
    desk.press("alt+b", "Home", "alt+l", "Down")
    expect(desk, 5, light="perceptual")
    desk.press("alt+l", "Up", "alt+d", "End")
    expect(desk, 5)
    assert " CPU, " in desk.view.line


def test_grow(desk):
    """A grown layer is shown with its border, which follows sigma."""
    desk.press("alt+g")
    expect(desk, 5, grow=1, condition=lambda view: (
        view.column, view.row, view.width, view.height) == (-20, -20, 400, 340))
    desk.type_in("alt+x", 10)
    expect(desk, 10, grow=1, condition=lambda view: view.column == -40 or view.scale < 1)
    desk.focus_preview()
    desk.press("1", "plus", *["Left"] * 8)
    expect(desk, 10, grow=1, condition=lambda view: (view.scale, view.column) == (1.5, -60))


def test_reset(desk):
    desk.press("alt+b", "End", "alt+l", "End", "alt+u", "alt+r")
    expect(desk, 3)


def test_slider(desk):
    """Sets both axes, and its values do not depend on the way there."""
    desk.find_slider()
    x, y = desk.slider
    expect(desk, desk.view.sigma_x, condition=lambda view: view.sigma_x < 3)
    desk.drag(desk.slider, (x + 100, y))
    assert desk.next_view().sigma_x > 3
    expect(desk, desk.view.sigma_x, condition=lambda view: view.sigma_x > 3)
    desk.type_in("alt+x", 4000)
    desk.click(x + 100, y)
    desk.previews(lambda view: view.sigma_x < 4000)
    value = desk.view.sigma_x
    desk.type_in("alt+x", 0)
    desk.click(x + 100, y)
    expect(desk, value)


def test_slider_end(desk):
    """The bar has less than can be typed."""
    x, y = desk.slider
    desk.drag(desk.slider, (x + 600, y))
    desk.previews(lambda view: is_near(view.sigma_x, 300.0, 0.005))
    desk.type_in("alt+x", 600)
    desk.previews(lambda view: is_near(view.sigma_x, 600.0, 0.005))
    desk.focus_preview()
    desk.press("0")


def find_right_end(desk):
    """Of the bar, at which a step is taken by the buttons there."""
    x, y = desk.slider
    desk.read_view()
    before = desk.view.sigma_x

    def is_step(x):
        desk.click(x, y - 3)
        if desk.next_view().sigma_x == before + 1:
            return True
        desk.type_in("alt+x", before)
        desk.previews(lambda view: is_near(view.sigma_x, before, 0.005))
        return False

    end = next((x for x in range(x + 150, x + 300, 5) if is_step(x)), None)
    assert end, "the slider has no button for a step"
    desk.focus_preview()
    desk.press("0")
    return end


def test_slider_keys(desk):
    """As in any spin button."""
    desk.type_in("alt+x", 5)
    desk.press("alt+x", "Up", "Up", "Down")
    expect(desk, 6)
    desk.press("alt+x", "Page_Up")
    expect(desk, 16)
    desk.press("alt+y", "Down")
    expect(desk, 15)
    end = find_right_end(desk)
    desk.click(end - 30, desk.slider[1])  # on the number, to which it leads
    assert desk.next_view().sigma_x == 16
    desk.press("ctrl+a")
    desk.focus(desk.dialog, "type", 42)
    desk.press("Tab")
    expect(desk, 42)
