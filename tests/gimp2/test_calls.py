"""The procedures as GIMP knows them, run modes, and drawables that are refused."""

import os
import re
import subprocess

import pytest

import fx
from descriptions import FILTERS
from formats import Format
from layers import Layer, check, check_refused, check_unchanged, lock
from session import INTERACTIVE

BLUR = "gaussian-blur"
PLAIN = {"sigma_x": 2.5, "sigma_y": 1.3}
RGB, RGBA = Format("u8", 3), Format("u8", 4)

# ---- the registration ----


@pytest.mark.parametrize("filter", FILTERS)
def test_menu(gimp, filter):
    paths, types, names = (gimp.plugins_query("")[i] for i in (1, 7, 11))
    place, about = names.index(f"plug-in-cuda-{filter}"), FILTERS[filter].contents
    label = about.menu[0].decode().replace("_", "")
    assert paths[place] == f"{about.menu[1].decode()}/{label}" and types[place] == "RGB*, GRAY*"


CALL = re.compile(rb"\0{3}\x05\0{3}.gimp-[a-z-]+\0")  # of a procedure, as it is sent to GIMP


@pytest.mark.parametrize("option", ["plugin", "probe"])
def test_query(request, option):
    """It asks GIMP something, and waits. GIMP 2.10 looks once whether the process that it started
    is there (app/core/gimp-spawn.c): if all of the query was done by then, and the process ended
    well, GIMP says that it cannot be executed, "Success", and does without the plug-in."""
    (read, to_gimp), (from_gimp, write) = os.pipe(), os.pipe()
    program = os.path.abspath(request.config.getoption(option))
    process = subprocess.Popen([program, "-gimp", str(from_gimp), str(to_gimp), "-query", "0"],
                               pass_fds=[from_gimp, to_gimp], stderr=subprocess.DEVNULL)
    os.close(from_gimp)
    os.close(to_gimp)
    said = b""
    while not CALL.search(said) and (more := os.read(read, 1 << 16)):
        said += more
    os.close(write)  # which ends it
    os.close(read)
    process.wait()
    assert CALL.search(said)


# ---- run modes ----


@pytest.mark.parametrize("mode,words", [(INTERACTIVE, "display"), (3, "run-mode is 3")])
def test_mode(new, mode, words):
    layer = new(RGB)
    check_unchanged(layer, lambda: layer.call(BLUR, mode, **PLAIN), words)


# ---- refusals ----


def make_indexed(gimp, layer, rng):
    gimp.image_convert_indexed(layer.image, 0, 0, 16, 0, 0, "")


def take_group(gimp, layer, rng):
    layer.drawable = layer.put_in_group()


def take_locked(gimp, layer, rng):
    lock(layer)


def take_mask_of_locked(gimp, layer, rng):
    mask = layer.add_mask(rng).drawable
    lock(layer)
    layer.drawable = mask


def take_locked_channel(gimp, layer, rng):
    layer.drawable = layer.add_channel(rng).drawable
    lock(layer)


def take_other_image(gimp, layer, rng):
    layer.image = Layer.make(gimp, rng).image


def take_loose(make):
    """What is in no image."""
    def take(gimp, layer, rng):
        layer.drawable = make(gimp, layer.image, layer.drawable)
        layer.format = Format("u8", 1, False) if make != make_layer else RGBA
    return take


def make_layer(gimp, image, layer):
    return gimp.layer_new(image, 60, 50, 1, "loose", 100.0, 28)


def make_mask(gimp, image, layer):
    return gimp.layer_create_mask(layer, 0)


def make_channel(gimp, image, layer):
    return gimp.channel_new(image, 60, 50, "loose", 50.0, "red")


def lock_group(depth):
    return lambda gimp, layer, rng: gimp.item_set_lock_content(layer.put_in_group(depth), 1)


@pytest.mark.parametrize("format,change,words", [
    (RGB, make_indexed, "indexed"), (RGBA, take_group, "group"), (RGBA, take_locked, "lock"),
    (RGBA, take_mask_of_locked, "lock"), (RGBA, take_locked_channel, "lock"),
    (RGBA, take_other_image, "image is"), (RGBA, lock_group(1), "lock"),
    (RGBA, lock_group(2), "lock"),
    *((RGBA, take_loose(make), "not been added to an image")
      for make in (make_layer, make_mask, make_channel))])
def test_refused_drawable(gimp, new, rng, format, change, words):
    layer = new(format)
    change(gimp, layer, rng)
    check_refused(layer, BLUR, words, **PLAIN)
    check_refused(layer, BLUR, words, **PLAIN, grow=1)


def test_gpu(gimp, new):
    """Without one it says what is missing, as the engine does: a build may be without CUDA."""
    layer = new(RGBA)
    if gimp.is_on_gpu("gpu"):
        check(layer, BLUR, **PLAIN, device="gpu")
    else:
        with pytest.raises(fx.Error) as missing:
            fx.run(BLUR, layer.read(), RGBA, **PLAIN, device="gpu")
        check_refused(layer, BLUR, str(missing.value), **PLAIN, device="gpu")
