"""A preview's GPU that warms up in the background, answers late, fails or lacks memory, and a CPU
that lacks it for a draft. On the stand-in for CUDA (shim/). What a view must be is what another
preview shows that only the CPU renders."""

import threading

import numpy as np
import pytest

import fx
import stand_in
from stand_in import NOT_READY, SLOW_TO_OPEN, WANTED, Cost, machine

WIDTH, HEIGHT = 100, 80
VIEW = (0, 0, 50, 40)
VIEW_BYTES = 50 * 40 * 4
SAME = 2  # levels by which the views of two devices may differ

whole = pytest.fixture(autouse=True)(stand_in.use)


class Subject:
    """Noise, opaque, as alpha would magnify what devices may differ by; and its preview."""

    def __init__(self, rng, engine=None):
        self.pixels = rng.integers(0, 256, (HEIGHT, WIDTH, 4), np.uint8)
        self.pixels[..., 3] = 255
        self.engine = engine or fx.Engine()
        self.preview = fx.Preview(self.pixels, engine=self.engine)

    def set_mask(self):
        self.preview.set_mask(np.tile(np.minimum(4 * np.arange(WIDTH), 255), (HEIGHT, 1)))

    def show(self, sigma, device="auto"):
        """Returns the report. The pixels must be right whoever does it."""
        report, other = fx.ViewReport(), fx.Preview(self.pixels, engine=fx.Engine())
        other.set_mask(self.preview.mask)
        got, expected = (
            preview.render("gaussian-blur", VIEW, scale=0.5, device=by, report=about,
                           sigma_x=sigma, sigma_y=sigma).astype(int)
            for preview, by, about in [(self.preview, device, report), (other, "cpu", None)])
        assert np.abs(got - expected).max() <= SAME
        return report

    def show_by_cpu(self, sigma):
        """Returns whether it is a draft, and why it was not the GPU."""
        report = self.show(sigma)
        assert report.report.device == "cpu"
        return bool(report.draft), report.report.fallback.decode()

    def show_until_gpu(self, sigma):
        """Until then views are drafts, to be asked for again."""
        while (report := self.show(sigma)).report.device != "gpu":
            assert report.draft and report.report.fallback.decode() == NOT_READY
        assert not report.draft and not report.report.fallback


# ---- a GPU that is not ready ----


def test_warming(rng):
    """A new engine warms the GPU up while the CPU renders, also for the next view, whatever the
    estimated cost of a run."""
    subject = Subject(rng)
    machine.cost = Cost(open=1e6, run=1e6)
    for sigma in 0, 2, 30:
        subject.show_until_gpu(sigma)


def test_slow_driver(rng):
    """No view waits for a driver that answers late. Later ones report its answer."""
    subject, asked, answer = Subject(rng), threading.Event(), threading.Event()
    machine.devices, machine.cost = 0, SLOW_TO_OPEN
    stand_in.watch(b"cudaDriverGetVersion", lambda: (asked.set(), answer.wait()))
    assert subject.show_by_cpu(3) == (True, NOT_READY)
    asked.wait()
    assert subject.show_by_cpu(3) == (True, NOT_READY)
    answer.set()
    assert not stand_in.wait_for_gpu(subject.engine)[0]
    assert subject.show_by_cpu(3)[1] == "The NVIDIA driver finds no GPU that may be used"


def test_never_warm(rng):
    """One that cannot be got ready: it is said why, and is no draft."""
    subject, draft = Subject(rng), True
    stand_in.fail(b"cuModuleLoadData", mode="lost")
    while draft:
        draft, reason = subject.show_by_cpu(2)
    assert WANTED in reason


# ---- a GPU that fails ----


@pytest.mark.parametrize("n,call,skip", [
    (0, b"cuMemGetInfo", 0), (1, b"cuMemcpyHtoDAsync", 0), (2, b"cuMemcpyHtoDAsync", 1),
    (3, b"cuLaunchKernel", 0), (4, b"cuLaunchKernel", 1), (5, b"cuMemcpyDtoHAsync", 0)])
@pytest.mark.parametrize("mode", ["once", "lost"])
def test_failures(rng, mode, n, call, skip):
    """A call that fails: the CPU does it, or, asked for the GPU alone, an error; then all goes on.
    A lost device is opened again."""
    subject, sigma, opened = Subject(rng), [12, 2][n % 2], []
    stand_in.watch(b"cuDevicePrimaryCtxRetain", lambda: opened.append(True))
    subject.show_until_gpu(sigma)
    subject.pixels[20:60, :, :3] ^= 255
    subject.preview.change(20, 40)
    subject.set_mask()
    stand_in.fail(call, skip, mode)
    draft, reason = subject.show_by_cpu(sigma)
    assert not draft and WANTED in reason
    stand_in.restore()
    subject.show_until_gpu(sigma)
    assert len(opened) == (2 if mode == "lost" else 1)
    subject.preview.change(20, 40)
    stand_in.fail(call, skip, mode)
    assert stand_in.get_error(subject.show, sigma, "gpu") == "device"
    stand_in.restore()
    subject.show(sigma, "gpu")


