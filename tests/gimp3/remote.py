"""The pixels of drawables, in Python-Fu's process."""

from gi.repository import Babl, Gegl


def get_rectangle(drawable):
    return Gegl.Rectangle.new(0, 0, drawable.get_width(), drawable.get_height())


def get_encoding(drawable):
    """As babl names it: the model and the sample."""
    return Babl.format_get_encoding(drawable.get_format())


def read(drawable):
    return bytes(drawable.get_buffer().get(get_rectangle(drawable), 1.0, None,
                                           Gegl.AbyssPolicy.NONE))


def write(drawable, samples):
    buffer = drawable.get_buffer()
    buffer.set(get_rectangle(drawable), get_encoding(drawable), samples)
    buffer.flush()
    drawable.update(0, 0, drawable.get_width(), drawable.get_height())
