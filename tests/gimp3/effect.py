"""A layer with the blur as an effect: what Python-Fu's batch mode is to do with it, in two
processes."""

from gi.repository import Gimp, Gio

import pictures

PATH = "effect.xcf"
PIXELS = "pixels"  # the layer's, without the effect

AS_SAVED = {"std_dev_x": 6.0, "std_dev_y": 3.0, "abyss_policy": "black"}
EDITED = {"std_dev_x": 2.0, "std_dev_y": 9.0, "abyss_policy": "black"}


def load():
    image = Gimp.file_load(Gimp.RunMode.NONINTERACTIVE, Gio.File.new_for_path(PATH))
    return image, image.get_layers()[0]


def check_pixels(layer):
    with open(PIXELS, "rb") as file:
        assert pictures.get_pixels(layer) == file.read(), "the layer's own pixels have changed"


def record_edit(file, name, image, before, effect):
    """What becomes of the effect that was saved when it is edited."""
    pictures.configure(effect, EDITED)
    effect.update()
    pictures.record_visible(file, name, image, before, **EDITED)


def make():
    image = Gimp.Image.new(pictures.WIDTH, pictures.HEIGHT, Gimp.ImageBaseType.RGB)
    layer = pictures.new_layer(image, Gimp.ImageType.RGBA_IMAGE)
    before = pictures.get_pixels(layer)
    with open(PIXELS, "wb") as file:
        file.write(before)
    effect = pictures.new_filter(layer, AS_SAVED)
    layer.append_filter(effect)
    with open("records", "wb") as file:
        pictures.record_visible(file, "a new effect", image, before, **AS_SAVED)
        Gimp.file_save(Gimp.RunMode.NONINTERACTIVE, image, Gio.File.new_for_path(PATH), None)
        record_edit(file, "a new effect that was edited", image, before, effect)
    check_pixels(layer)
    image.delete()


def find():
    image, layer = load()
    check_pixels(layer)
    [effect] = layer.get_filters()
    assert effect.get_operation_name() == pictures.OPERATION
    assert pictures.get_configuration(effect, AS_SAVED) == AS_SAVED
    before = pictures.get_pixels(layer)
    with open("records", "wb") as file:
        pictures.record_visible(file, "a loaded effect", image, before, **AS_SAVED)
        record_edit(file, "a loaded effect that was edited", image, before, effect)
    image.delete()
