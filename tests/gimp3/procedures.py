"""What the procedures do: for good, as effects, for several drawables, and nothing."""

import os
import time

from gi.repository import Gimp

import calls
import kinds
import matrix
import pictures

SIGMAS = {"sigma_x": 4.0, "sigma_y": 2.5}
INITIAL = {"std_dev_x": 3.0, "std_dev_y": 3.0}


def blur(file, name, image, layer, **arguments):
    before = pictures.get_pixels(layer)
    calls.must(image, [layer], **SIGMAS, **arguments)
    arguments.pop("grow", None)
    pictures.record(file, name, layer, before, **calls.rename({**SIGMAS, **arguments}))


def merge_layers(file):
    for abyss in pictures.ABYSSES:
        blur(file, f"abyss {abyss}", *calls.new_image(), abyss=abyss)
    blur(file, "17 taps", *calls.new_image(), kernel_size=17)
    blur(file, "perceptual light", *calls.new_image(), light="perceptual", device="cpu")
    blur(file, "grown", *calls.new_image(), grow=True, abyss="white")


def new_mask(image, layer):
    """Of something to blur: what the layer shows, in gray."""
    mask = layer.create_mask(Gimp.AddMaskType.COPY)
    layer.add_mask(mask)
    return mask


def new_channel(image, layer):
    channel = Gimp.Channel.new_from_component(image, Gimp.ChannelType.RED, "channel")
    image.insert_channel(channel, None, 0)
    return channel


def merge_coverage(file):
    """Light does not apply to it: what is stored is blurred as it is."""
    for make in new_mask, new_channel:
        for light in pictures.LIGHTS:
            image, layer = calls.new_image(Gimp.ImageType.RGB_IMAGE)
            drawable = make(image, layer)
            before = pictures.get_pixels(drawable)
            calls.must(image, [drawable], light=light, **SIGMAS)
            pictures.record(file, f"{make.__name__}, {light}", drawable, before,
                            own_curve="linear", **calls.rename(SIGMAS))


def make_effect(file):
    image, layer = calls.new_image()
    before = pictures.get_pixels(layer)
    calls.must(image, [layer], as_effect=True, abyss="white", kernel_size=31, **SIGMAS)
    assert pictures.get_pixels(layer) == before, "the layer's own pixels have changed"
    [effect] = layer.get_filters()
    assert effect.get_operation_name() == pictures.OPERATION
    pictures.record_visible(file, "an effect", image, before, kernel_size=31,
                            **calls.rename({"abyss": "white", **SIGMAS}))
    pictures.configure(effect, INITIAL)
    effect.update()
    pictures.record_visible(file, "an effect that was edited", image, before, kernel_size=31,
                            abyss_policy="white", **INITIAL)


def filter_several(file):
    """One of them is named twice."""
    image, first = calls.new_image()
    second = pictures.new_layer(image, Gimp.ImageType.RGB_IMAGE)
    channel = new_channel(image, first)
    befores = [pictures.get_pixels(drawable) for drawable in (first, second, channel)]
    calls.must(image, [first, second, channel, first], **SIGMAS)
    for drawable, before in zip((first, second, channel), befores):
        pictures.record(file, f"several: {drawable.get_name()}", drawable, before,
                        own_curve="linear" if drawable == channel else "srgb",
                        **calls.rename(SIGMAS))


def use_last_values(file):
    """There are none yet: the initial ones."""
    image, layer = calls.new_image()
    before = pictures.get_pixels(layer)
    calls.must(image, [layer], mode=Gimp.RunMode.WITH_LAST_VALS)
    pictures.record(file, "the initial values", layer, before, **INITIAL)


def convolve():
    for values, rows, divisor, offset in matrix.SHARPEN, matrix.BLUR, matrix.EDGES:
        image, layer = matrix.make_layer()
        before = matrix.read(layer)
        calls.must(image, [layer], procedure=calls.CONVOLVE, values=values, offset=offset)
        matrix.check(before, matrix.read(layer), 3, (values, rows, divisor, offset))


def run_documented():
    image, layer = matrix.make_layer()
    before = matrix.read(layer)
    with open("documented.py", encoding="utf-8") as file:
        exec(file.read(), {"Gimp": Gimp, "image": image, "layer": layer})
    matrix.check(before, matrix.read(layer), 3, matrix.SHARPEN)


def do_all():
    with open("records", "wb") as file:
        for do in merge_layers, merge_coverage, make_effect, filter_several, use_last_values:
            do(file)


