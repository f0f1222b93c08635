"""The operation in GIMP's own window: the GEGL Operation tool, with its preview on the canvas."""

import re

import pytest

from tool import TOOL, close_tool, count_calls, open_tool, prepare

INSET = 4  # off the layer's edge, on which the canvas draws
IGNORED = re.compile("Gtk-WARNING|/iso-codes/|/gimp/2.0/modules/")  # missing parts of the system


@pytest.fixture(scope="module")
def desk(make_desk, request):
    desk = make_desk()
    prepare(desk, request.config.getoption("module"), "cuda:gaussian-blur")
    desk.start()
    yield desk
    log = [line for line in desk.read_log().splitlines() if not IGNORED.search(line)]
    assert not [line for line in log if re.search("(?i)warning|critical", line)], log


def find_layer(desk):
    """The place of its first pixel on the canvas."""
    def is_found():
        desk.place = desk.image.find_in(desk.grab(0, 0, *desk.size))
        return bool(desk.place)

    desk.wait_for("the layer is not to be seen", is_found)


def canvas_shows(desk, left=0, width=352, divider=None):
    """These columns of the layer, blurred left of the divider."""
    x, y = desk.place

    def compare():
        picture = desk.grab(x + INSET + left, y + INSET, width, 292)
        return desk.image.compare_picture(picture, x + INSET + left, (INSET + left, INSET),
                                          divider=divider)

    desk.becomes_right(compare, seconds=20)


def test_preview(desk):
    """Its split view's right half is the layer as it is. GIMP's guide divides the layer in the
    middle; it crops what comes in there too."""
    desk.new_image()
    find_layer(desk)
    open_tool(desk)
    canvas_shows(desk)
    desk.press_in(TOOL, "alt+p")
    canvas_shows(desk, divider=-9)
    desk.press_in(TOOL, "alt+p")
    canvas_shows(desk)
    desk.press_in(TOOL, "alt+v")
    canvas_shows(desk, 180, 170, -9)
    canvas_shows(desk, 0, 140)
    close_tool(desk, "Escape")
    desk.check_unchanged()
    canvas_shows(desk, divider=-9)


def check_applied(desk):
    desk.wait_for_change()
    desk.becomes_right(desk.image.compare_layer)


def test_values(desk):
    """The preview follows a sigma that is typed in, and OK applies it. From where the focus is, Tab
    leads to the presets' menu and to the first sigma, to which the other is linked."""
    image = desk.new_image()
    open_tool(desk)
    calls = count_calls(desk)
    desk.press_in(TOOL, "Tab", "Tab")
    desk.focus(TOOL, "type", 7)
    desk.press_in(TOOL, "Tab")
    desk.wait_for("a new sigma is not computed", lambda: count_calls(desk) > calls)
    image.expect(7)
    canvas_shows(desk)
    close_tool(desk, "alt+o")
    check_applied(desk)
    desk.undo()
    desk.press_image("ctrl+y")
    check_applied(desk)


@pytest.mark.parametrize("name,options", [
    ("rgba", {}), ("grey", {}), ("greya", {}), ("rgb", {"sample": "u16"}),
    ("rgba", {"size": (1000, 700), "sample": "float"})])
def test_layers(desk, name, options):
    """What the tool starts with."""
    desk.new_image(name, **options)
    open_tool(desk)
    close_tool(desk, "alt+c")
    desk.check_unchanged()
    open_tool(desk)
    close_tool(desk, "alt+o")
    check_applied(desk)
    desk.undo()
