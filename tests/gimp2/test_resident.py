"""The resident process: calls are forwarded to it; without it, the called process does the work."""

import struct

import numpy as np
import pytest

import processes
from formats import Format
from layers import Layer, check_unchanged, lock
from resident import (BLUR, LARGE, LENGTHY, ON_CPU, PLAIN, PLUGIN, RGBA, begin, begin_long,
                      check_blurred, check_log, check_right, find_called, find_resident,
                      is_being_filtered, is_over, kill_resident, need_resident, retry,
                      wait_for_idle)
from session import CALLING_ERROR, EXECUTION_ERROR, WITH_LAST_VALS, Refused
from test_map import FILTER, MISSING, SETTINGS, check_call

IDLE_SECONDS = 1
BUSY = "the resident process is busy"
ENDED = "The filter's resident process ended before it was done"

# Two threads, so that a call lasts for some time on any machine.
GIMP = {"kills": True, "CUDA_BLUR_TRACE": "1", "OMP_NUM_THREADS": "2",
        "CUDA_BLUR_IDLE_SECONDS": str(IDLE_SECONDS)}


def make(gimp, rng, size=(1200, 900)):
    layer = Layer.make(gimp, rng, RGBA, size, "random")
    return layer, layer.read()


# ---- forwarding ----


def test_forwarded(gimp, rng):
    resident = need_resident(gimp)
    before = processes.get_time(resident)
    gimp.read_log()
    for _ in range(3):
        check_right(gimp, rng)
    assert find_resident(gimp) == resident
    assert processes.get_time(resident) > before
    check_log(gimp, 3)


LAST = b"sigma-x=4\nsigma-y=4\n"


def check_last_values(gimp, rng):
    gimp.procedural_db_set_data("plug-in-cuda-gaussian-blur", len(LAST), LAST)
    layer, before = make(gimp, rng, (80, 60))
    layer.call(BLUR, WITH_LAST_VALS, [])
    check_blurred(gimp, before, layer, sigma_x=4.0, sigma_y=4.0)


def test_last_values(gimp, rng):
    need_resident(gimp)
    gimp.read_log()
    check_last_values(gimp, rng)
    check_log(gimp, 1)


def test_missing(gimp, rng):
    need_resident(gimp)
    gimp.read_log()
    kill_resident(gimp)
    log = gimp.read_log()  # GIMP says so of any plug-in
    assert log.count("Plug-in crashed") == 1 and "ERROR" not in log and "CRITICAL" not in log
    check_right(gimp, rng)
    check_last_values(gimp, rng)
    check_log(gimp, 0, 2, "no resident process")


def make_calls(gimp, rng):
    """One of each kind that fails, and some that do not."""
    good, locked = make(gimp, rng, (50, 40))[0], make(gimp, rng, (50, 40))[0]
    indexed = Layer.make(gimp, rng, Format("u8", 3))
    lock(locked)
    gimp.image_convert_indexed(indexed.image, 0, 0, 16, 0, 0, "")
    calls = [(good, settings) for settings in (
        PLAIN, {"sigma_x": 0.0, "sigma_y": 0.0}, {"sigma_x": -1.0}, {"kernel_size": 4},
        {"grow": 2}, {"device": "gpu"}, {"arguments": []})]
    return [*calls, (locked, PLAIN), (indexed, PLAIN),
            (Layer(gimp, locked.image, good.drawable, RGBA), PLAIN)]


def get_words(gimp, calls):
    """The status and the words of each, and how many errors GIMP has shown."""
    gimp.read_log()
    words = []
    for layer, settings in calls:
        try:
            layer.call(BLUR, **settings)
            words.append("success")
        except Refused as refused:
            words.append((refused.status, str(refused)))
    return words, gimp.read_log().count("GIMP-Error")


def test_words(gimp, rng):
    """They are the same with a resident process and without."""
    calls = make_calls(gimp, rng)
    need_resident(gimp)
    words = get_words(gimp, calls)
    kill_resident(gimp)
    assert get_words(gimp, calls) == words
    assert words[0].count("success") == (3 if gimp.is_on_gpu("gpu") else 2)


@pytest.mark.parametrize("there", [True, False])
def test_map(gimp, rng, there):
    """It is read where the work is done, and missed in the same words."""
    (need_resident if there else kill_resident)(gimp)
    layer, other = (make(gimp, rng, (80, 60))[0] for _ in range(2))
    gimp.read_log()
    check_call(layer, other, FILTER, SETTINGS)
    check_log(gimp, int(there), int(not there), "no resident process")
    gone = struct.pack("i", 1 << 20)
    gimp.procedural_db_set_data(f"plug-in-cuda-{FILTER}-map", len(gone), gone)
    check_unchanged(layer, lambda: layer.call(FILTER, WITH_LAST_VALS, []), MISSING)


def test_alone(gimp):
    """Only its GIMP has the other ends of its pipes, whose numbers are in its command."""
    resident = need_resident(gimp)
    for word in processes.get_words(resident)[2:4]:
        assert processes.find_sharers(resident, int(word)) == [gimp.process.pid]


# ---- the loaded libraries ----


def has_modules(pid):
    """Whether GEGL's modules or babl's are loaded."""
    return processes.has_mapped(pid, "/gegl-0.4/") or processes.has_mapped(pid, "/babl-0.1/")


