"""Matrices of the convolution (plugin/filters/matrix-*.h, ready-matrices.h): as text and in files,
ready ones, operations on them, and the line below them. Texts are read in a locale that has decimal
commas, if there is one."""

import ctypes
import itertools
import locale
import os
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_ssize_t, c_void_p

import numpy as np
import pytest

import fx
from descriptions import take_text

LARGEST = 63
LARGEST_OF_ALL = 1023
TEXT_MAX = 1 << 25  # bytes


class StoredMatrix(ctypes.Structure):
    _fields_ = [("rows", c_int), ("columns", c_int), ("n_values", c_int),
                ("values", POINTER(c_double)), ("references", c_int)]


class ReadyMatrix(ctypes.Structure):
    _fields_ = [("label", c_char_p), ("matrix", POINTER(StoredMatrix))]


MATRIX = POINTER(StoredMatrix)
fx.library.declare({
    "filter_matrix_free": (None, [MATRIX]),
    "matrix_file_load": (MATRIX, [c_char_p, c_int], True),
    "matrix_file_save": (c_int, [c_char_p, MATRIX], True),
    "matrix_mirror_horizontally": (MATRIX, [MATRIX]),
    "matrix_mirror_vertically": (MATRIX, [MATRIX]),
    "matrix_paste": (MATRIX, [MATRIX, MATRIX, c_int, c_int, c_int]),
    "matrix_resize": (MATRIX, [MATRIX, c_int, c_int]),
    "matrix_rotate": (MATRIX, [MATRIX]),
    "matrix_text_parse": (MATRIX, [c_char_p, c_ssize_t, c_int], True),
    "matrix_text_parse_block": (MATRIX, [c_char_p, c_ssize_t, c_int], True),
    "matrix_text_print": (c_void_p, [MATRIX]),
    "matrix_text_print_line": (c_void_p, [MATRIX]),
})


@pytest.fixture(autouse=True)
def commas(decimal_commas):
    pass


def take(matrix):
    """The values of a matrix that is freed."""
    stored = matrix.contents
    assert stored.n_values == stored.rows * stored.columns
    values = np.array(np.ctypeslib.as_array(stored.values, (stored.rows, stored.columns)))
    fx.library.filter_matrix_free(matrix)
    return values


def give(values):
    """A matrix of the caller's, to read."""
    values = np.ascontiguousarray(values, float)
    stored = StoredMatrix(*values.shape, values.size, values.ctypes.data_as(POINTER(c_double)))
    stored.kept = values
    return byref(stored)


def parse(text, largest=LARGEST, length=-1, name="matrix_text_parse"):
    text = text.encode() if isinstance(text, str) else text
    return take(fx.call(name, text, length, largest))


def parse_block(text):
    return parse(text, 9, name="matrix_text_parse_block")


def get_refusal(text, **options):
    with pytest.raises(fx.Error) as caught:
        parse(text, **options)
    assert caught.value.code == "argument"
    return str(caught.value)


def is_same(a, b):
    return a.shape == b.shape and (a == b).all()


def make_random(rng, make=lambda rng, size: rng.uniform(-1, 2, size)):
    return make(rng, tuple(2 * rng.integers(0, 32, 2) + 1))


# ---- as text ----

SHARPEN = np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]])


