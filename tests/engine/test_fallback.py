"""Which device does a run: the automatic choice; and one that fails midway: the caller sees one
whole result, from the CPU or from the device at a second try, or one error; and the test fails that
did not say that a device may fail. On the stand-in for CUDA (shim/)."""

import os
import threading

import numpy as np
import pytest

import fx
import stand_in
from stand_in import NOT_READY, SLOW_TO_OPEN, WANTED, Cost, machine

LOST = "The GPU was lost, and a later call tries it again: "
SIGMAS = [2, 12]  # the FIR, multi-resolution
COMPILED = b"cuModuleLoadData"

whole = pytest.fixture(autouse=True)(stand_in.use)


class Scene:
    """A picture of several chunks, its blur by the CPU, and an engine."""

    def __init__(self, rng, sigma=2, warm_up=False):
        self.pixels = rng.integers(0, 256, (700, 150, 4), np.uint8)
        self.engine = stand_in.make_engine(warm_up)
        self.set(sigma)

    def set(self, sigma):
        self.sigma, self.expected = sigma, None
        self.expected = self.blur("cpu", fx.Report())

    def blur(self, device, report):
        return fx.run("gaussian-blur", self.pixels, sigma_x=self.sigma, sigma_y=self.sigma,
                      device=device, engine=self.engine, report=report).astype(int)

    def run(self, device="auto"):
        """Returns the device that did it, and why that was not the GPU. The pixels must be right
        whoever does it."""
        report = fx.Report()
        difference = np.abs(self.blur(device, report) - self.expected)
        assert difference[self.expected[..., 3] >= 8].max() <= 1
        return report.device, report.fallback.decode()

    def run_by_cpu(self):
        """Returns why."""
        device, reason = self.run()
        assert device == "cpu" and reason
        return reason

    def run_until_gpu(self, *reasons):
        """Until then the CPU does it, for one of these reasons."""
        while (run := self.run()) != ("gpu", ""):
            assert run[0] == "cpu" and any(reason in run[1] for reason in reasons), run


# ---- a device that fails midway ----


@pytest.mark.parametrize("call,skip", [
    (b"cuMemGetInfo", 0), (b"cuMemcpyHtoDAsync", 0), (b"cuMemcpyHtoDAsync", 2),
    (b"cuLaunchKernel", 0), (b"cuLaunchKernel", 1), (b"cuMemcpyDtoHAsync", 0),
    (b"cuMemcpyDtoHAsync", 1)])
@pytest.mark.parametrize("mode", ["once", "lost"])
@pytest.mark.parametrize("sigma", SIGMAS)
def test_device(rng, sigma, mode, call, skip):
    """The CPU does it, or, if the GPU alone is asked for, it is an error; and the device is used
    again as soon as it works."""
    scene = Scene(rng, sigma)
    stand_in.fail(call, skip, mode)
    reason = scene.run_by_cpu()
    assert WANTED in reason
    assert reason.startswith(LOST) == stand_in.has_lost_gpu(scene.engine) == (mode == "lost")
    stand_in.restore()
    stand_in.fail(call, skip, mode)
    assert stand_in.get_error(scene.run, "gpu") == "device"
    stand_in.restore()
    assert scene.run("gpu") == ("gpu", "")
    assert not stand_in.has_lost_gpu(scene.engine)


@pytest.mark.parametrize("sigma", SIGMAS)
@pytest.mark.parametrize("skip", [0, 1])
def test_memory(rng, sigma, skip):
    """Out of memory: once more with less of it."""
    scene = Scene(rng, sigma)
    stand_in.fail(b"cuMemAlloc", skip, allowed=False)
    assert scene.run("gpu") == ("gpu", "")
    assert fx.library.fault_end()


# ---- the automatic choice ----


def test_cost(rng):
    """The cost of a run decides: with the device open, and with a device that must first be
    opened."""
    scene = Scene(rng)
    for cost, device, reason in [
            (Cost(run=1e6), "cpu", "The CPU may be faster for this"),
            (SLOW_TO_OPEN, "cpu", NOT_READY), (SLOW_TO_OPEN, "cpu", NOT_READY),
            (Cost(), "gpu", ""), (SLOW_TO_OPEN, "gpu", "")]:
        machine.cost = cost
        assert scene.run() == (device, reason)


