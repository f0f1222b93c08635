"""The dialog of the convolution matrix in GIMP's own window: a matrix is typed in, and what becomes
of the layer is what the procedure makes of it without a window; what cannot be read is not
applied."""

import re

from matrix import SHARPEN, check_convolved, type_matrix

DESK = {"filter": "convolve"}


def test_initial(desk):
    """OK sharpens at first."""
    desk.begin()
    desk.previews("matrix 3x3")
    desk.ok()
    check_convolved(desk, SHARPEN)
    result = desk.state()
    desk.undo()
    desk.redo(result)


def test_typed(desk):
    """With decimal commas, and all that else can be set."""
    desk.begin("rgba")
    type_matrix(desk, "0,5 1 0 -1 2", "0 1 1 0 0", "0 0 -0,25 3 1")
    desk.previews("matrix 3x5")
    desk.type_in("alt+i", 4.5)
    desk.type_in("alt+f", 0.125)
    desk.press("alt+y", "End", "alt+t", "End", "alt+w", "End")
    desk.ok()
    settings = {"rows": [[0.5, 1, 0, -1, 2], [0, 1, 1, 0, 0], [0, 0, -0.25, 3, 1]],
                "divisor": 4.5, "offset": 0.125, "alpha_weighting": "straight", "abyss": "white",
                "light": "perceptual"}
    check_convolved(desk, **settings)
    desk.undo()
    desk.press_image("ctrl+f")
    check_convolved(desk, **settings)


def test_channels(desk):
    """No longer automatic, they begin with all of them. Red and blue alone are changed."""
    desk.begin()
    type_matrix(desk, "1 2 1")
    desk.type_in("alt+i", 0)
    desk.type_in("alt+f", 0)
    desk.press("alt+t", "Home", "alt+w", "Home", "alt+u", "alt+g", "alt+l")
    desk.previews("matrix 1x3")
    desk.ok()
    check_convolved(desk, [[1, 2, 1]], channels=5, abyss="white")


def test_unreadable(desk):
    """Neither the mouse nor the keyboard closes the dialog by OK while that is so."""
    desk.begin()
    type_matrix(desk, "1 2 1", "2 4 2", "1 2 1")
    desk.previews("matrix 3x3")
    type_matrix(desk, "1 2 1 0 0", "2 x 2 0 0", "1 2 1 0 0")
    desk.press("alt+o")
    desk.rest()
    assert desk.find(desk.dialog), "the dialog is closed"
    assert not desk.is_view("matrix 3x5")
    desk.press("alt+r")
    desk.previews("matrix 3x3")
    desk.ok()
    check_convolved(desk, SHARPEN)


def test_tab(desk):
    """Leads on, past the size to the divisor, and leaves the text as it is."""
    desk.begin()
    type_matrix(desk, "0 0 0", "0 2 0", "0 1 0")
    desk.press("alt+x", "Tab", "Tab", "Tab", "ctrl+a", "8", "Tab")
    desk.ok()
    check_convolved(desk, [[0, 0, 0], [0, 2, 0], [0, 1, 0]], divisor=8.0)


def test_preset(desk):
    """Has the matrix to the bit, also when the dialog is opened again. The list begins with the
    last used settings, as the dialog does; a combo box answers arrow keys."""
    desk.begin()
    type_matrix(desk, "1 0 -3.0625 0 1e-3")
    desk.previews("matrix 1x5")
    desk.save_preset("kept")
    with open(desk.get_path("filters/cuda-convolve.settings")) as file:
        assert '(values "1x5: 1 0 -3.0625 0 0.001")' in file.read()
    type_matrix(desk, "1 2 3")
    desk.previews("matrix 1x3")
    desk.close("Escape")
    desk.begin()
    for key, size in [("End", "1x5"), ("Home", "3x3"), ("End", "1x5")]:
        desk.press("alt+s", key)
        desk.previews(f"matrix {size}")
    desk.ok()
    check_convolved(desk, [[1, 0, -3.0625, 0, 0.001]], divisor=8.0)


def get_saved(desk):
    with open(desk.get_path("filters/cuda-convolve.settings")) as file:
        return re.findall(r'cuda-convolve "(.*)"', file.read())


def test_deleted(desk):
    """The user's preset that is chosen, by the menu. The settings last used stay."""
    desk.begin()
    desk.save_preset("other")
    desk.press("alt+s", "Home", "Tab", "Tab", "space", "d", "Escape")
    assert get_saved(desk) == ["kept", "other"]
    for left in ["kept"], []:
        desk.press("alt+s", "End", "Tab", "Tab", "space", "d")
        assert get_saved(desk) == left
    desk.close("Escape")
