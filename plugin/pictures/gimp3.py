#!/usr/bin/python3
"""Run by make.sh, in a tree of Debian testing, if there is one. gimp3.py BUILD

gimp3.jpg: GIMP 3's dialog for the blur, and the photo on the canvas; effects.jpg: what OK leaves,
in the layer's list of effects."""

import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.realpath(__file__))
TESTS = os.path.join(HERE, "..", "..", "tests")
sys.dont_write_bytecode = True
sys.path[1:1] = [os.path.join(TESTS, name)
                 for name in ("", "gimp3", "gimp2", "command", "convolve", "lens")]

from drawables import Drawable  # noqa: E402
from gimp import Home, find_tree  # noqa: E402
from screen import IMAGE  # noqa: E402
from window import Window, find_blur  # noqa: E402

# The image with the list of layers at its right.
LAYERS = """(session-info "toplevel"
    (factory-entry "gimp-single-image-window")
    (position 0 0)
    (size {} {})
    (open-on-exit)
    (aux-info
        (right-docks-width "270"))
    (gimp-dock
        (side right)
        (book
            (dockable "gimp-layer-list"
                (tab-style icon)
                (preview-size 32)))))
(hide-docks no)
(single-window-mode yes)
"""


def save(window, name, path):
    """A picture of the window of that name, which covers the other one."""
    window.await_window(name)
    window.xdotool("windowraise", *window.window)
    window.rest()
    x, y, width, height = window.get_geometry(name)
    with open(path, "wb") as file:
        file.write(b"P6 %d %d 255\n" % (width, height) + window.grab(x, y, width, height).tobytes())


def raise_sigma(window, x, y):
    """By the dialog's button there, which says +. Clicks that follow while GIMP blurs would not all
    count."""
    window.xdotool("mousemove", "--window", *window.window, x, y)
    for _ in range(5):
        window.xdotool("click", 2)
        window.rest()
        time.sleep(1)
    window.xdotool("mousemove", 10, 900)


def show(window, home, photo):
    """With the filter's dialog beside it."""
    subprocess.run(["convert", f"{HERE}/{photo}.jpg", home.get_path(f"{photo}.png")], check=True)
    image = window.gimp.open(f"{photo}.png")
    window.show(Drawable(window.gimp, image, image.get_layers()[0]))
    window.open()


def make_dialog(home):
    with Window(home, **find_blur("Gaussian Blur (CUDA)"), image_size=(806, 640)) as window:
        show(window, home, "coffee")
        window.xdotool("windowmove", "--sync", *window.window, 816, 90)  # beside the photo
        raise_sigma(window, 418, 87)
        window.rest()
        time.sleep(2)  # GIMP says to nobody when it has drawn all
        save(window, window.dialog, home.get_path("dialog.ppm"))
        save(window, IMAGE, home.get_path("image.ppm"))
        window.close("Escape")
    # The screen behind the two is black.
    subprocess.run([
        "convert", "-size", "1280x640", "xc:#7d8a99", "image.ppm", "-composite",
        "(", "dialog.ppm", "-background", "black", "(", "+clone", "-shadow", "70x10+0+6", ")",
        "+swap", "-background", "none", "-layers", "merge", "+repage", ")", "-geometry",
        "+793+70", "-composite", "-resize", "960x", "-quality", "88", f"{HERE}/gimp3.jpg"],
        cwd=home.folder, check=True)


def make_effects(home):
    lens = find_blur("Lens Blur (CUDA)")
    with Window(home, **lens, image_size=(1010, 640), session=LAYERS) as window:
        show(window, home, "rocket")
        window.ok()
        window.await_window(IMAGE)
        window.xdotool("mousemove", 825, 171, "click", 1)  # the layer's fx
        window.rest()
        time.sleep(2)
        save(window, IMAGE, home.get_path("effects.ppm"))
        window.press_image("Escape")  # closes the list
    subprocess.run(["convert", "effects.ppm", "-quality", "88", f"{HERE}/effects.jpg"],
                   cwd=home.folder, check=True)


def main(build):
    try:
        tree = find_tree("forky")
    except subprocess.CalledProcessError as failure:
        print(failure.output)
        return
    for make in make_dialog, make_effects:
        home = Home(tree, os.path.join(build, "plugin", "gegl", "cuda-blur.so"))
        try:
            make(home)
        finally:
            home.remove()


main(os.path.abspath(sys.argv[1]))
