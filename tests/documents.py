#!/usr/bin/env python3
"""Holds the documents to the sources: documents.py SOURCE; prints TAP.

  - Every link, picture and anchor leads to something that is there.
  - The shell reads every block of its commands.
  - Options, environment variables, procedures, properties and messages are those of the sources,
    and none of the sources' is missing.
  - A recipe has the matrix of its preset.
  - The front page is short, and the pictures are small.
"""

import os
import re
import subprocess
import sys
import urllib.parse

SOURCE = sys.argv[1]
FRONT_LINES_MAX = 120
PICTURE_MAX = 300_000
PICTURES_MAX = 3_000_000
PICTURES = ("plugin/pictures", "plugin/help/pictures")

FOREIGN_OPTIONS = {"--list", "--suite"}


def walk(folder, *endings):
    """Paths below folder, relative to the tree, without what is built."""
    for place, folders, names in os.walk(os.path.join(SOURCE, folder)):
        folders[:] = sorted(f for f in folders if not f.startswith("build") and f != ".git")
        for name in sorted(names):
            if name.endswith(endings):
                yield os.path.relpath(os.path.join(place, name), SOURCE)


def read(path):
    with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
        return file.read()


DOCUMENTS = {path: read(path) for path in walk("", ".md")}
ALL = "\n".join(DOCUMENTS.values())
SOURCES = {path: read(path) for top in ("cuda", "plugin", "tests", "po", ".ci")
           for path in walk(top, ".c", ".h", ".sh", ".py", ".build")}


def get_blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def drop_blocks(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)


# Links.


def get_anchors(text):
    """As the web pages of a repository make them of headings."""
    anchors = set()
    for heading in re.findall(r"^#+ (.*)$", drop_blocks(text), re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        slug = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
        number = 0
        while f"{slug}-{number}" in anchors or (number == 0 and slug in anchors):
            number += 1
        anchors.add(f"{slug}-{number}" if number else slug)
    return anchors


def get_links(text):
    text = re.sub(r"`[^`\n]*`", "", drop_blocks(text))
    return re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|srcset|href)="([^"]+)"', text)


def check_links():
    problems = []
    for path, text in DOCUMENTS.items():
        for link in get_links(text):
            target, _, anchor = link.partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            other = os.path.normpath(os.path.join(os.path.dirname(path),
                                                  urllib.parse.unquote(target))) if target else path
            if not os.path.exists(os.path.join(SOURCE, other)):
                problems.append(f"{path}: {link} leads nowhere")
            elif anchor and anchor not in get_anchors(DOCUMENTS.get(other, "")):
                problems.append(f"{path}: {other} has no heading for #{anchor}")
    return problems


def check_pictures():
    """A document shows them, or a page of the help."""
    sizes = {path: os.path.getsize(os.path.join(SOURCE, path))
             for folder in PICTURES for path in walk(folder, "")}
    shown = ALL + "".join(read(path) for path in walk("plugin/help", ".html"))
    problems = [f"{path} has {size} bytes" for path, size in sizes.items() if size > PICTURE_MAX]
    if sum(sizes.values()) > PICTURES_MAX:
        problems.append(f"the pictures have {sum(sizes.values())} bytes")
    for path in (path for path in sizes if path.endswith(".webp")):
        with open(os.path.join(SOURCE, path), "rb") as file:
            if sizes[path] != 8 + int.from_bytes(file.read(8)[4:], "little"):
                problems.append(f"{path}: its length is not the one in its header")
    return problems + [f"{path} is shown nowhere" for path in sizes
                       if path.endswith((".jpg", ".png", ".webp", ".settings"))
                       and os.path.basename(path) not in shown]


# Blocks.


def check_shell():
    problems = []
    for path, text in DOCUMENTS.items():
        for block in get_blocks(text, "sh"):
            done = subprocess.run(["sh", "-n"], input=block, capture_output=True, text=True)
            if done.returncode != 0:
                problems.append(f"{path}: {done.stderr.strip()} in: {block}")
    return problems


def check_packages():
    """What a document has installed is what setup.sh installs, what making packages takes, or what
    install.sh names; the file of a package begins ./"""
    known = "".join(text for path, text in SOURCES.items() if path.startswith("plugin/setup/"))
    known += read("tests/trees/road-package.sh") + read("plugin/packaging/archive/install.sh")
    problems = []
    for path, text in DOCUMENTS.items():
        for line in re.findall(r"apt-get install ([^`]+?)(?:`|\n(?! ))", text):
            for name in line.replace("\\\n", " ").split():
                if not name.startswith("./") and not re.search(rf"\b{re.escape(name)}\b", known):
                    problems.append(f"{path}: setup.sh does not know the package {name}")
    return problems


