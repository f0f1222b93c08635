#!/usr/bin/env python3
"""Holds the engine's rooms to their rules: rooms.py SOURCE BUILD LIBRARY; prints TAP. LIBRARY: a
shared one of all of the engine.

  - No two headers include each other in a circle, and no two files call each other in one; nor do
    those of a room of plugin/ include each other.
  - A room calls only itself and the rooms below it. The four doors of plugin/ do not see each
    other.
  - A filter's names stand only in its room of cuda/ and in its files of plugin/. Of all the tree,
    few files outside its own have its identifier.
  - Of a room only its include folder is seen from outside.
  - A library of the engine shows the symbols that are meant, and no other.
  - Nothing of the tests' fault points is in it.
  - The map of the code names every folder, and no other.
"""

import ast
import graphlib
import os
import re
import subprocess
import sys

from cases import load_parts

SOURCE, BUILD, LIBRARY = sys.argv[1:4]
CUDA = os.path.join(SOURCE, "cuda")

# Each room, and those below it.
BELOW = {
    "base": [],
    "image": ["base"],
    "stream": ["base", "image"],
    "cpu": ["base", "image", "stream"],
    "gpu": ["base", "image", "stream"],
    "engine": ["base", "image", "stream", "cpu", "gpu"],
    "preview": ["base", "image", "stream", "cpu", "gpu", "engine"],
}

# The same for plugin/: four doors, and what they share.
PLUGIN_BELOW = {
    "filters": [],
    "colour": [],
    "controls": ["filters"],
    "command": ["filters", "colour"],
    "gegl": ["filters", "colour"],
    "gimp2": ["filters", "colour", "controls"],
    "gimp3": ["filters", "colour", "controls"],
}


def read_filters():
    """The list in meson.build: of each filter its room, the name of its files, and its own name."""
    with open(os.path.join(SOURCE, "meson.build"), encoding="utf-8") as file:
        return ast.literal_eval(re.search(r"^filters = (\[.*?^\])", file.read(), re.M | re.S)[1])


FILTERS = read_filters()
BELOW.update({room: ["base", "image", "stream", "cpu", "gpu"] for room, _, _ in FILTERS})



def read_filters_below():
    """The filters of which others are made, as some are convolutions: whose headers they take."""
    rooms = {room for room, _, _ in FILTERS}
    below = {}
    for room in rooms:
        with open(os.path.join(CUDA, room, "meson.build"), encoding="utf-8") as file:
            lines = re.findall(r"^below .*", file.read(), re.M)
            below[room] = sorted(rooms.intersection(re.findall(r"'(\w+)'", " ".join(lines))))
    return below


FILTERS_BELOW = read_filters_below()
for name, others in FILTERS_BELOW.items():
    BELOW[name].extend(others)

# Rooms whose name no other room needs as a word. For the other filters only identifiers count.
UNCOMMON_WORDS = {"blur"}

# Rooms of filters that are blurs, too, and say so.
OTHER_BLURS = {room for room, file, _ in FILTERS if file.endswith("-blur")}

# The only other files of plugin/ that name filters: the user chooses which of GEGL's operations are
# replaced.
NAMED = {"plugin/setup/take-over.sh"}

# Words that name no filter: the product, and an operation of GEGL's own.
NO_FILTER = r"CUDA_BLUR_|cuda[-_]blur|GIMP_CUDA_BLUR|gegl:[a-z-]+"

# The files that name all filters: languages, what users read, and pictures.
ALL_NAMED = r"po/|plugin/help/|plugin/pictures/|.*\.md$"


def walk(folder, *endings):
    for place, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith(endings):
                yield os.path.relpath(os.path.join(place, name), SOURCE)


def read(path):
    with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
        return file.read()


def find_circle(arrows):
    """Names that have arrows from each to the next, from the first back to it, or None."""
    try:
        graphlib.TopologicalSorter(arrows).prepare()
    except graphlib.CycleError as error:
        return error.args[1][::-1]  # which has the arrows from each to the one before
    return None


def check_headers():
    headers = {os.path.basename(path): path for path in walk(CUDA, ".h")}
    arrows = {}
    for path in headers.values():
        names = re.findall(r'^#include "([^"]+)"', read(path), re.M)
        arrows[path] = {headers[name] for name in names if name in headers}
    circle = find_circle(arrows)
    return ["headers include each other: " + " -> ".join(circle)] if circle else []


def get_name(path):
    return os.path.splitext(path)[0].removesuffix("-private")


