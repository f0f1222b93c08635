"""The dialog's preview in GIMP's own window: what it shows of layers of every kind, and how it is
zoomed, panned, divided and resized."""

import pytest

from desk import CORNER, is_near

WIDTH, HEIGHT = 1000, 700


@pytest.fixture(scope="module")
def desk(make_desk):
    """With colours managed, as GIMP does by itself."""
    desk = make_desk()
    desk.add("gimprc", "(color-management (mode display))")
    desk.start()
    return desk


@pytest.mark.parametrize("name,options", [
    ("rgba", {}), ("grey", {}), ("greya", {}), ("rgb", {"sample": "u16"}),
    ("rgba", {"sample": "float"}), ("rgb", {"size": (1, 1)}), ("greya", {"size": (37, 2000)})])
def test_layers(desk, name, options):
    """All of the layer."""
    desk.begin(name, **options)
    desk.shows(lambda view: (view.column, view.row) == (0, 0))
    desk.close("Escape")


@pytest.mark.parametrize("name,levels,shown", [
    ("rgb", (120, 180, 60), (81, 181, 42)), ("grey", (128,), (146, 146, 146))])
def test_colours(desk, name, levels, shown):
    """Of a profile, as on the canvas. The display has no profile, so its colours are sRGB's."""
    desk.new_image(name).set_profile(*levels)
    desk.open()
    desk.previews(lambda view: desk.get_colour(view.x + 5, view.y + 5, view.width - 10,
                                               view.height - 10) == shown)
    desk.close("Escape")


def fits(view):
    """All of the layer is to be seen."""
    return is_near(view.scale, min(view.width / WIDTH, view.height / HEIGHT), 1e-6)


def moved(view, columns, rows):
    """The condition that it is another view by that."""
    return lambda now: (now.column, now.row) == (view.column + columns, view.row + rows)


def test_fit(desk):
    """The dialog over a layer larger than the preview, which the next tests go on with."""
    desk.begin(size=(WIDTH, HEIGHT))
    desk.focus_preview()
    desk.press("1")
    desk.shows(lambda view: view.scale == 1)
    desk.area = desk.view
    desk.press("0")
    desk.shows(fits)


def test_keys(desk):
    """The layer's middle stays in the middle."""
    desk.press("1", "plus")
    desk.shows(lambda view: view.scale == 1.5)
    desk.press("minus", "minus")
    desk.shows(lambda view: is_near(view.scale, 2 / 3, 1e-6))
    desk.press("0", "1")
    desk.shows(lambda view: view.scale == 1 and is_near(view.column, (WIDTH - view.width) / 2) and
               is_near(view.row, (HEIGHT - view.height) / 2))
    for keys, columns, rows in [(["Right", "Right", "Down"], 64, 32), (["Left", "Up"], -32, -32)]:
        desk.press(*keys)
        desk.shows(moved(desk.view, columns, rows))


def test_wheel(desk):
    """It zooms about the pointer: the layer's pixel there stays, but for a pixel's rounding. With
    Shift it scrolls across, with Ctrl up and down."""
    x, y = desk.area.x + 100, desk.area.y + 50
    desk.xdotool("mousemove", x, y)

    def get_place(view):
        return ((view.column + x - view.x) / view.scale, (view.row + y - view.y) / view.scale)

    place = get_place(desk.view)

    def is_same(view):
        return all(is_near(*pair, 1 / view.scale) for pair in zip(get_place(view), place))

    for clicks, scale in [([4], 1.5), ([4, 4, 4], 4), ([5, 5, 5, 5], 1)]:
        desk.xdotool(*(word for button in clicks for word in ("click", button)))
        desk.shows(lambda view: view.scale == scale and is_same(view))
    for key, button, columns, rows in [("shift", 5, 64, 0), ("ctrl", 4, 0, -64)]:
        desk.xdotool("keydown", key, "click", button, "keyup", key)
        desk.shows(moved(desk.view, columns, rows))


