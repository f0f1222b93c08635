"""The preview on the canvas (canvas.h): the image shows the result, and afterwards no trace of it
remains. The canvas is in the test plug-in's process (dialog_parts.py)."""

import collections
import os
import time

import numpy as np
import pytest

from formats import SAMPLES, Format
from layers import NORMAL, RECTANGLE, TYPES, WHITE_MASK, Layer, describe, find_shown
from session import NONINTERACTIVE, Refused

VICTIM = "plug-in-cuda-blur-test-victim"
BLUR = "gaussian-blur"
HARD_LIGHT, PASS_THROUGH = 44, 61
RGBA = Format("u8", 4)
FLUSHED = 0.4  # seconds after which the displays have been flushed
ANY = -1  # drawable
NOTHING = (0, 0, 0, 0)

GENTLE = {"sigma_x": 2.0, "sigma_y": 3.0}
STRONG = {"sigma_x": 20.0, "sigma_y": 11.0}
GROWING = {"sigma_x": 6.0, "sigma_y": 4.0, "grow": 1}
GROWING_MORE = {"sigma_x": 7.0, "sigma_y": 5.0, "grow": 1}
GROWING_FAR = {"sigma_x": 50.0, "sigma_y": 9.0, "grow": 1}

GIMP = {"kills": True, "fonts": True}  # a case has a text layer


# ---- scenes ----


def make_scene(gimp, rng, format=RGBA):
    """A layer in a group, with an offset, a mode, an opacity and a mask, and linked, over one layer
    and under another; below the group there is one, too."""
    layer = Layer.make(gimp, rng, format, (290, 250), "random")
    image, kind = layer.image, TYPES[format.channels][1]
    gimp.image_resize(image, 330, 280, 20, 15)
    group = layer.put_in_group()
    gimp.layer_set_opacity(group, 90.0)
    for parent, place, size in [(0, 1, (330, 280)), (group, 1, (200, 200)), (group, 0, (120, 90))]:
        other = gimp.layer_new(image, *size, kind, "other", 60.0, NORMAL)
        gimp.image_insert_layer(image, other, parent, place)
        Layer(gimp, image, other, format).paint(rng, "random")
    gimp.layer_set_offsets(layer.drawable, 13, -7)
    gimp.layer_set_opacity(layer.drawable, 70.0)
    gimp.layer_set_mode(layer.drawable, HARD_LIGHT)
    layer.add_mask(rng)
    gimp.layer_set_edit_mask(layer.drawable, 0)
    gimp.item_set_linked(layer.drawable, 1)
    gimp.image_set_active_layer(image, layer.drawable)
    gimp.image_clean_all(image)
    return layer


@pytest.fixture
def scene(gimp, rng):
    return make_scene(gimp, rng)


def see(layer):
    """The visible image, which has alpha."""
    seen = layer.gimp.layer_new_from_visible(layer.image, layer.image, "seen")
    width, height, data, _ = layer.gimp.read(seen)
    layer.gimp.item_delete(seen)
    return np.frombuffer(data, layer.format.dtype).reshape(height, width, -1)


def see_with(layer, pixels):
    """The visible image with these pixels in the layer."""
    other = layer.copy()
    layer.gimp.write(other.drawable, pixels)
    seen = see(other)
    layer.gimp.image_delete(other.image)
    return seen


def is_same(a, b):
    return a.shape == b.shape and a.tobytes() == b.tobytes()


# The procedure's result for a layer: its pixels, and the visible image with them.
Result = collections.namedtuple("Result", "settings pixels seen")