def read_plugin():
    """The files of each room of plugin/, and the headers that each includes. A file, NAME.h and
    NAME-private.h are one."""
    rooms = {}
    for path in walk(os.path.join(SOURCE, "plugin"), ".c", ".h"):
        room = path.split("/")[1]
        name = get_name(os.path.basename(path))
        included = {get_name(header)
                    for header in re.findall(r'^#include "([^"]+)"', read(path), re.M)}
        files = rooms.setdefault(room, {})
        files[name] = files.get(name, set()) | included - {name}
    return rooms


def check_plugin():
    rooms, problems = read_plugin(), []
    if set(rooms) != set(PLUGIN_BELOW):
        return [f"plugin/ has the rooms {', '.join(sorted(rooms))}"]
    for room, files in rooms.items():
        circle = find_circle({name: included & set(files) for name, included in files.items()})
        if circle:
            problems.append(f"files of {room} include each other: " + " -> ".join(circle))
        seen = set().union(files, *(rooms[other] for other in PLUGIN_BELOW[room]))
        unseen = set().union(*rooms.values()) - seen
        problems += [f"{room}/{name} includes {other}, which is in no room below"
                     for name, included in sorted(files.items()) for other in included & unseen]
    return problems


def run_nm(path, *options):
    """Symbols of a file, and the letters of their kinds."""
    done = subprocess.run(["nm", "-P", *options, path], check=True, capture_output=True, text=True)
    return [line.split()[:2] for line in done.stdout.splitlines()]


def read_symbols():
    """What each object file of the engine defines, and what it needs: by its source."""
    defined, needed = {}, {}
    for place, _, names in os.walk(os.path.join(BUILD, "cuda")):
        folder = os.path.relpath(place, os.path.join(BUILD, "cuda")).split("/")[0]
        for name in names:  # ROOM_FILE.c.o, or in a room's own folder, FILE.c.o
            room, _, file = (name if folder not in BELOW else f"{folder}_{name}").partition("_")
            if not file.endswith(".c.o") or room not in BELOW:
                continue
            source = f"{room}/{file[:-2]}"
            for symbol, kind in run_nm(os.path.join(place, name)):
                if kind in "TDBRVWGSi":
                    defined[symbol] = source
                elif kind == "U":
                    needed.setdefault(source, set()).add(symbol)
    return defined, needed


def check_calls():
    defined, needed = read_symbols()
    arrows = {source: {defined[s] for s in symbols if s in defined} - {source}
              for source, symbols in needed.items()}
    problems = [] if arrows else ["no object files: build first"]
    circle = find_circle(arrows)
    if circle:
        problems.append("files call each other: " + " -> ".join(circle))
    for source, others in sorted(arrows.items()):
        room = source.split("/")[0]
        for other in sorted(others):
            if other.split("/")[0] not in BELOW[room] + [room]:
                problems.append(f"{source} calls {other}, which is no room below")
    return problems


def get_identifiers(room):
    """What the public headers of a filter's room declare in its name."""
    names = set()
    for path in walk(os.path.join(CUDA, room, "include"), ".h"):
        names.update(re.findall(rf"\b(?:{room}_|{room.upper()}_|{room.title()})\w+", read(path)))
    return names


def get_owner(path):
    """The filter whose file that is, if it is one's."""
    if path.startswith("cuda/"):
        return path.split("/")[1]
    return next((room for room, file, _ in FILTERS if os.path.basename(path).startswith(file)),
                None)


def find_words(words):
    return re.compile(rf"\b(?:{'|'.join(sorted(words))})\b")


def find_names(identifiers, file, name):
    """What plugin/ has in a filter's name: identifiers, files, procedure and operation."""
    symbol = file.replace("-", "_")
    return find_words(identifiers | {symbol, rf"{symbol}_\w+", file, name, f"extension-{name}",
                                     name.replace("-", ":", 1)})


def check_names():
    """The product's name is in the environment, on disk and in the trace."""
    problems, unnamed = [], set(NAMED)
    for room, file, name in FILTERS:
        identifiers = get_identifiers(room)
        if not identifiers:
            problems.append(f"cuda/{room}/include declares nothing in the name of {room}")
            continue
        patterns = {
            CUDA: re.compile(f"(?i){room}") if room in UNCOMMON_WORDS else find_words(identifiers),
            os.path.join(SOURCE, "plugin"): find_names(identifiers, file, name),
        }
        for folder, pattern in patterns.items():
            for path in walk(folder, ".c", ".h", ".cu", ".cuh", ".xml", ".build", ".sh"):
                owner = get_owner(path)
                if owner == room or room in FILTERS_BELOW.get(owner, []):
                    continue
                blurs = folder == CUDA and owner in OTHER_BLURS
                words = find_words(identifiers) if blurs else pattern
                text = re.sub(NO_FILTER, "", read(path))
                if path in NAMED:
                    if words.search(text):
                        unnamed.discard(path)
                    continue
                for number, line in enumerate(text.splitlines(), 1):
                    if words.search(line):
                        problems.append(f"{path}:{number} says {room}: {line.strip()}")
    return problems + [f"{path} names no filter: drop it from NAMED" for path in sorted(unnamed)]


