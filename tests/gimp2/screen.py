"""A screen under Xvfb: its windows, the keys, and what is to be seen there.

There is no window manager: keys go to the window that has the focus set here, in one command with
them. The tests wait for events. A client answers a ping in its turn (pings.py), so that it has
dealt with all keys and clicks before; what it then does by itself is polled for."""

import hashlib
import os
import re
import subprocess
import tempfile
import time

import numpy as np

import processes
from pings import Pings

PAUSE = 0.02  # seconds between two looks
IMAGE = "^cuda-blur-test-image"
PROMPT = "^Save Settings as Named Preset$"


class Screen:
    """The window that was looked for last is the one that is waited for."""

    def __init__(self, width=1280, height=1000):
        self.size, self.window = (width, height), None
        self.memory = tempfile.TemporaryDirectory()
        read, write = os.pipe()  # the server finds a free display by itself and says which
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24", "-nolisten",
             "tcp", "-noreset", "-nocursor", "-fbdir", self.memory.name,
             "-r"],  # a key that is held for long on a busy machine does not repeat
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with open(read) as file:
            self.display = f":{file.readline().strip()}"
        self.pixels, self.pings = self.map_pixels(), Pings(self.display)

    def map_pixels(self):
        """Those that the server has in a file, after a header as XWDFile.h has it; the pointer
        would be among them."""
        path = os.path.join(self.memory.name, "Xvfb_screen0")
        header = np.fromfile(path, ">u4", 25)
        start, line, colours = header[[0, 12, 19]]
        pixels = np.memmap(path, np.uint8, "r", start + 12 * colours, (self.size[1], line // 4, 4))
        return pixels[:, :self.size[0], 2::-1]

    def stop(self):
        self.pings.close()
        self.server.terminate()
        self.server.wait()
        self.memory.cleanup()

    def run(self, *words):
        return subprocess.run([*map(str, words)], env=os.environ | {"DISPLAY": self.display},
                              capture_output=True)

    def xdotool(self, *words):
        return self.run("xdotool", *words).stdout.decode()

    def wait_for(self, what, condition, *arguments, seconds=20):
        """Fails if the condition does not become true."""
        assert processes.wait_until(lambda: condition(*arguments), seconds, PAUSE), what

    # ---- windows ----

    def find(self, name):
        """Whether there is a window whose name has that pattern."""
        self.window = self.xdotool("search", "--onlyvisible", "--name", name).split()[-1:]
        return bool(self.window)

    def find_none(self, name):
        return not self.find(name)

    def await_window(self, name, seconds=20):
        self.wait_for(f"there is no window {name}", self.find, name, seconds=seconds)

    def get_geometry(self, name):
        """The window's place and size."""
        self.await_window(name)
        lines = self.xdotool("getwindowgeometry", "--shell", *self.window).split()
        values = dict(line.split("=") for line in lines)
        return tuple(int(values[key]) for key in ("X", "Y", "WIDTH", "HEIGHT"))

    def settle(self, *protocol):
        """Until the window's client has dealt with all that was sent to it."""
        assert self.window and self.pings.send(*self.window, *protocol), "a window does not answer"

    def rest(self):
        """Until it has also drawn and done what it leaves for when there is nothing else to do. It
        could go on after each answer, and each is one more chance."""
        for _ in range(3):
            self.settle()
            time.sleep(0.05)

    def focus(self, name, *words):
        """Gives the window of that name the focus, and has xdotool do more."""
        self.await_window(name)
        self.xdotool("windowfocus", "--sync", *self.window, *words)
        self.settle()

    def press_in(self, name, *keys):
        self.focus(name, *(["key", *keys] if keys else []))

    def press_image(self, *keys):
        self.press_in(IMAGE, *keys)

    def close_window(self):
        """As a window manager does for its close button."""
        self.settle("WM_DELETE_WINDOW")

    def get_least_size(self):
        """That shows all that is in the window, by its own word."""
        hints = self.run("xprop", "-id", *self.window, "WM_NORMAL_HINTS").stdout.decode()
        return tuple(map(int, re.search(r"minimum size: (\d+) by (\d+)", hints).groups()))

    # ---- the dialog, whose name is in dialog ----

    def await_dialog(self):
        """A plug-in's dialog without a window manager may come up behind the image."""
        self.await_window(self.dialog)
        self.xdotool("windowraise", *self.window)

    def press(self, *keys):
        self.press_in(self.dialog, *keys)

    def type_in(self, key, value):
        """Into the entry that the key leads to."""
        names = {"-": "minus", ".": "period", ",": "comma"}
        self.press(key, "ctrl+a", *(names.get(letter, letter) for letter in str(value)), "Tab")

    def save_preset(self, name):
        """The settings of the dialog."""
        self.press("alt+s", "Tab", "space")
        self.await_window(PROMPT)
        self.xdotool("windowraise", *self.window)
        self.press_in(PROMPT, "ctrl+a")
        self.xdotool("type", name)
        self.press_in(PROMPT, "Return")
        self.wait_for("the preset's name is not taken", self.find_none, PROMPT)

    def close(self, key):
        self.press(key)
        self.wait_for(f"the dialog does not close on {key}", self.find_none, self.dialog)

    def ok(self):
        self.close("alt+o")

    # ---- what is to be seen ----

    def grab(self, x, y, width, height):
        """The pixels of that part of the screen, as they are now."""
        return np.array(self.pixels[y:y + height, x:x + width])

    def look(self, *rect):
        """A sum over them."""
        return hashlib.md5(self.grab(*rect)).hexdigest()

    def get_colour(self, *rect):
        """The means of their red, green and blue levels, 0 to 255."""
        return tuple(int(round(mean)) for mean in self.grab(*rect).mean(axis=(0, 1)))

    def keep_picture(self):
        """Of all of it, for people, in a folder that outlives the test."""
        if artefacts := os.environ.get("CUDA_BLUR_TEST_ARTEFACTS"):
            os.makedirs(artefacts, exist_ok=True)
            with open(os.path.join(artefacts, "screen.ppm"), "wb") as file:
                file.write(b"P6 %d %d 255\n" % self.size + self.grab(0, 0, *self.size).tobytes())
