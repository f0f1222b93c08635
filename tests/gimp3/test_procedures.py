"""The plug-in's procedures in GIMP 3's batch mode."""

import os
import re

import numpy as np
import pytest

from cases import list_examples, load_parts
from drawables import BLUR, LINEAR, WIDTH, Drawable, configure
from gimp import HERE

PLUG_IN = True
SIGMAS = {"sigma_x": 4.0, "sigma_y": 2.5}
INITIAL = {"sigma_x": 3.0, "sigma_y": 3.0}
EIGHT = {"sigma_x": 8.0, "sigma_y": 8.0}
VARIED = {part.FILTER: part.VARIED for part in load_parts("examples").values()
          if not hasattr(part, "MAPPED")}  # which test_map.py has
AS_LIGHT = list_examples("AS_LIGHT")
EACH = pytest.mark.parametrize("filter", VARIED)
PART = 5, 6, 30, 20
SHARPEN = np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]])


# ---- Script-Fu ----

BY_NAME = "#:image {image} #:drawables (vector {layer}) #:sigma-x 8 #:sigma-y 8"


@pytest.mark.parametrize("begin,arguments,effects", [
    ("", BY_NAME, 0),
    ("", 'RUN-NONINTERACTIVE {image} (vector {layer}) 8 8 0 "clamp" "linear" FALSE "auto" TRUE', 1),
    ("(script-fu-use-v3)", BY_NAME, 0), ("(script-fu-use-v3)", f"{BY_NAME} #:as-effect #t", 1)])
def test_script_fu(new, begin, arguments, effects):
    """In both versions of the language."""
    layer = new()
    before = layer.read()
    layer.run_script(f"{begin} (plug-in-cuda-gaussian-blur {arguments})".format(
        image=layer.image.get_id(), layer=layer.drawable.get_id()))
    layer.check(before, layer.see(), **EIGHT)
    assert len(layer.drawable.get_filters()) == effects


# ---- the documents ----


def get_lines(language, word):
    """The code in plugin/SCRIPTS.md that has the word."""
    with open(os.path.join(HERE, "../../plugin/SCRIPTS.md"), encoding="utf-8") as file:
        blocks = re.findall(rf"^```{language}\n(.*?)^```$", file.read(), re.M | re.S)
    return next(block for block in blocks if word in block)


@pytest.mark.parametrize("image", ["#:image i ", "#:image image "])
def test_lines_of_script_fu(new, image):
    """Those for the first image that is open, and for any."""
    layer = new()
    before = layer.read()
    layer.run_script(f"(let* ((image {layer.image.get_id()}) (layer {layer.drawable.get_id()}))"
                     f"{get_lines('scheme', image)})")
    layer.check(before, layer.read(), **EIGHT)


def test_lines_of_python_fu(gimp, new):
    layer = new(3, LINEAR)
    before = layer.read()
    gimp.load("builtins").exec(get_lines("python", "lookup_procedure"),
                               {"Gimp": gimp.Gimp, "image": layer.image, "layer": layer.drawable})
    layer.check(before, layer.read(), "convolve", values=SHARPEN)


def test_help(home, gimp):
    """GIMP keeps what a plug-in has told it of its help."""
    folder = os.path.dirname(home.plug_in)
    with open(f"{folder}/help/de/gimp-help.xml", encoding="utf-8") as file:
        pages = file.read()
    for part in load_parts("examples").values():
        assert f'"plug-in-cuda-{part.FILTER}"' in pages
    with open(home.get_path("gimp/pluginrc"), errors="replace") as file:
        assert f'"file://{home.inside}/gimp/plug-ins/cuda-blur/help")' in file.read()


# ---- for good ----


@EACH
@pytest.mark.parametrize("find", [lambda layer: layer, Drawable.add_mask, Drawable.add_channel])
def test_filters(new, filter, find):
    """Light does not apply to masks and channels: what is stored is blurred as it is. (But the
    operation cannot tell them from gray pixels, and compares some as light.)"""
    drawable = find(new(3))
    settings = {name: value for name, value in VARIED[filter].items()
                if not drawable.coverage or (filter, name) not in AS_LIGHT}
    before, arguments = drawable.read(), dict(settings)
    if "values" in settings:
        arguments["values"] = "\n".join(" ".join(map(str, row)) for row in settings["values"])
    drawable.must(filter, **arguments)
    drawable.check(before, drawable.read(), filter, **settings)


@EACH
def test_last_values(new, filter):
    """There are none yet: the initial ones."""
    layer = new()
    before = layer.read()
    layer.must(filter, mode="WITH_LAST_VALS")
    layer.check(before, layer.read(), filter)


