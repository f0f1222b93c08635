"""Each message of a call in turn. GIMP kills the process instead of it, as Cancel does; or someone
else changes something before it: then the result is the blur of the pixels before or after the
change, or an error and no blur. The layer is never in between."""

import collections
import enum
import select

import numpy as np
import pytest

from formats import Format
from layers import REPLACE, WHITE_MASK, Layer
from connection import CALL_SECONDS, Connection
from session import NONINTERACTIVE, Refused

HAND = "plug-in-cuda-blur-test-hand"  # blurs (hand.c)
BLUR = {"sigma_x": 2.0, "sigma_y": 2.0, "abyss": "none", "device": "cpu"}
RGBA = Format("u8", 4)
BY_90, BY_270, DISCARD, FLOAT_LINEAR = 0, 2, 1, 600


class Flags(enum.Flag):
    NONE = 0
    UNSEEN = enum.auto()  # may come between the last question and the merge, unseen
    HOLDS = enum.auto()  # a layer that has just grown may stay so, with an error
    SAID = enum.auto()  # the process that blurs lives on to say what is wrong


NONE, UNSEEN, HOLDS, BOTH = Flags.NONE, Flags.UNSEEN, Flags.HOLDS, Flags.UNSEEN | Flags.HOLDS
LOCKED = Flags.HOLDS | Flags.SAID


def change_mask(g, image, layer):
    if g.layer_get_mask(layer) != -1:
        g.layer_remove_mask(layer, DISCARD)
    else:
        g.layer_add_mask(layer, g.layer_create_mask(layer, WHITE_MASK))


def make_indexed(g, image, layer):
    """GIMP does so of no image that has groups."""
    group = g.item_get_parent(layer)
    g.image_reorder_item(image, layer, 0, 0)
    g.image_remove_layer(image, group)
    g.image_convert_indexed(image, 0, 0, 16, 0, 0, "")


def enlarge_and_reduce(g, image, layer):
    g.layer_resize(layer, 190, 170, 20, 10)
    g.layer_resize(layer, 140, 100, -20, -10)


# Changes by others. GIMP frees the shadow when another plug-in that has written to the layer ends,
# and in some of its own commands. The layer's pixels stay the same.
CHANGES = {
    "select all": (NONE, lambda g, image, layer: g.selection_all(image)),
    "select none": (NONE, lambda g, image, layer: g.selection_none(image)),
    "select beside": (NONE, lambda g, image, layer: g.image_select_rectangle(
        image, REPLACE, 70, 30, 90, 70)),
    "select less": (NONE, lambda g, image, layer: g.image_select_ellipse(
        image, REPLACE, 40, 30, 60, 40)),
    "move the layer": (NONE, lambda g, image, layer: g.item_transform_translate(layer, 17, -5)),
    "enlarge the layer": (BOTH, lambda g, image, layer: g.layer_resize(layer, 190, 170, 20, 10)),
    "reduce the layer": (BOTH, lambda g, image, layer: g.layer_resize(layer, 120, 70, -10, -20)),
    "enlarge it and reduce it": (BOTH, enlarge_and_reduce),
    "scale the layer": (BOTH, lambda g, image, layer: g.layer_scale(layer, 170, 60, 0)),
    "scale the image": (BOTH, lambda g, image, layer: g.image_scale(image, 300, 110)),
    "rotate the layer": (BOTH, lambda g, image, layer: g.item_transform_rotate_simple(
        layer, BY_90, 1, 0, 0)),
    "rotate the image": (BOTH, lambda g, image, layer: g.image_rotate(image, BY_270)),
    "lock it": (LOCKED, lambda g, image, layer: g.item_set_lock_content(layer, 1)),
    "lock its group": (LOCKED, lambda g, image, layer: g.item_set_lock_content(
        g.item_get_parent(layer), 1)),
    "lock its alpha": (UNSEEN, lambda g, image, layer: g.layer_set_lock_alpha(layer, 1)),
    "lock its position": (HOLDS, lambda g, image, layer: g.item_set_lock_position(layer, 1)),
    "add or remove its mask": (HOLDS, change_mask),
    "convert the image to grey": (BOTH, lambda g, image, layer: g.image_convert_grayscale(image)),
    "convert the image to indexed colours": (BOTH, make_indexed),
    "convert the image to float": (BOTH, lambda g, image, layer: g.image_convert_precision(
        image, FLOAT_LINEAR)),
    "remove the layer": (NONE, lambda g, image, layer: g.image_remove_layer(image, layer)),
    "delete the image": (NONE, lambda g, image, layer: g.image_delete(image)),
    "free the shadow": (UNSEEN, lambda g, image, layer: g.drawable_free_shadow(layer)),
}

