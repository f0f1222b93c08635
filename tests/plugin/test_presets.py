"""Files of settings and lists of presets (settings-file.h, preset-list.h): every value and awkward
names there and back, in a locale with decimal commas too, every kind of damage, files that cannot
be written, the presets of the gallery, and those of GIMP 3."""

import ctypes
import itertools
import os
import re
import resource
from ctypes import POINTER, c_char_p, c_int, c_uint, c_void_p
from pathlib import Path

import numpy as np
import pytest

import fx
from descriptions import (BLUR, CONVOLVE, FILTER, FILTERS, LENS, Settings, get_properties, matrix,
                          take_text)

NAME_MAX = 255
OPEN, NO_FILE, PARSE = (("gimp-config-error-quark", code) for code in (0, 1, 3))


class Preset(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("settings", c_void_p)]


class Array(ctypes.Structure):
    _fields_ = [("items", POINTER(POINTER(Preset))), ("length", c_uint)]


ARRAY = POINTER(Array)
fx.library.declare({
    "filter_settings_set_words": (c_int, [c_void_p, c_char_p], True),
    "g_ptr_array_add": (None, [ARRAY, POINTER(Preset)]),
    "g_ptr_array_new_with_free_func": (ARRAY, [c_void_p]),
    "g_ptr_array_unref": (None, [ARRAY]),
    "preset_list_add": (c_void_p, [c_char_p, c_char_p, c_void_p], True),
    "preset_list_delete": (c_int, [FILTER, c_char_p, c_char_p], True),
    "preset_list_load": (ARRAY, [FILTER, c_char_p], True),
    "preset_new": (POINTER(Preset), [c_char_p, c_void_p]),
    "settings_file_export": (c_int, [c_char_p, c_void_p], True),
    "settings_file_import": (c_void_p, [FILTER, c_char_p], True),
    "settings_file_read_presets": (ARRAY, [FILTER, c_char_p], True),
    "settings_file_write_presets": (c_int, [FILTER, c_char_p, ARRAY], True),
})


def take(array, filter):
    """The names and the settings of the presets of an array that is freed."""
    presets = [item.contents for item in array.contents.items[:array.contents.length]]
    copies = [(preset.name.decode(), fx.library.filter_settings_copy(preset.settings))
              for preset in presets]
    fx.library.g_ptr_array_unref(array)
    return [(name, Settings(filter, handle)) for name, handle in copies]


def show(presets):
    return [(name, settings.print()) for name, settings in presets]


def read_list(path, filter=BLUR):
    return take(fx.call("settings_file_read_presets", filter, bytes(path)), filter)


def write_list(path, presets, filter=BLUR):
    array = fx.library.g_ptr_array_new_with_free_func(fx.library.shared.preset_free)
    for name, settings in presets:
        item = fx.library.preset_new(name.encode(), settings.handle)
        fx.library.g_ptr_array_add(array, item)
    try:
        fx.call("settings_file_write_presets", filter, bytes(path), array)
    finally:
        fx.library.g_ptr_array_unref(array)


def import_from(path, filter=BLUR):
    return Settings(filter, fx.call("settings_file_import", filter, bytes(path)))


def export_to(path, settings):
    fx.call("settings_file_export", bytes(path), settings.handle)


def write_bytes(path, data):
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())


def is_refused(path, read, *args):
    """Whether the file is damaged; then the error names it."""
    try:
        read(path, *args)
    except fx.Error as error:
        assert error.code == PARSE and str(path) in str(error)
        return True
    return False


def get_refusal(path, read, *args):
    with pytest.raises(fx.Error) as caught:
        read(path, *args)
    assert caught.value.code == PARSE and str(path) in str(caught.value)
    return str(caught.value)


@pytest.fixture
def path(tmp_path):
    """Of a file that is not there, in a folder that is not there."""
    return tmp_path / "made" / "blur.settings"


# ---- there and back ----