class Stage:
    """A scene with a canvas."""

    def __init__(self, layer):
        self.gimp = gimp = layer.gimp
        self.layer, self.original = layer, layer.copy()
        self.seen, self.described = see(layer), describe(gimp, layer.image)
        self.dirty = gimp.image_is_dirty(layer.image)
        active = self.get_active()
        self.canvas = gimp.load("dialog_parts").Canvas(layer.drawable)
        self.write = self.canvas.write
        assert self.get_active() == active
        self.shown = find_shown(gimp, layer.image)

    def get_active(self):
        return (self.gimp.image_get_active_layer(self.layer.image),
                self.gimp.image_get_active_channel(self.layer.image))

    def make(self, **settings):
        other = self.original.copy()
        other.call(BLUR, **settings)
        result = Result(settings, other.read(), see(other))
        self.gimp.image_delete(other.image)
        return result

    def set(self, result, pixels=None, changed=None):
        """Returns why it is not taken, or nothing."""
        pixels = result.pixels if pixels is None else pixels
        changed = changed or (0, 0, *pixels.shape[1::-1])
        return self.canvas.set(pixels.tobytes(), changed, **{"grow": 0, **result.settings})

    def count(self, procedure):
        """Its calls since the canvas was opened."""
        return self.gimp.load("dialog_parts").count_calls(procedure)

    def count_tiles(self, drawable):
        return self.gimp.load("dialog_parts").count_tiles(drawable)

    def check_seen(self, expected):
        assert is_same(see(self.layer), expected)
        assert self.gimp.image_is_dirty(self.layer.image) == self.dirty

    def show(self, **settings):
        """A result, until the image shows it."""
        result = self.make(**settings)
        assert not self.set(result)
        assert self.write() == "done"
        self.check_seen(result.seen)

    def close(self):
        """All is as it was, and the user's layer was never written."""
        gimp, layer = self.gimp, self.layer
        self.canvas.free()
        assert describe(gimp, layer.image) == self.described
        for drawable in (layer.drawable, gimp.layer_get_mask(layer.drawable)):
            assert drawable == ANY or self.count_tiles(drawable) == 0
        assert self.count("gimp-image-undo-disable") == 0
        self.check_seen(self.seen)

    def free(self):
        """The same after the user has changed the image, or closed it."""
        gimp, image = self.gimp, self.layer.image
        dirty = gimp.image_is_valid(image) and gimp.image_is_dirty(image)
        self.canvas.free()
        if gimp.image_is_valid(image):
            assert find_shown(gimp, image) is None
            assert gimp.image_undo_is_enabled(image)
            assert gimp.image_is_dirty(image) == dirty
        if gimp.item_is_valid(self.layer.drawable):
            assert gimp.item_get_visible(self.layer.drawable)


@pytest.fixture
def stage(scene):
    return Stage(scene)


def check_shown(layer, **settings):
    """The canvas shows the layer, then a blur of it, and then is gone."""
    stage = Stage(layer)
    stage.check_seen(stage.seen)
    assert stage.count("gimp-displays-flush") == 1
    stage.show(**settings)
    stage.close()


# ---- showing ----


