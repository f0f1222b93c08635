#!/usr/bin/env python3
"""Holds labels to one key each: mnemonics.py TEMPLATE PO... The template's own labels, and each
translation's, have exactly one where the original has one, and none twice in a window or a menu."""

import ast
import os
import re
import subprocess
import sys

SOURCE = os.path.join(os.path.dirname(__file__), "..")

# The labels that every filter's dialog has, and those that it also has if the filter has a matrix.
FRAME = ["_Reset", "_Cancel", "_OK", "Pre_sets:", "_Preview", "Split _view", "Preview on c_anvas"]
MATRIX = ["Ad_just", "I_n Cells", "As Te_xt", "Si_ze:"]

# The labels of GIMP 3's designer besides the filter's, and its entry in the menu.
DESIGNER = ["_Reset", "_Cancel", "_OK", "Pre_sets:", "_As an effect", "_Preview",
            "Pic_k an effect:"]
DESIGNER_MENU = "Matri_x Designer (CUDA)..."


def read_filters():
    """Of each filter in meson.build: the label in the menu, and those in the dialog."""
    with open(os.path.join(SOURCE, "meson.build"), encoding="utf-8") as file:
        names = ast.literal_eval(re.search(r"^filters = (\[.*?^\])", file.read(), re.M | re.S)[1])
    with open(os.path.join(SOURCE, "plugin/filters/choices.h"), encoding="utf-8") as file:
        shared = {name: get_labels(text) for name, text in re.findall(
            r"#define (CHOICES_\w+_PROPERTY)(.*?)\n(?:\n|$)", file.read(), re.S)}
    for _, name, _ in names:
        with open(os.path.join(SOURCE, f"plugin/filters/{name}.c"), encoding="utf-8") as file:
            text = file.read()
        menu = re.search(r"\.menu_label = N_ \(\"(.*?)\"\)", text)[1]
        labels = FRAME + [label for label in get_labels(text) if label != menu]
        labels += MATRIX if "FILTER_MATRIX" in text else []
        for use in re.findall(r"CHOICES_\w+_PROPERTY", text):
            labels += shared[use]
        yield menu, list(dict.fromkeys(labels))


def get_labels(text):
    """The texts with a key that are marked."""
    return re.findall(r'N_ \("([^"]*_[^"]*)"\)', text)


FILTERS = list(read_filters())

# The designer's windows.
DESIGNED = [DESIGNER + [label for label in labels if label not in FRAME]
            for _, labels in FILTERS if set(MATRIX) <= set(labels)]

# The labels that one sees together.
TOGETHER = [labels for _, labels in FILTERS] + DESIGNED + [
    [menu, DESIGNER_MENU] for menu, _ in FILTERS] + [
    ["_Import Current Settings from File...", "_Export Current Settings to File...",
     "_Delete Selected Preset"],
    ["_Rotate by 90 Degrees", "Mirror _Horizontally", "Mirror _Vertically"],
    ["_Open", "_Cancel"],
    ["_Save", "_Cancel"],
]

# Variables of the environment; messages about them begin with their names.
VARIABLES = "CUDA_BLUR_"

# GIMP's own button, and the windows of ours that have it.
HELP = "_Help"
HELPED = [labels for _, labels in FILTERS] + DESIGNED


def read(command, path):
    """Messages of one line and their translations."""
    text = subprocess.run([command, "--no-wrap", path], check=True, capture_output=True,
                          encoding="utf-8").stdout
    return dict(re.findall(r'^msgid "(.+)"\nmsgstr "(.*)"$', text, re.MULTILINE))


def read_help(language):
    """The label of GIMP's button, as it is where there is no translation."""
    path = f"/usr/share/locale/{language}/LC_MESSAGES/gimp20-libgimp.mo"
    try:
        return read("msgunfmt", path).get(HELP) or HELP
    except subprocess.CalledProcessError:
        return HELP


def get_keys(label):
    return re.findall(r"_(\w)", label.lower())


def check(path, labels, gimp_help):
    """What is wrong, in sentences."""
    for original, label in labels.items():
        if len(get_keys(label)) != 1:
            yield f"{path}: '{label}' for '{original}' must have one mnemonic"
    for together in TOGETHER:
        found = {}
        for label in [labels[original] for original in together] + (
                [gimp_help] if together in HELPED else []):
            for key in get_keys(label):
                if key in found:
                    yield f"{path}: '{found[key]}' and '{label}' stand together"
                found[key] = label


def main(template, *paths):
    originals = [text for text in read("msgcat", template)
                 if "_" in text and not text.startswith(VARIABLES)]
    known = {label for together in TOGETHER for label in together}
    wrong = [f"tests/mnemonics.py does not say what '{label}' stands with"
             for label in originals if label not in known]
    wrong += [f"tests/mnemonics.py has '{label}', which is not there" for label in known
              if label not in originals]
    if not wrong:
        wrong += check(template, {label: label for label in originals}, HELP)
    for path in paths if not wrong else []:
        translations = read("msgcat", path)
        language = re.search(r"(\w+)\.po$", path).group(1)
        wrong += check(path, {label: translations.get(label) or label for label in originals},
                       read_help(language))
    for sentence in dict.fromkeys(wrong):
        print(sentence)
    return bool(wrong)


sys.exit(main(*sys.argv[1:]))
