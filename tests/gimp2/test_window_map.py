"""The dialog of a filter that takes a map, in GIMP's own window: it begins with the layer itself as
the map, and another layer is chosen by its key."""

import re
import struct

import numpy as np

import fx
from cases import list_examples
from descriptions import Settings
from looks import read_texts
from pixels import get_brightness
from resident import retry

FILTER = list_examples("MAPPED")[0][0]


READING = "Reading the map…"


def get_map(image, linear=False):
    return get_brightness(image.format, image.format.decode(image.pixels), linear), (0, 0)


def shows_by_map(desk, maps):
    """Whether that many maps have been read, and there is a view by the last one, no draft."""
    parts = desk.read_log().split("cuda-blur: map ")
    return len(parts) > maps and "cuda-blur: preview " in parts[-1] and desk.is_view()


def await_view(desk, maps):
    desk.wait_for(f"there is no view by map {maps}", shows_by_map, desk, maps)


def begin_beside_large(desk):
    """The dialog over a layer, and above that another one, of 3000 tiles: they are the same where
    both are."""
    desk.choose_filter(FILTER)
    image = desk.new_image(sigma=None)
    other = desk.gimp.layer_copy(image.drawable, 0)
    desk.gimp.image_insert_layer(image.image, other, -1, 0)
    desk.gimp.layer_resize(other, 8000, 6000, 0, 0)
    desk.gimp.image_set_active_layer(image.image, image.drawable)
    desk.open()
    desk.type_in("alt+g", 4.5)
    desk.previews("strength 4.50")
    return image


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


def test_lens(desk):
    """Its settings, which only a lens has, come after the last one with a key."""
    image = desk.begin("rgba", sigma=None)
    desk.press("alt+r", "alt+g", "shift+Tab", "End")
    desk.type_in("alt+g", 4.5)
    desk.press("alt+k")
    desk.type_in("Tab", 5)
    desk.previews()
    desk.apply(FILTER, map=get_map(image), blur_type="lens", radius=4.5, blades=5)


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
    maps = desk.count("map")
    desk.open()
    await_view(desk, maps + 1)
    desk.press("alt+m", "Home")
    await_view(desk, maps + 2)
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


def grab_view(desk):
    desk.rest()
    view = desk.view
    return desk.grab(view.x, view.y, view.width, view.height)


def test_painted(desk):
    """A user who comes back has painted on the map, and has then moved it: the preview is as by a
    map that is read for the first time, which the switch for light makes of it."""
    desk.choose_filter(FILTER)
    image = desk.new_image("rgba", sigma=None)
    other = desk.gimp.layer_copy(image.drawable, 0)
    desk.gimp.image_insert_layer(image.image, other, -1, 0)
    desk.gimp.image_set_active_layer(image.image, image.drawable)
    maps = desk.count("map")
    desk.open()
    await_view(desk, maps + 1)
    desk.press("alt+m", "Home")
    await_view(desk, maps + 2)
    for change in (lambda: desk.gimp.write(other, image.pixels[::-1].copy()),
                   lambda: desk.gimp.layer_translate(other, 40, 30)):
        maps = desk.count("map")
        desk.press_image()
        change()
        desk.press()
        await_view(desk, maps + 1)
        seen = grab_view(desk)
        desk.press_at_once("alt+n", "alt+n")
        await_view(desk, maps + 2)
        assert np.array_equal(grab_view(desk), seen)
    views = desk.count("preview")
    desk.press_image()
    desk.press()
    desk.wait_for("the map is not read again", lambda: desk.count("map") > maps + 2)
    desk.rest()
    assert desk.count("preview") == views  # the map is the same
    desk.press_image()
    desk.gimp.image_remove_layer(image.image, other)
    desk.press("Return")
    desk.rest()
    assert desk.find(desk.dialog)  # without the map there is no OK
    desk.press("Escape")
    desk.check_unchanged()


def test_cancelled(desk):
    desk.begin("rgb", sigma=None)
    desk.previews()
    desk.press("Escape")
    desk.check_unchanged()


def test_slices(desk):
    """Between two slices of the map the dialog does what else there is to do. Until it is read, the
    preview shows the layer as it is."""
    image = begin_beside_large(desk)
    views, maps, said = desk.count("preview"), desk.count("map"), len(read_texts(desk))
    desk.press("alt+m", "Home")
    desk.wait_for("the map is not read", lambda: desk.count("map") > maps)
    line = desk.list_traces("map")[-1]
    assert int(re.search(r" (\d+) slices", line)[1]) > 1, line
    assert " as it is, " in desk.list_traces("preview")[views]
    assert READING in read_texts(desk)[said:]
    desk.wait_for("there is no view by the map",
                  lambda: " strength 4.50 " in desk.list_traces("preview")[-1])
    desk.previews("strength 4.50")
    desk.wait_for("it is still said to be read", lambda: read_texts(desk)[-1] != READING)
    desk.apply(FILTER, map=get_map(image), radius=4.5)


def test_ok_at_once(desk):
    """OK does not wait for the preview's map: the filter reads it, and the dialog no more."""
    image = begin_beside_large(desk)
    maps = desk.count("map")
    desk.press_at_once("alt+m", "Home", "alt+o")
    desk.wait_for("the dialog does not close", desk.find_none, desk.dialog)
    desk.check_applied(FILTER, map=get_map(image), radius=4.5)
    assert desk.count("map") == maps + 1


def test_other_choices(desk):
    """Only the last of them is read to its end: another map, or the same as light."""
    image = begin_beside_large(desk)
    maps = desk.count("map")
    desk.press_at_once("alt+m", "Home", "End")
    await_view(desk, maps + 1)
    assert " 432000 bytes " in desk.list_traces("map")[-1]
    desk.press_at_once("alt+m", "Home", "alt+n")
    await_view(desk, maps + 2)
    assert desk.count("map") == maps + 2
    desk.apply(FILTER, map=get_map(image, linear=True), radius=4.5, linear_mask=1)


def test_closed(desk):
    """While the map is read, it is not read to its end."""
    def attempt():
        begin_beside_large(desk)
        maps = desk.count("map")
        desk.press("alt+m", "Home")
        with desk.hold():
            in_time = desk.count("map") == maps
            desk.xdotool("key", "Escape")
        desk.check_unchanged()
        assert desk.count("map") == maps or not in_time
        return in_time

    retry(attempt)
