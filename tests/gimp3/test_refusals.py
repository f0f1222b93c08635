"""What the procedures refuse in GIMP 3: with one sentence, no change and no undo step."""

import pytest

from drawables import BLUR, Drawable
from gimp import Gimp

PLUG_IN = True
EITHER = pytest.mark.parametrize("as_effect", [False, True])


def refuse(sentence, drawables, filter=BLUR, image=None, watched=None, **arguments):
    """watched: what is to stay as it is, if it is not the drawables."""
    watched = watched or drawables
    image = image or watched[0].image

    def describe():
        return [(other.gimp.remote.read(other.drawable), len(other.drawable.get_filters()))
                for other in watched]

    before = describe()
    image.clean_all()
    status, message = watched[0].call(filter, drawables, image=image, **arguments)
    assert status in ("calling-error", "execution-error")
    assert sentence in message and "\n" not in message
    assert describe() == before
    assert not image.is_dirty(), "an undo step"


@EITHER
@pytest.mark.parametrize("sentence,filter,arguments", [
    ("kernel-size is 2, but must be 0", BLUR, {"kernel_size": 2}),
    ("abyss is 'foo', but must be one of: clamp, none, black, white", BLUR, {"abyss": "foo"}),
    ("This build has no GPU engine", BLUR, {"device": "gpu"}),
    ("columns is 2, but must be an odd number from 1 to 1023", "convolve", {"values": "1 2"}),
    ("There is no number in the text", "convolve", {"values": ""}),
    ("is 'x', but must be a finite number", "convolve", {"values": "1 x 1"}),
    ("divisor is 0.5, which makes the values infinite", "convolve",
     {"values": "3e38 0 0", "divisor": 0.5})])
def test_arguments(new, as_effect, sentence, filter, arguments):
    refuse(sentence, [new()], filter, as_effect=as_effect, **arguments)


@EITHER
def test_no_drawable(new, as_effect):
    refuse("drawables is empty", [], watched=[new()], as_effect=as_effect)


@EITHER
def test_locked(rng, new, as_effect):
    layer = new()
    group = layer.put_in_group()
    group.set_lock_content(True)
    refuse("is 'layer', which is part of 'group', whose pixels are locked", [layer],
           as_effect=as_effect)
    group.set_lock_content(False)
    layer.drawable.set_lock_content(True)
    refuse("is 'layer', whose pixels are locked", [layer.add(rng, 3), layer], as_effect=as_effect)


def test_group(new):
    layer = new()
    refuse("is 'group', which is a layer group", [layer.of(layer.put_in_group())])


@EITHER
def test_kinds(gimp, new, as_effect):
    layer = new()
    refuse("which the drawable belongs to", [layer], image=new().image, as_effect=as_effect)
    loose = layer.of(gimp.Gimp.Layer.new(layer.image, "loose", 9, 9, gimp.Gimp.ImageType.RGBA_IMAGE,
                                         100.0, gimp.Gimp.LayerMode.NORMAL))
    refuse("has not been added to an image", [loose], as_effect=as_effect)


def test_indexed(new):
    layer = new()
    layer.make_indexed()
    refuse("is 'layer', which is indexed", [layer])


def test_no_effects(new):
    """Of what is no layer."""
    layer = new()
    mask, channel = layer.add_mask(), layer.add_channel()
    for drawable in mask, channel, layer.of(layer.image.get_selection()):
        refuse("which cannot have effects", [layer, drawable], as_effect=True)
    layer.drawable.set_lock_content(True)
    refuse("is part of 'layer', whose pixels are locked", [mask])


def test_missing(home, rng):
    """The operation is not installed."""
    home.remove_module()
    with Gimp(home) as gimp:
        for as_effect in (False, True):
            refuse("is not installed in GIMP's core", [Drawable.make(gimp, rng)],
                   as_effect=as_effect)
