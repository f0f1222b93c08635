"""What the machine may lack: the reason is one sentence and the CPU takes over; once the machine
has it, the same engine uses the GPU. On the stand-in for CUDA and for NVRTC (nvrtc.c)."""

import ctypes
import itertools
import threading
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_size_t, c_uint, c_void_p

import pytest

import fx
import stand_in
from faults_scene import FIR, STORED, USES, Scene
from programs import PROGRAMS, ProgramCase
from stand_in import WANTED, machine

HOST = "/run/host"  # FX_HOST
REDUCE_THREADS = 256  # FX_REDUCE_THREADS
MISSING = "NVRTC, the CUDA run-time compiler"
COMPILED = ctypes.CFUNCTYPE(None, c_char_p)

fx.library.declare({
    "fx_compiler_get_identity": (c_char_p, [c_void_p]),
    "fx_compiler_get_version": (c_char_p, [c_void_p]),
    "fx_gpu_get_free_memory": (c_int, [c_void_p, POINTER(c_size_t)], True),
    "fx_gpu_get_kernel": (c_void_p, [c_void_p, c_void_p, POINTER(ProgramCase)], True),
    "fx_gpu_get_launch_limit": (c_double, [c_void_p]),
    "fx_gpu_launch": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p], True),
    "stand_in_on_compile": (None, [COMPILED]),
    "stand_in_unshare": (None, []),
})
whole = pytest.fixture(autouse=True)(stand_in.use)


@pytest.fixture
def scene():
    fx.library.judge_allow_failures()
    with Scene() as scene:
        yield scene


@pytest.fixture
def gpu(scene):
    """A function that opens the GPU of the machine as it is."""
    opened = []

    def open():
        opened.append(fx.call("fx_gpu_open", byref(scene.config)))
        return opened[0]

    yield open
    fx.library.fx_gpu_close(opened[0])


def change(**members):
    for name, value in members.items():
        setattr(machine, name, value)


@pytest.mark.parametrize("reason,lacking", [
    ("There is no NVIDIA driver", dict(driver=0)),
    ("The NVIDIA driver is for CUDA 10.2, but CUDA", dict(driver=10020)),
    ("The NVIDIA driver finds no GPU that may be used", dict(devices=0)),
    ("The NVIDIA driver was updated while it was in use. Restart the computer",
     dict(devices=0, updated=True)),
    (f"{MISSING} (libnvrtc), was not found: run sh plugin/setup.sh", dict(nvrtc=b"")),
    (MISSING, dict(nvrtc=b"14.0")),
    ("NVRTC 13.0 needs libnvrtc-builtins.so.13.0, which was not found: ", dict(builtins=False)),
    ("The GPU has compute capability 6.1, but NVRTC 13.0 compiles for 7.5 and later: install "
     "NVRTC 12.9 or older", dict(arch=61)),
    ("NVRTC 13.0 did not compile a program: ", dict(compiles=False)),
    ("GPU memory", dict(free_bytes=1000)),  # others use all of it
])
def test_lacks(scene, reason, lacking):
    change(**lacking)
    outcome = scene.use("auto")
    assert outcome.cpu == USES and reason in outcome.last and "\n" not in outcome.last
    outcome = scene.use("gpu", FIR)
    assert outcome.errors == 1 and reason in outcome.last
    fx.library.stand_in_reset()
    if "arch" in lacking:  # a device cannot be replaced while the engine runs
        scene.reopen()
    scene.check_gpu()


@pytest.mark.parametrize("processors,limit", [(6, 1e10 * 6 / 132), (132, 1e10), (170, 1e10)])
def test_processors(gpu, processors, limit):
    """Launches are as short on a GPU with few multiprocessors as on an H100."""
    change(processors=processors)
    assert fx.library.fx_gpu_get_launch_limit(gpu()) == pytest.approx(limit, abs=1)


@pytest.mark.parametrize("all,free,taken", [(2000, 1500, 1100), (2000, 300, 0),
                                            (24000, 20000, 17600)])
def test_reserve(scene, gpu, all, free, taken):
    """In MiB. A tenth of the memory is left for the desktop, and 400 MiB at the least."""
    change(all_bytes=all << 20, free_bytes=free << 20)
    bytes = c_size_t()
    fx.call("fx_gpu_get_free_memory", gpu(), byref(bytes))
    assert bytes.value == taken << 20
    if taken:
        scene.check_gpu()


