#!/usr/bin/env python3
"""Holds labels to one key each: mnemonics.py TEMPLATE PO... The template's own labels, and each
translation's, have exactly one where the original has one, and none twice in a window or a menu."""

import re
import subprocess
import sys

FRAME = ["_Reset", "_Cancel", "_OK", "Pre_sets:", "_Preview", "Split _view", "Preview on c_anvas",
         "_Device:", "A_utomatic"]

# What stands together.
TOGETHER = [
    FRAME + ["Sigma _X:", "Sigma _Y:", "_Kernel size:", "A_byss policy:", "_Light:",
             "_Grow layer"],
    FRAME + ["_Matrix:", "Ad_just", "I_n Cells", "As Te_xt", "Si_ze:", "D_ivisor:", "O_ffset:",
             "R_ed", "_Green", "_Blue", "A_lpha", "Alpha _weighting:", "Ab_yss policy:",
             "Ligh_t:"],
    ["_Import Current Settings from File...", "_Export Current Settings to File...",
     "_Manage Saved Presets..."],
    ["_Rename", "_Delete", "_Close"],
    ["_Transpose", "_Rotate by 90 Degrees", "Mirror _Horizontally", "Mirror _Vertically",
     "_Normalize", "_Invert"],
    ["_Open", "_Cancel"],
    ["_Save", "_Cancel"],
    ["Gaussian Blur (_CUDA)..."],
    ["Convolution Matrix (_CUDA)..."],
]

# Of the environment; what is said of them begins with their names.
VARIABLES = "CUDA_BLUR_"

# GIMP's own button, and the windows of ours that have it.
HELP = "_Help"
HELPED = TOGETHER[:2]


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
