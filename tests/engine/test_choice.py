"""The automatic device: the faster one as far as is known, by what runs have taken; one for all of
a picture. No clock counts but the work that is done: the estimates' units, or the launches of the
stand-in for CUDA (shim/) and the rows of the CPU."""

import ctypes
import itertools
import threading
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_void_p

import numpy as np
import pytest

import fx
import stand_in
from cases import list_examples
from stand_in import Cost, machine

KINDS = 64  # that are remembered
ESTIMATED = Cost(open=1e6, run=1.0)  # a GPU that takes 1 ms for everything
DEVICES = ["gpu", "cpu"]
names = (ctypes.create_string_buffer(b"a kind %d" % n) for n in itertools.count())
kept = []  # for the library, which compares names by their addresses

whole = pytest.fixture(autouse=True)(stand_in.use)


class Kind(ctypes.Structure):
    _fields_ = [("filter", c_char_p)] + [(name, c_int) for name in (
        "sample", "channels", "curve", "threads", "pixels", "cost")]


class Task(ctypes.Structure):
    """Tasks of the same kind, with estimates in milliseconds. runs: that make a picture."""

    _fields_ = [("kind", Kind), ("estimates", c_double * 3), ("runs", c_double)]

    @classmethod
    def make(cls, gpu=10.0, cpu=10.0, runs=1.0):
        kept.append(next(names))
        return cls(Kind(ctypes.addressof(kept[-1])), (0.0, gpu, cpu), runs)

    def choose(self, ready=True):
        alternative = c_int()
        device = fx.library.fx_task_choose(byref(self), byref(alternative))
        return fx.DEVICES[alternative.value if ready else device]

    def learn(self, device, *times):
        for milliseconds in times:
            fx.library.fx_task_learn(byref(self), fx.DEVICES.index(device), milliseconds)

    def expect(self):
        """Of the GPU, and of the CPU."""
        return [fx.library.fx_task_expect(byref(self), fx.DEVICES.index(device))
                for device in DEVICES]

    def run(self, n, take, ready=True):
        """n choices, each of which takes what take returns for its device."""
        chosen = []
        for _ in range(n):
            chosen.append(self.choose(ready))
            self.learn(chosen[-1], take(chosen[-1]))
        return chosen


fx.library.declare({
    "fx_cpu_blocks_pull": (c_int, [c_void_p, c_void_p, c_int, c_int, c_void_p]),
    "fx_task_choose": (c_int, [POINTER(Task), POINTER(c_int)]),
    "fx_task_expect": (c_double, [POINTER(Task), c_int]),
    "fx_task_learn": (None, [POINTER(Task), c_int, c_double]),
    "fx_task_new": (Task, [c_void_p, POINTER(fx.Image), c_void_p]),
    "fx_engine_get_cpu": (c_void_p, [c_void_p]),
})
fx.library.check({"FxTask": Task})


# ---- what is known ----


@pytest.mark.parametrize("gpu,cpu", itertools.product([0.05, 0.4, 1, 2.5, 20], repeat=2))
@pytest.mark.parametrize("estimated", [(10, 10), (10, 4), (4, 10)])
def test_learns(estimated, gpu, cpu):
    """Whatever the devices take relative to the estimates: after five runs the device that is
    chosen is at most 1.3 times as slow as the other. But what is thought to be three times as slow
    is not tried."""
    task = Task.make(*estimated)
    times = {"gpu": gpu * estimated[0], "cpu": cpu * estimated[1]}
    chosen = task.run(30, times.get)[5:]
    best = min(times, key=times.get)
    slow = max(times, key=times.get)
    hopeless = estimated[DEVICES.index(best)] > 3 * times[slow]
    for device in chosen:
        assert times[device] <= 1.3 * times[best] or hopeless


def test_first_run():
    """It is the estimates that choose, without anything known, and nothing is tried."""
    assert Task.make(10, 11).choose() == "gpu"
    assert Task.make(11, 10).choose() == "cpu"


@pytest.mark.parametrize("at", range(8))
@pytest.mark.parametrize("times", [0.01, 100])
@pytest.mark.parametrize("gpu", [10, 16])
def test_outlier(at, times, gpu):
    """One run that takes far too long or short, the first one too, changes no choice, but tries."""
    def choose(times):
        task, number = Task.make(gpu, 12), itertools.count()
        return task.run(20, lambda device: {"gpu": gpu, "cpu": 12}[device] *
                        (times if next(number) == at else 1.0))

    usual, chosen = choose(1.0), choose(times)
    assert usual[5:] == [min(("gpu", gpu), ("cpu", 12), key=lambda pair: pair[1])[0]] * 15
    changed = sum(one != other for one, other in zip(usual, chosen))
    assert changed <= 2 and chosen[-10:] == usual[-10:]


