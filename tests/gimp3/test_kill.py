"""A procedure of GIMP 3's whose process is killed."""

import threading
import time

import processes
from drawables import BLUR, Drawable
from gimp import Gimp

PLUG_IN = True
SIGMAS = {"sigma_x": 4.0, "sigma_y": 2.5}


def kill_calls(home, is_over):
    """The plug-in in each call, which GIMP does not only query."""
    inside = f"{home.inside}/gimp/plug-ins/cuda-blur/cuda-blur"
    while not is_over.is_set():
        for pid in processes.list_all():
            words = processes.get_words(pid)
            if inside in words and "-run" in words:
                processes.kill(pid)
        time.sleep(0.01)


def call_killed(gimp, rng):
    """Returns the layers of a call that was killed, and their pixels before. The killer may come
    late: then there is another call."""
    for _ in range(50):
        first = Drawable.make(gimp, rng)
        layers = [first, first.add(rng, 3)]
        before = [layer.read() for layer in layers]
        if first.call(BLUR, layers, **SIGMAS)[0] != "success":
            return layers, before
    raise AssertionError("nobody kills the plug-in")


def test_kill(home, rng):
    """Each layer is then as it was or blurred, and the next call works."""
    is_over = threading.Event()
    killer = threading.Thread(target=kill_calls, args=(home, is_over))
    with Gimp(home, kills=True) as gimp:
        killer.start()
        try:
            layers, before = call_killed(gimp, rng)
        finally:
            is_over.set()
            killer.join()
        for layer, old in zip(layers, before):
            if layer.read().tobytes() == old.tobytes():
                layer.must(**SIGMAS)
            layer.check(old, layer.read(), **SIGMAS)