def is_same(image, drawable, **arguments):
    """Whether a call that succeeds changes nothing, without an undo step."""
    before, effects = pictures.get_pixels(drawable), len(drawable.get_filters())
    image.clean_all()
    calls.must(image, [drawable], **arguments)
    return (pictures.get_pixels(drawable) == before and not image.is_dirty() and
            len(drawable.get_filters()) == effects)


def call_killed():
    """Returns the image of a call that was killed, its layers, and their pixels before. The killer
    may come late: then there is another call."""
    for _ in range(50):
        image, first = calls.new_image()
        layers = [first, pictures.new_layer(image, Gimp.ImageType.RGB_IMAGE)]
        before = [pictures.get_pixels(layer) for layer in layers]
        if calls.call(image, layers, **SIGMAS)[0] != calls.Status.SUCCESS:
            return image, layers, before
    raise AssertionError("nobody kills the plug-in")


def be_killed():
    image, layers, before = call_killed()
    after = [pictures.get_pixels(layer) for layer in layers]
    with open("killed", "w", encoding="utf-8"):
        pass  # the killer removes it, and ends
    while os.path.exists("killed"):
        time.sleep(0.01)
    for layer, old, new in zip(layers, before, after):
        if old == new:
            calls.must(image, [layer], **SIGMAS)
    with open("records", "wb") as file:
        for layer, old in zip(layers, before):
            pictures.record(file, f"killed: {layer.get_name()}", layer, old,
                            **calls.rename(SIGMAS))


def paste(pixels, part):
    """Of layers without alpha: pixels, with part where calls.select_part selects."""
    pasted = bytearray(pixels)
    for y in range(20):
        start = 3 * ((y + 6) * pictures.WIDTH + 5)
        pasted[start:start + 90] = part[y * 90:][:90]
    return list(pasted)


def filter_selected():
    """GIMP passes to a filter what is within the bounds of the selection, and nothing beyond."""
    image, layer = calls.new_image(Gimp.ImageType.RGB_IMAGE)
    before = pictures.get_pixels(layer)
    part = image.duplicate()
    part.crop(30, 20, 5, 6)
    calls.must(part, part.get_layers(), **SIGMAS)
    expected = paste(before, pictures.get_pixels(part.get_layers()[0]))
    calls.select_part(image)
    calls.must(image, [layer], as_effect=True, **SIGMAS)
    seen = [v for i, v in enumerate(kinds.get_visible(image)) if i % 4 < 3]
    assert seen == expected, "as an effect"
    layer.get_filters()[0].delete()
    calls.must(image, [layer], **SIGMAS)
    assert list(pictures.get_pixels(layer)) == expected, "for good"


def do_nothing():
    for as_effect in False, True:
        image, layer = calls.new_image()
        assert is_same(image, layer, sigma_x=0.0, sigma_y=0.1, as_effect=as_effect)
        assert is_same(image, layer, procedure=calls.CONVOLVE, values="0 2 0", as_effect=as_effect)
        assert not is_same(image, layer, sigma_x=0.0, sigma_y=0.3, as_effect=as_effect)
        layer.set_offsets(100, 0)
        calls.select_part(image)
        assert is_same(image, layer, as_effect=as_effect), "what is not selected"


def repair():
    """A designer that was killed has left undo frozen."""
    image, layer = calls.new_image()
    mark = Gimp.Parasite.new("cuda-blur-frozen", 0, b"\0")
    image.attach_parasite(mark)
    image.undo_freeze()
    calls.must(image, [layer], **SIGMAS)
    assert image.undo_is_enabled() and not image.get_parasite_list(), "undo stays frozen"


def keeps_size(image, layer):
    calls.must(image, [layer], grow=True)
    return layer.get_width() == pictures.WIDTH


def keep_size():
    """Growth is for layers with alpha that nothing locks, without a selection."""
    image, layer = calls.new_image()
    layer.set_lock_alpha(True)
    assert keeps_size(image, layer)
    layer.set_lock_alpha(False)
    layer.set_lock_position(True)
    assert keeps_size(image, layer)
    layer.set_lock_position(False)
    group = Gimp.GroupLayer.new(image, "group")
    image.insert_layer(group, None, 0)
    image.reorder_item(layer, group, 0)
    group.set_lock_position(True)
    assert keeps_size(image, layer), "in a group whose position is locked"
    group.set_lock_position(False)
    calls.select_part(image)
    assert keeps_size(image, layer)
    Gimp.Selection.none(image)
    assert not keeps_size(image, layer)
    assert keeps_size(*calls.new_image(Gimp.ImageType.RGB_IMAGE)), "without alpha"