@pytest.mark.parametrize("noise", [0.05, 0.1, 0.2])
@pytest.mark.parametrize("gpu", [9, 9.5, 10, 10.5, 11])
def test_near(rng, noise, gpu):
    """Devices that are about as fast do not take turns: in 100 runs there are up to two tries, and
    a change or two."""
    times = {"gpu": gpu, "cpu": 10}
    changes = []
    for _ in range(20):
        chosen = Task.make().run(100, lambda device: times[device] * np.exp(rng.normal(0, noise)))
        changes.append(sum(one != other for one, other in zip(chosen, chosen[1:])))
    assert np.mean(changes) <= 4 and max(changes) <= 10


def test_change():
    """A device that becomes faster is found, if it is not far behind; and at once, if it becomes
    slower."""
    task, times = Task.make(), {"gpu": 10, "cpu": 20}
    assert set(task.run(50, times.get)[5:]) == {"gpu"}
    times["cpu"] = 5
    assert task.run(210, times.get)[-1] == "cpu"
    times["cpu"] = 30
    assert task.run(3, times.get)[-1] == "gpu"


@pytest.mark.parametrize("gpu,ready,runs,tried", [
    (15, True, 1, True), (15, False, 1, False),  # a GPU that is not ready
    (31, True, 1, False), (15, True, 11, False),  # a loss that would be large: 3 times, 55 ms
    (29, True, 1, True), (15, True, 9, True)])
def test_tries(gpu, ready, runs, tried):
    """The other device is tried while little is known of it, but only at a small loss."""
    task = Task.make(gpu, 10, runs)
    assert ("gpu" in task.run(20, {"gpu": gpu, "cpu": 10}.get, ready)) == tried


def test_bad_try():
    """A try that takes far longer than was expected is not repeated."""
    assert Task.make(60, 50).run(30, {"gpu": 200, "cpu": 50}.get).count("gpu") == 1


def test_bounded():
    """Kinds that were not used for longest are forgotten."""
    tasks = [Task.make(10, 10) for _ in range(KINDS + 1)]
    for task in tasks:
        task.learn("cpu", 20, 20)
    assert [task.expect() for task in tasks[1:]] == [[10, pytest.approx(20)]] * KINDS
    assert tasks[0].expect() == [10, 10]


# ---- runs ----


PULL = dict(fx.Backend._fields_)["pull"]


class CpuPath(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("held", c_int)] + [
        (name, c_void_p) for name in ("get_chunk_rows", "init", "lay_out", "fill", "push")] + [
        ("pull", PULL)]


fx.library.check({"FxCpuPath": CpuPath})


class Work:
    """Blurs of a picture of several chunks, and an engine that counts their work: a launch takes
    the GPU, and a row the CPU, so many microseconds. They are of a kind by themselves."""

    def __init__(self, rng, launch, row, filter="gaussian-blur", **settings):
        self.pixels = rng.integers(0, 256, (700, 40, 4), np.uint8)
        self.format = fx.guess_format(self.pixels)
        self.plan = fx.Plan(fx.Settings(filter, **settings), self.format,
                            geometry=(0, 0, *self.pixels.shape[1::-1]))
        self.launch = launch
        self.wrap(row)
        stand_in.watch(b"cuLaunchKernel", lambda: fx.library.clock_add(self.launch))
        fx.library.clock_set_counting(True)
        machine.cost = ESTIMATED
        self.warm_up(fx.Engine())

    def warm_up(self, engine):
        """Makes the GPU of the engine ready, by a run of another kind."""
        self.engine = engine
        self.run("gpu", (0, 0, 40, 8))

    def wrap(self, row):
        """Gives the plan a filter of a new name, whose path on the CPU counts."""
        plan, filter = self.plan.get_stored(), self.plan.own_filter()
        path = CpuPath.from_buffer_copy(CpuPath.from_address(plan.cpu_path))
        pull = (PULL(ctypes.cast(path.pull, c_void_p).value) if path.pull  # a copy
                else fx.library.fx_cpu_blocks_pull)

        def count(run, result, y, rows, error):
            fx.library.clock_add(row * rows)
            return pull(run, result, y, rows, error)

        path.pull = PULL(count)
        kept.extend([path, next(names)])
        filter.name = ctypes.addressof(kept[-1])
        plan.cpu_path = ctypes.addressof(path)

    def run(self, device="auto", region=None):
        """Returns the device, and the milliseconds that were counted."""
        report = fx.Report()
        fx.run_plan(self.plan, self.pixels, self.format, device, region, engine=self.engine,
                    report=report)
        return report.device, report.milliseconds

    def choose(self, n):
        return [self.run()[0] for _ in range(n)]

    def expect(self):
        image = fx.Image(format=fx.store_format(self.format), width=40, height=700,
                         region=fx.Rect(0, 0, 40, 700))
        return fx.library.fx_task_new(self.plan.handle, byref(image), fx.library.fx_engine_get_cpu(
            self.engine.handle)).expect()


