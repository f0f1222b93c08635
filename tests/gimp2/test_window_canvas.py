"""The preview on the canvas in GIMP's own window: it is visible, undo and redo have the same steps
as before, and it adds no star to the title. The canvas is in the test plug-in's process
(dialog_parts.py)."""

import numpy as np
import pytest

import fx
from layers import describe, run_engine
from screen import IMAGE
from session import NONINTERACTIVE, Refused
from subject import BLUR

PART = 220, 160, 300, 260  # of the screen, within the image

DESK = {"kills": True}


def show(desk):
    desk.canvas = desk.gimp.load("dialog_parts").Canvas(desk.image.drawable)


def hide(desk):
    desk.canvas.free()


def show_blur(desk, sigma, grow=0):
    settings = {"sigma_x": float(sigma), "sigma_y": float(sigma), "grow": grow}
    x, y = fx.Settings(BLUR, **settings).get_growth()
    large = np.pad(desk.image.read(), [(y, y), (x, x), (0, 0)])
    after = run_engine(BLUR, large, desk.image.format, **settings)
    assert not desk.canvas.set(after.tobytes(), (0, 0, *after.shape[1::-1]), **settings)
    assert desk.canvas.write() == "done"


def show_blurs(desk):
    show(desk)
    show_blur(desk, 2)
    show_blur(desk, 9, grow=1)


def make_steps(desk):
    """An image of which one step can be undone and one redone. Returns the layer's states before,
    between and after them."""
    image = desk.new_image("rgba")
    states = [desk.original]
    for _ in range(2):
        image.blur()
        states.append(desk.state())
    desk.press_image("ctrl+z")
    desk.become(states[1])
    return states


def walk(desk, first, second, third):
    """Redo and undo through all the steps, from the second state."""
    for key, state in [("y", third), ("z", second), ("z", first)]:
        desk.press_image(f"ctrl+{key}")
        desk.become(state)
        desk.check_unchanged(state)


def test_steps(desk):
    states = make_steps(desk)
    before = describe(desk.gimp, desk.image.image)
    show_blurs(desk)
    desk.check_unchanged(states[1])
    hide(desk)
    assert describe(desk.gimp, desk.image.image) == before
    walk(desk, *states)


def test_meanwhile(desk):
    """The user's steps while the preview is there."""
    states = first, second, _ = make_steps(desk)
    show_blurs(desk)
    for key, state in [("z", first), ("y", second)]:
        desk.press_image(f"ctrl+{key}")
        desk.become(state)
        desk.check_unchanged(state)
    hide(desk)
    walk(desk, *states)


def is_starred(desk):
    desk.await_window(IMAGE)
    desk.rest()
    return "*" in desk.xdotool("getwindowname", *desk.window)


def test_star(desk):
    """A blur gives the title one, and undo takes it away; a preview gives it none."""
    image = desk.new_image("rgba")
    assert not is_starred(desk)
    show_blurs(desk)
    assert not is_starred(desk)
    hide(desk)
    assert not is_starred(desk)
    image.blur()
    desk.wait_for("there is no star", is_starred, desk)
    desk.press_image("ctrl+z")
    desk.become(desk.original)
    desk.wait_for("the star stays", lambda: not is_starred(desk))


def step_back(desk, n):
    """Makes so many steps, has the last state saved, and undoes them."""
    image = desk.new_image("rgba", 1)
    for _ in range(n):
        image.blur()
    desk.gimp.image_clean_all(image.image)
    for _ in range(n):
        desk.press_image("ctrl+z")
    desk.become(desk.original)


def test_undone(desk):
    """GIMP counts 2 changes when a preview is shown and 3 when it is hidden, beginning with -N if N
    steps have been undone since the image was saved. It must not take 0 for saved."""
    step_back(desk, 2)
    show(desk)
    assert desk.gimp.image_is_dirty(desk.image.image)
    hide(desk)
    step_back(desk, 5)
    show(desk)
    hide(desk)
    assert desk.gimp.image_is_dirty(desk.image.image)


def rest_at_look(desk):
    """What the window shows of the image when it has come to rest."""
    def has_rest():
        desk.seen = desk.look(*PART)
        desk.await_window(IMAGE)
        desk.rest()
        return desk.look(*PART) == desk.seen

    desk.wait_for("the window does not come to rest", has_rest)
    return desk.seen


def test_screen(desk):
    def shows(look):
        return desk.look(*PART) == look

    image = desk.new_image("rgba", 9)
    layer = rest_at_look(desk)
    show(desk)
    desk.rest()
    desk.wait_for("at first it does not show the layer", shows, layer)
    show_blur(desk, 9)
    desk.wait_for("then it shows nothing else", lambda: not shows(layer))
    preview = rest_at_look(desk)
    hide(desk)
    desk.wait_for("afterwards it does not show the layer", shows, layer)
    image.blur()
    desk.wait_for("the blurred layer does not look as the preview did", shows, preview)


@pytest.mark.parametrize("message", [60, 200])
def test_killed(desk, message):
    """At that message, the process that shows the preview."""
    states = make_steps(desk)
    with pytest.raises(Refused):
        desk.gimp.call("plug-in-cuda-blur-test-victim", NONINTERACTIVE, desk.image.drawable,
                       message)
    desk.check_unchanged(states[1])
    walk(desk, *states)
