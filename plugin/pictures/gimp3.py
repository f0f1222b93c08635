#!/usr/bin/python3
"""Run by make.sh: gimp3.jpg, GIMP 3's dialog for the blur and the photo on the canvas, in a tree of
Debian testing, if there is one. gimp3.py BUILD"""

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
from window import Window  # noqa: E402

DIALOG = r"^Gaussian Blur \(CUDA\)"


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


def make_pictures(home, build):
    home.write("gimp/gimprc", "(color-profile-policy keep)\n")
    subprocess.run(["convert", f"{HERE}/coffee.jpg", home.get_path("coffee.png")], check=True)
    keys = "b", "Up", "Up", "Up", "Up"
    with Window(home, build, DIALOG, keys, image_size=(806, 640)) as window:
        image = window.gimp.open("coffee.png")
        window.show(Drawable(window.gimp, image, image.get_layers()[0]))
        window.open()
        window.xdotool("windowmove", "--sync", *window.window, 816, 90)  # beside the photo
        raise_sigma(window, 418, 87)
        window.rest()
        time.sleep(2)  # GIMP says to nobody when it has drawn all
        save(window, DIALOG, home.get_path("dialog.ppm"))
        save(window, IMAGE, home.get_path("image.ppm"))
        window.close("Escape")


def main(build):
    try:
        tree = find_tree("forky")
    except subprocess.CalledProcessError as failure:
        print(failure.output)
        return
    home = Home(tree, os.path.join(build, "plugin", "gegl", "cuda-blur.so"))
    try:
        make_pictures(home, build)
        # The screen behind the two is black.
        subprocess.run([
            "convert", "-size", "1280x640", "xc:#7d8a99", "image.ppm", "-composite",
            "(", "dialog.ppm", "-background", "black", "(", "+clone", "-shadow", "70x10+0+6", ")",
            "+swap", "-background", "none", "-layers", "merge", "+repage", ")", "-geometry",
            "+793+70", "-composite", "-resize", "960x", "-quality", "88", f"{HERE}/gimp3.jpg"],
            cwd=home.folder, check=True)
    finally:
        home.remove()


main(os.path.abspath(sys.argv[1]))
