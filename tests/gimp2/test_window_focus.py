"""The dialog of the focus blur in GIMP's own window: the lines in the preview, which say where the
blur begins, has half of its strength and all of it, and the cross at the centre."""

import numpy as np

from cross import SIZE, drag_cross, has_cross, previews_centre

DESK = {"filter": "focus-blur"}
COLUMNS = 100  # that are looked at
SHADE = 0.4  # what is left of the picture beside a line, by viewer-lines.c


def grab(desk, *rows):
    """Three rows around each of these rows of the layer, left of the cross."""
    desk.rest()
    view = desk.view
    return [desk.grab(view.x + 60, view.y + row - view.row - 1, COLUMNS, 3).astype(float)
            for row in rows]


def test_none(desk):
    """Without an extent of the shape there are none. With a strength of 0 the preview is the
    layer."""
    desk.begin(size=SIZE)
    desk.previews("strength 25.00 shape circle center 0.50 0.50 radius 0.75")
    desk.measure_preview()
    desk.type_in("alt+g", 0)
    desk.focus_preview()
    desk.press("1")
    desk.previews(lambda view: view.scale == 1)
    desk.press("alt+e", "Home", "Down", "Down", "Down")
    desk.type_in("alt+f", 0)
    desk.previews("strength 0.00 shape horizontal center 0.50 0.50 radius 0.00")
    desk.plain = grab(desk, 249, 450, 400)


def test_solid(desk):
    """Where it is fully soft, 100.5 pixels above and below the centre: white between two rows that
    are darker."""
    desk.type_in("alt+f", 0.201)
    desk.previews("radius 0.20")

    def is_drawn():
        return all((now[1] == 255).all() and
                   np.abs(now[[0, 2]] - SHADE * plain[[0, 2]]).max() <= 2
                   for now, plain in zip(grab(desk, 249, 450), desk.plain))

    desk.wait_for("no lines", is_drawn)


def test_dashed(desk):
    """Where it begins, 50.5 pixels below; the other line is elsewhere."""
    desk.type_in("alt+f", 0.202)
    desk.type_in("alt+u", 0.5)

    def is_dashed():
        [now], [plain] = grab(desk, 400), desk.plain[2:]
        white = (now[1] == 255).all(axis=1)
        clear = (np.abs(now - plain).max(axis=2) <= 1).all(axis=0)
        return 50 <= white.sum() <= 64 and 28 <= clear.sum() <= 44

    desk.wait_for("no dashes", is_dashed)


def test_drag(desk):
    """The lines go with the cross."""
    desk.centre = 0.5, 0.5
    has_cross(desk)
    drag_cross(desk, 300, 110)
    has_cross(desk)
    previews_centre(desk, "shape horizontal ")


def test_ok(desk):
    desk.type_in("alt+g", 6)
    desk.type_in("alt+n", 15)
    previews_centre(desk, "strength 6.00 shape horizontal ")
    has_cross(desk)
    desk.ok()
    x, y = desk.centre
    desk.check_applied("focus-blur", blur_radius=6, shape="horizontal", x=x, y=y, radius=0.202,
                       focus=0.5, rotation=15)
    desk.undo()