# Names.


PROPERTY = r'\{(?:\s+\\\n *| )\.name = "([a-z-]+)"'  # in a description, or in what they share


def get_command_options():
    """Those of cuda-blur: its own, the properties of the filters, and the letter of the first."""
    text = read("plugin/command/options.c")
    own = re.findall(r'\{ "([a-z-]+)", (?:0|\'(\w)\'),', text)
    properties = find_strings("plugin/filters/", PROPERTY)
    return {"--" + name for name, _ in own} | {"-" + letter for _, letter in own if letter} | {
        "--" + name for name in properties} | {"-s"}


def check_options():
    """Of the scripts: in a document where it names the script, and the other way round."""
    problems = []
    options = {"plugin/blur.sh": get_command_options()}
    known = FOREIGN_OPTIONS | options["plugin/blur.sh"]
    for path, text in DOCUMENTS.items():
        for script, rest in re.findall(r"sh ((?:plugin|tests)/[\w/-]+\.sh)([^`\n]*)", text):
            if not os.path.exists(os.path.join(SOURCE, script)):
                problems.append(f"{path}: there is no {script}")
                continue
            for option in re.findall(r"(?<=\s)--?[a-zA-Z][\w-]*", rest):
                if option not in options.get(script, ()) and not re.search(
                        rf"(?<![\w-]){option}\b", read(script)):
                    problems.append(f"{path}: {script} has no {option}")
        everything = "\n".join(SOURCES.values())
        for option in re.findall(r"`(--[a-z][\w-]+)\b", text):
            if option not in known and not re.search(rf"(?<![\w-]){option}\b", everything):
                problems.append(f"{path}: nothing has {option}")
    for script in ("plugin/setup.sh", "plugin/blur.sh", "tests/run.sh", "tests/fuzz.sh"):
        for option in sorted(set(re.findall(r"^ *(--[a-z-]+)\)", read(script), re.M))):
            if not re.search(rf"{option}\b", ALL):
                problems.append(f"no document names {option} of {script}")
    return problems


def check_build_options():
    own = set(re.findall(r"^option\('([a-z-]+)'", read("meson_options.txt"), re.M))
    named = set(re.findall(r"-D([a-z-]+)\b", ALL))
    return [f"meson_options.txt has no {name}" for name in sorted(named - own)] + [
        f"no document names -D{name}" for name in sorted(own - named)]


def check_variables():
    """Those of the tests may stay unnamed: many are set by one test for its own programs."""
    def find(text):
        return set(re.findall(r"\bCUDA_BLUR_[A-Z]+(?:_[A-Z]+)*\b", text))

    named, used = find(ALL), set()
    for path, text in SOURCES.items():
        used |= find(text) if path != "tests/documents.py" else set()
    return [f"nothing reads {name}" for name in sorted(named - used)] + [
        f"no document names {name}" for name in sorted(used - named)
        if not name.startswith("CUDA_BLUR_TEST_")]


def find_strings(folder, pattern):
    text = "\n".join(text for path, text in SOURCES.items()
                     if path.startswith(folder) and path.endswith((".c", ".h")))
    return set(re.findall(pattern, text))


def check_names(what, named, real):
    return [f"there is no {what} {name}" for name in sorted(named - real)] + [
        f"no document names the {what} {name}" for name in sorted(real - named)] + (
        [] if real else [f"no {what} was found in the sources"])


def check_procedures():
    filters = find_strings("plugin/filters/", r'FILTER_NAMES \("([a-z-]+)"\)')
    return check_names("procedure", set(re.findall(r"\bplug-in-cuda-[a-z-]+[a-z]", ALL)),
                       {"plug-in-cuda-" + name for name in filters}) + \
        check_names("operation", set(re.findall(r"\bcuda:[a-z-]+[a-z]", ALL)),
                    {"cuda:" + name for name in filters})


def check_arguments():
    """The tables of arguments have what the descriptions have; GEGL's names are code somewhere."""
    text = DOCUMENTS["plugin/SCRIPTS.md"]
    named = set()
    for table in re.findall(r"^\| argument .*\n\| -.*\n((?:\|.*\n)+)", text, re.M):
        for row in table.splitlines():
            named.update(row.split("|")[1].strip().split(", "))
    named -= {"run-mode", "image", "drawable", "rows", "columns", "num-values", "map"}
    problems = check_names("property", named, find_strings("plugin/filters/", PROPERTY))
    others = find_strings("plugin/filters/",
                          r'(?:\.operation_name = |_ABYSS_PROPERTY \()"([a-z-]+)"')
    return problems + [f"plugin/SCRIPTS.md does not have the property {name}"
                       for name in sorted(others) if not re.search(rf"\b{name}\b", text)]


