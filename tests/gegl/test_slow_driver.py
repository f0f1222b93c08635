"""A process ends while the driver, which is a stand-in (lib/slow-driver.c), is initialised in the
background: no thread is in its library when that library's own handler is called."""

import ctypes
import os
import time

import graph
from processes import leave, run_apart
from test_leaving import blur

HANDLER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def leave_with_driver(folder):
    """What was last said to belong to the thread is destroyed first: at that moment the other
    thread is in the driver."""
    @HANDLER
    def go(_):
        open(os.path.join(folder, "go"), "w").close()

    graph.start()
    blur(64)
    while not os.path.exists(os.path.join(folder, "asked")):
        time.sleep(0.01)
    ctypes.CDLL(None).__cxa_thread_atexit_impl(go, None, None)
    leave()


def test_leave(tmp_path):
    run_apart(leave_with_driver, tmp_path, SLOW_DRIVER_FOLDER=str(tmp_path))
    assert not (tmp_path / "cut").exists()
