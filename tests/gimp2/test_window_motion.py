"""The dialog of the motion blur in GIMP's own window: its kinds, and the cross at the centre, which
one drags in the preview."""

from cross import HEIGHT, SIZE, WIDTH, drag_cross, find_centre, has_cross, previews_centre

DESK = {"filter": "motion-blur"}


def test_line(desk):
    """At first; it has no cross. Leaves its length 0 in the preview, which is then the layer."""
    desk.begin(size=SIZE)
    desk.previews("kind line length 10.00")
    desk.measure_preview()
    desk.type_in("alt+n", 0)
    desk.focus_preview()
    desk.press("1")
    desk.previews(lambda view: view.scale == 1)
    desk.previews("length 0.00")


def look(desk):
    """At the preview, but for its edge."""
    desk.rest()
    view = desk.view
    return desk.look(view.x + 9, view.y + 9, view.width - 18, view.height - 18)


def test_spin(desk):
    """Has a cross, which follows the numbers, and is not drawn outside the view. With an angle of 0
    the preview is the layer."""
    plain = look(desk)
    desk.press("alt+k", "Down")
    desk.type_in("alt+g", 0)
    desk.centre = 0.5, 0.5
    has_cross(desk)
    desk.type_in("alt+x", 0.45)
    desk.centre = 0.45, 0.5
    has_cross(desk)
    desk.type_in("alt+x", 0.9)
    desk.wait_for("something is drawn", lambda: look(desk) == plain)
    desk.type_in("alt+x", 0.5)
    desk.centre = 0.5, 0.5
    has_cross(desk)


def test_drag(desk):
    """The cross alone; elsewhere, the view is moved, with the cross."""
    before = desk.view
    drag_cross(desk, 60, 90)
    has_cross(desk)
    previews_centre(desk)
    assert desk.view.column == before.column
    view = desk.view
    desk.drag((view.x + 200, view.y + 200), (view.x + 150, view.y + 180))
    desk.previews(lambda now: (now.column, now.row) == (view.column + 50, view.row + 20))
    has_cross(desk)
    desk.focus_preview()
    desk.press("plus", "plus")
    desk.previews(lambda view: view.scale == 2)


def drag_out(desk):
    """Of the view, over the settings. The first motion there only tells what is left."""
    (x, y), view = find_centre(desk), desk.view
    end = view.x + view.width
    desk.point("mousemove", x, y, "mousedown", 1)
    desk.point("mousemove", end + 40, y)
    desk.point("mousemove", end + 41, y)
    desk.point("mouseup", 1)
    desk.centre = (view.column + view.width - 0.5) / (WIDTH * view.scale), desk.centre[1]


def test_zoomed(desk):
    """And scrolled. The cross stays in the view."""
    desk.type_in("alt+x", 0.5)
    desk.type_in("alt+t", 0.5)
    desk.centre = 0.5, 0.5
    has_cross(desk)
    drag_cross(desk, 31, 77)
    has_cross(desk)
    drag_out(desk)
    previews_centre(desk)
    drag_cross(desk, 120, 80)
    has_cross(desk)


def test_ok(desk):
    """A zoom has the same centre. OK blurs towards the pixel that the cross was dragged to."""
    desk.press("alt+k", "Down")
    desk.type_in("alt+f", 0.2)
    previews_centre(desk, "kind zoom factor 0.20 ")
    has_cross(desk)
    drag_cross(desk, 160, 120)
    has_cross(desk)
    desk.ok()
    x, y = desk.centre
    desk.check_applied("motion-blur", kind="zoom", factor=0.2, center_x=x, center_y=y)
    desk.undo()