def test_warming(rng):
    """An engine that lasts gets the device ready on the side: by opening it, and then by loading
    what another sigma needs."""
    scene = Scene(rng, warm_up=True)
    machine.cost = SLOW_TO_OPEN
    for sigma in SIGMAS:
        scene.set(sigma)
        scene.run_by_cpu()
        scene.run_until_gpu("")


@pytest.mark.parametrize("mode", ["once", "lost"])
def test_never_warm(rng, mode):
    """One that cannot be got ready: the engine says why; and it tries again, now and then."""
    scene = Scene(rng, warm_up=True)
    machine.cost = SLOW_TO_OPEN
    stand_in.fail(COMPILED, mode=mode)
    while WANTED not in scene.run_by_cpu():
        pass
    stand_in.restore()
    scene.run_until_gpu(WANTED, NOT_READY)


@pytest.mark.parametrize("step,tries", [(0, 3), (130_000_000, 10)])
def test_pause(rng, step, tries):
    """A lost device is tried more and more rarely, but each time if some minutes have passed. step:
    microseconds from each look at the clock to the next."""
    scene, opened = Scene(rng, warm_up=True), []
    machine.cost = SLOW_TO_OPEN
    fx.library.clock_step(step)
    stand_in.fail(COMPILED, mode="always")
    stand_in.watch(b"cuDevicePrimaryCtxRetain", lambda: opened.append(True))
    for _ in range(10):
        scene.run_by_cpu()
        ready, reason = stand_in.wait_for_gpu(scene.engine)
        assert not ready
    assert LOST in reason and stand_in.has_lost_gpu(scene.engine)
    assert len(opened) == tries


def test_cold(rng):
    """The device is asked for while it warms, or the engine is freed."""
    scene, other = Scene(rng, warm_up=True), Scene(rng, warm_up=True)
    machine.cost = SLOW_TO_OPEN
    scene.run_by_cpu()
    other.run_by_cpu()
    assert scene.run("gpu") == ("gpu", "")


@pytest.mark.parametrize("waiting", [False, True])
def test_slow_driver(rng, waiting):
    """A run that waited for a driver that answers late would not end, whether or not the caller may
    wait for the GPU. Later ones report its answer."""
    scene, asked, answer = Scene(rng, warm_up=True), threading.Event(), threading.Event()
    fx.library.fx_engine_set_waiting(scene.engine.handle, waiting)
    machine.devices, machine.cost = 0, SLOW_TO_OPEN
    stand_in.watch(b"cudaDriverGetVersion", lambda: (asked.set(), answer.wait()))
    assert scene.run_by_cpu() == NOT_READY
    asked.wait()
    assert scene.run_by_cpu() == NOT_READY
    answer.set()
    assert not stand_in.wait_for_gpu(scene.engine)[0]
    assert scene.run_by_cpu() == "The NVIDIA driver finds no GPU that may be used"


# ---- the judge (lib/judge.h) ----


def fail_run(scene):
    stand_in.fail(b"cuLaunchKernel", allowed=False)
    scene.run()


def fail_warming(scene):
    """The GPU is made ready on the side, and nobody asks for it again."""
    machine.cost = SLOW_TO_OPEN
    stand_in.fail(COMPILED, allowed=False)
    scene.run()
    stand_in.wait_for_gpu(scene.engine)


def fail_view(scene):
    preview = fx.Preview(scene.pixels, engine=scene.engine)
    preview.render("gaussian-blur", (0, 0, 50, 40), device="gpu")
    stand_in.fail(b"cuLaunchKernel", allowed=False)
    preview.render("gaussian-blur", (0, 0, 50, 40), device="auto")


@pytest.mark.parametrize("function,warm_up", [
    (fail_run, False), (fail_warming, True), (fail_view, False)])
def test_judge(rng, capfd, function, warm_up):
    """Each of these is done by the CPU, and right, after a failure of which nobody has said that it
    may be: that ends the process."""
    child = os.fork()
    if child == 0:
        try:
            function(Scene(rng, warm_up=warm_up))
        finally:
            os._exit(0)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1])
    said = capfd.readouterr().err
    assert "WARNING **: A device failed, so another one does its work" in said and WANTED in said
