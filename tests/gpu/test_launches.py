"""Long work in short launches: the same pixels, however they are cut, and between two of them
Cancel is heard. On the stand-in for CUDA (shim/)."""

import ctypes
import sys
import threading

import numpy as np
import pytest

import fx
import stand_in

LIMIT = 200000.0  # less than a row of some of the blurs below costs
SHAPE = (120, 300, 4)  # one chunk: nobody asks between chunks
VIEW = (0, 0, 150, 60)

# The FIR in one kernel and in two, multi-resolution with one stage and with more, a mix.
TWO_KERNELS = dict(sigma_x=40, sigma_y=40, kernel_size=151)
BLURS = [dict(sigma_x=2, sigma_y=3), TWO_KERNELS, dict(sigma_x=12, sigma_y=12),
         dict(sigma_x=90, sigma_y=70), dict(sigma_x=1, sigma_y=20)]

each_blur = pytest.mark.parametrize("blur", BLURS, ids=str)


class Launches:
    """Counts launches, and calls a function at each."""

    def __init__(self):
        self.count, self.then = 0, lambda: None
        stand_in.watch(b"cuLaunchKernel", self.note)

    def note(self):
        self.count += 1
        self.then()


limit = ctypes.c_double.in_dll(fx.library.shared, "stand_in_launch_limit")
whole = pytest.fixture(autouse=True)(stand_in.use)


@pytest.fixture
def launches():
    yield Launches()
    limit.value = sys.float_info.max


@pytest.fixture
def pixels(rng):
    return rng.integers(0, 256, SHAPE).astype(np.uint8)


@each_blur
def test_same(launches, pixels, blur):
    whole = fx.run("gaussian-blur", pixels, **blur)
    few = launches.count
    limit.value = LIMIT
    cut = fx.run("gaussian-blur", pixels, **blur)
    assert launches.count - few >= 2 * few
    assert cut.tobytes() == whole.tobytes()


class CancelledStream(fx.Stream):
    """Cancelled when progress is asked for the third time: the first is at the start, the second
    once the source is read."""

    def begin(self):
        self.reports, self.changed = 0, threading.Condition()

    def progress(self, fraction):
        with self.changed:
            self.reports += 1
            self.changed.notify()
            return self.reports < 3

    def wait(self):
        with self.changed:
            assert self.changed.wait_for(lambda: self.reports >= 3, timeout=60)


def test_cancel(launches, pixels):
    """The third launch waits until the caller has been asked between two launches."""
    limit.value = LIMIT
    fx.run("gaussian-blur", pixels, **TWO_KERNELS)
    every, launches.count = launches.count, 0
    format = fx.guess_format(pixels)
    plan = fx.Plan(fx.Settings("gaussian-blur", **TWO_KERNELS), format)
    stream = CancelledStream(pixels, format, (0, 0, SHAPE[1], SHAPE[0]), plan.reach)
    stream.begin()
    launches.then = lambda: launches.count == 3 and stream.wait()
    assert stand_in.get_error(fx.run_stream, plan, stream, fx.DEVICES.index("gpu"),
                              fx.Report()) == "cancelled"
    assert launches.count < every
    launches.then = lambda: None
    fx.run("gaussian-blur", pixels, **BLURS[0])  # the engine is whole


@each_blur
def test_views(launches, pixels, blur):
    preview = fx.Preview(pixels)

    def render(progress=None):
        return preview.render("gaussian-blur", VIEW, scale=0.5, progress=progress, **blur)

    whole = render()
    limit.value = LIMIT
    assert render().tobytes() == whole.tobytes()

    # The image is there: one report as the view begins, others between launches.
    launches.count, reports = 0, []

    def lose_patience(fraction):
        reports.append(launches.count)
        return len(reports) < 4

    assert stand_in.get_error(render, lose_patience) == "cancelled"
    assert 0 < reports[-1] == launches.count
