"""GIMP 3 in a window, driven by keys as a user would."""

import re

import numpy as np

import processes
from cases import load_parts
from gimp import Gimp
from screen import IMAGE, Screen

SESSION = """(session-info "toplevel"
    (factory-entry "gimp-single-image-window")
    (position 0 0)
    (size {} {})
    (open-on-exit))
(hide-docks yes)
(single-window-mode yes)
"""


def find_blur(title):
    """What opens the dialog of a filter, for Window. Ours are the last entries of Filters > Blur,
    sorted by their names."""
    blurs = sorted(part.TITLE for part in load_parts("examples").values() if "Blur" in part.TITLE)
    ups = len(blurs) - blurs.index(title)
    return {"dialog": f"^{re.escape(title)}", "path": ["b", *["Up"] * ups]}


class Window(Screen):
    """path: the keys that lead from the menu Filters to the entry that opens the dialog; session:
    GIMP's sessionrc, with the image window's size left open; variables: of GIMP's environment. At
    its end GIMP must quit by Ctrl+Q."""

    def __init__(self, home, dialog, path, size=(1280, 1000), image_size=(900, 700),
                 session=SESSION, **variables):
        super().__init__(*size)
        self.dialog, self.path = dialog, path
        home.write("gimp/sessionrc", session.format(*image_size))
        self.gimp = Gimp(home, display=self.display, **variables)

    def show(self, layer):
        """Its image, with the pixels that it has now."""
        self.layer, self.original = layer, layer.read()
        self.gimp.Gimp.Display.new(layer.image)
        self.gimp.Gimp.displays_flush()
        self.await_window(IMAGE, 60)

    def open(self):
        self.press_image("Escape", "alt+r", *self.path, "Return")
        self.await_dialog()

    def find_colour(self, colour):
        """The middle of the pixels of that colour on the screen, or None."""
        places = np.argwhere((self.grab(0, 0, *self.size) == colour).all(axis=-1))
        return [int(place) for place in places.mean(axis=0)[::-1]] if len(places) else None

    def become(self, get, expected):
        """What the function returns."""
        processes.wait_until(lambda: get() == expected, 20, 0.02)
        assert (value := get()) == expected, f"{value}, not {expected}"

    def quit(self):
        self.layer.image.clean_all()
        self.gimp.close()
        self.press_image("ctrl+q")

    def __enter__(self):
        return self

    def __exit__(self, kind, *others):
        well = kind is None and self.gimp.well
        try:
            if well:
                self.quit()
            else:
                self.keep_picture()
            self.gimp.end(well)
        finally:
            self.stop()
