"""The stand-in for CUDA (shim/): its machine, and calls of it that fail or are watched. The name of
a call is a literal, because C keeps its address."""

import ctypes
from ctypes import c_char_p, c_double, c_int, c_int64, c_size_t, c_void_p

import fx

MODES = ["once", "sticky", "lost", "always"]
WANTED = "as the test wants"  # the reason of a failure
NOT_READY = "The CPU finishes before the GPU would be ready"


class Cost(ctypes.Structure):
    _fields_ = [(name, c_double) for name in ("open", "run", "megabyte", "work")]


class Machine(ctypes.Structure):
    _fields_ = [("driver", c_int), ("devices", c_int), ("arch", c_int), ("nvrtc", c_char_p),
                ("builtins", c_int), ("lib", c_char_p), ("unsafe", c_int), ("shared", c_int),
                ("free_bytes", c_size_t), ("all_bytes", c_size_t), ("processors", c_int),
                ("launches", c_int), ("compiles", c_int), ("crowded", c_int), ("updated", c_int),
                ("cost", Cost)]


SLOW_TO_OPEN = Cost(open=1e6)
CALL = ctypes.CFUNCTYPE(None)

fx.library.declare({
    "clock_add": (None, [c_int64]),
    "clock_set_counting": (None, [c_int]),
    "clock_step": (None, [c_int64]),
    "fault_end": (c_int, []),
    "fault_on_call": (None, [c_char_p, CALL]),
    "fault_order": (None, [c_char_p, c_int, c_int]),
    "fx_engine_has_lost_gpu": (c_int, [c_void_p]),
    "fx_engine_enable_warm_up": (None, [c_void_p]),
    "fx_engine_set_waiting": (None, [c_void_p, c_int]),
    "fx_gpu_owner_get_reason": (c_char_p, [c_void_p]),
    "fx_gpu_owner_wait": (c_void_p, [c_void_p]),
    "g_test_log_set_fatal_handler": (None, [c_void_p, c_void_p]),
    "judge_allow_failures": (None, []),
    "stand_in_get_memory": (c_size_t, []),
    "stand_in_reset": (None, []),
    "stand_in_restore": (None, []),
})
get_memory, restore = fx.library.stand_in_get_memory, fx.library.stand_in_restore
machine = Machine.in_dll(fx.library.shared, "stand_in")
assert machine.processors == 3 and machine.compiles, "StandIn is not as in its header"


def fail(call, skip=0, mode="once", allowed=True):
    """Has a call fail, after skip calls that succeed. allowed: the CPU may do the work instead
    (lib/judge.h)."""
    if allowed:
        fx.library.judge_allow_failures()
    fx.library.fault_order(call, skip, MODES.index(mode))


watcher = []


def watch(call, function):
    """Calls function before each such call, on the thread that makes it."""
    watcher[:] = [CALL(function)]
    fx.library.fault_on_call(call, watcher[0])


def use():
    """For a fixture: the machine is whole after each test. The engine that all tests share would
    keep the device's context."""
    fx.close()
    yield
    fx.library.fault_on_call(None, CALL())
    fx.library.clock_step(0)
    fx.library.clock_set_counting(False)
    restore()
    fx.library.stand_in_reset()
    fx.library.g_test_log_set_fatal_handler(None, None)


def make_engine(warm_up=False):
    engine = fx.Engine()
    if warm_up:
        fx.library.fx_engine_enable_warm_up(engine.handle)
    return engine


def has_lost_gpu(engine):
    return bool(fx.library.fx_engine_has_lost_gpu(engine.handle))


def wait_for_gpu(engine):
    """Until it is ready or has failed. Returns whether it is ready, and otherwise why not."""
    owner = fx.library.fx_engine_get_gpu_owner(engine.handle)
    ready = bool(fx.library.fx_gpu_owner_wait(owner))
    return ready, "" if ready else fx.library.fx_gpu_owner_get_reason(owner).decode()


def get_error(function, *arguments):
    """The code of the engine's error. No variable keeps the callers' frames, and so their
    engines."""
    try:
        function(*arguments)
    except fx.Error as error:
        return error.code
    return None
