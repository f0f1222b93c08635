"""The take-over: everything of GIMP's that blurs by gegl:gaussian-blur gives the same sizes as
without, and nearly the same pixels; a plain blur the true Gaussian. Its motion blurs and its
selective blur are others, of the same sizes."""

import os
import shutil
import subprocess
import threading

import numpy as np
import pytest

from blur.reference import blur as expect_blur
from formats import Format
from layers import NORMAL, REPLACE, RGB
from session import NONINTERACTIVE

SIZE = WIDTH, HEIGHT = 61, 47
BOX = 20, 14, 20, 15

# The arguments of each procedure after the layer.
PROCEDURES = {
    "gauss": ("plug-in-gauss", 10, 20, 1),
    "gauss-small": ("plug-in-gauss", 2, 2, 0),
    "gauss-iir": ("plug-in-gauss-iir", 12, 1, 0),
    "gauss-iir2": ("plug-in-gauss-iir2", 12, 6),
    "gauss-rle": ("plug-in-gauss-rle", 12, 0, 1),
    "gauss-rle2": ("plug-in-gauss-rle2", 6, 12),
    "gauss-alpha": ("plug-in-gauss", 9, 9, 0),
    "gauss-selected": ("plug-in-gauss", 12, 12, 0),
    "motion-line": ("plug-in-mblur", 0, 12, 30, 0, 0),
    "motion-spin": ("plug-in-mblur", 1, 12, 30, 20, 15),
    "motion-zoom": ("plug-in-mblur", 2, 12, 30, 20, 15),
    "selective": ("plug-in-sel-gauss", 5, 50),
    "unsharp": ("plug-in-unsharp-mask", 4, 2, 0),
    "shadows": ("gimp-drawable-shadows-highlights", 60, -40, 0, 12, 50, 100, 50),
}


class Run:
    """Every picture, the sizes and places of its layers, and feathered selections."""

    def __init__(self, gimp, source):
        self.gimp, self.source = gimp, source
        self.sizes, self.pictures = {}, {}
        for name, (procedure, *arguments) in PROCEDURES.items():
            image, layer = self.make(name)
            who = [layer] if procedure.startswith("gimp-") else [NONINTERACTIVE, image, layer]
            gimp.call(procedure, *who, *arguments)
            self.sizes[name] = [
                (gimp.drawable_width(each), gimp.drawable_height(each),
                 gimp.drawable_offsets(each)) for each in gimp.image_get_layers(image)[1]]
            self.pictures[name] = self.read(gimp.image_flatten(image), 3)
            gimp.image_delete(image)
        image, _ = self.make("feather")
        gimp.image_select_rectangle(image, REPLACE, *BOX)
        gimp.selection_feather(image, 10.5)
        self.feather = self.read(gimp.image_get_selection(image), 1)
        gimp.context_set_feather(1)
        gimp.context_set_feather_radius(14, 7)
        gimp.image_select_rectangle(image, REPLACE, *BOX)
        gimp.context_set_feather(0)
        self.feather_context = self.read(gimp.image_get_selection(image), 1)

    def make(self, name):
        gimp, image = self.gimp, self.gimp.image_new(*SIZE, RGB)
        layer = gimp.layer_new(image, *SIZE, 0, "layer", 100.0, NORMAL)
        gimp.image_insert_layer(image, layer, -1, 0)
        gimp.write(layer, self.source)
        if name == "gauss-alpha":
            gimp.layer_add_alpha(layer)
            gimp.image_select_ellipse(image, REPLACE, 20, 10, 24, 24)
            gimp.selection_invert(image)
            gimp.edit_clear(layer)
            gimp.selection_none(image)
        elif name == "gauss-selected":
            gimp.image_select_rectangle(image, REPLACE, 10, 8, 30, 25)
        return image, layer

    def read(self, drawable, channels):
        _, _, pixels, _ = self.gimp.read(drawable)
        return np.frombuffer(pixels, np.uint8).reshape(-1, WIDTH, channels).astype(float)


