"""The control of a matrix in GIMP's own window, by its keys: its text, cells as a spreadsheet has
them, ready matrices, operations, files and presets; what becomes of the layer is what the procedure
makes of it with the same matrix."""

import os
import re

import pytest

from looks import read_texts

DESK = {"filter": "convolve"}


@pytest.fixture(autouse=True)
def begin(desk):
    """The dialog over a new layer, with the matrix that Reset leads to."""
    desk.begin()
    desk.press("alt+r")
    desk.previews("matrix 3x3")


def accept(desk, *rows, **settings):
    """OK makes of the layer what the engine does with that matrix."""
    desk.apply("convolve", values=[[float(word) for word in row.split()] for row in rows],
               **settings)


def follows(desk, *keys):
    """The preview is drawn again when the keys are pressed."""
    desk.rest()
    views = desk.count("preview")
    desk.press(*keys)
    desk.wait_for(f"no view after {keys}", lambda: desk.count("preview") > views)


def test_moving(desk):
    """Arrows, Tab and Return lead from cell to cell."""
    desk.press(*"alt+n ctrl+Home 1 Tab 2 Tab 3 Tab 4 Tab 5 Return 8 Left 7 Right Right 9 Up 6"
               .split())
    accept(desk, "1 2 3", "4 5 6", "7 8 9")


def test_edges(desk):
    """Backwards, and no further than the edge."""
    desk.press(*"alt+n End End shift+Tab 2 Up Up Up 3 Left Left Left 4 shift+Return 5 Down Down "
               "Down Down 6 Home 7 Tab 8 End 9 shift+Up comma 5".split())
    accept(desk, "5 3 0", "-1 2 0.5", "7 8 9")


def test_leaving(desk):
    """Tab leads out of the last cell, to the size, and Shift+Tab out of the first one, to the
    pages' tabs; Tab leads from the size to the divisor."""
    desk.press("alt+n", "ctrl+End", "Tab", "ctrl+a", "1", "Tab")
    desk.previews("matrix 1x3")
    desk.press("ctrl+a", "5", "Tab", "ctrl+a", "8", "Tab")
    desk.previews("matrix 1x5")
    desk.press("alt+n", "ctrl+Home", "shift+Tab", "Right")
    desk.press("Tab", "ctrl+a", "3")
    desk.previews("matrix 1x1")
    accept(desk, "3", divisor=8.0)


def test_live(desk):
    """Each key counts at once, and Escape takes it back. What is no number yet does not count."""
    follows(desk, "alt+n", "7")
    follows(desk, "5")
    follows(desk, "Escape")
    desk.press("Left", "9", "minus", "Right", "minus")
    accept(desk, "0 -1 0", "9 5 -1", "0 -1 0")


def test_editing(desk):
    """F2 edits, and nothing is 0."""
    desk.press(*"alt+n F2 period 2 5 Left 3 Tab F2 Home Delete Return".split())
    desk.press("alt+n", "Up", "F2", "9", "Escape", "BackSpace")
    accept(desk, "0 0 0", "-1 5.235 1", "0 -1 0")


def copy(desk, *lines):
    """To the clipboard, through the text. Reset leads back from it."""
    desk.type_matrix(*lines)
    desk.press("ctrl+a", "ctrl+c")
    desk.press("alt+r")
    desk.previews("matrix 3x3")


def test_pasting(desk):
    """Into as many cells as there are numbers."""
    copy(desk, "1 2", "3 4")
    desk.press("alt+n", "ctrl+Home", "Right", "ctrl+v")
    accept(desk, "0 1 2", "-1 3 4", "0 -1 0")


def test_pasting_over_the_edge(desk):
    """There are more cells then, with 0 around."""
    copy(desk, "1;2;3", "4;5;6")
    desk.press("alt+n", "ctrl+End", "ctrl+v")
    desk.previews("matrix 5x5")
    accept(desk, "0 -1 0 0 0", "-1 5 -1 0 0", "0 -1 1 2 3", "0 0 4 5 6", "0 0 0 0 0")


def test_pasting_one(desk):
    copy(desk, "0,25")
    desk.press("alt+n", "Home", "ctrl+v")
    accept(desk, "0 -1 0", "0.25 5 -1", "0 -1 0")


def test_size(desk):
    """Rows are cut off, and columns are added, an odd number of them. The text has the same
    matrix, and the cells have the text's."""
    desk.type_in("alt+z", 1)
    desk.previews("matrix 1x3")
    desk.press("alt+z", "Tab", "ctrl+a", "4", "Tab")
    desk.previews("matrix 1x5")
    desk.press("alt+x", "ctrl+End")
    desk.xdotool("type", " 7 8")
    desk.settle()
    desk.previews("matrix 1x7")
    desk.press("alt+n", "3")
    accept(desk, "0 -1 5 3 0 7 8")


def says(desk, words):
    """In any of its lines."""
    desk.wait_for(f"it does not say {words}",
                  lambda: any(text.startswith(words) for text in read_texts(desk)))


def test_facts(desk):
    """The line below the matrix tells of it, also without a preview."""
    desk.type_matrix("1 2 4")
    says(desk, "1 x 3, sum 7; ")
    desk.press("alt+p")
    desk.type_matrix("1 2 6")
    says(desk, "1 x 3, sum 9; ")
    desk.type_matrix("1 2 x")
    says(desk, "The cell in row 1, column 3 is 'x'")
    desk.type_matrix("1 2 7")
    says(desk, "1 x 3, sum 10; ")
    desk.close("Escape")
    desk.check_unchanged()


