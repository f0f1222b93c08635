"""Effects on all kinds of layers: what Python-Fu's batch mode is to do with them, in three
processes. Pixels are linear floats, so that nothing rounds or encodes them."""

from gi.repository import Gegl, Gimp, Gio

import matrix
import pictures

WIDTH, HEIGHT = pictures.WIDTH, pictures.HEIGHT

SIGMAS = {"std_dev_x": 3.0, "std_dev_y": 1.5}
OPERATIONS = {"cuda:gaussian-blur": SIGMAS, "cuda:convolve": {"values": matrix.BLUR[0]}}

LINKED = Gio.File.new_for_path("linked.png")


def new_image():
    return Gimp.Image.new_with_precision(WIDTH, HEIGHT, Gimp.ImageBaseType.RGB,
                                         Gimp.Precision.FLOAT_LINEAR)


def save(image, file):
    Gimp.file_save(Gimp.RunMode.NONINTERACTIVE, image, file, None)


def open_file(file):
    return Gimp.file_load(Gimp.RunMode.NONINTERACTIVE, file)


def insert(image, layer):
    image.insert_layer(layer, None, 0)
    return layer


def add_layer(image):
    return pictures.new_layer(image, Gimp.ImageType.RGBA_IMAGE)


def add_masked(image):
    """The right half is hidden."""
    layer = add_layer(image)
    image.select_rectangle(Gimp.ChannelOps.REPLACE, 0, 0, WIDTH // 2, HEIGHT)
    layer.add_mask(layer.create_mask(Gimp.AddMaskType.SELECTION))
    Gimp.Selection.none(image)
    return layer


def add_group(image):
    layer = add_layer(image)
    group = insert(image, Gimp.GroupLayer.new(image, "group"))
    image.reorder_item(layer, group, 0)
    return group


def add_empty_group(image):
    """What is below passes through it."""
    add_layer(image)
    group = insert(image, Gimp.GroupLayer.new(image, "group"))
    group.set_mode(Gimp.LayerMode.PASS_THROUGH)
    return group


def add_text(image):
    layer = insert(image, Gimp.TextLayer.new(image, "Text", Gimp.context_get_font(), 24.0,
                                             Gimp.Unit.pixel()))
    layer.set_color(Gegl.Color.new("red"))
    layer.resize(WIDTH, HEIGHT)
    return layer


def add_vectors(image):
    path = Gimp.Path.new(image, "path")
    image.insert_path(path, None, 0)
    corners = [(0, 0), (WIDTH, 5), (WIDTH // 2, HEIGHT)]
    path.stroke_new_from_points(Gimp.PathStrokeType.BEZIER,
                                [float(v) for corner in corners for v in corner * 3], True)
    layer = insert(image, Gimp.VectorLayer.new(image, path))
    layer.set_fill_color(Gegl.Color.new("green"))
    layer.set_enable_stroke(False)  # of a line beyond the layer's edge
    layer.refresh()
    return layer


def add_link(image):
    if not LINKED.query_exists():
        other = new_image()
        add_layer(other)
        save(other, LINKED)
        other.delete()
    return insert(image, Gimp.LinkLayer.new(image, LINKED))


KINDS = {"a layer": add_layer, "a masked layer": add_masked, "a group": add_group,
         "an empty group": add_empty_group, "text": add_text}
if hasattr(Gimp, "LinkLayer"):  # since GIMP 3.2
    KINDS |= {"vectors": add_vectors, "a link": add_link}


def cases():
    return [(f"{operation[5:]} of {kind}", kind, operation)
            for kind in KINDS for operation in OPERATIONS]


def get_visible(image):
    layer = insert(image, Gimp.Layer.new_from_visible(image, image, "visible"))
    pixels = pictures.get_pixels(layer)
    image.remove_layer(layer)
    return pixels


def set_mask(layer, on):
    if layer.get_mask():
        layer.set_apply_mask(on)


def check_mask(image, layer, blurred):
    """The mask hides what the effect left, and is not blurred."""
    set_mask(layer, True)
    row = WIDTH * 16
    for y in range(HEIGHT):
        shown, whole = (pixels[y * row:][:row] for pixels in (get_visible(image), blurred))
        half = WIDTH // 2 * 16
        assert shown[:half] == whole[:half], "the mask has hidden too much"
        assert not any(shown[half + 12::16]), "the mask has hidden too little"


def premultiply(pixels):
    values = matrix.unpack(pixels)
    return [v if i % 4 == 3 else v * values[i - i % 4 + 3] for i, v in enumerate(values)]


def write(name, pixels):
    with open(name, "wb") as file:
        file.write(pixels)


def check_same(image, name):
    """GIMP paints vectors again when it opens a file: not to the last bit as they were."""
    with open(name, "rb") as file:
        expected = matrix.unpack(file.read())
    seen = matrix.unpack(get_visible(image))
    worst = max(abs(a - b) for a, b in zip(expected, seen, strict=True))
    assert worst <= 1e-6, f"{name}: off by {worst}"


def make_one(records, name, kind, operation):
    image = new_image()
    layer = KINDS[kind](image)
    write(f"{name}.before", get_visible(image))
    set_mask(layer, False)
    before = get_visible(image)
    effect = Gimp.DrawableFilter.new(layer, operation, "")
    pictures.configure(effect, OPERATIONS[operation])
    layer.append_filter(effect)
    if operation == "cuda:convolve":
        matrix.check(premultiply(before), premultiply(get_visible(image)), 4, matrix.BLUR)
    else:
        pictures.record_visible(records, name, image, before, **SIGMAS)
    if layer.get_mask():
        check_mask(image, layer, get_visible(image))
    write(f"{name}.after", get_visible(image))
    save(image, Gio.File.new_for_path(f"{name}.xcf"))
    image.delete()


def make():
    with open("records", "wb") as records:
        for case in cases():
            make_one(records, *case)


def find():
    """In another process all is as it was."""
    for name, kind, operation in cases():
        image = open_file(Gio.File.new_for_path(f"{name}.xcf"))
        [effect] = image.get_layers()[0].get_filters()
        assert effect.get_operation_name() == operation, name
        check_same(image, f"{name}.after")
        image.delete()


def miss():
    """Where the operations are not installed, all is as it was before the effect."""
    for name, kind, operation in cases():
        image = open_file(Gio.File.new_for_path(f"{name}.xcf"))
        assert image.get_layers()[0].get_filters() == [], name
        check_same(image, f"{name}.before")
        image.delete()


def record_mask():
    """GIMP has no effects on masks and channels: one is refused, and a filter for good is not."""
    image = new_image()
    layer = add_layer(image)
    layer.add_mask(layer.create_mask(Gimp.AddMaskType.ALPHA))
    mask = layer.get_mask()
    before = pictures.get_pixels(mask)
    mask.append_filter(pictures.new_filter(mask, SIGMAS))
    assert mask.get_filters() == []
    assert pictures.get_pixels(mask) == before
    mask.merge_filter(pictures.new_filter(mask, SIGMAS))
    with open("records", "wb") as records:
        pictures.record(records, "a mask, for good", mask, before, **SIGMAS)
    image.delete()
