"""The resident process, calls that it may do, and what GIMP's log says of them."""

import fcntl
import glob
import select

import processes
from formats import Format
from layers import Layer, check, check_result

BLUR = "gaussian-blur"
PLAIN = {"sigma_x": 2.5, "sigma_y": 1.3}
RGBA = Format("u8", 4)
LARGE = (1700, 1200)
SAID_AT_START = 20  # messages: the resident process has one for each filter, and that it is there

# An explicit kernel is computed as it is, which takes long.
LENGTHY = {"sigma_x": 100.0, "sigma_y": 100.0, "kernel_size": 301}
ON_CPU = LENGTHY | {"device": "cpu"}

PLUGIN = "cuda-blur"
PROCEDURE = "gimp-procedural-db-proc-exists", "plug-in-cuda-gaussian-blur-resident-4"
TRIES = 50  # on a busy machine one call may be over before the other comes


def find_resident(gimp):
    """Only while no call is under way. The process of the last one may still be about to end."""
    def list_them():
        return processes.find_all(gimp.process.pid, PLUGIN)

    processes.wait_until(lambda: len(list_them()) <= 1, 10.0)
    return next(iter(list_them()), None)


def wait_for_resident(gimp, there):
    """Returns whether GIMP has one, or has none, within some seconds."""
    return processes.wait_until(lambda: bool(gimp.call(*PROCEDURE)) == there, 10.0)


def need_resident(gimp):
    """There is one, after this."""
    if not gimp.call(*PROCEDURE):
        # GIMP starts an extension but once. A call of its procedure, which ends with it, starts it
        # again. GIMP then waits for it to say that it is there: a call that came right now would
        # run within that wait, and GIMP miss the end of the process. It sleeps when it has said so;
        # GIMP handles one message of each process at a time.
        gimp.starter.restart("extension-cuda-filters")
        wait_for_resident(gimp, True)
        started = find_resident(gimp)
        processes.wait_until(lambda: processes.get_stat(started)[:1] == ["S"], 10.0)
        for _ in range(SAID_AT_START):
            gimp.call(*PROCEDURE)
    resident = find_resident(gimp)
    assert resident, "no resident process can be started"
    return resident


def kill_resident(gimp):
    processes.kill(need_resident(gimp))
    wait_for_resident(gimp, False)


# ---- the log ----


def check_log(gimp, forwarded, here=0, reason=None, text=None):
    """Since the last look the log must hold that many forwarded calls, and that many that a called
    process did itself for that reason; of all else, nothing."""
    lines = (gimp.read_log() if text is None else text).splitlines()
    strange = [line for line in lines if line and not line.startswith("cuda-blur: ")]
    assert not strange, strange
    calls = [line.rstrip() for line in lines if line.startswith("cuda-blur: forward")]
    assert sum(line.endswith(" bytes") for line in calls) == forwarded, lines
    assert sum(bool(reason) and reason in line for line in calls) == here, lines


def wait_for_idle(gimp, seconds):
    """Returns whether the resident process has given its engine back within that time."""
    return processes.wait_until(lambda: "cuda-blur: idle" in gimp.read_log(), seconds, 0.02)


# ---- calls ----


def check_right(gimp, rng, **settings):
    """A blur of a small layer."""
    layer = Layer.make(gimp, rng, RGBA, (400, 300), "random")
    check(layer, BLUR, **settings or PLAIN)
    gimp.image_delete(layer.image)


def is_being_filtered(gimp, layer):
    """By its lock (lock.h)."""
    for path in glob.glob(f"{gimp.folder}/run/gimp-cuda-blur-*.lock"):
        with open(path, "r+b") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1,
                            (gimp.process.pid << 32) + 2 + layer.drawable)
            except OSError:
                return True
    return False


def is_over(caller):
    """Whether the call that it has begun has ended."""
    return bool(select.select([caller.socket], [], [], 0)[0])


def begin(gimp, layer, caller=None, **settings):
    """Begins a call by the other caller, or this one."""
    call = Layer(caller or gimp.other, layer.image, layer.drawable, layer.format)
    call.send(BLUR, **settings or ON_CPU)


def begin_long(gimp, layer):
    """The same, until the layer is being blurred, or has been."""
    begin(gimp, layer)
    processes.wait_until(lambda: is_being_filtered(gimp, layer) or is_over(gimp.other), 60.0)


def find_called(gimp, resident, caller):
    """The process that GIMP has started for a call; None if that is over."""
    called = None
    while not called and not is_over(caller):
        called = processes.find(gimp.process.pid, PLUGIN, resident)
    return called


def retry(attempt):
    """Does something during a call until it returns that it was in time, or what it needed."""
    result = next(filter(None, (attempt() for _ in range(TRIES))), None)
    assert result, "the other call is always over before"
    return result


def check_blurred(gimp, before, layer, **settings):
    check_result(gimp, BLUR, RGBA, before, layer.read(), **settings)