@pytest.mark.parametrize("text", [
    "0 -1 0\n-1 5 -1\n0 -1 0",
    "0\t-1\t0\n-1\t5\t-1\n0\t-1\t0\n",
    "0,-1,0\n-1,5,-1\n0,-1,0\n",
    "0, -1, 0\n-1, 5, -1\n0, -1, 0\n",
    "0;-1;0\r\n-1;5;-1\r\n0;-1;0\r\n",
    "0 ; -1 ; 0\r-1 ; 5 ; -1\r0 ; -1 ; 0",
    "\n\n  0   -1 0  \n\n -1\t 5 -1\n 0 -1 0 \n \n",
    "0 -1 0 -1 5 -1 0 -1 0",
    "0,-1,0,-1,5,-1,0,-1,0",
    "3x3: 0 -1 0 -1 5 -1 0 -1 0",
    "3x3:0,-1,0,-1,5,-1,0,-1,0",
    "3x3:\n0 -1 0\n-1 5 -1\n0 -1 0",
    "\ufeff0;-1;0\n-1;5;-1\n0;-1;0",
    "0 -1 0\n-1 +5 -1\n0 -1 -0",
    "0. -1.0 .0\n-1e0 0.5E1 -1\n0 -10e-1 0",
    "0,0 -1,0 0\n-1,0 5,0 -1\n0 -1 0",
    "0,0;-1,0;0\n-1,0;5,0;-1,00\n0;-1;0e5",
    "0.0,-1.0,0\n-1,5,-1\n0,-1,0",
    "0.0, -1.0, 0\n-1, 5, -1\n0, -1, 0",
    "0.0; -1.0; 0\n-1; 5; -1\n0; -1; 0"])
def test_separators(text):
    """Separators, line ends, blanks, signs."""
    assert is_same(parse(text), SHARPEN)


HALVES = [[0.5, 1.5, 2.5]]
COLUMN = [[0.5], [1.5], [0.5]]


@pytest.mark.parametrize("text,values", [
    ("0,5 1,5 2,5", HALVES), ("0,5;1,5;2,5", HALVES), ("0,5\t1,5\t2,5", HALVES),
    ("0.5,1.5,2.5", HALVES), ("0.5, 1.5, 2.5", HALVES), ("0.5 , 1.5 ,2.5", HALVES),
    ("1x3: 0,5 1,5 2,5", HALVES), ("0,5,1,5,2", [[0, 5, 1, 5, 2]]),
    ("0,5 1 2,25\n3 0,1e-2 4\n0 -,5 0", [[0.5, 1, 2.25], [3, 1e-3, 4], [0, -0.5, 0]]),
    # Columns as a spreadsheet with decimal commas copies them.
    ("0,5\n1,5\n0,5", COLUMN), ("0,5\r\n1,5\r\n0,5\r\n", COLUMN), ("0,5", [[0.5]]),
    ("-0,25\n3\n,5", [[-0.25], [3], [0.5]])])
def test_decimal(text, values):
    """The meaning of commas between digits."""
    assert is_same(parse(text), np.array(values))


SEVEN = "7" + 47 * " 0" + " -7"


@pytest.mark.parametrize("text,rows,columns", [
    (SEVEN, 7, 7), (f"1x49: {SEVEN}", 1, 49), (f"49x1: {SEVEN}", 49, 1), ("2.5", 1, 1),
    ("7 0 0", 1, 3), ("7\n0\n0", 3, 1)])
def test_one_line(text, rows, columns):
    """It is square if it can be and states no other size."""
    values = [float(word) for word in text.split(":")[-1].split()]
    assert is_same(parse(text), np.array(values).reshape(rows, columns))


NOTHING = "There is no number in the text"
EMPTY = "The cell in row {}, column {} is empty, but must be a number"
WRONG = "The cell in row {}, column {} is '{}', but must be a finite number"
ODD = "{} is {}, but must be an odd number from 1 to 63"
MIXED = "Write all numbers with decimal points or all with commas"