def get_button(desk, x):
    """The view that a click there, below the preview's area, leads to from 200%. After each click
    the view is moved, so that there is another one whatever was hit. Only a view that fits in
    cannot be moved. 100% comes first, because the last view may be of 200%, too."""
    corner = desk.area.x + CORNER[0], desk.area.y + CORNER[1]
    desk.click(*corner)
    desk.press("1")
    desk.previews(lambda view: view.scale == 1)
    desk.press("plus", "plus")
    desk.previews(lambda view: view.scale == 2)
    row = desk.view.row
    desk.click(x, desk.area.y + desk.area.height + 41)
    desk.click(*corner)
    desk.press("Down")
    desk.previews(lambda view: view.row != row or fits(view))
    return desk.view


def test_buttons(desk):
    """For in, out, 100% and fit. Their places, right of the middle, differ with fonts and icons."""
    views = []
    for x in range(desk.right + 8, desk.area.x + desk.area.width // 2, -16):
        views.append(get_button(desk, x))
        if {1, 1.5, 3} <= {view.scale for view in views} and any(map(fits, views)):
            return
    raise AssertionError([view.scale for view in views])


def test_pan(desk):
    """By the mouse, as far as the layer goes, and by the scroll bars, which lie 9 pixels off the
    area's edges."""
    area = desk.area
    below, beside = area.y + area.height + 9, area.x + area.width + 9
    desk.focus_preview()
    desk.press("0", "1")
    desk.previews(lambda view: view.scale == 1)
    desk.drag((area.x + 200, area.y + 100), (area.x + 150, area.y + 140))
    desk.shows(moved(desk.view, 50, -40))
    desk.drag((area.x + 200, area.y + 100), (area.x + 900, area.y + 900))
    desk.shows(lambda view: (view.column, view.row) == (0, 0))
    desk.click(area.x + area.width - 20, below)
    desk.shows(lambda view: view.column > 100 and view.row == 0)
    column = desk.view.column
    desk.click(beside, area.y + area.height - 20)
    desk.shows(lambda view: view.column == column and view.row > 100)
    row = desk.view.row
    desk.drag((area.x + area.width // 2, below), (0, below))
    desk.shows(lambda view: (view.column, view.row) == (0, row))


def test_switches(desk):
    """As in GIMP's own dialogs: Alt+V divides the view, at the right of which is the layer as it
    is, and Alt+P shows that alone. The divider is moved by the mouse or Ctrl, and stays where it is
    when the view is zoomed."""
    area = desk.area
    divider = area.x + (area.width + 1) // 2
    desk.press("alt+p")
    desk.shows(divider=-9)
    desk.press("alt+p", "alt+v")
    desk.shows(divider=divider)
    desk.press("alt+p")
    desk.shows(divider=-9)
    desk.press("alt+v", "alt+p")
    desk.shows(divider=divider)
    before = desk.view
    desk.drag((divider, area.y + 50), (divider - 101, area.y + 60))
    divider -= 101
    desk.shows(moved(before, 0, 0), divider)
    desk.press("ctrl+Right")
    divider = int(divider - area.x + 0.02 * area.width + 0.5) + area.x
    desk.shows(lambda view: view.column == before.column, divider)
    desk.xdotool("mousemove", area.x + 30, area.y + 30, "click", 4)
    desk.shows(lambda view: view.scale == 1.5, divider)
    desk.press("alt+v")
    desk.shows(lambda view: view.scale == 1.5)


def test_resize(desk):
    """In a larger window the preview is larger."""
    desk.focus_preview()
    desk.press("0")
    desk.previews(fits)
    scale = desk.view.scale
    desk.find(desk.dialog)
    desk.xdotool("windowsize", *desk.window, 1250, 900)
    desk.shows(lambda view: view.scale > 1.4 * scale and is_near(view.width, WIDTH * view.scale) and
               is_near(view.height, HEIGHT * view.scale))
    desk.press("1")
    desk.shows(lambda view: view.scale == 1 and view.width > desk.area.width + 200 and
               view.height > desk.area.height + 300)