class Beside:
    """The gegl command, which blurs by the same module each second until stop."""

    def __init__(self, session, source, folder):
        self.picture, self.result = folder / "picture.ppm", folder / "result.ppm"
        self.picture.write_bytes(b"P6\n%d %d\n255\n" % SIZE + source.tobytes())
        self.environment = {**os.environ, "HOME": f"{session.folder}/home"}
        self.stopped, self.results, self.log = threading.Event(), [], b""
        self.thread = threading.Thread(target=self.work)
        self.thread.start()

    def work(self):
        while not self.stopped.wait(1) or not self.results:
            done = subprocess.run(
                ["gegl", self.picture, "-o", self.result, "--", "cuda:gaussian-blur",
                 "std-dev-x=3.2", "std-dev-y=6.4"], env=self.environment, capture_output=True)
            self.log += done.stderr if done.returncode else b""
            self.results.append(self.result.read_bytes())

    def stop(self):
        self.stopped.set()
        self.thread.join()


@pytest.fixture(scope="module")
def runs(request, start_gimp, tmp_path_factory):
    """Without the take-over, and with it, beside the gegl command if there is one."""
    module = os.path.abspath(request.config.getoption("module"))
    source = np.random.default_rng(1).integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8)
    source[:, 29:36] = 255  # a bar
    with start_gimp(module=module, CUDA_BLUR_TAKE_OVER="no") as gimp:
        off = Run(gimp, source)
    with start_gimp(module=module, CUDA_BLUR_TAKE_OVER="yes") as gimp:
        beside = shutil.which("gegl") and Beside(gimp, source, tmp_path_factory.mktemp("beside"))
        on = Run(gimp, source)
        if beside:
            beside.stop()
    return on, off, beside


@pytest.mark.parametrize("name", [
    "gauss", "motion-line", "motion-spin", "motion-zoom", "selective"])
def test_another_blur(runs, name):
    assert (runs[0].pictures[name] != runs[1].pictures[name]).any()


def test_sizes(runs):
    assert runs[0].sizes == runs[1].sizes


def test_beside(runs):
    if not runs[2]:
        pytest.skip("no gegl command")
    assert not runs[2].log and len(set(runs[2].results)) == 1


def check_blurred(result, pixels, sigmas):
    """As values are stored, which is how GIMP blurs here."""
    format = Format("u8", result.shape[2])
    expected = np.rint(255 * expect_blur(format, format.decode(pixels), sigma_x=sigmas[0],
                                         sigma_y=sigmas[1], light="perceptual"))
    assert np.abs(result - expected).max() <= 1


# plug-in-gauss takes 0.32 of what it is given for the deviation.
@pytest.mark.parametrize("name,sigmas", [
    ("gauss", (3.2, 6.4)), ("gauss-small", (0.64, 0.64)), ("gauss-iir", (3.84, 0)),
    ("gauss-iir2", (3.84, 1.92)), ("gauss-rle", (0, 3.84)), ("gauss-rle2", (1.92, 3.84))])
def test_true_gaussian(runs, name, sigmas):
    check_blurred(runs[0].pictures[name], runs[0].source, sigmas)


# A feather is 3.5 deviations.
@pytest.mark.parametrize("name,sigmas", [("feather", (3, 3)), ("feather_context", (4, 2))])
def test_feather(runs, name, sigmas):
    x, y, width, height = BOX
    box = np.zeros((HEIGHT, WIDTH, 1), np.uint8)
    box[y:y + height, x:x + width] = 255
    check_blurred(getattr(runs[0], name), box, sigmas)


@pytest.mark.parametrize("name,levels", [
    ("gauss-alpha", 16), ("gauss-selected", 16), ("unsharp", 64), ("shadows", 16),
    ("motion-line", 32), ("selective", 32)])
def test_as_it_was(runs, name, levels):
    """About."""
    assert np.abs(runs[0].pictures[name] - runs[1].pictures[name]).max() <= levels
