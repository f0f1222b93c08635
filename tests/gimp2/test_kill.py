"""Processes killed during a call, as GIMP does it on Cancel and when it ends itself."""

import random
import time

import numpy as np
import pytest

import processes
from layers import Layer, is_within
from resident import (BLUR, LARGE, LENGTHY, RGBA, begin, check_right, find_called, need_resident,
                      retry, wait_for_resident)
from session import Refused

KILLS = 50  # of each kind

# The messages of a call whose resident process was killed, and those of GIMP if a called process
# was: the second one if GIMP had not yet handed it the call.
ENDED = ("resident process ended",)
GONE = ("no return values", "Failed to run plug-in")

# Half of which is spent on enlarging the layer.
GROWING = {"sigma_x": 20.0, "sigma_y": 20.0, "grow": 1}

# Two threads, so that a call lasts for some time on any machine.
GIMP = {"kills": True, "CUDA_BLUR_TRACE": "1", "OMP_NUM_THREADS": "2"}


class Victim:
    """A layer, and what becomes of it in calls that are killed. One that grows has a mask."""

    def __init__(self, gimp, rng, settings):
        self.gimp, self.settings, self.outcomes = gimp, settings, []
        self.layer = Layer.make(gimp, rng, RGBA, LARGE, "random")
        self.before, self.mask = self.layer.read(), None
        if "grow" in settings:
            self.mask = self.layer.add_mask(rng)
            self.mask_before = self.mask.read()
        self.call_copy()  # the first call starts the engine
        start = time.monotonic()
        self.blurred = self.call_copy()
        self.seconds = time.monotonic() - start
        gimp.image_clean_all(self.layer.image)

    def call_copy(self):
        copy = self.layer.copy()
        copy.call(BLUR, **self.settings)
        pixels = copy.read()
        self.gimp.image_delete(copy.image)
        return pixels

    def is_old(self, pixels, before, border=0):
        """Whether pixels are what they were, perhaps enlarged."""
        x, y = ((n - m) // 2 for n, m in zip(pixels.shape[1::-1], before.shape[1::-1]))
        return np.array_equal(pixels, np.pad(before, [(y, y), (x, x), (0, 0)],
                                             constant_values=border))

    def is_blurred(self, pixels):
        """On one device, to the byte."""
        if pixels.shape != self.blurred.shape or not self.gimp.is_on_gpu():
            return np.array_equal(pixels, self.blurred)
        return is_within(RGBA, RGBA.decode(self.blurred), pixels, 1.0)

    def check_mask(self, size):
        mask = self.mask.read()
        assert mask.shape[:2] == size
        assert any(self.is_old(mask, self.mask_before, border) for border in (0, 255))

    def check_whole(self):
        """All is old, and there is no undo step, or all is new. A layer that grows may have been
        enlarged and given its old size again by the caller, which are two steps. Returns what
        became of it."""
        pixels, dirty = self.layer.read(), bool(self.gimp.image_is_dirty(self.layer.image))
        old = self.is_old(pixels, self.before)
        if self.mask:
            self.check_mask(pixels.shape[:2])
        assert not old or pixels.shape == self.before.shape, "old, but enlarged"
        outcome = "new" if not old else "reduced" if dirty and self.mask else "old"
        assert old or self.is_blurred(pixels), "neither as it was nor blurred"
        assert dirty == (outcome != "old"), f"{outcome}, dirty {dirty}"
        self.outcomes.append(outcome)
        return outcome

    def restore(self):
        width, height = (getattr(self.gimp, f"drawable_{name}")(self.layer.drawable)
                         for name in ("width", "height"))
        old = self.before.shape[1::-1]
        self.gimp.layer_resize(self.layer.drawable, *old, -((width - old[0]) // 2),
                               -((height - old[1]) // 2))
        self.gimp.write(self.layer.drawable, self.before)
        if self.mask:
            self.gimp.write(self.mask.drawable, self.mask_before)
        self.gimp.image_clean_all(self.layer.image)

    def finish(self, sentences):
        """Waits for the end of a call, which must say one of these sentences if it fails."""
        try:
            self.gimp.receive()
            assert self.check_whole() == "new"
        except Refused as refused:
            self.check_whole()
            assert any(sentence in str(refused) for sentence in sentences), refused


@pytest.mark.parametrize("who,settings", [
    ("resident", LENGTHY), ("resident", GROWING), ("called", LENGTHY)])
def test_killed(gimp, rng, who, settings):
    """At moments all over a call. The layer is whole, and the next call right, each time."""
    need_resident(gimp)
    victim = Victim(gimp, rng, settings)
    for i in range(KILLS):
        resident, moment = need_resident(gimp), (i + random.random()) / KILLS * victim.seconds
        begin(gimp, victim.layer, gimp, **settings)
        process = find_called(gimp, resident, gimp) if who == "called" else resident
        time.sleep(moment)
        killed = process and processes.kill(process)
        victim.finish(GONE if who == "called" else ENDED)
        assert who == "resident" or processes.lives(resident), "the resident process has died"
        assert who == "called" or not killed or wait_for_resident(gimp, False)
        check_right(gimp, rng)
        victim.restore()
    print(f"a call lasts {victim.seconds:.3f} s; killed in it, the layer was", *victim.outcomes)


def test_killed_while_growing(gimp, rng):
    """In the moments in which the result is put into a layer that has grown."""
    need_resident(gimp)
    victim = Victim(gimp, rng, GROWING)
    for i in range(KILLS):
        resident = need_resident(gimp)
        begin(gimp, victim.layer, gimp, **GROWING)
        processes.wait_until(lambda: gimp.other.drawable_width(victim.layer.drawable) > LARGE[0],
                             10.0)
        time.sleep(0.048 * i / KILLS)
        processes.kill(resident)
        victim.finish(ENDED)
        wait_for_resident(gimp, False)
        check_right(gimp, rng)
        victim.restore()
    assert "reduced" in victim.outcomes and "old" not in victim.outcomes, victim.outcomes


def test_gimp_killed(gimp, rng):
    """The last of all: nothing outlives it, neither what does the work nor what waits for it."""
    layer, resident = Layer.make(gimp, rng, RGBA, LARGE), need_resident(gimp)

    def attempt():
        begin(gimp, layer)
        called = find_called(gimp, resident, gimp.other)
        time.sleep(0.05)
        if called and processes.lives(called):
            return called
        gimp.other.receive()
        return None

    called = retry(attempt)
    gimp.kill()
    assert processes.wait_end(called, 10.0), "the called process lives on"
    assert processes.wait_end(resident, 10.0), "the resident process lives on"
