"""The dialog over large layers in GIMP's own window: that it is there and answers while the layer
is read, what it shows, and that the preview keeps up with a slider."""

import re

CONTROLS = 520, 60, 420, 260  # beside the preview, on the screen


def test_opening(desk):
    """A key is answered. Between two slices of the layer the dialog does what else there is to do.
    Each ends after 8 ms, and 6000 tiles take longer to cross on any machine."""
    desk.begin(size=(12000, 8000))
    desk.rest()
    without = desk.look(*CONTROLS)
    desk.press("alt+u")
    desk.wait_for("the controls look the same with and without it",
                  lambda: desk.look(*CONTROLS) != without)
    desk.wait_for("the layer is not read", lambda: desk.count("source") > 0, seconds=60)
    line = desk.list_traces("source")[-1]
    assert int(re.search(r" (\d+) slices", line)[1]) > 1, line


def shows_sample(desk, condition=None):
    """Parts of the view: the whole would take this test itself long."""
    def compare():
        for share in (1, 4, 8):
            if not desk.is_view(condition):
                return "it is another view"
            part = desk.view.width * share // 10, desk.view.height * share // 10, 40, 30
            if problem := desk.compare_view(condition, part=part):
                return problem
        return None

    desk.becomes_right(compare, seconds=60)


def test_view(desk):
    """All of it, then at 100% and moved."""
    shows_sample(desk, lambda view: view.scale < 0.1 and (view.column, view.row) == (0, 0))
    desk.focus_preview()
    desk.press("1")
    desk.shows(lambda view: view.scale == 1)
    view = desk.view
    desk.drag((view.x + 400, view.y + 300), (view.x + 100, view.y + 50))
    desk.shows(lambda now: (now.scale, now.column, now.row) ==
               (1, view.column + 300, view.row + 250))
    desk.close("Escape")


def test_drag(desk):
    """The preview follows the slider of 6000x4000 pixels: one value after the other is seen, with
    the button held, and the last one of many when the hand rests."""
    desk.begin(size=(6000, 4000))
    desk.measure_preview()
    desk.previews(lambda view: view.scale < 0.1, 30)
    desk.find_slider()
    desk.previews(seconds=30)
    x, y = desk.slider
    desk.point("mousemove", x, y, "mousedown", 1)
    for offset in (20, 40, 60, 80):
        seen = desk.list_traces("preview")[-1]
        desk.point("mousemove", x + offset, y)
        desk.wait_for("there is no view of the value",
                      lambda: desk.list_traces("preview")[-1] != seen, seconds=30)
    desk.point("mouseup", 1)
    desk.click(x, y)
    desk.previews(seconds=30)
    desk.drag_slider()
    desk.previews(seconds=60)
    desk.image.expect(desk.view.sigma_x, desk.view.sigma_y)
    shows_sample(desk)
