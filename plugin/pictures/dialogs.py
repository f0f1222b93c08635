#!/usr/bin/python3
"""Run by make.sh: the pictures of the dialogs in GIMP 2.10, and the animation: dialogs.py BUILD
dialogs | animation"""

import os
import re
import subprocess
import sys
import time

import numpy as np

HERE = os.path.dirname(os.path.realpath(__file__))
TESTS = os.path.join(HERE, "..", "..", "tests")
sys.dont_write_bytecode = True
sys.path[1:1] = [os.path.join(TESTS, name)
                 for name in ("", "gimp2", "command", "convolve", "lens")]

from desk import Desk  # noqa: E402
from layers import NORMAL, RGB  # noqa: E402

IMAGE = 0, 60, 960, 350  # on the screen, above a dialog
SIGMAS = 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 14, 17, 20, 24, 28
DARK = "Dark", "Symbolic"


def convert(*words, pixels=None):
    """ImageMagick's program; pixels come first."""
    if pixels is None:
        return subprocess.check_output(["convert", *words])
    size = f"{pixels.shape[1]}x{pixels.shape[0]}"
    return subprocess.check_output(["convert", "-size", size, "-depth", "8", "rgb:-", *words],
                                   input=pixels.tobytes())


def start(desk, theme, icons, width, height):
    desk.add("gimprc", f'(theme "{theme}")', f'(icon-theme "{icons}")')
    with open(desk.get_path("sessionrc")) as file:
        text = re.sub(r"\(size \d+ \d+\)", f"(size {width} {height})", file.read())
    with open(desk.get_path("sessionrc"), "w") as file:
        file.write(text)
    desk.start()


def stop(desk):
    """Before GIMP can keep anything of the dialog."""
    desk.gimp.kill()
    desk.gimp.end()
    desk.gimp = None


def open_filter(desk, filter, key, photo, *options):
    """Its dialog over that photo, which is converted by the options."""
    header, _, data = convert(f"{HERE}/{photo}", *options, "ppm:-").partition(b"\n255\n")
    size = tuple(map(int, header.split()[1:]))
    image = desk.gimp.image_new(*size, RGB)
    layer = desk.gimp.layer_new(image, *size, 0, "Background", 100.0, NORMAL)
    desk.gimp.image_insert_layer(image, layer, -1, 0)
    desk.gimp.write(layer, np.frombuffer(data, np.uint8))
    desk.gimp.display_new(image)
    desk.dialog = rf"^{filter} \(CUDA\)$"
    desk.open(f"ctrl+alt+{key}")
    desk.previews(seconds=30)


def blur_by(desk, sigma):
    desk.type_in("alt+x", sigma)
    desk.previews(f"sigma {sigma:.2f}", 30)


# ---- the dialogs ----


def blur_coffee(desk):
    open_filter(desk, "Gaussian Blur", "b", "coffee.jpg")
    blur_by(desk, 8)


def blur_by_lens(desk):
    open_filter(desk, "Lens Blur", "l", "rocket.jpg")
    desk.type_in("alt+i", 4)


def zoom(desk):
    open_filter(desk, "Motion Blur", "t", "rocket.jpg")
    desk.press("alt+k", "End")


def convolve(desk):
    """As the recipe does it: a photo without colours, in perceptual light, so that edges get
    none. The light is chosen twice: the time of the first view in it includes compiling."""
    open_filter(desk, "Convolution Matrix", "c", "coffee.jpg", "-colorspace", "Gray")
    desk.press("alt+m", "End", "Up", "Up", "Up", "Up")
    desk.rest()
    desk.previews(seconds=30)
    for light in "End", "Home", "End":
        views = desk.count("preview")
        desk.press("alt+t", light)
        desk.previews(lambda _: desk.count("preview") > views, 30)


def blur_selectively(desk):
    open_filter(desk, "Selective Gaussian Blur", "s", "chelsea.jpg")


