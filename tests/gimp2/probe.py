#!/usr/bin/python3
"""A GIMP plug-in for the tests, never installed. It is a batch interpreter, so that GIMP runs the
tests without Script-Fu: gimp --batch-interpreter=plug-in-cuda-blur-test -b remote. It and two
extensions make the calls that tests ask for. Another procedure is killed while it shows a canvas,
and one stands for GIMP's browser of help pages."""

import ctypes
import os
import sys
from ctypes import POINTER, c_char_p, c_int

# A sanitized library needs this of a program that is not sanitized.
if preload := os.environ.pop("CUDA_BLUR_TEST_PRELOAD", None):
    os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | {"LD_PRELOAD": preload})
sys.dont_write_bytecode = True

import dialog_parts  # noqa: E402
import server  # noqa: E402
from libgimp import DRAWABLE, INT32, STRING, Param, library, run  # noqa: E402

FOLDER = os.environ["CUDA_BLUR_TEST_FOLDER"]
SOCKETS = f"/proc/self/fd/{os.open(FOLDER, os.O_PATH)}"  # the same, short enough for an address
BROWSER, VICTIM = b"plug-in-web-browser", b"plug-in-cuda-blur-test-victim"
PLUGIN, EXTENSION = 1, 2
STATUS, SUCCESS = 21, 3


class ParamDef(ctypes.Structure):
    _fields_ = [("type", c_int), ("name", c_char_p), ("description", c_char_p)]


def install(name, kind, **arguments):
    """arguments: the type of each."""
    defined = (ParamDef * len(arguments))(*(
        (type, name.encode(), b"For tests") for name, type in arguments.items()))
    library.gimp_install_procedure(name, b"For tests", b"", b"", b"", b"2025", None, None, kind,
                                   len(defined), 0, defined or None, None)


def query():
    install(b"plug-in-cuda-blur-test", PLUGIN, mode=INT32, what=STRING)
    install(b"extension-cuda-blur-test-caller", EXTENSION)
    install(b"extension-cuda-blur-test-starter", EXTENSION)
    install(BROWSER, PLUGIN, url=STRING)
    install(VICTIM, PLUGIN, mode=INT32, drawable=DRAWABLE, message=INT32)
    # If this process has ended before GIMP, on a busy machine, looks whether it started, GIMP says
    # that it did not. So it waits for an answer, which GIMP gives after that.
    library.gimp_getpid()


def browse(page):
    """Notes it in a file, which appears by renaming, so that nobody reads half of it."""
    path = os.path.join(FOLDER, "browsed")
    with open(f"{path}.new", "wb") as file:
        file.write(page)
    os.rename(f"{path}.new", path)


results = (Param * 1)()
results[0].type, results[0].data.int32 = STATUS, SUCCESS


def run_procedure(name, n_params, params, n_values, values):
    n_values[0], values[0] = 1, results
    if name == BROWSER:
        browse(params[0].data.text)
    elif name == VICTIM:
        dialog_parts.die_with_canvas(params[1].data.int32, params[2].data.int32)
    elif name.startswith(b"extension-"):
        library.gimp_extension_ack()
        server.serve(os.path.join(SOCKETS, name.decode()))
    else:
        library.gegl_init(None, None)
        server.serve(os.path.join(SOCKETS, "main"))
        run("gimp-quit", True)
        library.gegl_exit()


QUERY = ctypes.CFUNCTYPE(None)
RUN = ctypes.CFUNCTYPE(None, c_char_p, c_int, POINTER(Param), POINTER(c_int),
                       POINTER(POINTER(Param)))


class PlugInInfo(ctypes.Structure):
    _fields_ = [("init", QUERY), ("quit", QUERY), ("query", QUERY), ("run", RUN)]


info = PlugInInfo(query=QUERY(query), run=RUN(run_procedure))
words = [word.encode() for word in sys.argv]
sys.exit(library.gimp_main(ctypes.byref(info), len(words), (c_char_p * len(words))(*words)))
