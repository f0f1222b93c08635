"""Plays the window manager's part for windows of an X server. A client answers a _NET_WM_PING when
it has dealt with all events that it was sent before."""

import ctypes
import select

LIMIT = 60.0  # seconds from one event to the next
SUBSTRUCTURE_NOTIFY = 1 << 19
UNMAPPED, DESTROYED, MESSAGE = 18, 17, 33  # types of events
VIEWABLE = 2

library = ctypes.CDLL("libX11.so.6")
library.XOpenDisplay.restype = ctypes.c_void_p
library.XInternAtom.restype = library.XDefaultRootWindow.restype = ctypes.c_ulong
ignore = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda *_: 0)
library.XSetErrorHandler(ignore)  # of windows that have gone


class Pings:
    def __init__(self, display):
        self.display = ctypes.c_void_p(library.XOpenDisplay(display.encode()))
        root = ctypes.c_ulong(library.XDefaultRootWindow(self.display))
        library.XSelectInput(self.display, root, ctypes.c_long(SUBSTRUCTURE_NOTIFY))

    def close(self):
        library.XCloseDisplay(self.display)

    def find_atom(self, name):
        return library.XInternAtom(self.display, name.encode(), 0)

    def is_seen(self, window):
        attributes = (34 * ctypes.c_int)()  # a XWindowAttributes, with map_state
        return bool(library.XGetWindowAttributes(
            self.display, window, attributes)) and attributes[23] == VIEWABLE

    def take_answer(self, window):
        """Whether it, or the window's end, is among the events that have come."""
        event = (24 * ctypes.c_long)()  # a XEvent, as XClientMessageEvent and the others have it
        while library.XPending(self.display):
            library.XNextEvent(self.display, event)
            kind = event[0] & 0xffffffff
            if kind in (UNMAPPED, DESTROYED) and event[5] == window.value:
                return True
            if kind == MESSAGE and event[9] == window.value and (
                    event[7] == self.find_atom("_NET_WM_PING")):
                return True
        return False

    def send(self, window, protocol="_NET_WM_PING"):
        """That, or another message, such as WM_DELETE_WINDOW. Returns whether the client has
        answered, or the window is not to be seen any more."""
        window = ctypes.c_ulong(int(window))
        library.XSync(self.display, 1)  # forgets events of before
        if not self.is_seen(window):
            return True
        event = (24 * ctypes.c_long)(MESSAGE, 0, 0, 0, window.value, self.find_atom("WM_PROTOCOLS"),
                                     32, self.find_atom(protocol), 0, window.value)
        library.XSendEvent(self.display, window, 0, ctypes.c_long(0), event)
        file = library.XConnectionNumber(self.display)
        while not (answered := self.take_answer(window)) and (
                select.select([file], [], [], LIMIT)[0]):
            pass
        return answered
