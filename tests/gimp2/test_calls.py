"""The procedures as GIMP knows them, run modes, and what the blur refuses."""

import os
import re
import subprocess

import pytest

import fx
from formats import Format
from layers import Layer, check, check_refused, check_result, check_unchanged, lock
from session import CALLING_ERROR, EXECUTION_ERROR, INTERACTIVE, WITH_LAST_VALS, Refused

BLUR = "gaussian-blur"
PLAIN = {"sigma_x": 2.5, "sigma_y": 1.3}
RGB, RGBA = Format("u8", 3), Format("u8", 4)

# ---- the registration ----

INT32, FLOAT, FLOAT_ARRAY, DRAWABLE, IMAGE = 0, 3, 8, 16, 13
FIRST = [("run-mode", INT32), ("image", IMAGE), ("drawable", DRAWABLE)]
SIGNATURES = {
    BLUR: [("sigma-x", FLOAT), ("sigma-y", FLOAT), ("kernel-size", INT32), ("abyss", INT32),
           ("light", INT32), ("grow", INT32), ("device", INT32)],
    "convolve": [("rows", INT32), ("columns", INT32), ("num-values", INT32),
                 ("values", FLOAT_ARRAY), ("divisor", FLOAT), ("offset", FLOAT),
                 ("channels", INT32), ("alpha-weighting", INT32), ("abyss", INT32),
                 ("light", INT32), ("device", INT32)],
}
PLUG_IN = 1


@pytest.mark.parametrize("filter", SIGNATURES)
def test_signature(gimp, filter):
    name = f"plug-in-cuda-{filter}"
    *_, type, n_arguments, n_values = gimp.procedural_db_proc_info(name)
    arguments = [gimp.procedural_db_proc_arg(name, i) for i in range(n_arguments)]
    assert [(word, kind) for kind, word, _ in arguments] == FIRST + SIGNATURES[filter]
    assert (type, n_values) == (PLUG_IN, 0)


@pytest.mark.parametrize("filter,path", [
    (BLUR, "<Image>/Filters/Blur/Gaussian Blur (CUDA)..."),
    ("convolve", "<Image>/Filters/Generic/Convolution Matrix (CUDA)...")])
def test_menu(gimp, filter, path):
    paths, types, names = (gimp.plugins_query("")[i] for i in (1, 7, 11))
    place = names.index(f"plug-in-cuda-{filter}")
    assert (paths[place], types[place]) == (path, "RGB*, GRAY*")


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


@pytest.mark.parametrize("arguments", [[], [1.5, 4.0, 0, 2, 1, 0, 0]], ids=["menu", "all"])
def test_last_values(new, arguments):
    """Only a dialog leaves last values: there are none here. GIMP's menus give three arguments."""
    layer = new(picture="random")
    before = layer.read()
    layer.call(BLUR, WITH_LAST_VALS, arguments)
    assert layer.read().tobytes() != before.tobytes()


@pytest.mark.parametrize("mode,words", [(INTERACTIVE, "display"), (3, "run-mode is 3")])
def test_mode(new, mode, words):
    layer = new(RGB)
    check_unchanged(layer, lambda: layer.call(BLUR, mode, **PLAIN), words)


def test_script(gimp, new):
    layer = new(RGB)
    before = layer.read()
    layer.script(BLUR, "2.5 1.3 0 0 0 0 0")
    check_result(gimp, BLUR, RGB, before, layer.read(), **PLAIN)


# ---- refusals ----


@pytest.mark.parametrize("settings,words", [
    ({"kernel_size": 4}, "kernel-size is 4, but must be 0 (automatic) or an odd number"),
    *(({"kernel_size": n}, f"kernel-size is {n}, but must be ") for n in (-3, 10001, -1 << 31)),
    ({"sigma_x": -1.0}, "sigma-x is -1, but must be 0 to 5000 pixels"),
    ({"sigma_y": -0.25}, "sigma-y is -0.25, but must be 0 to 5000 pixels"),
    ({"sigma_x": 5000.5}, "sigma-x is 5000.5, but must be "),
    ({"sigma_y": 12345.0}, "sigma-y is 12345, but must be "),
    ({"abyss": 4}, "abyss is 4, but must be 0 (clamp)"),
    ({"light": 2}, "light is 2, but must be 0 (linear)"),
    ({"grow": 2}, "grow is 2, but must be 0 (no)"),
    ({"device": 3}, "device is 3, but must be 0 (automatic)"),
    *(({name: -1}, f"{name} is -1, but must be ") for name in ("abyss", "light", "grow", "device")),
], ids=lambda value: value if isinstance(value, str) else "")
def test_refused(new, settings, words):
    check_refused(new(RGBA), BLUR, words, **PLAIN | settings)


def test_too_few_arguments(new):
    layer = new(RGBA)
    check_unchanged(layer, lambda: layer.call(BLUR, arguments=[]),
                    "was given 3 arguments, but must be given 10")


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


def test_status(new):
    """The procedure says itself that it has failed."""
    with pytest.raises(Refused) as info:
        new(RGBA).call(BLUR, sigma_x=-1.0)
    assert info.value.status in (CALLING_ERROR, EXECUTION_ERROR)


def test_gpu(gimp, new):
    """Without one it says what is missing, as the engine does: a build may be without CUDA."""
    layer = new(RGBA)
    if gimp.is_on_gpu("gpu"):
        check(layer, BLUR, **PLAIN, device="gpu")
    else:
        with pytest.raises(fx.Error) as missing:
            fx.run(BLUR, layer.read(), RGBA, **PLAIN, device="gpu")
        check_refused(layer, BLUR, str(missing.value), **PLAIN, device="gpu")
