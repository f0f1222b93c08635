"""The dialog of the median blur in GIMP's own window: the bar of the radius, which has a part of
what can be typed."""

DESK = {"filter": "median-blur"}


def is_radius_at(desk, x, y):
    """Whether a click there on the bar of the radius, which is 3 before, moves it."""
    desk.click(x, y)
    desk.next_view()
    return not desk.is_view("radius 3.00")


def test_bar(desk):
    desk.begin()
    desk.previews("radius 3.00")
    desk.measure_preview()
    x, y = desk.right + 60, desk.area.y + 30
    y = next((y for y in range(y, y + 60, 5) if is_radius_at(desk, x, y)), None)
    assert y, "the radius has no bar"
    desk.drag((x, y), (x + 600, y))
    desk.previews("radius 100.00")
    desk.drag((x + 100, y), (x - 600, y))
    desk.previews("radius 0.00")
    for radius in -7, 400:
        desk.type_in("alt+u", radius)
        desk.previews(f"radius {radius}.00")
    desk.click(x + 100, y)
    desk.previews(lambda _: not desk.is_view("radius 400.00"))
    desk.close("Escape")
