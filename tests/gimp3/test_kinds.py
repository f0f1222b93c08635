"""Effects on all kinds of layers, in three processes. Pixels are linear floats, so that nothing
rounds or encodes them, but for those of an indexed image."""

import re

import numpy as np

from blur.reference import blur as expect_blur
from drawables import BLUR, HEIGHT, LINEAR, WIDTH, Drawable
from formats import Format
from gimp import Gimp

SIGMAS = {"sigma_x": 3.0, "sigma_y": 1.5}
# For each filter: the settings for the operation, and those for its definition.
FILTERS = {BLUR: (SIGMAS, SIGMAS),
           "convolve": ({"values": "1x3: 1 2 1"}, {"values": np.array([[1.0, 2.0, 1.0]])})}


# ---- kinds: each makes one of a layer ----


def replace(layer, other):
    layer.image.insert_layer(other, None, 0)
    layer.image.remove_layer(layer.drawable)
    return other


def keep(layer):
    return layer.drawable


def mask(layer):
    """The right half is hidden."""
    layer.select(0, 0, WIDTH // 2, HEIGHT)
    layer.drawable.add_mask(layer.drawable.create_mask(layer.gimp.Gimp.AddMaskType.SELECTION))
    layer.gimp.Gimp.Selection.none(layer.image)
    return layer.drawable


def lay_group(layer):
    """An empty one, through which the layer passes."""
    group = layer.gimp.Gimp.GroupLayer.new(layer.image, "group")
    layer.image.insert_layer(group, None, 0)
    group.set_mode(layer.gimp.Gimp.LayerMode.PASS_THROUGH)
    return group


def write_text(layer):
    gimp = layer.gimp.Gimp
    text = replace(layer, gimp.TextLayer.new(layer.image, "Text", gimp.context_get_font(), 24.0,
                                             gimp.Unit.pixel()))
    text.set_color(layer.gimp.Gegl.Color.new("red"))
    text.resize(WIDTH, HEIGHT)
    return text


def draw_vectors(layer):
    gimp = layer.gimp.Gimp
    path = gimp.Path.new(layer.image, "path")
    layer.image.insert_path(path, None, 0)
    corners = [(0, 0), (WIDTH, 5), (WIDTH // 2, HEIGHT)]
    path.stroke_new_from_points(gimp.PathStrokeType.BEZIER,
                                [float(v) for corner in corners for v in corner * 3], True)
    vectors = replace(layer, gimp.VectorLayer.new(layer.image, path))
    vectors.set_fill_color(layer.gimp.Gegl.Color.new("green"))
    vectors.set_enable_stroke(False)  # of a line beyond the layer's edge
    vectors.refresh()
    return vectors


def link(layer):
    file = layer.gimp.save(layer.image, f"{layer.image.get_id()}.png")
    return replace(layer, layer.gimp.Gimp.LinkLayer.new(layer.image, file))


KINDS = {"a layer": keep, "a masked layer": mask, "a group": Drawable.put_in_group,
         "an empty group": lay_group, "text": write_text}
NEW_KINDS = {"vectors": draw_vectors, "a link": link}  # of GIMP 3.2


# ---- effects ----


def set_mask(layer, on):
    if layer.drawable.get_mask():
        layer.drawable.set_apply_mask(on)


def check_mask(layer, blurred):
    """The mask hides what the effect left, and is not blurred."""
    set_mask(layer, True)
    shown, half = layer.see(), WIDTH // 2
    assert shown[:, :half].tobytes() == blurred[:, :half].tobytes(), "it has hidden too much"
    assert not shown[:, half:, 3].any(), "it has hidden too little"


def lay_effect(layer, filter):
    """Returns what is seen before and after."""
    whole = layer.see()
    set_mask(layer, False)
    before, (properties, settings) = layer.see(), FILTERS[filter]
    layer.append(f"cuda:{filter}", **properties)
    after = layer.see()
    layer.check(before, after, filter, **settings)
    if layer.drawable.get_mask():
        check_mask(layer, after)
    return whole, layer.see()


def make_all(gimp, rng):
    """Files of all kinds with each effect. Returns the effects, and what is seen."""
    kinds = KINDS | (NEW_KINDS if gimp.Gimp.MINOR_VERSION >= 2 else {})
    cases = {}
    for kind, make in kinds.items():
        for filter in FILTERS:
            layer = Drawable.make(gimp, rng, precision=LINEAR)
            layer = layer.of(make(layer))
            cases[f"{filter} of {kind}.xcf"] = filter, *lay_effect(layer, filter)
            gimp.save(layer.image, f"{filter} of {kind}.xcf")
            layer.image.delete()
    return cases


def check_file(gimp, name, expected, effects):
    """GIMP paints vectors again when it opens a file: not to the last bit as they were."""
    image = gimp.open(name)
    layer = Drawable(gimp, image, image.get_layers()[0])
    names = [effect.get_operation_name() for effect in layer.drawable.get_filters()]
    assert names == effects, name
    assert np.abs(layer.see() - expected).max() <= 1e-6, name
    image.delete()


def test_kinds(home, rng):
    """They are found again in another process. Without the operations, all is as it was before the
    effect, and GIMP says of each that it is discarded, as plugin/GIMP3.md says."""
    with Gimp(home, fonts=True) as gimp:
        cases = make_all(gimp, rng)
    with Gimp(home, fonts=True) as gimp:
        for name, (filter, _, after) in cases.items():
            check_file(gimp, name, after, [f"cuda:{filter}"])
    home.remove_module()
    with Gimp(home, fonts=True) as gimp:
        for name, (_, before, _) in cases.items():
            check_file(gimp, name, before, [])
    lost = re.findall(r"XCF Warning: .*\(cuda:[a-z-]*\).* was discarded", gimp.read_log())
    assert len(lost) == len(cases)


def test_mask(home, rng):
    """GIMP has no effects on masks and channels: one is refused, and a filter for good is not."""
    home.install_module()
    with Gimp(home) as gimp:
        mask = Drawable.make(gimp, rng, precision=LINEAR).add_mask()
        before = mask.read()
        mask.append(**SIGMAS)
        assert not mask.drawable.get_filters()
        assert mask.read().tobytes() == before.tobytes()
        mask.drawable.merge_filter(mask.new_filter(**SIGMAS))
        mask.check(before, mask.read(), **SIGMAS)


def get_codes(gimp, drawable):
    """Of the palette's colours, as they are stored."""
    return np.frombuffer(gimp.remote.read(drawable), np.uint8).reshape(HEIGHT, WIDTH, -1)[..., 0]


def test_indexed(home):
    """It keeps its pixels, and what is seen of the blur has the palette's nearest colours."""
    with Gimp(home) as gimp:
        layer = Drawable.make(gimp, np.random.default_rng(1), 3)
        grays = np.linspace(0, 255, WIDTH).round()  # at most 5 apart
        ramp = np.repeat(grays, 3).reshape(1, WIDTH, 3).repeat(HEIGHT, 0)
        ramp[20:30, 20:40] = 255
        gimp.remote.write(layer.drawable, ramp.astype(np.uint8).tobytes())
        layer.image.convert_indexed(gimp.Gimp.ConvertDitherType.NONE,
                                    gimp.Gimp.ConvertPaletteType.GENERATE, 256, False, False, "")
        before = get_codes(gimp, layer.drawable)
        layer.append(**SIGMAS)
        assert (get_codes(gimp, layer.drawable) == before).all()
        seen = gimp.Gimp.Layer.new_from_visible(layer.image, layer.image, "visible")
        layer.image.insert_layer(seen, None, 0)
        palette = np.zeros(256)
        palette[before] = ramp[..., 0]
        blurred = expect_blur(Format("u8", 1), ramp[..., :1] / 255.0, **SIGMAS)
        nearest = np.abs(palette[get_codes(gimp, seen)] / 255.0 - blurred[..., 0])
        assert nearest.max() <= 5 / 255.0