def test_log(scene):
    """The message ends with the compiler's complete log."""
    change(compiles=False)
    outcome = scene.use("gpu", FIR)
    assert outcome.errors == 1
    assert outcome.last.endswith(f"\nprogram.cu(7): error: {WANTED}")


@pytest.mark.parametrize("nvrtc,arch", [
    # GPUs that NVRTC supports, and newer ones, with each NVRTC.
    *itertools.product([b"11.8", b"12.4", b"13.0", b"11.8 12.4 13.0"], [75, 89, 90, 91, 130]),
    # An older NVRTC serves a GPU that the newest one does not know any more.
    (b"12.4 13.0", 61)])
def test_versions(nvrtc, arch):
    change(nvrtc=nvrtc, arch=arch)
    with Scene() as scene:
        scene.check_gpu()


@pytest.mark.parametrize("folder", ["/nonexistent/conda/lib", HOST + "/usr/lib64"])
def test_folder(scene, monkeypatch, folder):
    """NVRTC lies where the loader does not search, in a folder of Conda's or of a Flatpak's host.
    It is taken only if its builtins lie beside it, and only from where nobody else may put
    files."""
    monkeypatch.setenv("CONDA_PREFIX", "/nonexistent/conda")
    for lacking in dict(builtins=False), dict(builtins=True, unsafe=True):
        change(lib=folder.encode(), **lacking)
        assert MISSING in scene.use("gpu", FIR).last
    change(unsafe=False)
    scene.check_gpu()


@pytest.mark.parametrize("odd", range(3))
def test_aligned(gpu, odd):
    """An address that is no multiple of its type's size is refused, as a device would."""
    memory = ctypes.create_string_buffer(256)
    aligned = -(-ctypes.addressof(memory) // 64) * 64
    source, result, view = ((ctypes.c_size_t * 8)(aligned + 2 * (odd == n)) for n in range(3))
    columns, zero, one = (ctypes.c_size_t(value) for value in (aligned, 0, 1))
    args = [source, zero, result, columns, columns, zero, zero, one, zero, zero, view]
    plan, opened = fx.Plan(None, STORED), gpu()
    case = ProgramCase(codec=plan.get_stored().codec)
    kernel = fx.call("fx_gpu_get_kernel", opened, PROGRAMS["reduce"], byref(case))
    launch = (c_uint * 6)(1, 1, REDUCE_THREADS)  # FxLaunch
    pointers = (c_void_p * len(args))(*map(ctypes.addressof, args))
    assert stand_in.get_error(fx.call, "fx_gpu_launch", opened, kernel, launch,
                              pointers) == "device"


@pytest.mark.parametrize("major", range(10, 15))
def test_majors(major):
    """Opens each NVRTC by its name, but none that is newer than the driver. Each has an
    identity."""
    change(nvrtc=b"11.0 12.0 13.0")
    if major < 11:
        assert stand_in.get_error(fx.call, "fx_compiler_open", major) == "unavailable"
        return
    compiler = fx.call("fx_compiler_open", major)
    version = fx.library.fx_compiler_get_version(compiler)
    assert version == f"{min(major, 13)}.0".encode()
    assert fx.library.fx_compiler_get_identity(compiler).startswith(version)
    fx.library.fx_compiler_close(compiler)


def test_late_compiler(scene):
    """The CPU takes over until the GPU has the compiled program."""
    may_end = threading.Event()
    hold = COMPILED(lambda source: may_end.wait())
    fx.library.stand_in_on_compile(hold)
    scene.reopen(timeout=1)
    for _ in range(3):
        outcome = scene.use("auto", FIR)
        assert outcome.cpu == 1 and "NVRTC has taken more than 0.001 seconds" in outcome.last
    may_end.set()
    while not scene.use("auto", FIR).gpu:
        pass
    fx.library.stand_in_on_compile(COMPILED())


def test_shared_context(scene):
    """Another user in the process keeps the broken context: there is no new one until that user
    releases it."""
    change(shared=True)
    stand_in.fail(b"cuLaunchKernel", 2, "sticky")
    assert not scene.use("auto").errors
    assert fx.library.fault_end()
    outcome = scene.use("auto")
    assert outcome.cpu == USES and WANTED in outcome.last
    fx.library.stand_in_unshare()
    scene.check_gpu()


@pytest.mark.parametrize("folder", [b"/proc/cuda-blur/cache", b"/dev/null", b"/nonexistent/a/b"])
def test_no_cache(scene, folder):
    """The cache cannot be written."""
    scene.reopen(cache_dir=folder)
    scene.check_gpu()
