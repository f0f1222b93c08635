#!/usr/bin/env python3
"""Holds the help, which the build made in FOLDER, to the dialogs: help.py FOLDER PO... A page calls
a control what the translation of its language calls it, and menus have GIMP's own names, if GIMP's
translations are there."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

# The pages' words for GIMP's menus: file, context and text.
MENUS = {
    "Filters": ("gimp20", "filters-action", "Filte_rs"),
    "Blur": ("gimp20", "filters-action", "_Blur"),
    "Generic": ("gimp20", "filters-action", "_Generic"),
    "Edit": ("gimp20", "edit-action", "_Edit"),
    "Undo": ("gimp20", "edit-action", "_Undo"),
    "Help": ("gimp20", "help-action", "_Help"),
    "Procedure Browser": ("gimp20-std-plug-ins", "", "Procedure _Browser"),
}


def read(command, path):
    """Messages of one line, by context and text."""
    done = subprocess.run([command, "--no-wrap", path], capture_output=True, encoding="utf-8")
    return {(context, text): translation for context, text, translation in re.findall(
        r'^(?:msgctxt "(.*)"\n)?msgid "(.+)"\nmsgstr "(.+)"$', done.stdout, re.MULTILINE)}


def get_plain(label):
    """As it is read: without its key, its colon and its dots."""
    label = re.sub(r"\(_\w\)", "", label).replace("_", "").replace("\xa0", " ")
    return re.sub(r" ?(\.\.\.|…|:|：)$", "", label)


def read_labels(po, language):
    """Translations by what they are of; there can be more than one."""
    labels = {}
    for (_, text), translation in read("msgcat", po).items():
        labels.setdefault(get_plain(text), set()).add(get_plain(translation))
    for name, (file, context, text) in MENUS.items():
        gimp = read("msgunfmt", f"/usr/share/locale/{language}/LC_MESSAGES/{file}.mo")
        labels[name] = {get_plain(gimp[context, text])} if (context, text) in gimp else None
    return labels


def get_text(element):
    return " ".join("".join(element.itertext()).split())


def get_names(path):
    """What each part of a page or an index names: as a title, as a term, or in bold letters."""
    names = []
    for element in ElementTree.parse(path).iter():
        if element.tag in ("title", "h1", "help-item"):
            names.append([element.get("title") or get_text(element)])
        elif element.tag == "dt":
            names.append(re.split(", |、", get_text(element)))
        elif element.tag in ("p", "dd"):
            names.append([get_text(bold) for bold in element.iter("b")])
    return names


def get_matcher(name, labels):
    """Says of a text whether it stands for the name. A name can be a part of a label."""
    if name in labels:
        return lambda text: labels[name] is None or text in labels[name]
    part = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    wholes = [label.lower() for original, translations in labels.items() if part.search(original)
              for label in translations or ()]
    return lambda text: not wholes or any(text.lower() in whole for whole in wholes)


def check(path, original, labels):
    """What is wrong, in sentences. A language has its own order of words."""
    for names, texts in zip(get_names(original), get_names(path), strict=True):
        for name in sorted(names, key=lambda name: labels.get(name) is None):
            matches = get_matcher(name, labels)
            found = [text for text in texts if matches(text)]
            if found:
                texts.remove(found[0])
            else:
                yield f"{path}: none of {texts} is what the dialog has for '{name}'"


def main(pages, *paths):
    wrong = []
    for po in paths:
        language = re.search(r"(\w+)\.po$", po).group(1)
        labels = read_labels(po, language)
        for name in sorted(os.listdir(os.path.join(pages, "en"))):
            wrong += check(os.path.join(pages, language, name), os.path.join(pages, "en", name),
                           labels)
    for sentence in wrong:
        print(sentence)
    return bool(wrong)


sys.exit(main(*sys.argv[1:]))