SIGMAS = [0.0, 5e-324, 1e-10, 0.1, 0.2, 1 / 3, 12.34567891, 1e3, 4999.9, 5000.0]
PLAIN = Settings(BLUR, sigma_x=3.5, sigma_y=0.1, kernel_size=35, abyss=3, light=1, grow=1, device=2)
PLAIN_TEXT = ("(sigma-x 3.5)\n(sigma-y 0.1)\n(kernel-size 35)\n(abyss white)\n(light perceptual)\n"
              "(grow yes)\n(device cpu)\n")
FOOTER = "# end of settings\n"


def check_returns(path, presets, filter=BLUR):
    write_list(path, presets, filter)
    assert show(read_list(path, filter)) == show(presets)


def make_values():
    """Each value of each property."""
    return [(f"preset {i}", Settings(
        BLUR, sigma_x=SIGMAS[i % 10], sigma_y=SIGMAS[9 - i % 10],
        kernel_size=[0, 1, 3, 9999][i // 10], abyss=i % 4, light=i // 4 % 2, grow=i // 3 % 2,
        device=i % 3)) for i in range(40)]


def test_values(any_locale, path):
    presets = make_values()
    check_returns(path, presets)
    for _, settings in presets:
        export_to(path, settings)
        assert import_from(path).print() == settings.print()


def test_names(path):
    check_returns(path, [(name, PLAIN) for name in [
        "plain", "two words", '"quoted"', "back\\slash", "\\", "(parentheses)", "# no comment",
        "/* nor one */", "tab\tand\nnewline", "\001\033\177", "Weichzeichnung äöüß",
        "ぼかし", "🌫", "plain", " ", "%s%n", "; '", 10000 * "x"]])


def test_empty_list(path):
    check_returns(path, [])


def test_style(any_locale, path):
    """A file as GIMP itself writes it."""
    check_returns(path, [('Soft "glow"', PLAIN)])
    assert path.read_text() == """\
# settings

(cuda-gaussian-blur "Soft \\"glow\\""
    (sigma-x 3.5)
    (sigma-y 0.10000000000000001)
    (kernel-size 35)
    (abyss white)
    (light perceptual)
    (grow yes)
    (device cpu))

# end of settings
"""


@pytest.mark.parametrize("text", [
    "# by hand\n(grow yes) # always\n(device cpu)(light perceptual)\n(abyss\nwhite) "
    "(kernel-size 35)\n\n(sigma-y 0.1)(sigma-x 35e-1)",
    '(time 0)\n(curve (points ")" 1.5 (-2 x)) yes)\n' + PLAIN_TEXT + "(later)\n"])
def test_by_hand(path, text):
    """Comments and any order; properties of later versions."""
    write_bytes(path, text)
    assert import_from(path).print() == PLAIN.print()


def test_matrices(path):
    values = np.array([0.1, -1 / 3, 5e-324, 3e38, 0, -7])

    def make(size):
        numbers = (np.resize(values, size * 3) / (3 + np.arange(size * 3))).reshape(3, size)
        return Settings(CONVOLVE, values=matrix(*numbers), divisor=1e36 * size)

    presets = [(f"3 x {size}", make(size)) for size in range(1, 64, 2)]
    check_returns(path, presets, CONVOLVE)
    export_to(path, make(63))
    assert '(values "3x63: 0.0333' in path.read_text()
    assert import_from(path, CONVOLVE).print() == make(63).print()


# ---- damage ----


@pytest.mark.parametrize("write,read", [
    (lambda path: write_list(path, [("first", PLAIN), ('zweiter "ü"', PLAIN)]),
     lambda path: show(read_list(path))),
    (lambda path: export_to(path, PLAIN), lambda path: import_from(path).print())],
    ids=["list", "export"])
def test_cut_off(path, write, read):
    """What is cut off is refused, or is complete."""
    write(path)
    whole, expected = path.read_bytes(), read(path)
    for length in range(len(whole)):
        write_bytes(path, whole[:length])
        assert is_refused(path, read) or read(path) == expected


def wrap(settings):
    return f'(cuda-gaussian-blur "name"\n{settings})\n\n{FOOTER}'


@pytest.mark.parametrize("text,line,complaint", [
    ("", 1, "end with '# end of settings'"),
    *((wrap(PLAIN_TEXT + text), line, complaint) for text, line, complaint in [
        ("(sigma-x 5000.001)", 9, "sigma-x is 5000, but must be 0 to 5000"),
        ("(sigma-y -0.5)", 9, "sigma-y is -0.5"),
        ("(sigma-y -5)", 9, "sigma-y is -5, "),
        ("(sigma-y 1e999)", 9, "sigma-y is inf"),
        ("(kernel-size 4)", 9, "kernel-size is 4"),
        ("(kernel-size 10001)", 9, "kernel-size is 10001"),
        ("(kernel-size -3)", 9, "kernel-size is -3"),
        ("(kernel-size 4294967299)", 9, "kernel-size is '4294967299'"),
        ("(kernel-size 18446744073709551619)", 9, "must be a whole"),
        ("(kernel-size 3.5)", 9, "'3.5', but must be a whole number"),
        ("(kernel-size yes)", 9, ""),
        ("(abyss grey)", 9, "abyss is 'grey', but must be one of: clamp, none"),
        ("(abyss 1)", 9, ""),
        ("(grow maybe)", 9, "one of: no, yes"),
        ("(device)", 9, ""),
        ("(sigma-x 3,5)", 9, ""),
        ("sigma-x", 9, ""),
        ("(later (and", 12, "")]),
    (wrap("(sigma-x 1)(sigma-y 1)(kernel-size 1)(abyss none)(light linear)(device gpu)"), 2,
     "grow is missing"),
    (wrap(""), 2, "sigma-x is missing"),
    (f'(cuda-gaussian-blur "" {PLAIN_TEXT})\n{FOOTER}', 1, "name is empty"),
    (f'(cuda-gaussian-blur "\\377" {PLAIN_TEXT})\n{FOOTER}', 1, "not in UTF-8"),
    (f'(cuda-gaussian-blur "\377" {PLAIN_TEXT})\n{FOOTER}'.encode("latin-1"), 1, "not in UTF-8"),
    (f"(cuda-gaussian-blur name {PLAIN_TEXT})\n{FOOTER}", 1, ""),
    (f'(cuda-gaussian-blur "name {PLAIN_TEXT})\n{FOOTER}', 10, "string"),
    (f'(GimpGegl-config "name"\n(std-dev-x 1.5))\n{FOOTER}', 1, "'GimpGegl-config'"),
    (PLAIN_TEXT + FOOTER, 1, "'sigma-x'"),
    (f"\n)\n{FOOTER}", 2, ""),
    (b"\211PNG\r\n\032\n" + FOOTER.encode(), 1, ""),
    # The scanner ends at a NUL byte, but the list does not.
    (f'(cuda-gaussian-blur "name" {PLAIN_TEXT})\n\0\n{wrap(PLAIN_TEXT)}', 0, "")])
def test_damaged_list(path, text, line, complaint):
    write_bytes(path, text)
    message = get_refusal(path, read_list)
    assert complaint in message and (not line or f"in line {line}: " in message)


@pytest.mark.parametrize("text", ["", "(sigma-x 1)", PLAIN_TEXT + ")", PLAIN_TEXT + "(light none)",
                                  wrap(PLAIN_TEXT)])
def test_damaged_export(path, text):
    write_bytes(path, text)
    get_refusal(path, import_from)


MATRIX_REST = ("(divisor -2)(offset 0.5)(channels 9)(alpha-weighting straight)(abyss none)"
               "(light linear)(device cpu)")


def test_matrix_by_hand(path):
    write_bytes(path, '(values "0,5;-1;0\n1;1;1\n1;1;1")' + MATRIX_REST)
    expected = matrix([0.5, -1, 0], [1, 1, 1], [1, 1, 1])
    assert import_from(path, CONVOLVE).print() == Settings(
        CONVOLVE, values=expected, divisor=-2, offset=0.5, channels=9, alpha_weighting=2, abyss=1,
        device=2).print()


@pytest.mark.parametrize("text,line,complaint", [
    ('(values "1 2 x")', 1, "The cell in row 1, column 3 is 'x'"),
    ('(values "1 2\n3 4")', 2, "rows is 2, but must be an odd number"),
    ('(values "")', 1, ""), ("(values 3)", 1, ""),
    ('(values "1 2 1e39")', 1, "The value in row 1, column 3 is 1e+39"),
    ('(values "1 2 3)', 1, ""), ("", 1, "values is missing")])
def test_damaged_matrix(path, text, line, complaint):
    write_bytes(path, text + MATRIX_REST)
    message = get_refusal(path, import_from, CONVOLVE)
    assert complaint in message and f"in line {line}: " in message


# ---- files that are not there or cannot be had ----


def test_no_file(path):
    assert read_list(path) == []
    with pytest.raises(fx.Error) as caught:
        import_from(path)
    assert caught.value.code == NO_FILE


def test_folder_in_place_of_file(tmp_path):
    for read in (read_list, load):
        with pytest.raises(fx.Error) as caught:
            read(tmp_path)
        assert caught.value.code == OPEN
    with pytest.raises(fx.Error):
        export_to(tmp_path, PLAIN)
    assert tmp_path.is_dir()  # and was not renamed as a damaged file is


def check_not_writable(path):
    for write, what in ((write_list, []), (export_to, PLAIN)):
        with pytest.raises(fx.Error) as caught:
            write(path, what)
        assert str(path) in str(caught.value)


def test_not_writable(tmp_path):
    """A folder that cannot be made, by root either; and one that others may not write to."""
    (tmp_path / "file").touch()
    check_not_writable(tmp_path / "file" / "blur.settings")
    if os.geteuid():
        tmp_path.chmod(0o500)
        check_not_writable(tmp_path / "blur.settings")
        tmp_path.chmod(0o700)


@pytest.mark.parametrize("linked", [False, True])
def test_full_disk(path, linked):
    """The list that was there stays, also where a link leads to it."""
    if linked:
        path.parent.mkdir()
        path.symlink_to(path.parent / "elsewhere")
    check_returns(path, [("kept", PLAIN)])
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        with pytest.raises(fx.Error):
            write_list(path, make_values())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert show(read_list(path)) == show([("kept", PLAIN)])


# ---- lists, whose presets have different names ----


def load(path, filter=BLUR):
    return take(fx.call("preset_list_load", filter, bytes(path)), filter)


def add(path, name, sigma=3.0):
    settings = Settings(BLUR, sigma_x=sigma)
    return take_text(fx.call("preset_list_add", bytes(path), name.encode(), settings.handle))


def delete(path, name, filter=BLUR):
    fx.call("preset_list_delete", filter, bytes(path), name.encode())


def get_sigmas(path):
    return [(name, settings.get("sigma-x")) for name, settings in load(path)]


def test_add(path):
    assert get_sigmas(path) == []
    for n, (name, added) in enumerate([("soft", "soft"), ("glow", "glow"), ("soft", "soft #1"),
                                       ("soft", "soft #2"), ("soft #1", "soft #1 #1")]):
        assert add(path, name, n) == added
    assert get_sigmas(path) == [("glow", 1), ("soft", 0), ("soft #1", 2), ("soft #1 #1", 4),
                                ("soft #2", 3)]


def test_own(path):
    """The names of presets that come with the filter are taken."""
    own, settings = LENS.contents.presets[0].name.decode(), Settings(LENS)
    for name, added in ((own, f"{own} #1"), ("mine", "mine")):
        result = fx.call("preset_list_add", bytes(path), name.encode(), settings.handle)
        assert take_text(result) == added
    delete(path, own, LENS)
    assert len(load(path, LENS)) == 2


def test_delete(path):
    add(path, "a", 1)
    add(path, "b", 2)
    delete(path, "none")
    delete(path, "a")
    assert get_sigmas(path) == [("b", 2)]
    delete(path, "b")
    assert get_sigmas(path) == []


def test_damage(path):
    """It is refused once, its contents stay in the backup, and the list begins again."""
    damaged, backup = '(cuda-gaussian-blur "years of work"\n(sigma-x', Path(f"{path}~")
    write_bytes(path, damaged)
    assert str(backup) in get_refusal(path, add, "new")
    assert get_sigmas(path) == []
    add(path, "new", 1)
    assert get_sigmas(path) == [("new", 1)]
    assert backup.read_text() == damaged


def test_damage_again(path):
    """Each damaged file is kept, whatever has the name of its copy already."""
    kept = [Path(f"{path}~{number}") for number in ("", 3, 4)]
    Path(f"{path}~2").mkdir(parents=True)
    for n, backup in enumerate(kept):
        write_bytes(path, f"number {n}")
        assert f"'{backup}'" in get_refusal(path, load)
        assert not path.exists()
    assert [backup.read_text() for backup in kept] == ["number 0", "number 1", "number 2"]


def test_damage_stays(tmp_path):
    """A file that cannot be renamed, because its name is as long as possible, is not overwritten
    either."""
    path = tmp_path / (NAME_MAX * "x")
    write_bytes(path, "damaged")
    for _ in range(2):
        assert "was renamed to" not in get_refusal(path, add, "new")
        with pytest.raises(fx.Error):
            delete(path, "old")
    assert path.read_text() == "damaged"


# ---- the gallery ----


GALLERY = Path(__file__).parents[2] / "plugin" / "pictures" / "presets"


@pytest.mark.parametrize("name", sorted(os.listdir(GALLERY)))
def test_gallery(tmp_path, name):
    """Each preset is what the dialog exports, for the filter that its first line names, and is
    imported by that filter alone."""
    text, exported = (GALLERY / name).read_text(), tmp_path / "exported"
    assert name.endswith(".settings")
    filters = [filter for filter in FILTERS.values()
               if not is_refused(GALLERY / name, import_from, filter)]
    assert len(filters) == 1
    title = filters[0].contents.title.decode()
    assert text.startswith(f"# GIMP '{title}' settings\n")
    settings = import_from(GALLERY / name, filters[0])
    assert settings.get_refusal() is None
    export_to(exported, settings)
    assert exported.read_text() == text


# ---- GIMP 3 ----


WRITTEN = Path(os.environ["CUDA_BLUR_TEST_PRESETS"])


def parse_gimp(text):
    """The presets of GIMP 3's file, by their names: a number, or a word, of each setting."""
    presets = re.split(r'^\(\S+ "(.*)"\n', text, flags=re.M)[1:]
    return {name: {key: to_number(word) for key, word in re.findall(r"\(([\w-]+) ([^()]*)\)", body)}
            for name, body in zip(presets[::2], presets[1::2])}


def to_number(word):
    try:
        return float(word)
    except ValueError:
        return word


def get_whole(filter, preset):
    """All that the operation then has. clip-extent is the opposite of the layer's growth."""
    settings = Settings(filter)
    fx.call("filter_settings_set_words", settings.handle, preset.label)
    words = dict(line.split("=") for line in settings.print().decode().split())
    values = {}
    for property in get_properties(filter):
        name = property.name.decode()
        values[(property.operation_name or property.name).decode()] = to_number(words[name])
    if "grow" in values:
        values["clip-extent"] = {"yes": "no", "no": "yes"}[values.pop("grow")]
    return values


@pytest.mark.parametrize("filter", FILTERS.values(), ids=list(FILTERS))
def test_whole(filter):
    """GIMP 3 sets what its file does not name to what it begins with, so each of a filter's presets
    names all there: the initial values in place of those that it leaves alone in GIMP 2.10."""
    presets = filter.contents.presets
    expected = {preset.name.decode(): get_whole(filter, preset) for preset in
                itertools.takewhile(lambda item: item.name, presets)} if presets else {}
    path = WRITTEN / f"GimpGegl-{filter.contents.name.decode()}-config.settings"
    assert path.exists() == bool(expected)
    assert not expected or parse_gimp(path.read_text()) == expected
