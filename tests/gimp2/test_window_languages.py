"""The dialogs in English and in each language of po/LINGUAS: they say what the translation says,
nothing is clipped, each letter has a glyph, no key leads to two places, their help is in that
language, and they fit on a small screen. No message makes them larger."""

import os
import re
import shutil
import subprocess

import pytest

from desk import KEYS, TITLES
from looks import ask_module, check_room, check_small
from session import HERE

PO = os.path.join(HERE, "..", "..", "po")
PAGES = {filter: filter for filter in TITLES} | {"convolve": "convolution-matrix"}

with open(os.path.join(PO, "LINGUAS")) as linguas:
    LANGUAGES = ["en", *re.findall(r"^\w+$", linguas.read(), re.MULTILINE)]


@pytest.fixture(scope="module")
def desk(make_desk):
    if not shutil.which("msgfmt"):
        pytest.skip("no msgfmt")
    desk = make_desk()
    desk.widths = {}
    for language in LANGUAGES[1:]:
        folder = desk.get_path(f"plug-ins/cuda-blur/locale/{language}/LC_MESSAGES")
        os.makedirs(folder)
        subprocess.run(["msgfmt", "-o", f"{folder}/gimp20-cuda-blur.mo", f"{PO}/{language}.po"],
                       check=True)
    return desk


def has_font(language):
    """Without fc-list, assumes that there is one."""
    words = ["fc-list", f":lang={language.replace('_', '-')}", "file"]
    return not shutil.which(words[0]) or subprocess.check_output(words)


def translate(title, language):
    if language == "en":
        return title
    with open(f"{PO}/{language}.po", encoding="utf-8") as file:
        return re.search(f'^msgid "{re.escape(title)}"\nmsgstr "(.*)"$', file.read(),
                         re.MULTILINE)[1]


def open_in(desk, language, filter):
    """Its dialog, over the layer or what else is active."""
    desk.dialog = f"^{re.escape(translate(TITLES[filter], language))}$"
    desk.open(f"ctrl+alt+{KEYS[filter]}")
    desk.previews()


def look_at_labels(desk):
    return ask_module(desk, desk.dialog, "F12", "labels")


@pytest.fixture(scope="module", params=LANGUAGES)
def language(request, desk):
    if not has_font(request.param):
        pytest.skip("no font")
    (desk.restart if desk.gimp else desk.start)(LANGUAGE=request.param)
    return request.param


@pytest.mark.parametrize("filter", TITLES)
def test_dialog(desk, language, filter):
    """All labels are there when there is a preview."""
    desk.new_image("rgba")
    open_in(desk, language, filter)
    desk.widths.setdefault(filter, check_room(desk))  # in English
    check_small(desk)
    assert look_at_labels(desk) == "ok"
    desk.press("F1")
    assert desk.await_page().endswith(f"/help/{language}/{PAGES[filter]}.html")
    desk.close("Escape")


@pytest.mark.parametrize("filter", ["convolve", "lens-blur"])
def test_dialog_for_mask(desk, language, filter):
    """The tallest ones, with a line that says why the canvas has no preview."""
    image = desk.new_image("rgba")
    desk.gimp.layer_set_edit_mask(image.drawable, 1)
    open_in(desk, language, filter)
    check_room(desk)
    check_small(desk)
    desk.close("Escape")


# As quoted in a message: a letter that no font has, and many words.
LIMIT = "\U0010ffff" + 100 * "much "


@pytest.fixture(scope="module")
def large_letters(desk):
    """Each view fails, with a message that quotes the limit."""
    desk.add("gtkrc", 'gtk-font-name = "Sans 20"')
    desk.restart(LANGUAGE="en", CUDA_BLUR_MEMORY_LIMIT=LIMIT)


@pytest.mark.parametrize("filter", TITLES)
def test_message(desk, large_letters, filter):
    desk.choose_filter(filter)
    desk.begin("rgba")
    desk.wait_for("the message is not told", lambda: re.search(
        "much much.*without a glyph", look_at_labels(desk), re.DOTALL))
    assert check_room(desk) > desk.widths[filter] + 100
    desk.close("Escape")
