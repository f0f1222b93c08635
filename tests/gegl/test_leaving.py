"""How processes end that have used an operation: each blurs, ends, and says nothing."""

import os
import re
import signal
import subprocess
import threading
import time

import numpy as np
import pytest

import graph
from formats import Format
from graph import Graph, gegl, make_buffer
from processes import SECONDS, fork_and, leave, run_apart
from scene import run_within

RGBA = Format("u8", 4)


def blur(side=700):
    pixels = np.full((side, side, 4), 77, np.uint8)
    node = Graph().add("cuda:gaussian-blur", make_buffer(pixels, RGBA), std_dev_x=5)
    assert (node.render((0, 0, side, side), RGBA) == 77).all()


def leave_quickly():
    blur()
    os._exit(0)


def leave_after_thread():
    thread = threading.Thread(target=blur)
    thread.start()
    thread.join()
    leave()


def leave_normally():
    blur()
    leave()


def leave_within():
    run_within(leave, "auto")


def leave_beside():
    """While another thread is in a call, from which it never returns: on the CPU, because the end
    of a process also ends the CUDA runtime, even if another thread is using the GPU."""
    called = threading.Event()

    def hold():
        called.set()
        signal.pause()

    threading.Thread(target=run_within, args=(hold,)).start()
    called.wait()
    leave()


def blur_and_end():
    """On the CPU: CUDA works in no fork of a process that has used it."""
    os.environ["CUDA_BLUR_DEVICE"] = "cpu"
    blur()
    gegl.gegl_exit()


def blur_in_fork():
    """A fork blurs too, and so does its parent afterwards. GEGL has one thread then."""
    blur()
    fork_and(blur_and_end)
    blur()


def count_running():
    """How many threads run, or wait to run: this one does."""
    count = 0
    for task in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{task}/stat", encoding="ascii") as file:
                count += ") R " in file.read()
        except (FileNotFoundError, ProcessLookupError):  # the thread has ended
            pass
    return count


def come_to_rest():
    """No other thread goes on working, or waits in a loop. What a call leaves to other threads may
    take long on a busy machine."""
    blur()
    while count_running() > 1:
        time.sleep(0.1)


def end(how):
    """GEGL ends, too, unless how has left."""
    signal.alarm(SECONDS)
    graph.start()
    blur(64)
    how()


@pytest.mark.parametrize("how,times,variables", [
    (leave_normally, 10, {}), (blur, 10, {}), (leave_quickly, 10, {}), (leave_after_thread, 10, {}),
    (leave_within, 10, {}), (leave_beside, 5, {"CUDA_BLUR_DEVICE": "cpu"}),
    (blur_in_fork, 5, {"GEGL_THREADS": "1"}), (come_to_rest, 1, {})])
def test_end(how, times, variables):
    for _ in range(times):
        assert not run_apart(end, how, **variables)


def test_other_libraries():
    """Where the C library does not have what ends the engine with the main thread, as musl, its
    pointer is NULL, and operations work."""
    symbols = subprocess.run(["nm", "-D", "-P", os.environ["CUDA_BLUR_TEST_MODULE"]], check=True,
                             capture_output=True, text=True).stdout
    assert re.search(r"^__cxa_thread_atexit_impl(@.*)? w\b", symbols, re.M)