@pytest.mark.parametrize("there", [True, False])
def test_modules(gimp, rng, there):
    """Neither in the called process nor in the resident one. The test plug-in has them."""
    assert has_modules(gimp.get_pid())
    resident = need_resident(gimp)
    if not there:
        kill_resident(gimp)
        resident = None

    def attempt():
        layer, _ = make(gimp, rng, LARGE)
        begin(gimp, layer)
        called, seen = find_called(gimp, resident, gimp.other), False
        while called and processes.lives(called):
            assert not has_modules(called)
            seen = seen or processes.has_mapped(called, f"/{PLUGIN}")
        assert not resident or not has_modules(resident)
        gimp.other.receive()
        return seen

    retry(attempt)


# ---- a call that comes while it is busy ----


def finish_both(gimp, before, layer):
    """When this call is over. Returns whether one of both was forwarded, and the other not."""
    gimp.other.receive()
    check_blurred(gimp, before, layer, **ON_CPU)
    log = gimp.read_log()
    in_time = BUSY in log
    check_log(gimp, 1 if in_time else 2, int(in_time), BUSY, text=log)
    return in_time


def test_two(gimp, rng):
    """The called process of one does the work itself."""
    def attempt():
        need_resident(gimp)
        (first, before), (second, second_before) = make(gimp, rng), make(gimp, rng)
        gimp.read_log()
        begin_long(gimp, first)
        second.call(BLUR, **ON_CPU)
        in_time = finish_both(gimp, before, first)
        check_blurred(gimp, second_before, second, **ON_CPU)
        return in_time

    retry(attempt)


def test_two_of_one_layer(gimp, rng):
    """It is blurred twice."""
    def attempt():
        need_resident(gimp)
        layer, before = make(gimp, rng)
        copy = Layer.make(gimp, rng, RGBA, (1200, 900))
        gimp.write(copy.drawable, before)
        copy.call(BLUR, **ON_CPU)
        once = copy.read()
        gimp.read_log()
        begin_long(gimp, layer)
        layer.call(BLUR, **ON_CPU)
        return finish_both(gimp, once, layer)

    retry(attempt)


def check_done_or_said(gimp, call, before, layer, **settings):
    """A call that is done, or that says that the resident process has ended and has changed
    nothing. Returns whether it was done."""
    try:
        call()
    except Refused as refused:
        assert ENDED in str(refused)
        assert layer.read().tobytes() == before.tobytes()
        return False
    check_blurred(gimp, before, layer, **settings)
    return True


def call_directly(gimp, layer):
    """The resident process's own procedure, by one that takes no turns. Returns the status."""
    try:
        gimp.call("plug-in-cuda-gaussian-blur-resident-4", layer.drawable, -1, 0, b"")
    except Refused as refused:
        return refused.status
    return None


def test_uninvited(gimp, rng):
    """It refuses. If GIMP is about to send it a tile, GIMP takes the refusal for a violation of its
    protocol, and ends the process: no work is lost, but the refusal must be seen."""
    def attempt():
        need_resident(gimp)
        (first, first_before), (second, before) = make(gimp, rng, LARGE), make(gimp, rng, (60, 50))
        begin_long(gimp, first)
        status = call_directly(gimp, second)
        over = status is None and not is_being_filtered(gimp, first)
        done = check_done_or_said(gimp, gimp.other.receive, first_before, first, **ON_CPU)
        if not over:  # nobody answers any more where the process was ended
            assert status == EXECUTION_ERROR or (not done and status == CALLING_ERROR)
            assert second.read().tobytes() == before.tobytes()
        check_right(gimp, rng)
        return done and not over

    retry(attempt)


def test_orphaned(gimp, rng):
    """The resident process goes on with the call of a process that was killed, and another comes:
    its caller does the work itself, unless the resident process has not yet begun."""
    def attempt():
        resident = need_resident(gimp)
        first, before = make(gimp, rng, LARGE)
        begin(gimp, first)
        called = find_called(gimp, resident, gimp.other)
        processes.wait_until(lambda: is_over(gimp.other), 0.1)
        if not called or not processes.kill(called):
            gimp.other.receive()
            return False
        layer, other_before = make(gimp, rng, (400, 300))
        in_time = check_done_or_said(gimp, lambda: layer.call(BLUR, **PLAIN), other_before, layer,
                                     **PLAIN)
        with pytest.raises(Refused):
            gimp.other.receive()
        if not np.array_equal(first.read(), before):
            check_blurred(gimp, before, first, **ON_CPU)
        check_right(gimp, rng)
        return in_time

    retry(attempt)


# ---- idle ----


def go_idle(gimp, rng, may_grow):
    """After a call it gives its engine back. Returns the memory that it then holds, in kB."""
    resident = need_resident(gimp)

    def attempt():
        layer, _ = make(gimp, rng)
        gimp.read_log()
        layer.call(BLUR, **LENGTHY)
        use = processes.get_use(resident)
        in_time = "cuda-blur: idle" not in gimp.read_log()
        gimp.image_delete(layer.image)
        return in_time and use

    before = retry(attempt)
    assert wait_for_idle(gimp, 5.0)
    after = processes.get_use(resident)
    assert after.threads < before.threads
    assert (after.memory <= before.memory and after.files <= before.files) or may_grow
    assert find_resident(gimp) == resident
    return after.memory


def test_idle(gimp, rng):
    """NVIDIA's driver, if there is one, is loaded meanwhile, and stays. Each time there is a new
    thread."""
    kill_resident(gimp)  # an earlier call's engine would become idle at any moment
    first = go_idle(gimp, rng, gimp.is_on_gpu())
    assert not wait_for_idle(gimp, 1.5 * IDLE_SECONDS), "it was idle twice"
    later = [go_idle(gimp, rng, False) for _ in range(2)][-1]
    assert later <= first + 1024
    check_right(gimp, rng)
