"""gegl:gaussian-blur taken over: who makes its nodes, and what these do, also within operations of
GEGL's that blur by it. Each case runs in a process of its own.

CUDA_BLUR_TEST_GEGL: the folder of GEGL's own operations."""

import ctypes
import os
import threading
from typing import NamedTuple

import numpy as np
import pytest

import graph
from cases import list_examples
from graph import Graph, gegl
from processes import apart, run_apart
from take_over_case import PLACE, SIZE, get_difference, paint, render, set_take_over

THEIRS, OURS = "gegl:gaussian-blur", "cuda:gaussian-blur"
modules = os.path.join(os.environ["XDG_DATA_HOME"], "gegl-0.4", "plug-ins")  # by own_folders.py
MARK = os.path.join(modules, "cuda-blur-take-over")
AUTO, FIR = 0, 1  # of the property "filter": recursive from a radius of 1 on

# Of 1. GEGL's FIR ends at 3.25 sigma, and leaves out 0.0012 of the weights an axis; its recursive
# filter is less exact. Operations that amplify the blur are set to do so by less than 2.
TOLERANCE, RECURSIVE_TOLERANCE = 0.002, 0.03


def set_mark(text):
    """Lays the file that setup.sh lays, or takes it away if text is None."""
    if text is not None:
        with open(MARK, "w", encoding="utf-8") as file:
            file.write(text)
    elif os.path.exists(MARK):
        os.unlink(MARK)


# ---- who makes the nodes ----


class TypeQuery(ctypes.Structure):
    """GLib's GTypeQuery."""

    _fields_ = [("type", ctypes.c_size_t), ("name", ctypes.c_char_p),
                ("class_size", ctypes.c_uint), ("instance_size", ctypes.c_uint)]


class DlInfo(ctypes.Structure):
    """The C library's Dl_info."""

    _fields_ = [("file", ctypes.c_char_p), ("base", ctypes.c_void_p), ("name", ctypes.c_char_p),
                ("address", ctypes.c_void_p)]


