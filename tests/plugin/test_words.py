"""What GIMP has, too, is called as GIMP calls it: the titles and labels of po/*.po, against the
translations of GIMP 2.10 and of GEGL that are installed."""

import gettext
import os
import re
import subprocess

import pytest

from cases import load_parts

PO = os.path.join(os.path.dirname(__file__), "..", "..", "po")
LOCALE = "/usr/share/locale"
CATALOGUES = "gimp20", "gegl-0.4"  # of a title GIMP's word counts before that of GEGL

with open(os.path.join(PO, "LINGUAS")) as linguas:
    LANGUAGES = re.findall(r"^\w+$", linguas.read(), re.MULTILINE)

# Our texts, and GIMP's.
TITLES = {part.TITLE: part.IN_GIMP for part in load_parts("examples").values()}
LABELS = {text: [text.replace("_", "").rstrip(":")] for text in [
    "Ab_yss policy:", "A_byss policy:", "Size _X:", "Size _Y:", "D_ivisor:", "O_ffset:", "R_ed",
    "_Green", "_Blue", "A_lpha", "_Preview", "Split _view", "_Reset"]}


def get_words(text):
    """Without a key, and what ends a label or an entry of a menu."""
    text = re.sub(r"\(_\w\)", "", text).replace("_", "")
    return re.sub(r"\s*(\.\.\.|…|:|：)$", "", text).strip().casefold()


def read(path):
    with open(path, "rb") as file:
        translations = gettext.GNUTranslations(file)._catalog
    return {key: text for key, text in translations.items() if isinstance(key, str) and text}


def read_catalogues(language):
    """Of each that is there, its translations by the words of the English texts, in any context."""
    paths = [f"{LOCALE}/{language}/LC_MESSAGES/{name}.mo" for name in CATALOGUES]
    catalogues = []
    for path in filter(os.path.exists, paths):
        words = {}
        for key, text in read(path).items():
            words.setdefault(get_words(key.split("\x04")[-1]), set()).add(get_words(text))
        catalogues.append(words)
    return catalogues


@pytest.fixture(scope="module", params=LANGUAGES)
def language(request, tmp_path_factory):
    """Our translations, and GIMP's catalogues."""
    catalogues = read_catalogues(request.param)
    if not catalogues:
        pytest.skip("no catalogue of GIMP's is installed")
    path = tmp_path_factory.mktemp("words") / "ours.mo"
    subprocess.run(["msgfmt", "-o", path, f"{PO}/{request.param}.po"], check=True)
    return read(path), catalogues


def find_theirs(catalogues, texts):
    """What each catalogue that knows one of them calls it."""
    found = [set().union(*(words.get(text.casefold(), ()) for text in texts))
             for words in catalogues]
    return [names for names in found if names]


@pytest.mark.parametrize("text", TITLES)
def test_titles(language, text):
    """Also in the menu. GIMP's name for a blur of one kind has ours in it."""
    ours, catalogues = language
    words = get_words(ours[text]).removesuffix(" (cuda)")
    menu = get_words(ours[text.replace("(CUDA)", "(_CUDA)...")])
    theirs = find_theirs(catalogues, TITLES[text])
    assert menu.replace(" (cuda)", "") == words
    assert not theirs or any(words in name if len(TITLES[text]) > 1 else words == name
                             for name in theirs[0]), theirs


@pytest.mark.parametrize("text", LABELS)
def test_labels(language, text):
    ours, catalogues = language
    theirs = find_theirs(catalogues, LABELS[text])
    assert not theirs or get_words(ours[text]) in set().union(*theirs), theirs
