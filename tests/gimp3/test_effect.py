"""The blur as a layer effect of GIMP 3's, which stays editable: in two processes."""

import pytest

from cases import list_examples
from drawables import BLUR, Drawable, configure, get_settings
from gimp import Gimp

AS_SAVED = {"sigma_x": 6.0, "sigma_y": 3.0, "abyss": "black"}
EDITED = {"sigma_x": 2.0, "sigma_y": 9.0, "abyss": "black"}


def check_edited(layer, before, effect):
    """What is seen follows the effect, and the layer's own pixels stay."""
    layer.check(before, layer.see(), **AS_SAVED)
    configure(effect, EDITED)
    effect.update()
    layer.check(before, layer.see(), **EDITED)
    assert layer.read().tobytes() == before.tobytes()


def make(gimp, rng, operation):
    """Returns the layer's own pixels."""
    layer = Drawable.make(gimp, rng)
    before, effect = layer.read(), layer.append(operation, **AS_SAVED)
    gimp.save(layer.image, "effect.xcf")
    check_edited(layer, before, effect)
    return before


def find(gimp, operation):
    """The layer and its effect, which is as it was saved."""
    image = gimp.open("effect.xcf")
    layer = Drawable(gimp, image, image.get_layers()[0])
    [effect] = layer.drawable.get_filters()
    assert effect.get_operation_name() == operation
    assert get_settings(effect, AS_SAVED) == AS_SAVED
    return layer, effect


def test_effect(home, rng):
    with Gimp(home) as gimp:
        before = make(gimp, rng, f"cuda:{BLUR}")
    with Gimp(home) as gimp:
        layer, effect = find(gimp, f"cuda:{BLUR}")
        check_edited(layer, before, effect)


@pytest.mark.parametrize("merged", [False, True])
@pytest.mark.parametrize("filter,example", list_examples("OPAQUE"))
def test_opaque_in_selection(home, rng, filter, example, merged):
    """GEGL's own, taken over, makes no hole in an opaque layer around what is selected."""
    operation, settings = example
    with Gimp(home, CUDA_BLUR_TAKE_OVER="yes") as gimp:
        layer = Drawable.make(gimp, rng)
        pixels = layer.read().copy()
        pixels[..., 3] = 255
        gimp.remote.write(layer.drawable, pixels.tobytes())
        layer.select(10, 8, 30, 20)
        effect = layer.new_filter(operation, **settings)
        if merged:
            layer.drawable.merge_filter(effect)
        else:
            layer.drawable.append_filter(effect)
        seen = layer.see()
        assert (seen[..., 3] == 255).all()
        assert (seen[8:28, 10:40] != pixels[8:28, 10:40]).any()


def test_take_over(home, rng):
    """The effect of GEGL's own operation, taken over, stays one if there is no module."""
    with Gimp(home, CUDA_BLUR_TAKE_OVER="yes") as gimp:
        before = make(gimp, rng, "gegl:gaussian-blur")
    home.remove_module()
    with Gimp(home) as gimp:
        layer, _ = find(gimp, "gegl:gaussian-blur")
        assert layer.read().tobytes() == before.tobytes()
