"""The operations when something is wrong: the pixels are right, or as they were, and there is one
message in each process. The names of properties in each language."""

import ctypes
import locale
import os
import re
from pathlib import Path

import pytest

from formats import Format
from graph import Graph, list_properties, start
from matrix_scene import MatrixScene, take_settings
from processes import run_apart
from scene import Scene, add_blur, check_node, take_turn

RGBA = Format("u8", 4)
LANGUAGES = (Path(__file__).parents[2] / "po" / "LINGUAS").read_text().split()


def blur(rng, device):
    """By three nodes, so that there is more than one occasion to complain."""
    start()
    for n in range(3):
        options, turn = take_turn(n)
        scene = Scene(rng, RGBA, (150, 100), **options)
        settings = {**turn, "sigma_x": 3.0, "sigma_y": 20.0}
        node = add_blur(Graph(), scene.buffer, **settings)
        node.set(device=device)
        check_node(scene, node, **settings)


def check_said(said, message):
    """message: a part of the one message; None: there is none."""
    assert said.count("cuda-blur: ") == (message is not None), said
    assert (message or "") in said


@pytest.mark.parametrize("device,variable,value,message", [
    ("auto", "CUDA_BLUR_DEVICE", "nonsense", "CUDA_BLUR_DEVICE"),
    ("cpu", "CUDA_BLUR_MEMORY_LIMIT", "much", "CUDA_BLUR_MEMORY_LIMIT"),
    ("cpu", "CUDA_BLUR_IDLE_SECONDS", "-3", None),
    # Less than a line takes, which the CPU takes all the same.
    ("cpu", "CUDA_BLUR_MEMORY_LIMIT", "1", None),
    # No GPU can be seen, wherever this runs.
    ("gpu", "CUDA_VISIBLE_DEVICES", "", ""),
    ("auto", "CUDA_VISIBLE_DEVICES", "", None),
    ("cpu", "CUDA_BLUR_DEVICE", "cpu", None),
    ("auto", "CUDA_BLUR_DEVICE", None, None),
])
def test_blur(rng, device, variable, value, message):
    """Each warning of GLib's would end the process."""
    check_said(run_apart(blur, rng, device, **{variable: value}), message)


def test_no_gpu_configured(rng):
    """The CPU does what the configuration asks a GPU for; nothing else traces that."""
    said = run_apart(blur, rng, "auto", CUDA_BLUR_DEVICE="gpu", CUDA_VISIBLE_DEVICES="",
                     CUDA_BLUR_TRACE="1")
    assert sum("process " in line and " CPU, " in line for line in said.splitlines()) == 3


def change_texts(rng):
    start()
    scene = MatrixScene(rng, RGBA, take_settings(0))
    node = scene.add()
    for text in "1 2 x", "", "1 2", "1 2 3\n4 5", "nan", "1 2 1e999":
        node.set(values=text)
        assert node.get("values") == text
        scene.check_unchanged(node)
        scene.set(node)
        scene.check_node(node)


def test_texts(rng):
    """A text that is no matrix leaves the input unchanged, however often the text changes; the next
    valid matrix takes effect again."""
    check_said(run_apart(change_texts, rng), "The cell in row 1, column 3 is 'x', but must be a "
               "finite number: the pixels stay as they are")


def divide(rng):
    start()
    scene = MatrixScene(rng, RGBA, take_settings(0))
    node = scene.add()
    node.set(divisor=1e-38)
    scene.check_unchanged(node)


def test_infinity(rng):
    """Values that make infinity do so, too."""
    check_said(run_apart(divide, rng), "divisor is 1e-38, which makes the values infinite: the "
               "pixels stay as they are")


# ---- languages ----


def check_names(language):
    """The translations are made beside the module, in the build's own folder."""
    folder = Path(os.environ["XDG_DATA_HOME"]) / "gegl-0.4" / "plug-ins" / "locale"
    folder.symlink_to(Path(os.environ["CUDA_BLUR_TEST_MODULE"]).parents[2] / "po")
    try:
        ctypes.CDLL(None).setlocale(locale.LC_ALL, b"")
        start()
        names = [spec.nick for operation in ("gaussian-blur", "convolve", "lens-blur")
                 for spec in list_properties(f"cuda:{operation}")]
    finally:
        folder.unlink()
    assert (names[2] == "Abyss policy") == (language == "en")
    for name in names:
        assert not re.search(r"_|\([A-Z]\)|[:\uff1a\s]$", name), name


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_languages(language):
    """They have neither mnemonics nor the colon at the end of a label."""
    run_apart(check_names, language, LC_ALL="C.UTF-8", LANGUAGE=language)
