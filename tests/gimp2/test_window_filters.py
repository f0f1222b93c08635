"""The dialog of each filter in GIMP's own window: what it begins with, each of its controls by its
key, and what OK makes of the layer, which is what the engine does with these settings."""

import pytest

from cases import load_parts
from descriptions import CHOICE, MATRIX, PAIR, get_property, list_words

VARIED = {part.FILTER: part.VARIED for part in load_parts("examples").values()
          if not hasattr(part, "MAPPED")}  # which test_window_map.py has


def get_varied(filter):
    """The settings whose controls have keys. A dialog may have more controls than there are
    letters; the others keep their values."""
    return {name: value for name, value in VARIED[filter].items()
            if get_property(filter, name.replace("_", "-")).type == MATRIX
            or b"_" in get_property(filter, name.replace("_", "-")).label}


def find_key(label):
    """Of a label's mnemonic."""
    return f"alt+{label.decode().partition('_')[2][0].lower()}"


def set_control(desk, property, value):
    """What is automatic is not any more: then bits begin with all of them. A pair is not linked any
    more."""
    if property.control == PAIR:
        desk.press(find_key(property.label), "Tab", "space")
    if property.automatic.label:
        desk.press(find_key(property.automatic.label))
    if property.type == MATRIX:
        desk.type_matrix(*(" ".join(map(str, row)) for row in value))
    elif property.type == CHOICE:
        desk.press(find_key(property.label), "Home",
                   *["Down"] * list_words(property).index(value))
    elif property.bits:
        for i in range(4):
            if not value >> i & 1:
                desk.press(find_key(property.bits[i].label))
    else:
        desk.type_in(find_key(property.label), value)


@pytest.mark.parametrize("filter", VARIED)
def test_filters(desk, filter):
    """One step undoes OK, and Ctrl+F repeats it. The dialog begins with what it was left with."""
    varied = get_varied(filter)
    desk.choose_filter(filter)
    desk.begin("rgba", sigma=None)
    desk.previews()
    desk.apply(filter)
    result = desk.state()
    desk.undo()
    desk.redo(result)
    desk.begin("rgba", sigma=None)
    for name, value in varied.items():
        set_control(desk, get_property(filter, name.replace("_", "-")), value)
    desk.previews()
    desk.apply(filter, **varied)
    desk.undo()
    desk.press_image("ctrl+f")
    desk.check_applied(filter, **varied)
    desk.begin("rgba", sigma=None)
    desk.previews()
    desk.apply(filter, **varied)
