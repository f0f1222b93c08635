"""The dialogs' check buttons and sliders in GIMP's own window: what has no effect is disabled, says
why, and can be read; what is ticked does not look disabled; no tooltip hides them; and how the
dialogs look in the dark and in the light theme."""

import pytest

from desk import TITLES
from looks import ask_module, check_room
from subject import BLUR

GROWS = ("Grow layer: on, alike: Enlarge the layer so that its soft edge is not cut: for layers "
         "with alpha, without a selection")
STAYS = "Grow layer: disabled, alike: The layer cannot grow because "


@pytest.fixture(scope="module")
def desk(make_desk):
    desk = make_desk()
    desk.add("gimprc", "(show-tooltips yes)")
    desk.start()
    return desk


def look(desk):
    return ask_module(desk, desk.dialog, "F11", "switches").splitlines()


def has_switch(desk, line):
    desk.wait_for(f"there is no {line}", lambda: line in look(desk), seconds=5)


def test_grow(desk):
    """Changes are made with the dialog open."""
    image = desk.begin("rgba")
    has_switch(desk, GROWS)
    for change, line in [
            (lambda: image.select(60, 40, 150, 120), STAYS + "there is a selection"),
            (image.select_none, GROWS),
            (lambda: image.keep("lock"), STAYS + "its alpha channel is locked"),
            (lambda: image.keep("alpha"),
             STAYS + "the alpha channel is not active in the Channels dialog")]:
        desk.press_image()
        change()
        desk.press()
        has_switch(desk, line)
    desk.close("Escape")


def test_grow_without_alpha(desk):
    desk.begin()
    has_switch(desk, STAYS + "it has no alpha channel")
    desk.close("Escape")


def test_preview(desk):
    """The tooltip that says what one can do there is below it, where it hides no settings."""
    desk.begin()
    desk.measure_preview()
    has_switch(desk, "a picture: on, alike: none")
    place = desk.area.x + 200, desk.area.y + desk.area.height + 35
    desk.previews()

    def look_below():
        return desk.look(place[0] + 20, place[1] + 20, 200, 20)

    desk.rest()
    before = look_below()
    desk.point("mousemove", *place)
    desk.wait_for("there is no tooltip", lambda: look_below() != before)
    desk.close("Escape")


@pytest.fixture(scope="module", params=["Dark", "Light"])
def theme(request, desk):
    desk.add("gimprc", f'(theme "{request.param}")')
    desk.restart()
    return request.param


def test_ticked(desk, theme):
    """What is ticked has the colour of what is not."""
    desk.choose_filter(BLUR)
    desk.begin("rgba")
    desk.shows()
    lines = look(desk)
    assert sum(", alike: " in line for line in lines) >= 5
    assert not [line for line in lines if ", unlike: " in line]
    desk.close("Escape")


@pytest.mark.parametrize("filter", TITLES)
def test_looks(desk, theme, filter):
    """The dialog has the theme and has room, and there is a preview."""
    desk.choose_filter(filter)
    desk.begin("rgba")
    desk.previews()
    check_room(desk)
    assert (desk.grab(2, 2, 6, 6).mean() >= 128) == (theme == "Light")  # between edge and contents
    desk.close("Escape")


def test_highlights(desk):
    """The sliders of the lens blur: layer masks have none."""
    desk.choose_filter("lens-blur")
    image = desk.begin("rgba")
    has_switch(desk, "Threshold: on, alike: How bright a highlight is at least: 1 is white; it has "
                     "no effect if Highlights is 0")
    desk.close("Escape")
    image.edit_mask()
    desk.open()
    for slider in ("Highlights", "Threshold"):
        has_switch(desk, f"{slider}: disabled, alike: Layer masks and channels have no highlights")
    desk.close("Escape")
