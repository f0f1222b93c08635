"""GPUs can start every launch of every plan: the plans of the sweep go through the engine's own
launches. The driver, for each compute capability, runs nothing, but refuses what CUDA's driver
refuses (shim/driver-limits.h). NVRTC compiles the kernels, one for all that are launched in the
same way (alike-builder.h)."""

import itertools
from ctypes import POINTER, Structure, c_char_p, c_int, c_size_t, c_uint, c_void_p

import numpy as np
import pytest

import fx
from cases import pick
from formats import Format
from programs import PROGRAM, PROGRAMS, ProgramCase, take_bytes
from stand_in import machine
from launch_case import SIDE
from sweep import CASES, TALL, sweep

TALL_ROWS = 1100000  # about twice GIMP's largest height
SAMPLES = 12  # programs that are compared with their replacements
KB = 1024
REDUCE_THREADS = 256  # FX_REDUCE_THREADS
DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
OK, INVALID, OUT_OF_RESOURCES = 0, 1, 701  # CUresult

# Groups of capabilities with the same shared memory per block, so that plans are the same on them.
# Each plan runs on one of each group, chosen at random.
GROUPS = [[52, 61], [75], [86, 89, 120], [90]]
VARIANTS = {False: 0, True: 2}  # FxVariants: both, or specialised ones


class Launch(Structure):
    _fields_ = [("x", c_uint), ("y", c_uint), ("threads", c_uint), ("shared", c_size_t)]


class Kernel(Structure):
    """LimitsKernel."""

    _fields_ = [("shared", c_int), ("registers", c_int), ("threads", c_int), ("asked", c_int)]


class Sample(Structure):
    _fields_ = [("program", PROGRAM), ("text", c_char_p)]


KERNEL, TRIPLE = POINTER(Kernel), c_uint * 3
fx.library.declare({
    "alike_close": (None, []),
    "alike_compile_exactly": (c_void_p, [PROGRAM, c_char_p]),
    "alike_find": (c_void_p, [PROGRAM, c_char_p]),
    "alike_get_sample": (POINTER(Sample), [c_uint]),
    "alike_open": (c_int, [], True),
    "fx_gpu_close": (None, [c_void_p]),
    "fx_gpu_free_kernels": (None, [c_void_p]),
    "fx_gpu_get_capacity": (c_int, [c_void_p, c_void_p, c_uint, c_size_t, POINTER(c_int)], True),
    "fx_gpu_get_kernel": (c_void_p, [c_void_p, PROGRAM, POINTER(ProgramCase)], True),
    "fx_gpu_get_shared": (None, [c_void_p, POINTER(c_size_t), POINTER(c_size_t)]),
    "fx_gpu_launch": (c_int, [c_void_p, c_void_p, POINTER(Launch), c_void_p], True),
    "fx_gpu_open": (c_void_p, [POINTER(fx.Config)], True),
    "limits_check_launch": (c_int, [KERNEL, TRIPLE, TRIPLE, c_size_t]),
    "limits_count_blocks": (c_int, [KERNEL, c_int, c_int, c_size_t]),
    "limits_read_cubin": (None, [c_char_p, KERNEL]),
    "limits_set_attribute": (c_int, [KERNEL, c_int, c_int, c_int]),
})
backend = fx.Backend.from_address(fx.library.locate("fx_gpu_backend"))


@pytest.fixture(scope="module")
def gpus():
    """One of each capability, with generic programs and with specialised ones."""
    try:
        fx.call("alike_open")
    except fx.Error as error:
        pytest.skip(str(error))
    machine.processors, opened = 132, {}
    for arch, specialised in itertools.product(itertools.chain(*GROUPS), VARIANTS):
        machine.arch, config = arch, fx.Config(variants=VARIANTS[specialised])
        opened[arch, specialised] = fx.call("fx_gpu_open", config)
    yield opened
    for gpu in opened.values():
        fx.library.fx_gpu_close(gpu)
    fx.library.alike_close()


# ---- every plan ----


def run_plan(gpu, plan, width, height, pixels):
    """The next run must request its shared memory again."""
    strip = fx.Strip(width, height, x1=width, y1=height, source_x1=width, source_y1=height,
                     chunk_rows=height)
    run = fx.call(backend.begin, gpu, plan.handle, strip)
    try:
        fx.call(backend.push, run, pixels, 0, height)
        fx.call(backend.pull, run, pixels, 0, height)
    finally:
        backend.end(run)
        fx.library.fx_gpu_free_kernels(gpu)


def check_plan(rng, gpus, plan, format, specialised, width=SIDE, height=SIDE):
    """On one GPU of each group."""
    pixels, refused = np.zeros((height, width, format.channels), format.dtype), []
    for group in GROUPS:
        machine.arch = pick(rng, group)
        try:
            run_plan(gpus[machine.arch, specialised], plan, width, height, pixels.ctypes.data)
        except fx.Error as error:
            refused.append(f"compute capability {machine.arch}: {error}")
    assert not refused, f"specialised {specialised}: {refused}"


@pytest.mark.parametrize("name", CASES)
def test_sweep(rng, gpus, name):
    sweep(rng, name, lambda *plan: check_plan(rng, gpus, *plan))