# Microseconds of a launch and of a row.
COSTS = [(100, 100), (20000, 30),  # a throttled GPU
         (1000, 100), (1000, 3000),  # a throttled CPU
         (1000, 10)]


def list_throttled():
    """Each filter with all costs, over which its examples are spread."""
    for filter, pairs in itertools.groupby(list_examples("SETTINGS"), lambda pair: pair[0]):
        examples = [settings for _, settings in pairs]
        for i in range(max(len(examples), len(COSTS))):
            yield (filter, examples[i % len(examples)], *COSTS[i % len(COSTS)])


@pytest.mark.parametrize("filter,settings,launch,row", list_throttled())
def test_throttled(rng, filter, settings, launch, row):
    work = Work(rng, launch, row, filter, **settings)
    chosen = work.choose(9)[5:]
    times = {device: work.run(device)[1] for device in DEVICES}
    assert all(times[device] <= 1.3 * min(times.values()) for device in chosen), (times, chosen)


def test_parts(rng):
    """A picture that comes in parts stays on its device, also if that becomes slow. Another one
    begins where the first part comes again."""
    work = Work(rng, launch=1000, row=100, sigma_x=2)
    pictures = []
    for work.launch in [1000, 1000, 1000, 100000, 1000]:
        pictures.append([work.run("auto", (0, y, 40, 100))[0] for y in range(0, 700, 100)])
    assert [set(picture) for picture in pictures] == [{"cpu"}, {"gpu"}, {"gpu"}, {"gpu"}, {"cpu"}]


def test_lost_part(rng):
    """A GPU that fails leaves all of the picture to the CPU."""
    work = Work(rng, launch=10, row=1000, sigma_x=2)
    parts = [(0, y, 40, 100) for y in range(0, 700, 100)]
    for part in parts + parts[:1]:
        last = work.run("auto", part)[0]
    assert last == "gpu"
    stand_in.fail(b"cuLaunchKernel")
    assert [work.run("auto", part)[0] for part in parts[1:]] == ["cpu"] * 6


# Three runs, of which two would count if they taught anything.


@pytest.mark.parametrize("device", DEVICES)
def test_named(rng, device):
    work = Work(rng, launch=1000, row=100, sigma_x=2)
    known = work.expect()
    for _ in range(3):
        work.run(device)
    assert work.expect() == known


def test_cancelled(rng):
    work = Work(rng, launch=1000, row=100, sigma_x=2)
    work.choose(6)
    known = work.expect()
    for _ in range(3):
        stream = fx.Stream(work.pixels, work.format, (0, 0, 40, 700), work.plan.reach)
        stream.image.progress = fx.PROGRESS(
            lambda data, fraction: fx.library.clock_add(1000000) or fraction < 0.5)
        assert stand_in.get_error(fx.run_stream, work.plan, stream, fx.DEVICES.index("auto"),
                                  fx.Report(), work.engine) == "cancelled"
    assert work.expect() == known


@pytest.mark.parametrize("call", [b"cuLaunchKernel", b"cuMemcpyDtoHAsync"])
def test_failed(rng, call):
    """The CPU does a run that the GPU began."""
    work = Work(rng, launch=10, row=1000, sigma_x=2)
    assert work.choose(6)[-1] == "gpu"
    known = work.expect()
    for _ in range(3):
        stand_in.fail(call)
        assert work.run()[0] == "cpu"
        stand_in.restore()
    assert work.expect() == known


def test_second_try(rng):
    """The GPU has to try again, with less memory."""
    work = Work(rng, launch=1000, row=10000, sigma_x=2)
    work.choose(6)
    known, work.launch = work.expect(), 10000
    for _ in range(3):
        work.warm_up(fx.Engine())
        stand_in.fail(b"cuMemAlloc", allowed=False)
        assert work.run()[0] == "gpu"
        assert fx.library.fault_end() and work.expect() == known


def test_not_ready(rng):
    """The run opens the GPU."""
    work = Work(rng, launch=1000, row=10000, sigma_x=2)
    work.choose(6)
    known, machine.cost, work.launch = work.expect(), Cost(run=1.0), 10000
    for _ in range(3):
        work.engine = fx.Engine()
        assert work.run()[0] == "gpu"
    assert work.expect() == known


def test_beside_warming(rng):
    """The CPU works while the GPU warms up."""
    work, answer = Work(rng, launch=10, row=1000, sigma_x=2), threading.Event()
    known, work.engine = work.expect(), stand_in.make_engine(warm_up=True)
    machine.cost = stand_in.SLOW_TO_OPEN
    stand_in.watch(b"cudaDriverGetVersion", answer.wait)
    assert work.choose(3) == ["cpu"] * 3
    answer.set()
    assert stand_in.wait_for_gpu(work.engine)[0]
    machine.cost = ESTIMATED
    assert work.expect() == known