@pytest.mark.parametrize("text,message", [
    ("", NOTHING),
    (" \n\t\r\n ", NOTHING),
    ("3x3:", NOTHING),
    ("1 2 3\n4 5\n7 8 9", "Row 2 has 2 values, but must have 3, as row 1 has"),
    ("1 2 3\n4\n7 8 9", "Row 2 has 1 value, but must have 3, as row 1 has"),
    ("1 2 3\n\n4 5 6\n7 8 9 10", "Row 3 has 4 values, but must have 3, as row 1 has"),
    ("1,2,3\n4,,6\n7,8,9", EMPTY.format(2, 2)),
    ("1;2;3;\n4;5;6;\n", EMPTY.format(1, 4)),
    (";1;2", EMPTY.format(1, 1)),
    ("1 2 3\n4 x 6\n7 8 9", WRONG.format(2, 2, "x")),
    ("1 2 nan", WRONG.format(1, 3, "nan")),
    ("1 inf 3", WRONG.format(1, 2, "inf")),
    ("1 1e999 3", WRONG.format(1, 2, "1e999")),
    ('(system "id")', WRONG.format(1, 1, "(system")),
    ("[1 2 3]", WRONG.format(1, 1, "[1")),
    ("1,2,3;4", WRONG.format(1, 1, "1,2,3")),
    ("0123456789012345678901234x", WRONG.format(1, 1, "012345678901234567890123")),
    ("99999x1: 1", WRONG.format(1, 1, "99999x1:")),
    *((text, WRONG.format(1, 1, text)) for text in [
        "-infinity", "0x10", "1/9", "2*3", "=1+1", "$(id)", "1e", "1e+", ".", "-", "--1",
        "1.2.3"]),
    ("1.5 2,5 3", MIXED),
    ("1.5;2,5;3", MIXED),
    ("0, 1,5, 2", "Some commas stand between digits and some before blanks: separate the numbers "
                  "by semicolons"),
    ("0.5,1\n1.5,2\n0.5,1", ODD.format("columns", 2)),
    ("0,-1\n1,5\n0,-1", ODD.format("columns", 2)),
    ("0, 1\n1, 5\n0, 1", ODD.format("columns", 2)),
    ("1 2", ODD.format("columns", 2)),
    ("1\n2", ODD.format("rows", 2)),
    ("1 2 3 4", ODD.format("columns", 4)),
    ("0x3: 1", ODD.format("rows", 0)),
    ("3x65: 1", ODD.format("columns", 65)),
    ("9999x9999: 1", ODD.format("rows", 9999)),
    ("\n".join(64 * "1"), ODD.format("rows", 64)),
    ("\n".join(65 * [";".join(65 * "1")]), ODD.format("rows", 65)),
    (" ".join(65 * 65 * "1"), ODD.format("rows", 65)),
    ("3x3: 1 2 3", "There are 3 values, but a matrix of 3x3 needs 9"),
    ("3x3: 1 2 3\n4 5 6", "The text says 3x3, but its values are 2x3"),
    ("1x3: 1\n2\n3", "The text says 1x3, but its values are 3x1")])
def test_refusals(text, message):
    assert get_refusal(text) == message


def test_large():
    ones = np.ones((LARGEST, LARGEST))
    assert is_same(parse("\n".join(63 * [" ".join(63 * "1")])), ones)
    assert is_same(parse(",".join(63 * 63 * "1")), ones)
    assert is_same(parse("3x1: 1 2 3\n"), np.array([[1], [2], [3]]))


def test_largest():
    values = np.arange(LARGEST_OF_ALL ** 2).reshape(2 * [LARGEST_OF_ALL]) % 1000 / 8
    for name in ("matrix_text_print", "matrix_text_print_line"):
        text = take_text(getattr(fx.library, name)(give(values)))
        assert is_same(parse(text, LARGEST_OF_ALL), values)


def test_too_long():
    """More bytes than are read, and bytes that end a text."""
    assert is_same(parse("1".ljust(TEXT_MAX)), np.array([[1]]))
    assert get_refusal("1".ljust(TEXT_MAX + 1)) == "The text has more than 33554432 bytes"
    assert "bytes" in get_refusal("1", length=1 << 30)
    assert get_refusal("1\0002", length=3) == "The text contains zero bytes"


@pytest.mark.parametrize("filling", [
    b" ", b",", b";", b"\n", b"1", b"1 ", b"1,", b"1\n", b".", b"-", b"e", b"\t", b"\xc0", b"1x",
    b"1  ,", b"9", b", "])
def test_hostile(filling):
    """Bytes that are no text; long runs of all separators, whose time must not grow faster than
    their length."""
    assert len(get_refusal((filling * (1 << 20))[:(1 << 20) - 1] + b"x")) < 400