def check_labels():
    """The tables of arguments name the dialog's labels, where the names do not stand in them. The
    first table is the Gaussian blur's."""
    text, table = DOCUMENTS["plugin/SCRIPTS.md"], r"\| argument .*\n(?:\|.*\n)+"
    tables = dict(re.findall(rf"`plug-in-cuda-([a-z-]+)`.*\n\n({table})", text))
    first = re.search(table, text)[0]
    problems = []
    for source in (text for path, text in SOURCES.items() if path.startswith("plugin/filters/")):
        for filter in re.findall(r'FILTER_NAMES \("([a-z-]+)"\)', source):
            for name, label in re.findall(r'\.name = "([a-z-]+)"(?s:.)*?\.label = N_ \("(.+?):?"\)',
                                          source):
                label = label.replace("_", "")
                row = re.search(rf"^\| ([^|]*, )?{name}(, [^|]*)? \|.*", tables.get(filter, first),
                                re.M)
                if name.replace("-", " ") not in label.lower() and not (row and label in row[0]):
                    problems.append(f"plugin/SCRIPTS.md: {name} of {filter} is not called {label}")
    return problems


def check_matrices():
    """A recipe with a matrix has it as text, as its preset has it, and names the ready one."""
    source = read("plugin/filters/ready-matrices.c")
    fixed = dict(re.findall(r"#define (\w+) FIXED_3 \((.*)\)", source))
    ready = {label: fixed.get(name, "") for label, name in re.findall(
        r'N_ \("(.+)"\), (\w+) \}', source)}
    problems = []
    for recipe in DOCUMENTS["plugin/GALLERY.md"].split("\n## "):
        title = recipe.splitlines()[0]
        named = re.findall(r"ready matrix (\w+)", recipe)
        texts = get_blocks(recipe, "text") + [ready.get(name, "") for name in named]
        for preset in re.findall(r"\((pictures/presets/[\w-]+\.settings)\)", recipe):
            for values in re.findall(r'"3x3: (.+)"', read("plugin/" + preset)):
                if [re.findall(r"-?\d+", text) for text in texts] != [values.split()] * 2:
                    problems.append(f"plugin/GALLERY.md: {title} has another matrix than {preset}")
    return problems


def check_messages():
    """What a document quotes with “”, where … stands for anything, is said by the sources."""
    said = "\n".join(re.sub(r'"\s*\n\s*"', "", text) for path, text in SOURCES.items()
                     if path.startswith(("cuda/", "plugin/")))
    said = re.sub(r"""['"] \\\n\s*['"]""", " ", said).replace('\\"', '"')
    problems = []
    for path, text in DOCUMENTS.items():
        for message in re.findall(r"“([^”]+)”", text):
            for part in message.split("…"):
                if part.strip() and part not in said:
                    problems.append(f"{path}: nothing says “{part}”")
    return problems


def check_front():
    lines = len(DOCUMENTS["README.md"].splitlines())
    problems = [f"README.md has {lines} lines"] if lines > FRONT_LINES_MAX else []
    parts = DOCUMENTS["README.md"].split("\n## ")
    for part, command in ((parts[0], "sh plugin/blur.sh plugin/pictures/coffee.jpg blurred.png 8"),
                          (parts[-1], "sh tests/run.sh")):
        if f"```sh\n{command}\n```" not in part:
            problems.append(f"README.md does not have {command} in its place")
    return problems


CHECKS = [
    ("every link leads somewhere", check_links),
    ("the pictures are small, and shown", check_pictures),
    ("the shell reads its blocks", check_shell),
    ("packages are those that are set up", check_packages),
    ("options are those of the scripts", check_options),
    ("build options are those of meson", check_build_options),
    ("environment variables are those that are read", check_variables),
    ("procedures and operations are those of the plug-in", check_procedures),
    ("arguments are the properties of the filters", check_arguments),
    ("arguments have the labels of the dialogs", check_labels),
    ("recipes have the matrices of their presets", check_matrices),
    ("messages are those that are said", check_messages),
    ("the front page is short, with a command at its top and one at its end", check_front),
]

failed = 0
print(f"1..{len(CHECKS)}")
for number, (title, check) in enumerate(CHECKS, 1):
    problems = check()
    for problem in problems:
        print("#", problem.replace("\n", " "))
    failed += bool(problems)
    print("not ok" if problems else "ok", number, "-", title)
sys.exit(failed > 0)
