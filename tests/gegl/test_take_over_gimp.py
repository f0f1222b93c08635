"""The take-over within GIMP 2.10's batch mode: everything of GIMP's that blurs by
gegl:gaussian-blur gives the same sizes as without, and nearly the same pixels; a plain blur the
true Gaussian. Its motion blurs and its selective blur are others, of the same sizes."""

import os
import re
import shutil
import subprocess
import threading

import numpy as np
import pytest

from blur.reference import blur as expect_blur
from formats import SRGB, Format

GIMP, SIZE = "gimp-console-2.10", (47, 61, 3)
SCRIPT = os.path.join(os.path.dirname(__file__), "take-over.scm")
DATA = os.environ["XDG_DATA_HOME"]
UNSET = ("DISPLAY", "WAYLAND_DISPLAY", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "LANGUAGE",
         "CUDA_BLUR_TAKE_OVER")

pytestmark = pytest.mark.skipif(not shutil.which(GIMP) or not shutil.which("gegl"),
                                reason=f"no {GIMP} or no gegl command")


def write_picture(path, pixels):
    path.write_bytes(b"P6\n%d %d\n255\n" % pixels.shape[1::-1] + pixels.tobytes())


def read_picture(path):
    data = path.read_bytes()
    width, height = map(int, re.match(rb"P6\s(?:#.*\n)*(\d+) (\d+)\s255\s", data).groups())
    return np.frombuffer(data[-3 * width * height:], np.uint8).reshape(height, width, 3)


def get_folder(what, otherwise):
    done = subprocess.run(["pkg-config", f"--variable={what}", "gimp-2.0"], capture_output=True,
                          text=True)
    return done.stdout.strip() or otherwise


def make_profile(folder):
    """With two plug-ins alone, so that GIMP starts fast. Returns the environment."""
    libraries = get_folder("gimplibdir", "/usr/lib/gimp/2.0")
    scripts = os.path.join(get_folder("gimpdatadir", "/usr/share/gimp/2.0"), "scripts")
    for name in "script-fu", "file-pnm":
        shutil.copytree(f"{libraries}/plug-ins/{name}", folder / "plug-ins" / name)
    shutil.copytree(scripts, folder / "scripts", ignore=lambda place, names: [
        name for name in names if not name.endswith(".init") and name != "drop-shadow.scm"])
    (folder / "gimprc").write_text(
        f'(plug-in-path "{folder}/plug-ins")\n(script-fu-path "{folder}/scripts")\n'
        f'(temp-path "{folder}")\n(swap-path "{folder}")\n')
    return {**{name: value for name, value in os.environ.items() if name not in UNSET},
            "HOME": str(folder), "GIMP2_DIRECTORY": str(folder), "LC_ALL": "C.UTF-8"}


class Beside:
    """The gegl command, which blurs by the same module each second until stop."""

    def __init__(self, picture, folder, environment):
        self.picture, self.folder, self.environment = picture, folder, environment
        self.stopped, self.results, self.log = threading.Event(), [], b""
        self.thread = threading.Thread(target=self.work)
        self.thread.start()

    def work(self):
        while not self.stopped.wait(1):
            result = self.folder / "beside.ppm"
            done = subprocess.run(
                ["gegl", self.picture, "-o", result, "--", "cuda:gaussian-blur", "std-dev-x=3.2",
                 "std-dev-y=6.4"], env=self.environment, capture_output=True)
            self.log += done.stderr if done.returncode else b""
            self.results.append(result.read_bytes())

    def stop(self):
        self.stopped.set()
        self.thread.join()


class Runs:
    """Every picture without the take-over, and with it."""

    def __init__(self, folder):
        (folder / "gimp").mkdir()
        self.folder, self.environment = folder, make_profile(folder / "gimp")
        self.source = np.random.default_rng(1).integers(0, 256, SIZE, np.uint8)
        self.source[:, 29:36] = 255  # a bar
        self.run("off")
        open(os.path.join(DATA, "gegl-0.4", "plug-ins", "cuda-blur-take-over"), "wb").close()
        self.beside = Beside(folder / "off" / "picture.ppm", folder, self.environment)
        self.run("on")
        self.beside.stop()

    def run(self, name):
        folder = self.folder / name
        folder.mkdir()
        write_picture(folder / "picture.ppm", self.source)
        with open(folder / "log", "wb") as log:
            subprocess.run(
                [GIMP, "--no-interface", "--no-data", "--no-fonts", "--console-messages", "--batch",
                 f'(load "{SCRIPT}")', "--batch", "(gimp-quit 0)"], cwd=folder, stdout=log,
                stderr=log, stdin=subprocess.DEVNULL, env=self.environment, check=True)

    def read(self, run, name):
        return read_picture(self.folder / run / f"{name}.ppm")

    def read_text(self, run, name):
        return (self.folder / run / name).read_text()


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return Runs(tmp_path_factory.mktemp("take-over"))


def check_near(a, b, levels):
    worst = np.abs(a.astype(float) - b).max()
    assert worst <= levels, f"{worst} levels"


@pytest.mark.parametrize("name", [
    "gauss", "motion-line", "motion-spin", "motion-zoom", "selective"])
def test_another_blur(runs, name):
    assert (runs.read("on", name) != runs.read("off", name)).any()


def test_sizes(runs):
    """And places."""
    assert runs.read_text("on", "sizes") == runs.read_text("off", "sizes")
    assert len(runs.read_text("on", "sizes").split("\n")) == 15 + 1


def test_no_device_fails(runs):
    assert "cuda-blur-WARNING" not in runs.read_text("on", "log")


def test_beside(runs):
    assert not runs.beside.log and len(set(runs.beside.results)) == 1


def blur(pixels, sigmas):
    """As values are stored, which is how GIMP blurs here."""
    format = Format("u8", 3)
    return np.rint(255 * expect_blur(format, format.decode(pixels), sigma_x=sigmas[0],
                                     sigma_y=sigmas[1], light="perceptual"))


# plug-in-gauss takes 0.32 of what it is given for the deviation.
@pytest.mark.parametrize("name,sigmas", [
    ("gauss", (3.2, 6.4)), ("gauss-small", (0.64, 0.64)), ("gauss-iir", (3.84, 0)),
    ("gauss-iir2", (3.84, 1.92)), ("gauss-rle", (0, 3.84)), ("gauss-rle2", (1.92, 3.84))])
def test_true_gaussian(runs, name, sigmas):
    check_near(runs.read("on", name), blur(runs.source, sigmas), 1)


# A feather is 3.5 deviations.
@pytest.mark.parametrize("name,sigmas", [("feather", (3, 3)), ("feather-context", (4, 2))])
def test_feather(runs, name, sigmas):
    """The selection's values are the light of what the picture shows."""
    box = np.zeros(SIZE, np.uint8)
    box[14:29, 20:40] = 255
    light = np.rint(255 * SRGB.to_linear(runs.read("on", name) / 255))
    check_near(light, blur(box, sigmas), 1)


@pytest.mark.parametrize("name,levels", [
    ("gauss-alpha", 16), ("gauss-selected", 16), ("drop-shadow", 16), ("unsharp", 64),
    ("shadows", 16), ("motion-line", 32), ("selective", 32)])
def test_as_it_was(runs, name, levels):
    """About."""
    check_near(runs.read("on", name), runs.read("off", name), levels)