GIMP = {"kills": True}


def delete(layer):
    if layer.gimp.image_is_valid(layer.image):
        layer.gimp.image_delete(layer.image)


@pytest.fixture(scope="module")
def hand(gimp):
    """From the process that blurs, which waits before a message until this hangs up."""
    connection = Connection(gimp.folder, "hand")
    yield connection
    connection.close()


def cancel(layer, message, grow):
    """Blurs the layer, and kills the process instead of the message of that number, if it is not 0.
    Returns whether there was no such message."""
    try:
        words = layer.gimp.call(HAND, NONINTERACTIVE, layer.image, layer.drawable, message, 1, grow)
    except Refused:
        return False
    assert words == ""
    return True


def disturb(hand, layer, change, message, grow):
    """Blurs the layer, with the change before the message of that number. Returns what the error
    says, "" if there is none, or None if the process was killed; and whether there was such a
    message."""
    gimp = layer.gimp
    gimp.send(HAND, NONINTERACTIVE, layer.image, layer.drawable, message, 0, grow)
    made = hand.listener in select.select([hand.listener, gimp.socket], [], [], CALL_SECONDS)[0]
    if made:
        hand.accept()
        change(gimp.other, layer.image, layer.drawable)
        hand.hang_up()
    try:
        return gimp.receive(), made
    except Refused:
        return None, made


def look(layer):
    """The pixels and the place of the layer and its mask."""
    gimp = layer.gimp
    if not gimp.item_is_valid(layer.drawable):
        return "gone"
    mask = gimp.layer_get_mask(layer.drawable)
    return [(gimp.read(drawable)[:3], tuple(gimp.drawable_offsets(drawable)))
            for drawable in (layer.drawable, mask) if drawable != -1]


# ---- cancelled ----

MESSAGES_LEAST = 30  # of a call