def get_files():
    """The files that the functions of the class of GEGL's blur are in. The class is at least as
    large as its parent: GLib does not tell the size of a module's class."""
    node = Graph().add(THEIRS)
    address = ctypes.c_size_t.from_address(node.object.value).value
    query, info, files = TypeQuery(), DlInfo(), set()
    kind = ctypes.c_size_t.from_address(address).value
    gegl.g_type_query(gegl.g_type_parent(kind), ctypes.byref(query))
    assert query.class_size
    for word in (ctypes.c_size_t * (query.class_size // 8)).from_address(address):
        if ctypes.CDLL(None).dladdr(ctypes.c_void_p(word), ctypes.byref(info)):
            files.add(os.path.basename(info.file.decode()))
    return files


def has_child(node, operation):
    return operation in node.get_children()


def check_new_node(ours):
    node = Graph().add(THEIRS)
    assert has_child(node, OURS) == ours and has_child(node, "gegl:gblur-1d") != ours


def be_wanted(mark, ours):
    set_mark(mark)
    graph.start()
    check_new_node(ours)
    assert ("cuda-blur.so" in get_files()) == ours
    assert gegl.gegl_has_operation(OURS.encode())


@pytest.mark.parametrize("value,mark,ours,message", [
    (None, None, False, None), ("no", "yes", False, None),
    ("maybe", "yes", False, 'CUDA_BLUR_TAKE_OVER is "maybe", but must be yes, no or '),
    ("yes", None, True, None), ("gaussian-blur", None, True, None),
    (",".join(name for _, name in list_examples("TAKEN") if name != "gaussian-blur"), None, False,
     None),
    ("gaussian-blur,", None, False, '"gaussian-blur,", but must be yes, no or '),
    ("", "yes\n", True, None), (None, "", True, None), (None, "gaussian-blur\n", True, None),
    (None, "maybe", False, '/cuda-blur-take-over is "maybe", but must be yes, ')])
def test_wanted(value, mark, ours, message):
    said = run_apart(be_wanted, mark, ours, CUDA_BLUR_TAKE_OVER=value)
    assert said.count("must be yes") == (message is not None)
    assert not message or message in said


@pytest.mark.parametrize("first", [True, False])
def test_order(first):
    """GEGL loads the files of GEGL_PATH in the opposite order."""
    folders = [modules, os.environ["CUDA_BLUR_TEST_GEGL"]]
    run_apart(be_wanted, None, True, CUDA_BLUR_TAKE_OVER="yes",
              GEGL_PATH=":".join(folders[::-1] if first else folders))


# ---- threads ----


def make_nodes(opened, failures):
    opened.wait()
    try:
        for _ in range(25):
            Graph().add("gegl:unsharp-mask")
            check_new_node(True)
    except AssertionError as failure:
        failures.append(failure)


def race(load):
    """Calls load, then lets the threads go, which all want the class at once."""
    opened, failures = threading.Event(), []
    threads = [threading.Thread(target=make_nodes, args=(opened, failures)) for _ in range(4)]
    for thread in threads:
        thread.start()
    load()
    opened.set()
    make_nodes(opened, failures)
    for thread in threads:
        thread.join()
    assert not failures


def be_late():
    """A node of before stays GEGL's, and works."""
    graph.start()
    nodes = Graph()
    source = nodes.add("gegl:rectangle")
    blur = nodes.add(THEIRS, source, clip_extent=False)
    race(lambda: gegl.gegl_load_module_directory(modules.encode()))
    assert has_child(blur, "gegl:gblur-1d")
    source.set(x=0, y=0, width=9, height=9)
    blur.set(std_dev_x=2.0)
    assert blur.box.width == 9 + 2 * 6


@pytest.mark.parametrize("time", range(3))
def test_threads(tmp_path, time):
    """The module is loaded at GEGL's start, or later."""
    run_apart(race, graph.start, CUDA_BLUR_TAKE_OVER="yes")
    run_apart(be_late, CUDA_BLUR_TAKE_OVER="yes", XDG_DATA_HOME=str(tmp_path))


# ---- what the nodes do ----

FORMATS = ["R'G'B' u16", "Y' u8", "Y float", "R'G'B'A u8", "RGBA float"]


def add_chain(operation, format, place=PLACE):
    return Graph().add(operation, paint(format, place))


def check_extended(theirs, ours, radii, abyss):
    """Beyond a picture whose blur is larger is nothing: so it is with GEGL's recursive filter. (Its
    FIR has the abyss there. Black and white, the recursive one has them beyond the result.) Without
    an alpha, nothing is black."""
    if not any(0.0 < radius < 1.0 for radius in radii):
        box = tuple(theirs.box) if abyss in ("none", "clamp") else (*PLACE, *SIZE)
        theirs.set(filter=AUTO)
        assert get_difference(theirs, ours, box) <= RECURSIVE_TOLERANCE
    theirs.set(filter=FIR, abyss_policy="none")
    assert theirs.box == ours.box and get_difference(theirs, ours) <= TOLERANCE


def check_blur(theirs, ours, itself, radii, abyss, clip):
    """What there is to set, on both, and on the operation itself."""
    for node in theirs, ours, itself:
        node.set(std_dev_x=radii[0], std_dev_y=radii[1], abyss_policy=abyss, clip_extent=clip)
    for choice in range(3):
        theirs.set(filter=choice)
        ours.set(filter=choice)
        assert theirs.box == ours.box
    theirs.set(filter=FIR)
    if clip:
        assert get_difference(theirs, ours) <= TOLERANCE
    else:
        check_extended(theirs, ours, radii, abyss)
    assert itself.box == ours.box and get_difference(itself, ours) == 0.0


@pytest.mark.parametrize("format", FORMATS)
@apart(CUDA_BLUR_TAKE_OVER=None)
def test_blur(format):
    """The file beside the module decides when a node is made."""
    set_mark("yes\n")
    graph.start()
    check_new_node(True)
    set_mark(None)
    theirs = add_chain(THEIRS, format)
    set_mark("")
    ours, itself = add_chain(THEIRS, format), add_chain(OURS, format)
    itself.set(floats=True)  # as in a graph
    assert has_child(ours, OURS) and not has_child(theirs, OURS)
    for x in 0.0, 0.4, 0.9, 2.5, 13.0:
        for y in 0.0, 0.4, 0.9, 2.5, 13.0:
            for abyss in "none", "clamp", "black", "white":
                for clip in False, True:
                    check_blur(theirs, ours, itself, (x, y), abyss, clip)


# ---- GEGL's operations that blur by it: sizes, and results near to those with GEGL's own FIR ----


class User(NamedTuple):
    radius: str  # the property that says how far it blurs
    settings: dict = {}
    since: int = 42  # GEGL 0.4.x has it
    steps: bool = False  # it has thresholds or rounds, so that a pixel may differ by any amount
    opaque: bool = False  # it shows the colour of what is all but transparent, which is undefined
    masked: bool = False  # it takes a mask, which is the picture itself
    at_origin: bool = False  # it writes out of its own memory if the picture begins elsewhere


USERS = {
    "bevel": User("radius", {"type": 1}, 62, steps=True),
    "bloom": User("radius", {"strength": 80}),
    "cartoon": User("mask-radius", {"pct-black": 0.3}, steps=True, opaque=True),
    "difference-of-gaussians": User("radius1", {"radius2": 0.7}, opaque=True),
    "dropshadow": User("radius", {"x": -7}),
    "high-pass": User("std-dev", {"contrast": 1.5}),
    "inner-glow": User("radius", {"x": 3}, 62, steps=True),
    "local-threshold": User("radius", {}, 62, steps=True),
    "photocopy": User("mask-radius", {"sharpness": 0.4}, steps=True, opaque=True),
    "shadows-highlights": User("radius", {"shadows": 50}),
    "softglow": User("glow-radius", {"brightness": 0.4}),
    "styles": User("shadow-radius", {"shadow-opacity": 1, "enableoutline": 1, "enableinnerglow": 1},
                   62, steps=True),
    "unsharp-mask": User("std-dev", {"scale": 2}),
    "variable-blur": User("radius", masked=True),
    "waterpixels": User("smoothness", {"size": 8, "regularization": 3}, steps=True, opaque=True,
                        at_origin=True),
}


def choose_filter(choice):
    spec = gegl.gegl_operation_find_property(THEIRS.encode(), b"filter")
    ctypes.cast(spec, ctypes.POINTER(graph.EnumSpec)).contents.default = choice


def add_user(name, user, format, on):
    set_take_over("gaussian-blur" if on else "no")
    source = paint(format, (0, 0) if user.at_origin else PLACE)
    node = Graph().add(f"gegl:{name}", source)
    for setting, value in user.settings.items():
        node.set_near(setting, value)
    if user.masked:
        node.link(node.graph.add("gegl:buffer-source", buffer=source), "aux")
    return node


def render_user(node, on):
    """Nodes of softglow and others are made only while it runs."""
    set_take_over("gaussian-blur" if on else "no")
    return render(node)


def be_used(name, user, format):
    graph.start()
    for choice in AUTO, FIR:
        choose_filter(choice)
        theirs, ours = (add_user(name, user, format, on) for on in (False, True))
        for radius in 0.0, 0.4, 0.9, 2.5, 7.0, 13.0:
            theirs.set_near(user.radius, radius)
            ours.set_near(user.radius, radius)
            assert theirs.box == ours.box
            if choice == FIR:
                differences = np.abs(render_user(theirs, False) - render_user(ours, True))
                worst = differences.mean() if user.steps else differences.max()
                assert worst <= TOLERANCE, f"{format}, radius {radius}"


def be_used_in_all(name, user):
    for format in FORMATS[:3] if user.opaque else FORMATS:
        be_used(name, user, format)


@pytest.mark.parametrize("name", USERS)
def test_users(name):
    if graph.get_version() < (0, 4, USERS[name].since):
        pytest.skip("this GEGL has no such operation")
    said = run_apart(be_used_in_all, name, USERS[name], CUDA_BLUR_TAKE_OVER="yes",
                     CUDA_BLUR_TRACE="1")
    assert "cuda-blur: process " in said