def list_naming(room, file):
    """The files of the tree outside a filter's own that have its identifier."""
    symbol = file.replace("-", "[-_]")
    pattern = re.compile(rf"{symbol}|cuda[/-]{room}".encode())
    own = rf"(cuda|tests)/{room}/|plugin/filters/{file}|{ALL_NAMED}"
    for path in list_tree():
        if not re.match(own, path):
            with open(os.path.join(SOURCE, path), "rb") as data:
                if pattern.search(data.read()):
                    yield path


def check_naming():
    """NAMED_IN of a filter's examples.py, in how many: so that a filter is in one place. The other
    blurs are held to the Gaussian, so its name is everywhere."""
    problems, parts = [], load_parts("examples")
    for room, file, _ in FILTERS:
        if room in UNCOMMON_WORDS or room not in parts:  # as a filter in the making
            continue
        paths = list(list_naming(room, file))
        if len(paths) > parts[room].NAMED_IN:
            problems.append(f"{len(paths)} files name {file}, not {parts[room].NAMED_IN} as its "
                            f"examples.py says: {' '.join(paths)}")
    return problems


def check_includes():
    """fx_includes, which all that uses the engine is compiled with, has include folders alone."""
    meant = ["room_includes += {room: include_directories(room / 'include')}",
             "fx_includes += room_includes[room]"]
    lines = re.findall(r"^ *((?:fx|room)_includes \+= .*)",
                       "".join(read(path) for path in walk(CUDA, "meson.build")), re.M)
    return [] if lines == meant else [f"the include folders are set by: {lines}"]


def check_exports():
    meant = set()
    for path in walk(CUDA, ".h"):
        for part in re.findall(r"^FX_BEGIN_API$(.*?)^FX_END_API$", read(path), re.M | re.S):
            meant.update(re.findall(r"\b([a-z0-9_]+) \(", part))
    names = {name for name, _ in run_nm(LIBRARY, "-D", "--defined-only")} - {"_init", "_fini"}
    names = {name for name in names if not name.endswith(".resolver")}  # the compiler's, of clones
    return [f"{name} is seen from outside" for name in sorted(names - meant)] + (
        [] if names else ["nothing is seen from outside"])


def check_faults():
    names = [name for name, _ in run_nm(LIBRARY)]
    return [f"{name} is one of the tests'" for name in names
            if re.match(r"fault_|stand_in|shim_|__wrap_", name)] + (
        [] if names else ["no symbols"])


def list_tree():
    """What git has, if this is a clone."""
    listed = subprocess.run(["git", "-C", SOURCE, "ls-files"], capture_output=True, text=True)
    return [path for path in listed.stdout.splitlines()
            if os.path.isfile(os.path.join(SOURCE, path))]


def get_folders():
    folders = set()
    for path in list_tree():
        parts = path.split("/")[:-1]
        if parts and parts[0] in ("cuda", "plugin", "tests"):
            folders.add("/".join(parts[:2]))
    return folders


def check_map():
    """tests/README.md: a line `folder/` of each folder that has a room of its own. The filters' may
    be left out."""
    text = read("tests/README.md")
    named = set(re.findall(r"^- `((?:cuda|plugin|tests)(?:/[a-z0-9-]+)?)/`", text, re.M))
    folders = get_folders()
    if not folders:
        return []
    optional = {f"{top}/{room}" for top in ("cuda", "tests") for room, _, _ in FILTERS}
    return [f"the map lacks {name}/" for name in sorted(folders - named - optional)] + [
        f"the map has {name}/, which is not there" for name in sorted(named - folders)]


CHECKS = [
    ("no header includes another in a circle", check_headers),
    ("no file of plugin/ includes another in a circle, or one of another door", check_plugin),
    ("no file calls another in a circle, or a room above it", check_calls),
    ("a filter's names stand in its own room and files alone", check_names),
    ("a room shows its include folder alone", check_includes),
    ("few other files name a filter", check_naming),
    ("a library shows what is meant, and no more", check_exports),
    ("no fault point is in what is installed", check_faults),
    ("the map of the code is the tree", check_map),
]

failed = 0
print(f"1..{len(CHECKS)}")
for number, (title, check) in enumerate(CHECKS, 1):
    problems = check()
    for problem in problems:
        print("#", problem)
    failed += bool(problems)
    print("not ok" if problems else "ok", number, "-", title)
sys.exit(failed > 0)
