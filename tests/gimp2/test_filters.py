"""Each filter in GIMP: all formats, sizes, places, selections, coverage, growth, and what is
refused. The pixels are the engine's, which the tests of its rooms hold to the definitions. A filter
that takes a map gets the drawable itself; test_map.py has others."""

import colour
import numpy as np
import pytest

import fx
from cases import list_examples, load_parts, product
from descriptions import MATRIX, NAMES, Settings, get_largest, get_property
from formats import SAMPLES, Format
from layers import (CORNER, FEATHERED, RECTANGLE, REPLACE, SELECTIONS, Layer, check, check_coverage,
                    check_grown, check_refused, check_result, check_selected, check_unchanged,
                    takes_map)
from session import WITH_LAST_VALS

BLUR = "gaussian-blur"
PARTS = load_parts("examples").values()
FILTERS = [part.FILTER for part in PARTS]
GROWING = [filter for filter in FILTERS if "grow" in NAMES[filter]]
VARIED = {part.FILTER: part.VARIED for part in PARTS}
EACH = pytest.mark.parametrize("filter", FILTERS)
PLAIN = {"sigma_x": 2.5, "sigma_y": 1.3}
RGB, RGBA = Format("u8", 3), Format("u8", 4)


def take_turn(n):
    """A filter with other settings than its initial ones."""
    filter = FILTERS[n % len(FILTERS)]
    return filter, VARIED[filter]


@pytest.mark.parametrize("n,sample,gamma,channels", product(SAMPLES, [True, False], [3, 4, 1, 2]))
def test_formats(new, n, sample, gamma, channels):
    filter, settings = take_turn(n)
    check(new(Format(sample, channels, gamma), (137, 61), "random"), filter, **settings)


@pytest.mark.parametrize("filter,settings", list_examples("SETTINGS"))
def test_settings(new, filter, settings):
    check(new(RGBA, (129, 127), "random"), filter, **settings)


# A row of tiles of the widest layer is more than a band.
@pytest.mark.parametrize("n,size", enumerate([
    (1, 1), (1, 150), (150, 1), (2, 3), (128, 128), (130, 257), (400, 300), (1, 100000),
    (100000, 1), (33000, 140)]))
def test_sizes(new, n, size):
    check(new([RGBA, Format("float", 1, False)][n % 2], size, "random"), BLUR, **PLAIN)


@EACH
@pytest.mark.parametrize("place,canvas", [
    ((40, 25), (300, 200)), ((-30, -20), (80, 50)), ((-60, 70), (150, 100)),
    ((500, 400), (100, 100))])
def test_places(gimp, new, filter, place, canvas):
    """The canvas does not matter."""
    layer = new(RGBA, (150, 90))
    gimp.image_resize(layer.image, *canvas, 0, 0)
    gimp.layer_set_offsets(layer.drawable, *place)
    check(layer, filter, **VARIED[filter])
    assert layer.get_offsets() == place


@EACH
def test_identity(new, filter):
    """Script tools begin with 0 in everything."""
    layer = new(Format("float", 4))
    nothing = {name.replace("-", "_"): [[1]] if get_property(filter, name).type == MATRIX else 0
               for name in NAMES[filter]}
    check_unchanged(layer, lambda: layer.call(filter, **nothing))


def test_large(new):
    """A matrix of a million values."""
    values = np.arange(1023 * 1023).reshape(1023, 1023) % 7 - 2.5
    check(new(RGB, (7, 3), "random"), "convolve", values=values)


# ---- selections, masks and channels ----


@pytest.mark.parametrize("n,format,selection", product([
    RGBA, Format("u16", 3), Format("half", 2, False), Format("float", 4), Format("u32", 4),
    Format("double", 1, False)], SELECTIONS))
def test_selections(gimp, rng, n, format, selection):
    filter, settings = take_turn(n)
    check_selected(Layer.make_selected(gimp, rng, format, selection), filter, **settings)


def test_selection_beside(gimp, rng):
    layer = Layer.make_selected(gimp, rng, RGBA, RECTANGLE)
    gimp.image_select_rectangle(layer.image, REPLACE, 0, 0, 15, 100)
    check_unchanged(layer, lambda: layer.call(BLUR, **PLAIN))


@pytest.mark.parametrize("n,sample,gamma,add", product(
    SAMPLES, [True, False], [Layer.add_mask, Layer.add_channel]))
def test_coverage(new, rng, n, sample, gamma, add):
    """It has no light, and does not grow."""
    filter, settings = take_turn(n)
    grow = {"grow": 1} if filter in GROWING else {}
    check_coverage(rng, new(Format(sample, 4, gamma)), add, filter, **settings | grow)


@pytest.mark.parametrize("add,selection", [
    (Layer.add_mask, RECTANGLE), (Layer.add_mask, FEATHERED), (Layer.add_channel, FEATHERED),
    (Layer.add_channel, CORNER)])
def test_selected_coverage(gimp, rng, add, selection):
    check_selected(add(Layer.make_selected(gimp, rng, RGBA, selection), rng), BLUR, **PLAIN)


def test_selection_itself(gimp, new, rng):
    layer = new(RGB, (90, 60))
    check_coverage(rng, layer, lambda layer, rng: layer.cover(
        rng, gimp.image_get_selection(layer.image)), BLUR, **PLAIN)


# ---- growth ----


@pytest.mark.parametrize("filter,format,settings", [
    *((filter, format, VARIED[filter]) for filter in GROWING for format in (
        RGBA, Format("u16", 4), Format("float", 2, False), Format("u8", 4, False))),
    (BLUR, RGBA, {"sigma_x": 40.0, "sigma_y": 0.0})])  # by more than the layer
