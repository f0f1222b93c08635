"""The dialog of each filter in GIMP's own window: what it begins with, each of its controls by keys
alone, and what OK makes of the layer, which is what the engine does with these settings."""

import pytest

from cases import load_parts
from descriptions import (CHOICE, FILTERS, MATRIX, NAMES, PAIR, get_properties, get_property,
                          list_words)

VARIED = {part.FILTER: part.VARIED for part in load_parts("examples").values()
          if not hasattr(part, "MAPPED")}  # which test_window_map.py has


def find_key(label):
    """Of a label's mnemonic."""
    return f"alt+{label.decode().partition('_')[2][0].lower()}"


def find_keys(filter, name):
    """The property's mnemonic, or the nearest one and the steps from there: the focus blur's dialog
    has more controls than there are letters."""
    index, properties = NAMES[filter].index(name), get_properties(FILTERS[filter])
    near = min((i for i, other in enumerate(properties) if b"_" in (other.label or b"")),
               key=lambda i: abs(i - index))
    return [find_key(properties[near].label),
            *["Tab" if near < index else "shift+Tab"] * abs(near - index)]


def set_control(desk, filter, name, value):
    """What is automatic is not any more: then bits begin with all of them. A pair is not linked any
    more."""
    property = get_property(filter, name)
    if property.control == PAIR:
        desk.press(find_key(property.label), "Tab", "space")
    if property.automatic.label:
        desk.press(find_key(property.automatic.label))
    if property.type == MATRIX:
        desk.type_matrix(*(" ".join(map(str, row)) for row in value))
    elif property.type == CHOICE:
        desk.press(*find_keys(filter, name), "Home",
                   *["Down"] * list_words(property).index(value))
    elif property.bits:
        for i in range(4):
            if not value >> i & 1:
                desk.press(find_key(property.bits[i].label))
    else:
        *steps, key = find_keys(filter, name)
        desk.press(*steps)
        desk.type_in(key, value)


@pytest.mark.parametrize("filter", VARIED)
def test_filters(desk, filter):
    """One step undoes OK, and Ctrl+F repeats it. The dialog begins with what it was left with."""
    varied = VARIED[filter]
    desk.choose_filter(filter)
    desk.begin("rgba", sigma=None)
    desk.previews()
    desk.apply(filter)
    result = desk.state()
    desk.undo()
    desk.redo(result)
    desk.begin("rgba", sigma=None)
    for name, value in varied.items():
        set_control(desk, filter, name.replace("_", "-"), value)
    desk.previews()
    desk.apply(filter, **varied)
    desk.undo()
    desk.press_image("ctrl+f")
    desk.check_applied(filter, **varied)
    desk.begin("rgba", sigma=None)
    desk.previews()
    desk.apply(filter, **varied)