def make_numbers(rng, size):
    """Any doubles of the finite ones: of random bits, or as people write them."""
    any = rng.integers(0, 1 << 64, size, np.uint64).view(float)
    return np.choose(rng.integers(0, 4, size), [
        np.where(np.isfinite(any), any, 0.0), rng.integers(-9, 10, size),
        rng.integers(-999, 1000, size) / 100, rng.uniform(-1, 1, size)])


def test_round_trips(rng):
    """To the sign of 0."""
    for _ in range(100):
        values = make_random(rng, make_numbers)
        line = take_text(fx.library.matrix_text_print_line(give(values)))
        size, _, rest = line.partition(" ")
        for text in (take_text(fx.library.matrix_text_print(give(values))), line,
                     f"{size} {rest.replace(' ', ';')}", f"{size} " + "\t".join(rest.split())):
            got = parse(text)
            assert got.shape == values.shape and got.tobytes() == values.tobytes()


@pytest.mark.parametrize("shape,text", [
    ((1, 9), "1x9: 0.1 0 0 0 0 0 0 0 0"), ((3, 3), "0.1 0 0\n  0 0 0\n  0 0 0")])
def test_printed(shape, text):
    values = np.zeros(9)
    values[0] = 0.1
    assert take_text(fx.library.matrix_text_print(give(values.reshape(shape)))) == text


@pytest.mark.parametrize("text,rows,columns", [
    ("1 2 3 4 5 6 7 8 9", 1, 9), ("1\t2\n3\t4\n", 2, 2), ("1;2", 1, 2),
    ("1 2 3\n4 5 6\n7 8 9", 3, 3), ("1\n2\n3\n4\n", 4, 1), ("1, 2\n3, 4", 2, 2),
    ("1.0,2\n3.0,4", 2, 2), ("1,2,3\n4,5,6", 2, 3), ("1,0\n2,0\n3,0", 3, 1), ("1,0", 1, 1),
    ("1\n2,0\n", 2, 1), ("1;2\n3;4,0", 2, 2)])
def test_block(text, rows, columns):
    """Any number of rows and columns, and a line is a row."""
    values = np.arange(1, rows * columns + 1).reshape(rows, columns)
    assert is_same(parse_block(text), values)


@pytest.mark.parametrize("text", ["1 2\n3", "1 2 3 4 5 6 7 8 9 10", "words"])
def test_no_block(text):
    with pytest.raises(fx.Error):
        parse_block(text)


# ---- in files ----


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "matrix.csv").encode()


def load(path):
    return take(fx.call("matrix_file_load", path, LARGEST))


def get_file_refusal(path):
    with pytest.raises(fx.Error) as caught:
        load(path)
    return caught.value.code, str(caught.value)


@pytest.mark.parametrize("matrix,text", [
    ("0 -1 0 -1 5 -1 0 -1 0", "0,-1,0\n-1,5,-1\n0,-1,0\n"),
    ("1x3: 0,5 1e-30 2", "0.5,1e-30,2\n"),
    ("3x1: 1 2 3", "1\n2\n3\n"),
    ("1x9: 1 2 3 4 5 6 7 8 9", "1x9:1,2,3,4,5,6,7,8,9\n")])
def test_file(path, matrix, text):
    fx.call("matrix_file_save", path, give(parse(matrix)))
    with open(path, newline="") as file:
        assert file.read() == text


def test_file_returns(rng, path):
    for _ in range(100):
        values = make_random(rng, lambda rng, size: np.where(
            rng.integers(0, 2, size) == 0, rng.uniform(-1e3, 1e3, size),
            rng.integers(-3, 4, size)))
        fx.call("matrix_file_save", path, give(values))
        assert is_same(load(path), values)