@pytest.mark.parametrize("n,grow", [(n, grow) for n in range(12) for grow in (False, True)])
def test_formats(gimp, rng, n, grow):
    """Each precision; those that grow have alpha."""
    channels = [4, 2][n % 2] if grow else [3, 4, 1, 2][n % 4]
    format = Format(SAMPLES[n // 2], channels, n % 2 == 0)
    check_shown(make_scene(gimp, rng, format), **GROWING if grow else GENTLE)


def get_group(layer):
    return layer.gimp.item_get_parent(layer.drawable)


def add_channel(layer):
    size = layer.gimp.image_width(layer.image), layer.gimp.image_height(layer.image)
    channel = layer.gimp.channel_new(layer.image, *size, "channel", 50.0, "red")
    layer.gimp.image_insert_channel(layer.image, channel, -1, 0)
    return channel


@pytest.mark.parametrize("change", [
    lambda g, layer: g.item_set_lock_position(layer.drawable, 1),
    lambda g, layer: g.layer_set_lock_alpha(layer.drawable, 1),
    lambda g, layer: g.layer_set_mode(get_group(layer), PASS_THROUGH),
    lambda g, layer: g.layer_set_apply_mask(layer.drawable, 0),
    lambda g, layer: g.image_reorder_item(layer.image, layer.drawable, 0, 2),
    lambda g, layer: g.image_set_active_channel(layer.image, add_channel(layer)),
    lambda g, layer: g.image_set_active_layer(
        layer.image, g.image_get_layer_by_name(layer.image, "other")),
    lambda g, layer: g.layer_set_edit_mask(layer.drawable, 1),
    lambda g, layer: g.item_set_name(layer.drawable, "100% %s #7"),
], ids=["locked position", "locked alpha", "group that passes through", "mask is off",
        "bottom, where a mode has nothing to combine with", "active channel", "active layer",
        "mask is edited", "odd name"])
def test_ways(gimp, scene, change):
    """A layer as users have it."""
    change(gimp, scene)
    gimp.image_clean_all(scene.image)
    check_shown(scene, **GROWING)


def test_masked_group(gimp, rng, scene):
    """The mask of a group is not to be enlarged, for its undo steps would not fit it then. GIMP
    rounds what a group has nothing on: by a level."""
    group = get_group(scene)
    mask = gimp.layer_create_mask(group, WHITE_MASK)
    gimp.layer_add_mask(group, mask)
    scene.cover(rng, mask)
    width = gimp.drawable_width(group)
    gimp.image_clean_all(scene.image)
    stage = Stage(scene)
    for settings in (GROWING, GROWING_FAR):
        result = stage.make(**settings)
        assert not stage.set(result)
        assert stage.write() == "done"
        assert np.abs(see(scene).astype(int) - result.seen).max() <= 1
    assert gimp.drawable_width(mask) == width
    stage.close()


def test_text(gimp, scene):
    """A text layer, which GIMP could render again."""
    text = gimp.text_layer_new(scene.image, "Text", "Sans", 90.0, 0)
    gimp.image_insert_layer(scene.image, text, 0, 0)
    assert gimp.drawable_width(text) >= 90, "there are no fonts"
    gimp.image_clean_all(scene.image)
    check_shown(Layer(gimp, scene.image, text, RGBA), **GROWING)


def test_dirty(gimp, scene):
    """An image with unsaved changes."""
    gimp.layer_set_opacity(scene.drawable, 35.0)
    check_shown(scene, **GENTLE)


def test_grown(stage):
    """By more, by much more, by less, and not. It grows by whole tiles: twice."""
    for settings in (GROWING, GROWING_MORE, GROWING_FAR, GROWING, STRONG):
        stage.show(**settings)
    assert stage.count("gimp-layer-resize") == 2
    stage.close()


def test_selection(stage):
    """One that the user makes while a result is computed that grows: what there is room for is
    shown. Without it, the next result has room."""
    inner, outer = stage.make(**GENTLE), stage.make(**GROWING)
    job = stage.canvas.make_job(**GROWING)  # by 24 and 16
    stage.layer.select_as(RECTANGLE)
    wide = np.pad(inner.pixels, [(16, 16), (24, 24), (0, 0)], "edge")
    assert not stage.canvas.set_job(job, wide.tobytes(), (0, 0, *wide.shape[1::-1]))
    assert stage.write() == "done"
    assert is_same(see(stage.layer), inner.seen)
    stage.gimp.selection_none(stage.layer.image)
    assert not stage.set(outer)
    assert stage.write() == "done"
    assert is_same(see(stage.layer), outer.seen)
    stage.free()


# ---- writing ----


def test_newest_wins(stage):
    """A result that is replaced while it is written leaves nothing of itself."""
    assert not stage.set(stage.make(**STRONG))
    for _ in range(4):  # one of the second row of tiles is the last
        assert stage.write(all=False) == "more"
    stage.show(**GENTLE)
    stage.close()


def test_turns(stage):
    """However fast results come, each tile has its turn, and is shown in time: of six results each
    has one tile."""
    results = stage.make(**STRONG), stage.make(**GENTLE)
    expected = results[0].pixels.copy()
    for i in range(6):
        x, y = i % 3 * 128, i // 3 * 128
        assert not stage.set(results[i % 2])
        if i == 5:
            time.sleep(FLUSHED)
        stage.write(all=False)
        tile = np.s_[y:y + 128, x:x + 128]
        expected[tile] = results[i % 2].pixels[tile]
    stage.check_seen(see_with(stage.original, expected))
    assert stage.count("gimp-displays-flush") >= 2  # the first when it was opened
    stage.close()


def test_smaller(stage):
    """A result of a smaller part than the one before gives the rest its own pixels back, and the
    next one writes no more than that part."""
    x, y, width, height = part = 140, 20, 60, 90  # within a tile
    less, pixels = stage.make(**GENTLE), stage.layer.read().copy()
    inside = np.s_[y:y + height, x:x + width]
    pixels[inside] = less.pixels[inside]
    assert not stage.set(stage.make(**STRONG))
    stage.write()
    assert not stage.set(less, pixels, part)
    stage.write()
    assert is_same(Layer(stage.gimp, stage.layer.image, stage.shown, RGBA).read(), pixels)
    before = stage.count_tiles(stage.shown)
    assert not stage.set(less, pixels, part)
    stage.write()
    assert stage.count_tiles(stage.shown) == before + 1
    stage.close()


def test_identity(stage):
    """A result that is the layer itself."""
    same = Result({"sigma_x": 0.0, "sigma_y": 0.0}, stage.layer.read(), stage.seen)
    stage.show(**GROWING)
    assert not stage.set(same, changed=NOTHING)
    stage.write()
    stage.check_seen(stage.seen)
    assert not stage.set(same, changed=NOTHING)
    assert stage.write(all=False) == "done"
    stage.close()


def test_cancelled(stage):
    """Freed in the middle of a result."""
    assert not stage.set(stage.make(**GROWING))
    assert stage.write(all=False) == "more"
    stage.close()


def test_too_large(gimp, new):
    """Growth beyond GIMP's limit."""
    canvas = gimp.load("dialog_parts").Canvas(new(Format("u8", 2), (500000, 1)).drawable)
    words = canvas.set(b"", NOTHING, sigma_x=5000.0, sigma_y=0.0, grow=1)
    canvas.free()
    assert "must be at most" in words


# ---- changes by the user while it is shown ----


@pytest.mark.parametrize("change", [
    lambda g, image, shown, group: g.image_remove_layer(image, shown),
    lambda g, image, shown, group: g.item_set_lock_content(shown, 1),
    lambda g, image, shown, group: g.layer_resize(shown, 100, 100, 0, 0),
    lambda g, image, shown, group: g.image_remove_layer(image, group),
    lambda g, image, shown, group: g.image_flatten(image),
    lambda g, image, shown, group: g.image_convert_grayscale(image),
    lambda g, image, shown, group: g.image_convert_precision(image, 100),  # 8-bit linear
    lambda g, image, shown, group: g.image_delete(image),
], ids=["layer deleted", "layer locked", "layer resized", "group deleted", "image flattened",
        "image made grey", "image of another precision", "image closed"])
def test_lost(gimp, scene, stage, change):
    """The canvas, in the middle of a result, finds that there is nothing to write to."""
    result = stage.make(**GROWING)
    assert not stage.set(result)
    assert stage.write(all=False) == "more"
    change(gimp, scene.image, find_shown(gimp, scene.image), get_group(scene))
    assert stage.write(all=False) == "lost"
    assert "removed or changed" in stage.set(result, changed=NOTHING)
    stage.free()


def test_lost_between_tiles(stage):
    assert not stage.set(stage.make(**GENTLE))
    before = stage.count_tiles(ANY)
    assert stage.write(removed=(stage.layer.image, stage.shown)) == "lost"
    assert stage.count_tiles(ANY) == before + 1
    stage.free()


def test_user_deletes_layer(gimp, scene, stage):
    """The canvas is not lost, but what it is to give back is."""
    gimp.image_remove_layer(scene.image, scene.drawable)
    stage.free()


def test_user_activates_preview(gimp, scene, stage):
    """Which layer is active is the user's business, but it must not be none."""
    gimp.image_set_active_layer(scene.image, stage.shown)
    stage.close()


def test_user_saves(gimp, scene):
    """An image with unsaved changes is saved with the canvas: it is not the one that is left."""
    gimp.layer_set_opacity(scene.drawable, 35.0)
    stage = Stage(scene)
    gimp.image_clean_all(scene.image)
    stage.close()


def test_file(gimp, scene, stage, tmp_path):
    """A file that is saved then has the user's layer with its own pixels, hidden, and the
    preview's."""
    path, before = str(tmp_path / "written.xcf"), scene.read()
    stage.show(**GENTLE)
    gimp.file_save(NONINTERACTIVE, scene.image, scene.drawable, path, path)
    image = gimp.file_load(NONINTERACTIVE, path, path)
    saved = Layer(gimp, image, gimp.image_get_layer_by_name(image, "layer"), RGBA)
    assert not gimp.item_get_visible(saved.drawable) and find_shown(gimp, image)
    assert is_same(saved.read(), before)
    os.unlink(path)
    stage.close()


def test_killed(gimp, scene):
    """Its process is killed instead of each message in turn. The most that the user must do is to
    delete the layer whose name says what it is, and make theirs visible. Undo that was left frozen
    is thawed by the next call, even by one that changes nothing."""
    before, messages, frozen, done = describe(gimp, scene.image), 0, 0, False
    while not done:
        messages += 1
        try:
            gimp.call(VICTIM, NONINTERACTIVE, scene.drawable, messages)
            done = True
        except Refused:
            pass
        if not gimp.image_undo_is_enabled(scene.image):
            frozen += 1
            scene.call(BLUR, sigma_x=0.0, sigma_y=0.0)
        if shown := find_shown(gimp, scene.image):
            gimp.image_remove_layer(scene.image, shown)
        else:
            assert gimp.item_get_visible(scene.drawable), "it is hidden with nothing beside it"
        gimp.item_set_visible(scene.drawable, 1)
        gimp.image_set_active_layer(scene.image, scene.drawable)
        assert describe(gimp, scene.image) == before, f"killed at message {messages}"
    print(f"{messages - 1} messages, undo was left frozen at {frozen}")
    assert messages > 100 and frozen >= 8


# ---- refusals ----


def float_selection(layer):
    layer.gimp.selection_all(layer.image)
    return layer.gimp.selection_float(layer.drawable, 0, 0)


def hide(layer, drawable):
    layer.gimp.item_set_visible(drawable, 0)


# Each returns another drawable than the layer, or None.
@pytest.mark.parametrize("words,change", [
    (None, lambda layer: None),
    ("layer mask", lambda layer: layer.gimp.layer_get_mask(layer.drawable)),
    ("a channel", add_channel),
    ("mask is shown", lambda layer: layer.gimp.layer_set_show_mask(layer.drawable, 1)),
    ("layer that is not visible", lambda layer: hide(layer, layer.drawable)),
    ("group that is not visible", lambda layer: hide(layer, get_group(layer))),
    ("beside a floating selection", lambda layer: float_selection(layer) and None),
    ("preview of a floating selection", float_selection),
])
def test_refusals(gimp, scene, words, change):
    drawable = change(scene) or scene.drawable
    refusal = gimp.load("dialog_parts").get_refusal(drawable)
    assert words in refusal if words else not refusal
