"""What the procedures refuse: with one sentence, no change and no undo step."""

from gi.repository import Gimp

import calls
import pictures


def refuse(image, drawables, sentence, watched=None, **arguments):
    """watched: what is to stay as it is, if these are not drawables of the image."""
    watched = watched or drawables
    before = [pictures.get_pixels(drawable) for drawable in watched]
    effects = [len(drawable.get_filters()) for drawable in watched]
    image.clean_all()
    status, message = calls.call(image, drawables, **arguments)
    assert status in (calls.Status.CALLING_ERROR, calls.Status.EXECUTION_ERROR), (sentence, status)
    assert sentence in message and "\n" not in message, message
    assert [pictures.get_pixels(drawable) for drawable in watched] == before, f"{sentence}: changed"
    assert [len(drawable.get_filters()) for drawable in watched] == effects, f"{sentence}: effects"
    assert not image.is_dirty(), f"{sentence}: an undo step"


def refuse_arguments(as_effect):
    image, layer = calls.new_image()
    for sentence, procedure, arguments in [
            ("kernel-size is 2, but must be 0", calls.BLUR, {"kernel_size": 2}),
            ("columns is 2, but must be an odd number from 1 to 1023", calls.CONVOLVE,
             {"values": "1 2"}),
            ("abyss is 'foo', but must be one of: clamp, none, black, white", calls.BLUR,
             {"abyss": "foo"}),
            ("There is no number in the text", calls.CONVOLVE, {"values": ""}),
            ("is 'x', but must be a finite number", calls.CONVOLVE, {"values": "1 x 1"}),
            ("divisor is 0.5, which makes the values infinite", calls.CONVOLVE,
             {"values": "3e38 0 0", "divisor": 0.5})]:
        refuse(image, [layer], sentence, procedure=procedure, as_effect=as_effect, **arguments)
    refuse(image, [layer], "This build has no GPU engine", device="gpu", as_effect=as_effect)
    refuse(image, [], "drawables is empty", [layer], as_effect=as_effect)


def refuse_locked(as_effect):
    image, layer = calls.new_image()
    group = Gimp.GroupLayer.new(image, "group")
    image.insert_layer(group, None, 0)
    image.reorder_item(layer, group, 0)
    group.set_lock_content(True)
    refuse(image, [layer], "is 'layer', which is part of 'group', whose pixels are locked",
           as_effect=as_effect)
    group.set_lock_content(False)
    other = pictures.new_layer(image, Gimp.ImageType.RGB_IMAGE)
    layer.set_lock_content(True)
    refuse(image, [other, layer], "is 'layer', whose pixels are locked", as_effect=as_effect)
    if not as_effect:
        refuse(image, [group], "is 'group', which is a layer group")


def refuse_kinds(as_effect):
    image, layer = calls.new_image()
    other_image, _ = calls.new_image()
    refuse(other_image, [layer], "which the drawable belongs to", as_effect=as_effect)
    loose = Gimp.Layer.new(image, "loose", 9, 9, Gimp.ImageType.RGBA_IMAGE, 100.0,
                           Gimp.LayerMode.NORMAL)
    refuse(image, [loose], "has not been added to an image", as_effect=as_effect)
    image.convert_indexed(Gimp.ConvertDitherType.NONE, Gimp.ConvertPaletteType.GENERATE, 16, False,
                          False, "")
    refuse(image, [layer], "is 'layer', which is indexed", as_effect=as_effect)


def refuse_effects():
    """Of what is no layer."""
    image, layer = calls.new_image()
    mask = layer.create_mask(Gimp.AddMaskType.COPY)
    layer.add_mask(mask)
    channel = Gimp.Channel.new_from_component(image, Gimp.ChannelType.RED, "channel")
    image.insert_channel(channel, None, 0)
    for drawable in mask, channel, image.get_selection():
        refuse(image, [layer, drawable], "which cannot have effects", as_effect=True)
    layer.set_lock_content(True)
    refuse(image, [mask], "is part of 'layer', whose pixels are locked")


def refuse_all():
    for as_effect in False, True:
        refuse_arguments(as_effect)
        refuse_locked(as_effect)
        refuse_kinds(as_effect)
    refuse_effects()


def miss():
    """Where the operation is not installed."""
    image, layer = calls.new_image()
    for as_effect in False, True:
        refuse(image, [layer], "is not installed in GIMP's core", as_effect=as_effect)