@pytest.mark.parametrize("data,message", [
    (b"1;2;3\n4;x;6\n7;8;9\n", WRONG.format(2, 2, "x")),
    (b"1,2,3\n4,5\n7,8,9\n", "Row 2 has 2 values, but must have 3, as row 1 has"),
    (b"", NOTHING), (b"1,2\0,3", "The text contains zero bytes")])
def test_file_refusals(path, data, message):
    with open(path, "wb") as file:
        file.write(data)
    code, words = get_file_refusal(path)
    assert code == "argument" and message in words


def test_no_file(path):
    """None, and what is none: a pipe that no one writes to would be waited for for ever."""
    (domain, _), words = get_file_refusal(path)
    assert domain == "g-file-error-quark" and "matrix.csv" in words
    for make, remove in ((os.mkfifo, os.unlink), (os.mkdir, os.rmdir)):
        make(path)
        code, words = get_file_refusal(path)
        assert code == "argument" and "is not a file" in words
        remove(path)


def test_large_file(path):
    """Not one byte of a sparse file is read."""
    with open(path, "wb") as file:
        file.write(b"7".ljust(TEXT_MAX))
    assert is_same(load(path), np.array([[7]]))
    for size in (TEXT_MAX + 1, 1 << 40):
        os.truncate(path, size)
        code, words = get_file_refusal(path)
        assert code == "argument" and "more than 33554432 bytes, which no matrix needs" in words


# ---- operations ----


def apply(operation, values):
    return take(getattr(fx.library, f"matrix_{operation}")(give(values)))


FIFTEEN = "3x5: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"


@pytest.mark.parametrize("operation,text,expected", [
    ("rotate", "3x3: 1 2 3 4 5 6 7 8 9", "3x3: 7 4 1 8 5 2 9 6 3"),
    ("rotate", "1x3: 1 2 3", "3x1: 1 2 3"),
    ("rotate", "3x1: 1 2 3", "1x3: 3 2 1"),
    ("mirror_horizontally", FIFTEEN, "3x5: 5 4 3 2 1 10 9 8 7 6 15 14 13 12 11"),
    ("mirror_vertically", FIFTEEN, "3x5: 11 12 13 14 15 6 7 8 9 10 1 2 3 4 5")])
def test_operations(operation, text, expected):
    assert is_same(apply(operation, parse(text)), parse(expected))


@pytest.mark.parametrize("operation,times", [
    ("mirror_horizontally", 2), ("mirror_vertically", 2), ("rotate", 4)])
def test_returns(rng, operation, times):
    """Repeated, an operation gives the matrix back."""
    for _ in range(200):
        values = result = make_random(rng)
        for _ in range(times):
            result = apply(operation, result)
        assert is_same(result, values)


@pytest.mark.parametrize("text,rows,columns,expected", [
    ("1 2 3 4 5 6 7 8 9", 3, 3, "1 2 3 4 5 6 7 8 9"),
    ("1 2 3 4 5 6 7 8 9", 1, 3, "1x3: 4 5 6"),
    ("1 2 3 4 5 6 7 8 9", 3, 1, "3x1: 2 5 8"),
    ("1 2 3 4 5 6 7 8 9", 1, 5, "1x5: 0 4 5 6 0"),
    ("7", 3, 5, "3x5: 0 0 0 0 0 0 0 7 0 0 0 0 0 0 0")])
def test_resize(text, rows, columns, expected):
    result = take(fx.library.matrix_resize(give(parse(text)), rows, columns))
    assert is_same(result, parse(expected))


@pytest.mark.parametrize("block,row,column,expected", [
    ("0\t-1", 0, 0, "0 -1 3 4 5 6 7 8 9"),
    ("0 -1\n-2 -3", 1, 1, "1 2 3 4 0 -1 7 -2 -3"),
    ("-1 -2", 1, 2, "3x5: 1 2 3 0 0 4 5 -1 -2 0 7 8 9 0 0"),
    ("-1\n-2\n-3\n-4", 0, 0, "5x3: -1 2 3 -2 5 6 -3 8 9 -4 0 0 0 0 0"),
    ("-1 -2 -3 -4 -5 -6", 0, 0, "3x5: -1 -2 -3 -4 -5 4 5 6 0 0 7 8 9 0 0")])
