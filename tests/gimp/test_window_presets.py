"""The presets of the dialog in GIMP's own window, and the last used settings."""

KEPT = {"sigma_x": 8, "abyss": "white", "light": "perceptual"}


def test_saved(desk):
    """After that, the settings can be changed."""
    image = desk.begin("rgba")
    desk.type_in("alt+x", 8)
    desk.press("alt+b", "End", "alt+l", "End")
    desk.save_preset("soft white")
    desk.type_in("alt+x", 1)
    image.expect(**KEPT | {"sigma_x": 1})
    desk.shows()
    desk.close("Escape")


def test_restarted(desk):
    """A preset is there after GIMP was restarted. The list has the last used settings, with which
    the dialog begins, and the presets. A combo box answers arrow keys."""
    desk.restart()
    image = desk.begin("rgba", 2)
    desk.shows()
    desk.press("alt+s", "End")
    image.expect(**KEPT)
    desk.shows()
    desk.press("alt+s", "Home")
    image.expect(2)
    desk.shows()
    desk.press("alt+s", "End")
    desk.previews(lambda view: view.sigma_x == 8)
    desk.ok()
    image.expect(**KEPT)
    desk.check_applied()
