"""Changes of the selection and the pixels while the dialog is open in GIMP's own window: it notices
them when the focus returns to it."""

import pytest



class Elsewhere:
    """Acts like a user who goes to the image, changes something and comes back."""

    def __init__(self, desk):
        self.desk = desk

    def __enter__(self):
        self.desk.press_image()
        return self.desk.image

    def __exit__(self, *_):
        self.desk.press()


def test_selection(desk):
    """The layer lies 10 to the right of the image's left edge, and 15 above its top."""
    desk.new_image("rgba", 5).select(60, 40, 150, 120, 20)
    desk.open()
    desk.shows()
    with Elsewhere(desk) as image:
        image.select(90, 70, 200, 150)
    desk.shows()
    with Elsewhere(desk) as image:
        image.select(0, 0, 8, 200)  # beside the layer
    desk.shows()
    with Elsewhere(desk) as image:
        image.select_none()
    desk.shows()
    desk.focus_preview()
    desk.press("plus", "plus")
    with Elsewhere(desk) as image:
        image.select(120, 100, 100, 100, 9.5)
    desk.shows(lambda view: view.scale == 2)


def test_painting(desk):
    with Elsewhere(desk) as image:
        image.paint(100, 90, 77, 55)
    desk.shows()
    with Elsewhere(desk) as image:
        image.paint(0, 0, 360, 300)
    desk.shows()
    desk.press("alt+p")
    desk.shows(divider=-9)  # the layer as it is
    desk.press("alt+p")


def test_ok(desk):
    """With no time to look at what was painted and selected last, OK blurs what there is, through
    the selection that there is."""
    desk.find(desk.dialog)
    dialog = desk.window
    desk.press_image()
    desk.image.select(150, 90, 130, 140, 15)
    desk.image.paint(60, 60, 200, 200)
    desk.original = desk.state()
    desk.xdotool("windowfocus", "--sync", *dialog, "key", "alt+o")
    desk.wait_for("the dialog does not close", desk.find_none, desk.dialog)
    desk.check_applied()
    desk.undo()


def test_click(desk):
    """Another plug-in writes the layer while the dialog stays in front and keeps the focus to its
    end by the mouse."""
    image = desk.begin("rgba", 5)
    desk.press()
    desk.shows()
    image.paint(60, 60, 200, 200)
    desk.original = desk.state()
    desk.click_ok()
    desk.check_applied()
    desk.undo()


def test_nothing(desk):
    """With nothing of the layer selected, OK leaves it alone."""
    desk.image.select(0, 0, 8, 200)
    before = desk.state()
    desk.open()
    desk.ok()
    desk.check_unchanged(before)


def test_kept(desk):
    """Neither preview changes pixels that GIMP does not let a blur change."""
    desk.new_image("rgba", 5).keep("lock")
    desk.open()
    desk.shows()
    desk.press("alt+a")
    desk.shows_on_canvas()
    for change in (lambda image: image.keep("red"),
                   lambda image: image.select(60, 40, 150, 120, 20),
                   lambda image: image.keep("alpha")):
        with Elsewhere(desk) as image:
            change(image)
        desk.shows()
        desk.shows_on_canvas()
    desk.apply()


@pytest.mark.parametrize("name,what,options", [
    ("greya", "lock", {}), ("greya", "grey", {}), ("rgba", "red", {"grow": 1}),
    ("rgba", "lock", {"sample": "float"})])
def test_kept_kinds(desk, name, what, options):
    desk.new_image(name, 5, **options).keep(what)
    desk.open()
    desk.shows()
    desk.press("alt+a")
    desk.shows_on_canvas()
    desk.apply()