def test_grow(gimp, new, rng, filter, format, settings):
    """With a mask, of which the new border is white."""
    layer = new(format, (60, 44), "random")
    gimp.layer_set_offsets(layer.drawable, 7, -5)
    mask = layer.add_mask(rng)
    before = mask.read()
    x, y = check_grown(layer, filter, **settings)
    assert mask.get_offsets() == layer.get_offsets()
    expected = np.pad(before, [(y, y), (x, x), (0, 0)],
                      constant_values=mask.format.encode(np.float64(1.0)))
    assert mask.read().tobytes() == expected.tobytes()


def test_grow_ignored(gimp, new, rng):
    """Without alpha, and under a selection."""
    check(new(RGB), BLUR, sigma_x=3.0, sigma_y=3.0, grow=1)
    check_selected(Layer.make_selected(gimp, rng, RGBA, RECTANGLE), BLUR, sigma_x=3.0, sigma_y=3.0,
                   grow=1)


def test_grow_in_group(gimp, new):
    """The group grows, too."""
    layer = new(RGBA, (60, 44))
    group = layer.put_in_group()
    assert check_grown(layer, BLUR, sigma_x=2.0, sigma_y=2.0) == (8, 8)
    assert gimp.drawable_width(group) == 76


# ---- linear light by the curve of the image's profile ----


@pytest.mark.parametrize("curve,mean", [
    (None, 0.735), (colour.parametric(0, 1.8), 0.680), (colour.table(colour.pq), 0.927)],
    ids=["none", "ProPhoto", "PQ"])
@pytest.mark.parametrize("channels", [2, 3])
def test_profiles(gimp, new, channels, curve, mean):
    """The mean of the columns at an edge from black to white, blurred."""
    format = Format("u16", channels)
    layer, values = new(format, (128, 16)), np.zeros((16, 128, channels))
    values[:, 64:] = 1.0
    if format.has_alpha:
        values[..., -1] = 1.0
    if curve:
        profile = colour.icc(curve, gray=channels == 2)
        gimp.image_set_color_profile(layer.image, len(profile), profile)
    gimp.write(layer.drawable, format.encode(values))
    layer.call(BLUR, sigma_x=8.0, sigma_y=8.0)
    assert format.decode(layer.read())[8, 63:65, 0].mean() == pytest.approx(mean, abs=0.002)


# ---- other calls ----


def check_call(layer, call, filter, **settings):
    before, map = layer.read(), layer.get_own_map(filter, settings)
    call()
    assert layer.read().tobytes() != before.tobytes()
    check_result(layer.gimp, filter, layer.format, before, layer.read(), **settings | map)


@pytest.mark.parametrize("filter", [filter for filter in FILTERS if not takes_map(filter)])
def test_last_values(gimp, new, filter):
    """The initial ones, until there are others. GIMP's menus give three arguments, and scripts may
    give all."""
    layer, name = new(RGBA, picture="random"), f"plug-in-cuda-{filter}"
    check_call(layer, lambda: layer.call(filter, WITH_LAST_VALS, []), filter)
    last = Settings.print(fx.Settings(filter, **VARIED[filter]))
    gimp.procedural_db_set_data(name, len(last), last)
    check_call(layer, lambda: layer.call(filter, WITH_LAST_VALS), filter, **VARIED[filter])


@EACH
def test_script(new, filter):
    """Script-Fu hands the values of a matrix on in single precision."""
    layer = new(RGB, picture="random")
    check_call(layer, lambda: layer.script(filter, **VARIED[filter]), filter, **VARIED[filter])


def test_script_matrix(new):
    """These have no sum but their rounding."""
    layer = new(RGB, picture="random")
    settings = {"values": np.array([[0.1, 0.2, -0.3]]), "offset": 0.5}
    check_call(layer, lambda: layer.script("convolve", **settings), "convolve", **settings)


# ---- refusals ----


@EACH
def test_refused(new, filter):
    """Each argument that is too small or too large."""
    layer = new(RGBA)
    for name in NAMES[filter]:
        property = get_property(filter, name)
        if property.type == MATRIX:
            check_refused(layer, filter, "rows is 2, but must be ", values=np.ones((2, 3)))
            check_refused(layer, filter, "columns is 1025, but ", values=np.ones((1, 1025)))
            continue
        most = get_largest(property)
        beyond = max(1.0, abs(most))
        for value in (property.minimum - beyond, most + beyond):
            check_refused(layer, filter, f"{name} is {value:g}, but must be ",
                          **VARIED[filter] | {name.replace("-", "_"): value})


@pytest.mark.parametrize("rows,columns,count,words", [
    (3, 3, 8, "There are 8 values, but a matrix of 3x3 needs 9"),
    (3, 5, 9, "There are 9 values, but a matrix of 3x5 needs 15"),
    (-1, -9, 9, "rows is -1, but must be an odd number from 1 to 1023"),
    (0, 0, 0, "rows is 0, but must be an odd number from 1 to 1023")])
def test_wrong_count(new, rows, columns, count, words):
    layer = new(RGBA)
    arguments = [rows, columns, count, np.ones(count), 0.0, 0.0, 0, 0, 0, 0, 0]
    check_unchanged(layer, lambda: layer.call("convolve", arguments=arguments), words)


@EACH
def test_too_few_arguments(new, filter):
    layer, more = new(RGBA), 3 if "values" in NAMES[filter] else takes_map(filter)
    check_unchanged(layer, lambda: layer.call(filter, arguments=[]),
                    f"was given 3 arguments, but must be given {3 + len(NAMES[filter]) + more}")
