"""The dialog of the convolution matrix."""

import numpy as np

SHARPEN = [[0, -1, 0], [-1, 5, -1], [0, -1, 0]]


def type_matrix(desk, *lines):
    """In place of the last one."""
    desk.focus(desk.dialog, "key", "alt+x", "ctrl+a", "key", "Delete")
    for line in lines:
        desk.focus(desk.dialog, "type", "--", line)
        desk.focus(desk.dialog, "key", "Return")


def check_convolved(desk, rows, **settings):
    """OK has made of the layer what a call with them does."""
    desk.check_applied("convolve", values=np.array(rows, float), **settings)


def choose_file(desk, title, path):
    """In the dialog for files of that title, which closes."""
    desk.await_window(title)
    desk.xdotool("windowraise", *desk.window)
    desk.focus(title, "type", path)
    desk.rest()
    desk.press_in(title, "Return")
    desk.wait_for(f"the file is not taken: {title}", desk.find_none, title)


def load(desk, path):
    """From the list to the buttons behind it."""
    desk.press("alt+m", "Tab", "Tab", "space")
    choose_file(desk, "^Load Matrix$", path)


def save(desk, path):
    desk.press("alt+m", "Tab", "Tab", "Tab", "space")
    choose_file(desk, "^Save Matrix$", path)