def judge_cancelled(layer, before, after):
    """One of the permitted states. If the layer grows, there is an undo step, which may still be
    empty; an enlarged layer has its old pixels, and one step leads back."""
    gimp, now = layer.gimp, look(layer)
    dirty = gimp.image_is_dirty(layer.image)
    assert gimp.image_undo_is_enabled(layer.image)
    if now == before:
        return "with an empty step" if dirty else "as it was"
    assert dirty, "there is no undo step"
    if now == after:
        return "blurred"
    old = np.frombuffer(before[0][0][2], np.uint8).reshape(*before[0][0][1::-1], 4)
    pixels = layer.read()
    y, x = ((n - m) // 2 for n, m in zip(pixels.shape[:2], old.shape[:2]))
    assert x > 0 < y and np.array_equal(pixels, np.pad(old, [(y, y), (x, x), (0, 0)]))
    return "enlarged"


@pytest.mark.parametrize("grow", [0, 1])
def test_cancelled(gimp, rng, grow):
    """The next call is right. A layer of six tiles; to grow, of two, and with a mask."""
    scene = Layer.make(gimp, rng, RGBA, (140, 100) if grow else (290, 200), "random")
    if grow:
        scene.add_mask(rng)

    def look_after():
        layer = scene.copy()
        assert cancel(layer, 0, grow)
        after = look(layer)
        delete(layer)
        return after

    before, after, outcomes, done = look(scene), look_after(), collections.Counter(), False
    while not done:
        layer = scene.copy()
        gimp.image_clean_all(layer.image)
        done = cancel(layer, outcomes.total() + 1, grow)
        outcome = judge_cancelled(layer, before, after)
        assert not done or outcome == "blurred"
        outcomes[outcome] += 1
        delete(layer)
        assert look_after() == after
    print(dict(outcomes))
    assert outcomes.total() >= MESSAGES_LEAST and bool(outcomes["enlarged"]) == bool(grow)
    assert grow or not outcomes["with an empty step"]


def test_no_room(gimp, rng):
    """For the temporary file of a layer that grows: the layer is as it was."""
    layer = Layer.make(gimp, rng, RGBA, (140, 100), "random")
    before = layer.read()
    words = gimp.call(HAND, NONINTERACTIVE, layer.image, layer.drawable, -1, 0, 1)
    assert words.startswith("A temporary file cannot be written: ")
    assert np.array_equal(layer.read(), before)


# ---- another hand ----

# Only a change between the last question and the answer to the merge may leave the layer wrong, and
# then there is a sentence that says so.
LATE = "undo this step"
LATE_MOST = 4  # messages: two of each merge, and a layer that grows has its mask merged, too
UNSEEN_MOST = 3  # from the question of the alpha to the merge
FIRST_TO_GROW = 30  # message: what comes before is as without growing


def make_scene(gimp, rng, grow):
    """A layer in a group, of two tiles. To grow, it is of one tile and has a mask, but no
    selection. It is no square, for nothing tells one that was rotated from what it was."""
    scene = Layer.make(gimp, rng, RGBA, (100, 90) if grow else (140, 100), "random")
    gimp.image_resize(scene.image, 200, 150, 10, 5)
    scene.put_in_group()
    if grow:
        scene.add_mask(rng)
    else:
        gimp.image_select_rectangle(scene.image, REPLACE, 30, 20, 100, 60)
    return scene


def look_after(scene, change, grow, blur):
    """After a change and a blur before or after it, which do not disturb each other; blur may be
    None."""
    layer = scene.copy()
    for step in ("before", "change", "after"):
        if step == "change":
            change(layer.gimp, layer.image, layer.drawable)
        elif step == blur and scene.gimp.item_is_valid(layer.drawable):
            try:
                layer.call("gaussian-blur", **BLUR, grow=grow)
            except Refused:
                pass
    seen = look(layer)
    delete(layer)
    return seen


def judge_changed(flags, words, now, unblurred, blurred, counts):
    done = words == ""
    if words and LATE in words:
        counts["late"] += 1
        assert counts["late"] <= LATE_MOST, "that is too early"
    elif done and now not in blurred:
        counts["unseen"] += 1
        assert UNSEEN in flags and counts["unseen"] <= UNSEEN_MOST, "success, but it is not blurred"
    elif done:
        counts["right"] += 1
    else:
        assert Flags.SAID not in flags if words is None else len(words) >= 20, words
        assert now == unblurred or HOLDS in flags, f"no success ({words}), but it has changed"
        counts["left enlarged"] += now != unblurred
        counts["killed" if words is None else "refused"] += 1


@pytest.mark.parametrize("grow", [0, 1])
@pytest.mark.parametrize("flags,change", CHANGES.values(), ids=list(CHANGES))
def test_hand(gimp, rng, hand, flags, change, grow):
    scene = make_scene(gimp, rng, grow)
    unblurred, *blurred = (look_after(scene, change, grow, blur)
                           for blur in (None, "before", "after"))
    counts, message, made = collections.Counter(), FIRST_TO_GROW if grow else 1, True
    while made:
        layer = scene.copy()
        words, made = disturb(hand, layer, change, message, grow)
        if made:
            try:
                judge_changed(flags if grow else flags & UNSEEN, words, look(layer), unblurred,
                              blurred, counts)
            except AssertionError as failure:
                raise AssertionError(f"before message {message}: {failure}") from failure
        delete(layer)
        message += 1
    print(dict(counts))
    assert counts
