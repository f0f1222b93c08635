"""The dialog of a filter that takes a map, in GIMP's own window: it begins with the layer itself as
the map, and another layer is chosen by its key."""

from cases import list_examples
from pixels import get_brightness

FILTER = list_examples("MAPPED")[0][0]


def get_map(image, pixels=None, place=(0, 0)):
    pixels = image.pixels if pixels is None else pixels
    return get_brightness(image.format, image.format.decode(pixels)), place


def test_itself(desk):
    """One step undoes OK, and Ctrl+F repeats it with the map."""
    desk.choose_filter(FILTER)
    image = desk.begin("rgba", sigma=None)
    desk.previews()
    desk.apply(FILTER, map=get_map(image))
    result = desk.state()
    desk.undo()
    desk.redo(result)


def test_settings(desk):
    image = desk.begin("rgba", sigma=None)
    desk.type_in("alt+g", 4.5)
    desk.type_in("alt+t", 0.25)
    desk.press("alt+i")
    desk.previews()
    settings = {"map": get_map(image), "radius": 4.5, "focal": 0.25, "invert": 1}
    desk.apply(FILTER, **settings)
    desk.undo()
    desk.press_image("ctrl+f")
    desk.check_applied(FILTER, **settings)


def test_cancelled(desk):
    desk.begin("rgb", sigma=None)
    desk.previews()
    desk.press("Escape")
    desk.check_unchanged()
