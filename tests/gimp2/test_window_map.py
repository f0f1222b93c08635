"""The dialog of a filter that takes a map, in GIMP's own window: it begins with the layer itself as
the map, and another layer is chosen by its key."""

import struct

import fx
from cases import list_examples
from descriptions import Settings
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


def test_mask(desk):
    """The last map is a mask, which is not in the list: the dialog begins with the layer again."""
    desk.choose_filter(FILTER)
    image = desk.new_image("rgba", sigma=None)
    mask = struct.pack("i", desk.gimp.layer_get_mask(image.drawable))
    last = Settings.print(fx.Settings(FILTER, radius=4.5))
    for name, data in ("", last), ("-map", mask):
        desk.gimp.procedural_db_set_data(f"plug-in-cuda-{FILTER}{name}", len(data), data)
    desk.open()
    desk.previews()
    desk.apply(FILTER, map=get_map(image), radius=4.5)


def test_deleted(desk):
    """Without the map, when it is to be read again as light, there is no other view, and no OK."""
    desk.choose_filter(FILTER)
    image = desk.new_image("rgba", sigma=None)
    other = desk.gimp.layer_copy(image.drawable, 0)
    desk.gimp.image_insert_layer(image.image, other, -1, 0)
    desk.gimp.image_set_active_layer(image.image, image.drawable)
    desk.open()
    desk.previews()
    views = desk.count("preview")
    desk.press("alt+m", "Home")
    desk.wait_for("the map is not shown", lambda: desk.count("preview") > views)
    desk.gimp.image_remove_layer(image.image, other)
    desk.press("alt+n")
    desk.rest()
    views = desk.count("preview")
    desk.type_in("alt+g", 7.5)
    desk.press("Return")
    desk.rest()
    assert desk.find(desk.dialog) and desk.count("preview") == views
    desk.press("alt+m", "End")
    desk.previews("strength 7.50")
    desk.press("Escape")
    desk.check_unchanged()


def test_cancelled(desk):
    desk.begin("rgb", sigma=None)
    desk.previews()
    desk.press("Escape")
    desk.check_unchanged()
