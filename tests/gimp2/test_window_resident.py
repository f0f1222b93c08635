"""Calls that are forwarded to the resident process, in GIMP's own window: the name of their undo
step, and what undo takes back if a call was cancelled or a process killed."""

import time

import pytest

import processes
from resident import need_resident, wait_for_resident
from session import WITH_LAST_VALS, Refused
from subject import BLUR

LARGE = {"name": "rgba", "size": (1800, 1500)}  # so that a call lasts for some time on any machine
MENU_ENTRY = 40, 29, 340, 26  # the Edit menu's first one, on the screen
CANCEL = 844, 684  # the button at the end of the status bar

DESK = {"kills": True, "CUDA_BLUR_DEVICE": "cpu", "OMP_NUM_THREADS": "2"}


def check_next_call(desk):
    """After all that has happened, from the menu."""
    desk.new_image()
    desk.press_image("ctrl+f")
    desk.check_applied()


def look_at_first_entry(desk):
    """Of the Edit menu: Undo and the name of the step."""
    closed = desk.look(*MENU_ENTRY)
    desk.press_image("alt+e")
    desk.wait_for("the menu does not open", lambda: desk.look(*MENU_ENTRY) != closed)
    desk.rest()
    entry = desk.look(*MENU_ENTRY)
    desk.press_image("Escape", "Escape")
    return entry


def test_name(desk):
    """The undo step of a forwarded call has the menu's name. The first one is drawn by the called
    process after its dialog, as without a resident process."""
    desk.begin()
    desk.apply()
    with_dialog = look_at_first_entry(desk)
    check_next_call(desk)
    desk.wait_for("no call is forwarded", desk.list_traces, "forward")
    assert desk.list_traces("forward")[-1].rstrip().endswith(" bytes")
    forwarded = look_at_first_entry(desk)
    assert forwarded == with_dialog
    desk.press_image("ctrl+a")
    assert look_at_first_entry(desk) != forwarded


def make_steps(desk):
    """An image with one undo step. Returns the layer's state after it."""
    desk.new_image(**LARGE).blur()
    return desk.state()


def test_cancel(desk):
    """On the progress bar, until it has been there."""
    before = make_steps(desk)
    desk.image.begin_with(2000.0, kernel_size=9999)
    desk.press_image("ctrl+f")

    def press_cancel():
        desk.xdotool("mousemove", *CANCEL, "click", 1)
        time.sleep(0.3)
        return desk.is_idle()

    desk.wait_for("the call does not end", press_cancel)
    desk.check_unchanged(before)
    desk.undo()
    check_next_call(desk)


def begin_call(desk, sigma, **settings):
    desk.image.begin_with(sigma, **settings)
    desk.image.send(BLUR, WITH_LAST_VALS, [])


def finish_killed(desk):
    """A call during which the resident process was killed."""
    try:
        desk.gimp.receive()
    except Refused:
        pass
    desk.gimp.displays_flush()
    desk.wait_for("a process does not end", desk.is_idle)
    wait_for_resident(desk.gimp, False)


def undo_steps(desk, before):
    """After a call that went wrong, undo leads back through that state to the first one, be the
    call's own step there or not."""
    if desk.state() != before:
        desk.press_image("ctrl+z")
        desk.become(before)
    desk.undo()


def undo_repaired(desk, before):
    """The same of a layer that was enlarged and, by the caller, made as it was again, which are two
    steps."""
    if desk.state() != before:
        undo_steps(desk, before)
        return
    desk.press_image("ctrl+z")
    desk.wait_for("no step is undone", lambda: desk.state() != before, seconds=10)
    if desk.state() != desk.original:
        desk.press_image("ctrl+z")
        desk.become(before)
        desk.undo()


@pytest.mark.parametrize("seconds", [0.1, 0.4, 0.7, 1.0])
def test_killed(desk, seconds):
    """The resident process, after that time."""
    pid = need_resident(desk.gimp)
    before = make_steps(desk)
    begin_call(desk, 600.0, kernel_size=3001)
    time.sleep(seconds)
    processes.kill(pid)
    finish_killed(desk)
    undo_steps(desk, before)


@pytest.mark.parametrize("milliseconds", [0, 10, 25, 40])
def test_killed_growing(desk, milliseconds):
    """That long after the layer has become wider."""
    pid = need_resident(desk.gimp)
    before = make_steps(desk)
    begin_call(desk, 20.0, grow=1)
    width = before[0]
    processes.wait_until(
        lambda: desk.gimp.other.drawable_width(desk.image.drawable) > width, 10.0)
    time.sleep(milliseconds / 1e3)
    processes.kill(pid)
    finish_killed(desk)
    undo_repaired(desk, before)


def test_next_call(desk):
    check_next_call(desk)