def test_grown(new):
    layer = new()
    before = layer.read()
    layer.must(grow=True, abyss="white", **SIGMAS)
    layer.check_grown(before, **SIGMAS)


def test_several(rng, new):
    """One of them is named twice."""
    first = new()
    drawables = [first, first.add(rng, 3), first.add_channel()]
    befores = [drawable.read() for drawable in drawables]
    first.must(BLUR, [*drawables, first], **SIGMAS)
    for drawable, before in zip(drawables, befores):
        drawable.check(before, drawable.read(), **SIGMAS)


# ---- effects ----


def test_effect(new):
    layer, settings = new(), {"abyss": "white", "kernel_size": 31, **SIGMAS}
    before = layer.read()
    layer.must(as_effect=True, **settings)
    assert layer.read().tobytes() == before.tobytes(), "the layer's own pixels have changed"
    [effect] = layer.drawable.get_filters()
    assert effect.get_operation_name() == f"cuda:{BLUR}"
    layer.check(before, layer.see(), **settings)
    configure(effect, INITIAL)
    effect.update()
    layer.check(before, layer.see(), **settings | INITIAL)


def test_selection(new):
    """GIMP passes to a filter what is within the bounds of the selection, and nothing beyond."""
    layer = new(3)
    expected = layer.read().copy()
    layer.select(*PART)
    layer.must(as_effect=True, **SIGMAS)
    seen = layer.see()
    layer.drawable.get_filters()[0].delete()
    layer.must(**SIGMAS)
    part = np.s_[6:26, 5:35]  # which is selected
    layer.check(np.ascontiguousarray(expected[part]), layer.read()[part], **SIGMAS)
    expected[part] = layer.read()[part]
    for pixels in (seen, layer.read()):
        assert pixels.tobytes() == expected.tobytes()


def test_indexed(new):
    """The effect computes in RGB, and the layer's own pixels stay. The menu has the procedure."""
    layer, other = new(), new()
    procedure = layer.gimp.Gimp.get_pdb().lookup_procedure("plug-in-cuda-convolve")
    assert "INDEXED*" in procedure.get_image_types()
    layer.make_indexed()
    before, own = layer.see_in(other), layer.gimp.remote.read(layer.drawable)
    layer.must(as_effect=True, **SIGMAS)
    assert len(layer.drawable.get_filters()) == 1
    assert layer.gimp.remote.read(layer.drawable) == own
    other.check(before, layer.see_in(other), **SIGMAS)


# ---- what is left alone ----


def is_same(layer, *filter, **arguments):
    """Whether a call that succeeds changes nothing, without an undo step."""
    before, effects = layer.read().tobytes(), len(layer.drawable.get_filters())
    layer.image.clean_all()
    layer.must(*filter, **arguments)
    return (layer.read().tobytes() == before and not layer.image.is_dirty() and
            len(layer.drawable.get_filters()) == effects)


@pytest.mark.parametrize("as_effect", [False, True])
def test_nothing(new, as_effect):
    layer = new()
    assert is_same(layer, sigma_x=0.0, sigma_y=0.1, as_effect=as_effect)
    assert is_same(layer, "convolve", values="0 2 0", as_effect=as_effect)
    assert not is_same(layer, sigma_x=0.0, sigma_y=0.3, as_effect=as_effect)
    layer.drawable.set_offsets(100, 0)
    layer.select(*PART)
    assert is_same(layer, as_effect=as_effect), "what is not selected"


def test_frozen(gimp, new):
    """A designer that was killed has left undo frozen."""
    layer = new()
    layer.image.attach_parasite(gimp.Gimp.Parasite.new("cuda-blur-frozen", 0, b"\0"))
    layer.image.undo_freeze()
    layer.must(**SIGMAS)
    assert layer.image.undo_is_enabled() and not layer.image.get_parasite_list()


def keeps_size(layer):
    layer.must(grow=True)
    return layer.drawable.get_width() == WIDTH


def test_size(gimp, new):
    """Growth is for layers with alpha that nothing locks, without a selection."""
    layer = new()
    group = layer.put_in_group()
    for lock in (layer.drawable.set_lock_alpha, layer.drawable.set_lock_position,
                 group.set_lock_position):
        lock(True)
        assert keeps_size(layer)
        lock(False)
    layer.select(*PART)
    assert keeps_size(layer)
    gimp.Gimp.Selection.none(layer.image)
    assert not keeps_size(layer)
    assert keeps_size(new(3)), "without alpha"