@pytest.mark.parametrize("specialised", VARIANTS)
@pytest.mark.parametrize("filter,settings", TALL)
def test_tall(rng, gpus, filter, settings, specialised):
    """Images are so tall that there are more blocks vertically than a GPU can start at once."""
    format = Format("u8", 1)
    plan = fx.Plan(fx.Settings(filter, **settings), format, geometry=(0, 0, 1, TALL_ROWS))
    check_plan(rng, gpus, plan, format, specialised, 1, TALL_ROWS)


def read_kernel(code):
    kernel = Kernel()
    fx.library.limits_read_cubin(take_bytes(code), kernel)
    return kernel


def test_alike(gpus):
    """A replacement has the same blocks as the program itself, for a sample of the programs in the
    tests before."""
    samples = list(itertools.takewhile(bool, map(fx.library.alike_get_sample, itertools.count())))
    if not samples:
        pytest.skip("no plan was swept before")
    for sample in samples[::-(-len(samples) // SAMPLES)]:
        program, text = sample.contents.program, sample.contents.text
        exact, alike = (read_kernel(get(program, text)) for get in (
            fx.library.alike_compile_exactly, fx.library.alike_find))
        assert (exact.shared, exact.threads) == (alike.shared, alike.threads), text.decode()


# ---- launches that need more than the device has ----


def check_refused(function, *arguments):
    with pytest.raises(fx.Error, match="The GPU cannot start a kernel with ") as caught:
        fx.call(function, *arguments)
    assert caught.value.code == "device"


@pytest.mark.parametrize("arch", [group[0] for group in GROUPS])
def test_refused(monkeypatch, gpus, arch):
    """They are refused with a message."""
    machine.arch, gpu = arch, gpus[arch, False]
    codec = fx.Plan(None, Format()).get_stored().codec
    kernel = fx.call("fx_gpu_get_kernel", gpu, PROGRAMS["reduce"], ProgramCase(codec=codec))
    blocks, shared, processor = c_int(), c_size_t(), c_size_t()
    check_refused("fx_gpu_launch", gpu, kernel, Launch(1, 1, REDUCE_THREADS + 1), None)
    check_refused("fx_gpu_get_capacity", gpu, kernel, REDUCE_THREADS + 1, 0, blocks)
    fx.library.fx_gpu_get_shared(gpu, shared, processor)  # in addition to the static ones
    check_refused("fx_gpu_launch", gpu, kernel, Launch(1, 1, REDUCE_THREADS, shared), None)
    monkeypatch.setattr(machine, "crowded", True)
    check_refused("fx_gpu_get_capacity", gpu, kernel, REDUCE_THREADS, 0, blocks)
    monkeypatch.setattr(machine, "crowded", False)
    fx.call("fx_gpu_get_capacity", gpu, kernel, REDUCE_THREADS, 0, blocks)
    assert blocks.value > 0


# ---- the driver's stand-in ----


@pytest.mark.parametrize("grid,threads,shared,result", [
    ((1, 1, 1), 512, 48128, OK), ((1, 1, 1), 512, 48129, INVALID),
    ((0x7fffffff, 65535, 65535), 1, 0, OK), ((1, 65536, 1), 1, 0, INVALID),
    ((1, 1, 65536), 1, 0, INVALID), ((0, 1, 1), 1, 0, INVALID), ((1, 0, 1), 1, 0, INVALID),
    ((1, 1, 1), 0, 0, INVALID), ((1, 1, 1), 1025, 0, INVALID),
    ((1, 1, 1), 513, 0, OUT_OF_RESOURCES)])
def test_driver(grid, threads, shared, result):
    kernel = Kernel(shared=1024, registers=32, threads=512)
    assert fx.library.limits_check_launch(kernel, TRIPLE(*grid), TRIPLE(threads, 1, 1),
                                          shared) == result


def test_registers():
    assert fx.library.limits_check_launch(Kernel(registers=255), TRIPLE(1, 1, 1),
                                          TRIPLE(257, 1, 1), 0) == OUT_OF_RESOURCES


@pytest.mark.parametrize("arch,most,blocks,large", [
    (52, 48, 8, 4), (61, 48, 8, 4), (75, 64, 4, 2), (86, 99, 6, 4), (89, 99, 6, 4),
    (90, 227, 8, 8), (120, 99, 6, 4)])
def test_capabilities(arch, most, blocks, large):
    """The kilobytes of shared memory that a block may request, and how many blocks of 256 threads a
    multiprocessor has room for, also with 24 KB each, as documented."""
    kernel, most = Kernel(shared=KB, registers=32), (most - 1) * KB

    def count(shared):
        return fx.library.limits_count_blocks(kernel, arch, 256, shared)

    def request(shared):
        return fx.library.limits_set_attribute(kernel, arch, DYNAMIC_SHARED, shared)

    assert [count(0), count(23 * KB), count(48 * KB)] == [blocks, large, 0]
    assert [request(most + 1), request(-1), request(most)] == [INVALID, INVALID, OK]
    assert count(most) > 0
