"""The operations within GEGL while what they call fails: each call for memory in turn, and the
device; forks of a process that has used it, and its end. The pixels are right each time. What the
engine does if CUDA, NVRTC or the disk fails, its own tests prove (faults/).

CUDA_BLUR_TEST_FAULTS: the library of the fault points, which the module is linked with."""

import ctypes
import os
import signal
import threading
import time

import numpy as np
import pytest

import graph
from formats import Format
from graph import Graph, gegl, make_buffer
from processes import SECONDS, apart, fork_and, leave, run_apart
from scene import is_same, run_within

RGBA, SAME = Format("u8", 4), 2  # levels that two devices may be apart
ABORTING = 1 << 18  # bytes that may be asked for in a way that aborts
ONCE, STICKY, LOST, ALWAYS = range(4)  # fault.h
FATAL = 5  # GLib's G_LOG_FATAL_MASK

faults = ctypes.CDLL(os.environ["CUDA_BLUR_TEST_FAULTS"])
faults.aborting_largest.restype = ctypes.c_size_t
faults.fault_get_points.restype = ctypes.POINTER(ctypes.c_char_p)


class Picture:
    """Blocks of colour, so that pixels differ much from blurred ones; and several chunks. How it
    was made, and its blur by the CPU."""

    def __init__(self):
        graph.start()
        y, x = np.ogrid[:150, :40]
        self.made = np.full((150, 40, 4), 255, np.uint8)
        self.made[..., :3] = np.where((x // 4 + y) % 2, 30, 200)[..., None]
        self.buffer = make_buffer(self.made, RGBA)
        self.expected = self.blur("cpu")
        assert get_difference(self.expected, self.made) > 2 * SAME

    def render(self, operation, **settings):
        return Graph().add(operation, self.buffer, **settings).render(self.buffer.rect, RGBA)

    def blur(self, device):
        return self.render("cuda:gaussian-blur", std_dev_x=2, std_dev_y=2, device=device)

    def check(self, *devices):
        for device in devices:
            assert get_difference(self.blur(device), self.expected) <= SAME


def get_difference(one, other):
    return np.abs(one.astype(int) - other).max()


# ---- memory ----


def list_memory():
    """The points of FAULT_MEMORY."""
    points, names = faults.fault_get_points(3), []
    while points[len(names)]:
        names.append(points[len(names)])
    return names


def fail_each(points, mode):
    """Has each call of each point fail in turn, until there are no more."""
    for point in points:
        skip, came = 0, True
        while came:
            faults.fault_order(point, skip, mode)
            yield f"{point.decode()} {skip}"
            came = faults.fault_end()
            faults.stand_in_restore()
            faults.stand_in_check_clean(point)
            skip += 1


@pytest.mark.parametrize("mode,device", [(ONCE, "gpu"), (ALWAYS, "gpu"), (ALWAYS, "cpu")])
@apart(CUDA_BLUR_WARN=None)
def test_memory(mode, device):
    """Another device does it; if none does, the pixels stay as they are."""
    picture = Picture()

    def check():
        for fault in fail_each(list_memory(), mode):
            result = picture.blur(device)
            assert (get_difference(result, picture.expected) <= SAME or
                    mode == ALWAYS and is_same(result, picture.made)), fault

    run_within(check)


@apart(CUDA_BLUR_WARN=None)
def test_plan():
    """Without memory for the plan, whose matrix grows with the radius, the pixels stay as they are;
    with it, the result is what it was."""
    picture, settings = Picture(), {"radius": 4, "device": "cpu"}
    expected = picture.render("cuda:lens-blur", **settings)
    for fault in fail_each(list_memory(), ALWAYS):
        result = picture.render("cuda:lens-blur", **settings)
        faults.fault_end()
        assert is_same(result, picture.made) or is_same(result, expected), fault
        assert is_same(picture.render("cuda:lens-blur", **settings), expected), fault


@apart(CUDA_BLUR_WARN=None)
def test_matrix():
    """Without memory for the text, the matrix or the plan, the pixels stay as they are."""
    picture, points = Picture(), [b"g_try_malloc", b"g_try_malloc0", b"g_try_malloc_n"]
    expected = picture.render("cuda:convolve", values="1 2 1\n2 4 2\n1 2 1", device="cpu")
    for fault in fail_each(points, ALWAYS):
        node = Graph().add("cuda:convolve", picture.buffer, values="1 2 1\n2 4 2\n1 2 1",
                           device="cpu")
        result = node.render(picture.buffer.rect, RGBA)
        assert faults.fault_end() or not fault.endswith(" 0"), fault
        assert is_same(result, picture.made) or get_difference(result, expected) <= SAME, fault
        again = picture.render("cuda:convolve", values="1 2 1\n2 4 2\n1 2 1", device="cpu")
        assert is_same(again, expected), fault


@apart()
def test_sizes():
    """Memory that grows with the image or the matrix is asked for by calls that do not abort."""
    picture = Picture()
    large = make_buffer(np.full((1500, 1500, 4), 0.5, np.float32), Format("float", 4, False))
    matrix = "1023x1023: " + " ".join(str(i * 7919 % 97 + 1) for i in range(1023 ** 2))
    faults.aborting_largest()  # so far
    for device in "cpu", "gpu":
        node = Graph().add("cuda:gaussian-blur", large, std_dev_x=2, std_dev_y=2, device=device)
        node.render(large.rect)
    picture.render("cuda:lens-blur", radius=500, device="cpu")
    picture.render("cuda:convolve", values=matrix, device="cpu")
    assert 0 < faults.aborting_largest() < ABORTING


# ---- the device ----


def fail_launch(picture, mode):
    faults.fault_order(b"cuLaunchKernel", 0, mode)
    picture.check("gpu")
    assert faults.fault_end()
    faults.stand_in_restore()


@apart(CUDA_BLUR_WARN=None)
def test_again():
    """The process's own engine uses the device again."""
    picture = Picture()
    for mode in STICKY, LOST, ONCE, STICKY:
        fail_launch(picture, mode)


def test_judge():
    """A failure of which nobody has said that it may be ends the process (lib/judge.h), although
    the pixels are right."""
    with pytest.raises(AssertionError, match="A device failed, so another one does its work: CUDA"):
        run_apart(lambda: fail_launch(Picture(), ONCE))


# ---- forks, as GIMP makes them to start plug-ins ----


def end_gegl():
    """Which warns of the buffers that are left."""
    gegl.g_log_set_always_fatal(FATAL)
    gegl.gegl_exit()


@apart()
def test_fork():
    picture = Picture()

    def fork_all():
        fork_and(lambda: None)
        fork_and(lambda: picture.check("cpu", "gpu", "auto"))
        fork_and(end_gegl)

    picture.check("gpu")
    fork_all()
    picture.check("gpu")
    run_within(fork_all)
    picture.check("gpu")


# ---- the end of the process ----


@pytest.mark.parametrize("held", [False, True])
@apart(CUDA_BLUR_CACHE_DIR="/dev/null")  # everything is compiled again
def test_leave_compiling(held):
    """GEGL ends while the device is made ready; or the process does, and compilations never end."""
    signal.alarm(SECONDS)
    begun = threading.Event()

    def compile(source):
        begun.set()
        if held:
            signal.pause()

    picture, call = Picture(), ctypes.CFUNCTYPE(None, ctypes.c_char_p)(compile)
    faults.stand_in_on_compile(call)
    picture.check("auto")
    begun.wait()
    if not held:
        del picture
        graph.end()
    leave()


@pytest.mark.parametrize("by_main_thread", [True, False])
@apart(CUDA_BLUR_IDLE_SECONDS="1")
def test_leave_idle(by_main_thread):
    """The process ends while the device, which was idle, is given up: after that, also if the
    thread that does so is slow. The engine ends with the main thread's own objects, or with the
    handlers of exit."""
    signal.alarm(SECONDS)
    begun, may_end, c = threading.Event(), threading.Event(), ctypes.CDLL(None)
    on_exit, at_exit = c.on_exit, ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p)

    def give_up():
        begun.set()
        may_end.wait()
        time.sleep(0.1)

    calls = [ctypes.CFUNCTYPE(None)(give_up),
             at_exit(lambda *status: faults.stand_in_check_clean(b"")),
             at_exit(lambda *status: may_end.set()),
             ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda object: may_end.set())]
    on_exit(calls[1], None)  # the last one; the operation adds its own when it is used
    picture = Picture()
    faults.fault_on_call(b"cuDevicePrimaryCtxRelease", calls[0])
    picture.check("gpu")
    begun.wait()
    if by_main_thread:
        c.__cxa_thread_atexit_impl(calls[3], None, None)  # the first one
        leave()
    on_exit(calls[2], None)  # the first one
    leaving = threading.Thread(target=leave)
    leaving.start()
    leaving.join()
