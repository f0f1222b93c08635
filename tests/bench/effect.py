"""Times in GIMP 3 what Script-Fu cannot do: an effect changes, as if its slider moved. gimp.sh
calls time_effect in Python-Fu."""

import time

from gi.repository import Gimp


def change(effect, **settings):
    for name, value in settings.items():
        effect.get_config().set_property(name.replace("_", "-"), value)
    effect.update()


def add(layer, operation, **settings):
    effect = Gimp.DrawableFilter.new(layer, operation, "")
    effect.set_blend_mode(Gimp.LayerMode.REPLACE)
    layer.append_filter(effect)
    change(effect, **settings)
    return effect


def time_change(image, effect, sigma):
    """The milliseconds from a change until the whole picture has followed, as a new layer."""
    start = time.monotonic()
    change(effect, std_dev_x=sigma, std_dev_y=sigma)
    Gimp.Layer.new_from_visible(image, image, "").delete()
    return 1000.0 * (time.monotonic() - start)


def time_effect(path, who, width, height, warm_ups, repeats):
    """Writes figures as gimp.scm does."""
    image = Gimp.Image.new(width, height, Gimp.ImageBaseType.RGB)
    image.undo_disable()
    layer = Gimp.Layer.new(image, "", width, height, Gimp.ImageType.RGBA_IMAGE, 100.0,
                           Gimp.LayerMode.NORMAL)
    image.insert_layer(layer, None, 0)
    add(layer, "gegl:plasma", width=width, height=height)
    layer.merge_filters()
    effect = add(layer, "gegl:gaussian-blur" if who == "GIMP" else "cuda:gaussian-blur")
    times = [time_change(image, effect, 15.0 + 0.5 * (i % 10)) for i in range(-warm_ups, repeats)]
    with open(path, "w", encoding="utf-8") as file:
        for milliseconds in times[warm_ups:]:
            print(who, "effect", width, height, "u8", 10, milliseconds, sep="\t", file=file)
    image.delete()
