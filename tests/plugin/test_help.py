"""The help pages: GIMP's index of each language leads to pages that are there, are well-formed, and
have the same parts, links, pictures and code in one language as in another; the English ones say
what the filters' descriptions say. CUDA_BLUR_TEST_HELP is the folder that has one for each
language."""

import itertools
import os
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from descriptions import FILTERS, PAIR, SWITCH, get_properties

HELP = Path(os.environ["CUDA_BLUR_TEST_HELP"])
LANGUAGES = (Path(__file__).parents[2] / "po" / "LINGUAS").read_text().split()
FLT_MAX = 3.4e38


def load(language, name):
    return ElementTree.parse(HELP / language / name).getroot()


def get_structure(language, root):
    """Its elements, what they lead to, which must be there, and code."""
    structure = []
    for element in root.iter():
        links = [element.get(name) for name in ("ref", "href", "src")]
        assert all((HELP / language / link).is_file() for link in links if link), links
        assert element.tag != "img" or element.get("alt")
        code = element.text if element.tag == "code" else None
        structure.append((element.tag, element.get("id"), *links, code))
    return structure


def get_page(index, filter):
    """The page that an index has for a filter: the help ID is the procedure's name."""
    return index.find(f"help-item[@id='{filter.contents.procedure.decode()}']").get("ref")


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_language(language):
    """English is what GIMP falls back to."""
    index, pages = load(language, "gimp-help.xml"), []
    for filter in FILTERS.values():
        pages.append(get_page(index, filter))
        assert load(language, pages[-1]).get("lang") == language.replace("_", "-")
    assert index.find("help-missing").get("ref") == pages[0]
    for name in ("gimp-help.xml", *pages):
        assert get_structure(language, load(language, name)) == get_structure(
            "en", load("en", name))


def get_plain(label):
    """As it is read: without its mnemonic and its colon."""
    return label.decode().replace("_", "").replace(":", "")


def list_settings(filter):
    """The labels of the dialog, from its top down: the map, pairs, the rest, switches."""
    pairs, rest, switches = [get_plain(label) for label in filter.contents.map[:1] if label], [], []
    properties = iter(sorted(get_properties(filter), key=lambda property: property.last))
    for property in properties:
        label = get_plain(property.label)
        if property.control == PAIR:
            pairs.append(f"{label}, {get_plain(next(properties).label)}")
        else:
            (switches if property.type == SWITCH else rest).append(label)
    return pairs + rest + switches


def read_settings(page):
    """What the chapter Settings describes."""
    chapter, settings = None, []
    for element in page.iter():
        if element.tag == "h2":
            chapter = element.text
        elif element.tag == "dt" and chapter == "Settings":
            settings.append(element.text)
    return settings


def list_words(property):
    """What a page says of a property: its largest number, and its choices."""
    if 0 < property.maximum < FLT_MAX and not property.bits:
        yield f"{property.maximum:g}"
    for choices in (property.choices, property.bits):
        for choice in itertools.takewhile(lambda item: item.name, choices or ()):
            yield get_plain(choice.label)


@pytest.mark.parametrize("filter", FILTERS.values(), ids=list(FILTERS))
def test_description(filter):
    page = load("en", get_page(load("en", "gimp-help.xml"), filter))
    text, description = "".join(page.itertext()), filter.contents
    assert read_settings(page) == list_settings(filter)
    assert description.title.decode() in text and description.procedure.decode() in text
    for property in get_properties(filter):
        for words in list_words(property):
            assert words in text