def test_paste(block, row, column, expected):
    """On a matrix that may become 5x5 at most."""
    matrix = give(np.arange(1, 10).reshape(3, 3))
    result = take(fx.library.matrix_paste(matrix, give(parse_block(block)), row, column, 5))
    assert is_same(result, parse(expected))


# ---- ready ones ----


def read_ready():
    table = (ReadyMatrix * 1000).in_dll(fx.library.shared, "ready_matrices")
    return {item.label.decode(): item.matrix
            for item in itertools.takewhile(lambda item: item.label, table)}


READY = {
    "Box": ("1 1 1 1 1 1 1 1 1", 9, 1),
    "Sharpen": ("0 -1 0 -1 5 -1 0 -1 0", 1, 2),
    "Unsharp mask": ("-1 -4 -6 -4 -1  -4 -16 -24 -16 -4  -6 -24 476 -24 -6  -4 -16 -24 -16 -4  "
                     "-1 -4 -6 -4 -1", 256, 2),
    "Laplacian, 4 neighbors": ("0 1 0 1 -4 1 0 1 0", 0, 2),
    "Laplacian, 8 neighbors": ("1 1 1 1 -8 1 1 1 1", 0, 2),
    "Sobel, to the right": ("-1 0 1 -2 0 2 -1 0 1", 0, 1),
    "Sobel, downwards": ("-1 -2 -1 0 0 0 1 2 1", 0, 1),
    "Prewitt, to the right": ("-1 0 1 -1 0 1 -1 0 1", 0, 1),
    "Prewitt, downwards": ("-1 -1 -1 0 0 0 1 1 1", 0, 1),
    "Scharr, to the right": ("-3 0 3 -10 0 10 -3 0 3", 0, 1),
    "Scharr, downwards": ("-3 -10 -3 0 0 0 3 10 3", 0, 1),
    "Emboss": ("-2 -1 0 -1 1 1 0 1 2", 1, 3),
    "Edge": ("-1 -1 -1 -1 8 -1 -1 -1 -1", 0, 2),
    "Motion blur": ("1x11: 1 1 1 1 1 1 1 1 1 1 1", 11, 1),
    "Disc": ("0 1 1 1 0  1 1 1 1 1  1 1 1 1 1  1 1 1 1 1  0 1 1 1 0", 21, 2),
    "Gaussian": ("1 4 6 4 1  4 16 24 16 4  6 24 36 24 6  4 16 24 16 4  1 4 6 4 1", 256, 1),
}


def test_ready():
    """As a person writes them."""
    ready = read_ready()
    assert ready.keys() == READY.keys()
    for label, (text, total, rank) in READY.items():
        stored = ready[label].contents
        values = np.ctypeslib.as_array(stored.values, (stored.rows, stored.columns))
        assert stored.n_values == values.size and is_same(values, parse(text)), label
        assert values.sum() == total and np.linalg.matrix_rank(values) == rank, label


# ---- the line below ----


def number(side):
    """Numbers without a rule."""
    i = np.arange(side * side)
    return (i * i % 97 % 31 + 1).reshape(side, side)


@pytest.mark.parametrize("values,rest", [
    (SHARPEN, "one pass over 5 values"), ([[0, -2.5, 0]], "one pass over 1 value"),
    ([[0]], "one pass over 0 values"), (np.ones((15, 15)), "2 passes along rows and columns"),
    (number(61), "by Fourier transform")])
def test_described(values, rest):
    """Its size, its sum as the user writes numbers, and how it is computed."""
    values = np.array(values, float)
    settings = fx.Settings("convolve", values=values, device="cpu")
    size = " x ".join(map(str, values.shape))
    line = take_text(fx.library.filter_settings_describe(settings.handle, None))
    assert line == f"{size}, sum {locale.format_string('%g', values.sum())}; {rest}"