def test_large(desk):
    """What has no cells is shown, and what has just enough of them has them, until there is one
    column."""
    desk.press(*"alt+z ctrl+a 1 7 Tab ctrl+a 1 7 Tab".split())
    desk.previews("matrix 17x17")
    desk.press("alt+n", "5")
    desk.press(*"alt+z ctrl+a 1 5 Tab ctrl+a 1 5 Tab".split())
    desk.previews("matrix 15x15")
    desk.press(*"alt+n ctrl+End 2 ctrl+Home 3 alt+z Tab ctrl+a 1 Tab".split())
    desk.previews("matrix 15x1")
    desk.close("Escape")
    desk.check_unchanged()


def test_ready(desk):
    """The list follows the matrix, too: the next one in it is another."""
    desk.press("alt+m", "End")
    desk.previews("matrix 5x5")
    desk.press("alt+m", "Home")
    desk.previews("matrix 3x3")
    desk.type_matrix(*["0 1 1 1 0", *["1 1 1 1 1"] * 3, "0 1 1 1 0"])
    desk.previews("matrix 5x5")
    desk.press("alt+m", "Up")
    desk.previews("matrix 1x11")
    accept(desk, " ".join("1" * 11))


def test_operations(desk):
    """Each by its letter in the menu: rotated and mirrored."""
    desk.type_matrix("1 2 3", "4 5 6", "7 8 9", "10 11 12", "13 14 15")
    desk.previews("matrix 5x3")
    desk.press("alt+j", "r")
    desk.previews("matrix 3x5")
    desk.press("alt+j", "v")
    desk.press("alt+j", "h")
    desk.press("alt+n", "ctrl+End", "0")
    accept(desk, "3 6 9 12 15", "2 5 8 11 14", "1 4 7 10 0")


def choose_file(desk, title, path):
    """In the dialog for files of that title, which closes."""
    desk.await_window(title)
    desk.xdotool("windowraise", *desk.window)
    desk.focus(title, "type", path)
    desk.rest()
    desk.press_in(title, "Return")
    desk.wait_for(f"the file is not taken: {title}", desk.find_none, title)


def load(desk, path):
    """From the list to the buttons behind it."""
    desk.press("alt+m", "Tab", "Tab", "space")
    choose_file(desk, "^Load Matrix$", path)


def save(desk, path):
    desk.press("alt+m", "Tab", "Tab", "Tab", "space")
    choose_file(desk, "^Save Matrix$", path)


def test_files(desk):
    """A bad one is refused, with what is wrong."""
    desk.type_matrix("1 0,5 0")
    desk.previews("matrix 1x3")
    paths = {name: os.path.join(desk.folder, f"{name}.csv") for name in ("saved", "bad", "good")}
    save(desk, paths["saved"])
    desk.wait_for("no file is written", os.path.exists, paths["saved"])
    with open(paths["saved"]) as file:
        assert file.read() == "1,0.5,0\n"
    with open(paths["bad"], "w") as file:
        file.write("1;2;3\n4;five;6\n7;8;9\n")
    for size, words in [(None, "The cell in row 2, column 2 is 'five'"),
                        (100 << 20, "has more than 33554432 bytes")]:
        if size:
            os.truncate(paths["bad"], size)
        load(desk, paths["bad"])
        desk.wait_for(f"it does not say {words}", lambda: words in desk.read_log())
    with open(paths["good"], "w") as file:
        file.write("0;0;0,5\n0;2;0\n0,25;0;0\n")
    load(desk, paths["good"])
    desk.previews("matrix 3x3")
    accept(desk, "0 0 0.5", "0 2 0", "0.25 0 0")


# ---- the text, and presets ----


def test_unreadable(desk):
    """Neither the mouse nor the keyboard closes the dialog by OK while that is so."""
    desk.type_matrix("1 2 1", "2 4 2", "1 2 1")
    desk.previews("matrix 3x3")
    desk.type_matrix("1 2 1 0 0", "2 x 2 0 0", "1 2 1 0 0")
    desk.press("alt+o")
    desk.rest()
    assert desk.find(desk.dialog), "the dialog is closed"
    assert not desk.is_view("matrix 3x5")
    desk.press("alt+r")
    desk.previews("matrix 3x3")
    accept(desk, "0 -1 0", "-1 5 -1", "0 -1 0")


def test_tab(desk):
    """Leads from the text past the size to the divisor, and leaves the text as it is."""
    desk.type_matrix("0 0 0", "0 2 0", "0 1 0")
    desk.press("alt+x", "Tab", "Tab", "Tab", "ctrl+a", "8", "Tab")
    accept(desk, "0 0 0", "0 2 0", "0 1 0", divisor=8.0)


def read_presets(desk):
    with open(desk.get_path("filters/cuda-convolve.settings")) as file:
        return re.findall(r'cuda-convolve "(.*)"\n +\(values "(.*)"\)', file.read())


def test_preset(desk):
    """Has the matrix to the bit, also when the dialog is opened again. The list begins with the
    last used settings, as the dialog does; a combo box answers arrow keys. The user's preset that
    is chosen is deleted by the menu; the settings last used stay."""
    desk.type_matrix("1 0 -3.0625 0 1e-3")
    desk.previews("matrix 1x5")
    desk.save_preset("kept")
    assert ("kept", "1x5: 1 0 -3.0625 0 0.001") in read_presets(desk)
    desk.close("Escape")
    desk.begin()
    desk.save_preset("other")
    for key, size in [("Home", "3x3"), ("Down", "1x5"), ("Home", "3x3"), ("Down", "1x5")]:
        desk.press("alt+s", key)
        desk.previews(f"matrix {size}")
    for keys, left in [("Home Tab Tab space d Escape", ["kept", "other"]),
                       ("End Tab Tab space d", ["kept"]), ("End Tab Tab space d", [])]:
        desk.press("alt+s", *keys.split())
        assert [name for name, _ in read_presets(desk)] == left
    desk.close("Escape")
