"""The cross at a filter's centre, in the preview of its dialog, which one drags."""

SIZE = WIDTH, HEIGHT = 1000, 700

# Parts of the cross, white in black, and around it, by their place from the centre.
CROSS = {(0, -8, 1, 17): 255, (-8, 0, 17, 1): 255, (1, -9, 1, 9): 0, (-1, 1, 1, 9): 0,
         (1, -1, 9, 1): 0, (-9, 1, 9, 1): 0}


def find_centre(desk):
    """The screen's pixel of it in the last view."""
    desk.previews()
    view, (x, y) = desk.view, desk.centre
    return (view.x - view.column + int(x * WIDTH * view.scale),
            view.y - view.row + int(y * HEIGHT * view.scale))


def has_cross(desk):
    """At the centre, 17 pixels high and wide."""
    def is_crossed():
        x, y = find_centre(desk)
        return all(desk.get_colour(x + dx, y + dy, *size) == 3 * (level,)
                   for (dx, dy, *size), level in CROSS.items())

    desk.wait_for(f"no cross at {desk.centre}", is_crossed)


def drag_cross(desk, dx, dy):
    """To that place in the view, to which this must lead."""
    start, view = find_centre(desk), desk.view
    desk.drag(start, (view.x + dx, view.y + dy))
    desk.centre = ((view.column + dx + 0.5) / (WIDTH * view.scale),
                   (view.row + dy + 0.5) / (HEIGHT * view.scale))


def previews_centre(desk, words=""):
    """The numbers follow."""
    desk.previews(words + "center {:.2f} {:.2f}".format(*desk.centre))
