"""What the widgets of GIMP or of a dialog, and a dialog's window, say of themselves."""

import os


def ask_module(desk, window, key, name):
    """What a module of GTK's (widgets.c) in the window's process writes when the key is pressed,
    into the file of that name."""
    path = os.path.join(desk.folder, name)
    if os.path.exists(path):
        os.unlink(path)
    desk.press_in(window, key)
    desk.wait_for(f"nobody looks: {name}", os.path.exists, path)
    with open(path) as file:
        return file.read().strip()


def read_texts(desk):
    """The texts that labels in the windows have shown since the start."""
    with open(os.path.join(desk.folder, "texts"), encoding="utf-8") as file:
        return file.read().splitlines()


# A screen of 1366x768 less a panel and a title bar.
SMALL = 1366, 700


def check_small(desk):
    """The dialog, which is there, needs no more than a small screen has."""
    needed = desk.get_least_size()
    assert all(n <= most for n, most in zip(needed, SMALL)), needed


def check_room(desk):
    """The dialog has room for all that is in it, and the screen for the dialog. A window of GTK's
    says how large it must be, and is not smaller than it is asked to be. Returns that width."""
    size, needed = desk.get_geometry(desk.dialog)[2:], desk.get_least_size()
    assert all(least <= n <= most for least, n, most in zip(needed, size, desk.size)), (size,
                                                                                        needed)
    return needed[0]