def keep_eyes(desk):
    """As the recipe does it."""
    open_filter(desk, "Focus Blur", "f", "chelsea.jpg")
    for key, number in {"g": 5, "x": 0.54, "y": 0.42, "f": 0.8, "u": 0.55, "i": 0.4, "n": 10,
                        "k": 1}.items():
        desk.type_in(f"alt+{key}", number)


def make_dialog(desk, name, prepare, theme=DARK):
    """In split view."""
    start(desk, *theme, 960, 700)
    prepare(desk)
    desk.rest()
    desk.previews(seconds=30)
    desk.xdotool("mousemove", 1279, 999)  # away, so that there is no tooltip
    desk.press("alt+v")
    desk.rest()
    time.sleep(1)  # the half without the filter comes when it is ready
    convert("-quality", "88", f"{HERE}/{name}.jpg",
            pixels=desk.grab(*desk.get_geometry(desk.dialog)))
    stop(desk)


# ---- the canvas ----


def wait_for_canvas(desk, before):
    """Until the image is another than it was, and stays."""
    def is_seen():
        if (now := desk.look(*IMAGE)) == before:
            return False
        time.sleep(0.2)
        return desk.look(*IMAGE) == now

    desk.wait_for("the canvas does not follow", is_seen)


def open_below(desk, photo, sigma):
    """The dialog below the image, all of which is seen, and which shows the preview."""
    start(desk, *DARK, 960, 420)
    open_filter(desk, "Gaussian Blur", "b", photo, "-resize", "540x360")
    blur_by(desk, sigma)
    height = desk.get_geometry(desk.dialog)[3]
    desk.xdotool("windowsize", *desk.window, 960, height)
    desk.xdotool("windowmove", "--sync", *desk.window, 0, 421)
    desk.rest()
    before = desk.look(*IMAGE)
    desk.press("alt+a")
    wait_for_canvas(desk, before)
    desk.rest()
    return 0, 0, 960, 421 + height


def make_dialogs(desk):
    make_dialog(desk, "dialog-light", blur_coffee, ("Light", "Symbolic-Inverted"))
    make_dialog(desk, "dialog-dark", blur_coffee)
    make_dialog(desk, "lens-dialog", blur_by_lens)
    make_dialog(desk, "motion-dialog", zoom)
    make_dialog(desk, "focus-dialog", keep_eyes)
    make_dialog(desk, "selective-dialog", blur_selectively)
    make_dialog(desk, "matrix", convolve)
    both = open_below(desk, "coffee.jpg", 8)
    convert("-quality", "85", f"{HERE}/canvas.jpg", pixels=desk.grab(*both))
    stop(desk)


def make_animation(desk):
    """The last frame twice, since ImageMagick shows each for the time that the next one should
    have. It also appends a file with this one alone, which goes."""
    both = open_below(desk, "rocket.jpg", 0.5)
    frames = []
    for sigma in SIGMAS:
        before = desk.look(*IMAGE)
        blur_by(desk, sigma)
        wait_for_canvas(desk, before)
        frames.append(os.path.join(desk.folder, f"frame-{len(frames):02}.png"))
        convert(frames[-1], pixels=desk.grab(*both))
    convert(*frames, "-resize", "640x", "-set", "delay", "14", "(", "-clone", "-1", "-set", "delay",
            "120", ")", "-loop", "0", "-quality", "94", "-define", "webp:method=6",
            f"{HERE}/slider.webp")
    with open(f"{HERE}/slider.webp", "r+b") as file:
        file.truncate(8 + int.from_bytes(file.read(8)[4:], "little"))
    stop(desk)


build, part = sys.argv[1:]
with Desk(os.path.join(build, "plugin", "gimp2", "cuda-blur"),
          os.path.join(build, "tests", "gimp2", "cuda-blur-test"),
          kills=True, CUDA_BLUR_DEVICE=os.environ.get("CUDA_BLUR_DEVICE", "cpu")) as desk:
    globals()[f"make_{part}"](desk)
