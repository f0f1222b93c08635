"""Lets every call fail in turn that the engine makes to the outside: the pixels are still right, or
there is one error; nothing hangs, nothing leaks, and the next run uses the GPU again."""

import itertools

import numpy as np
import pytest

import fx
import stand_in
from faults_scene import FIR, PIXELS, STORED, Scene
from stand_in import machine

came, end = fx.library.fault_came, fx.library.fault_end
whole = pytest.fixture(autouse=True)(stand_in.use)


def list_points(group):
    """Kept as long as the library has the order of a failure."""
    return list(itertools.takewhile(bool, fx.library.fault_get_points(group)))


CUDA, NVRTC, DISK, MEMORY = map(list_points, range(4))


def check_call(point, skip, mode, may_fail, resident, **options):
    """Uses an engine while one call fails. If that call is not made, closes the engine, which may
    make it. Returns False if it is not made at all. resident: programs are in the cache already."""
    with Scene(**options) as scene:
        if resident:
            scene.check_gpu()
            scene.reopen()
        stand_in.fail(point, skip, mode)
        outcome = scene.use("auto")
        if not came():
            scene.reopen()
        was_made = end()
        print(point, skip, bool(was_made), vars(outcome))
        assert may_fail or not outcome.errors
        if mode == "once" and outcome.last.startswith("CUDA failed in "):
            assert point.decode() in outcome.last
        if mode != "once":
            scene.use("auto", FIR)  # a run may be needed to notice
        stand_in.restore()
        scene.check_gpu()
    return was_made


def check_point(point, mode="once", may_fail=False, resident=False, **options):
    """Lets each call of a point fail in turn, until there are no more."""
    for skip in itertools.count():
        if not check_call(point, skip, mode, may_fail, resident, **options):
            break
        fx.library.stand_in_check_clean(point)


each_cuda = pytest.mark.parametrize("point", CUDA)


@each_cuda
def test_cuda(point):
    check_point(point)


@each_cuda
def test_sticky(point):
    check_point(point, "sticky")


@each_cuda
def test_lost(point):
    check_point(point, "lost")


@pytest.mark.parametrize("point,ptx", [
    *((point, False) for point in NVRTC), (b"nvrtcGetPTXSize", True), (b"nvrtcGetPTX", True)])
def test_nvrtc(point, ptx):
    check_point(point, ptx=ptx)


@pytest.mark.parametrize("point,lacking", [
    (b"cuGetErrorName", "launches"), (b"cuGetErrorString", "launches"),
    (b"nvrtcGetProgramLogSize", "compiles"), (b"nvrtcGetProgramLog", "compiles")])
@pytest.mark.parametrize("skip", range(3))
def test_words(skip, point, lacking):
    """The function that describes a failure fails, too."""
    with Scene() as scene:
        setattr(machine, lacking, False)
        stand_in.fail(point, skip)
        outcome = scene.use("auto")
        assert end()
        assert outcome.gpu == outcome.errors == 0
        setattr(machine, lacking, True)
        scene.check_gpu()


@pytest.mark.parametrize("point,resident", [
    *((point, False) for point in DISK), (b"openat", True), (b"fstat", True), (b"read", True)])
def test_disk(point, resident):
    """Few jobs will do: the cache does not know what a program is for, and writing an entry reads
    all others."""
    check_point(point, resident=resident, few=True)


@pytest.mark.parametrize("point,resident", [
    *((point, False) for point in MEMORY), (b"g_try_malloc", True)])
def test_memory(point, resident):
    check_point(point, may_fail=True, resident=resident)


def test_memory_copy():
    """An identity plan copies the image through a buffer of a few rows."""
    def copy():
        return fx.run_plan(fx.Plan(None, STORED), PIXELS, STORED, device="auto", engine=engine)

    engine = fx.Engine()
    stand_in.fail(b"g_try_malloc_n")
    assert stand_in.get_error(copy) == "memory"
    assert end()
    assert np.array_equal(copy(), PIXELS)