# ---- memory ----


@pytest.mark.parametrize("skip", range(7))
def test_memory(rng, skip):
    """Memory that ran out is made room for, once; the image on the device stays."""
    subject = Subject(rng)
    subject.set_mask()
    stand_in.fail(b"cuMemAlloc", skip, allowed=False)
    subject.show(12, "gpu")
    assert fx.library.fault_end()


def test_smaller(rng):
    """The memory of an image is not kept for one that is much smaller."""
    subject = Subject(rng)
    subject.show(2, "gpu")
    before = stand_in.get_memory()
    small = fx.Preview(subject.pixels[:40, :40], engine=subject.engine)
    small.render("gaussian-blur", VIEW, scale=0.5, device="gpu", sigma_x=2, sigma_y=2)
    assert before - stand_in.get_memory() == (WIDTH * HEIGHT - 40 * 40) * 4


def test_given_back(rng):
    """Freeing a preview frees the image and the mask on the device, which holds one preview's at a
    time."""
    engine = fx.Engine()
    subject, other = Subject(rng, engine), Subject(rng, engine)
    subject.set_mask()
    other.show(2, "gpu")
    before = stand_in.get_memory()
    subject.show(2, "gpu")
    with_image = stand_in.get_memory()
    assert with_image - before == WIDTH * HEIGHT
    del other  # nothing of it is there any more
    assert stand_in.get_memory() == with_image
    subject.show(2, "gpu")
    del subject
    assert stand_in.get_memory() == with_image - WIDTH * HEIGHT * 5


def test_scarce(rng):
    """A view takes no more memory than is free, beside the image, which stays."""
    pixels, free, views, taken = Subject(rng).pixels, WIDTH * HEIGHT * 6, [], []
    for scarce in False, True:
        preview = fx.Preview(pixels, engine=fx.Engine())
        if scarce:
            machine.free_bytes = (400 << 20) + free  # what is left to the desktop
        views.append(preview.render("gaussian-blur", VIEW, scale=0.5, device="gpu"))
        taken.append(stand_in.get_memory())
        del preview
    assert (views[0] == views[1]).all()
    assert taken[1] < taken[0] and taken[1] < free + 2 * VIEW_BYTES


def test_memory_limit(rng, monkeypatch):
    """More than the environment allows: the CPU does it."""
    subject = Subject(rng)
    subject.show_until_gpu(2)
    fx.library.judge_allow_failures()
    monkeypatch.setenv("CUDA_BLUR_MEMORY_LIMIT", "30000")
    assert "GPU memory" in subject.show_by_cpu(2)[1]


def test_no_draft(rng):
    """No memory for the plan of a draft: the view is no draft."""
    subject, report = Subject(rng), fx.ViewReport()
    plan = fx.Plan(fx.Settings("gaussian-blur"), subject.preview.get_format())
    filter = plan.own_filter()
    filter.get_draft = type(filter.get_draft)(lambda plan, level: None)
    plan.get_stored().cpu_cost = 1e6
    got = subject.preview.render_plan(plan, VIEW, 0.5, draft=True, device="cpu", report=report)
    expected = subject.preview.render("gaussian-blur", VIEW, scale=0.5, device="cpu")
    assert not report.draft and (got == expected).all()


def test_slow_gpu(rng):
    """A GPU that takes long for views leaves drafts to the CPU; one that did so once does not."""
    subject, report = Subject(rng), fx.ViewReport()
    subject.show_until_gpu(2)
    plan = fx.Plan(fx.Settings("gaussian-blur", sigma_x=2, sigma_y=2),
                   subject.preview.get_format())
    plan.get_stored().cpu_cost = 2.5e5  # 20 ms, from 8,000 pixels
    fx.library.clock_set_counting(True)
    drafts = []
    for microseconds in [10000, 10000, 1000000, 10000, 1000000, 1000000, 0]:
        stand_in.watch(b"cuLaunchKernel", lambda: fx.library.clock_add(microseconds))
        subject.preview.render_plan(plan, VIEW, 0.5, draft=True, device="auto", report=report)
        drafts.append(report.draft)
    assert drafts == [0, 0, 0, 0, 0, 1, 1]
