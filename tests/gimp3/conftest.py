"""What GIMP 3's tests take beside the options of the others: a tree, and what is built."""

import os
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.append(os.path.join(os.path.dirname(HERE), "gimp2"))

import folders  # noqa: F401, E402 # for the others
from drawables import Drawable  # noqa: E402
from gimp import Gimp, Home, find_tree  # noqa: E402
from window import Window  # noqa: E402


def pytest_addoption(parser):
    parser.addoption("--tree", required=True, help="trixie or forky")
    parser.addoption("--build", required=True, help="the folder of the build")


@pytest.fixture(scope="session")
def build(request):
    return os.path.abspath(request.config.getoption("--build"))


@pytest.fixture(scope="session")
def tree(request):
    try:
        return find_tree(request.config.getoption("--tree"))
    except subprocess.CalledProcessError as failure:
        pytest.skip(failure.output)


@pytest.fixture(scope="module")
def home(request, tree, build):
    """With the operations, and with the plug-in, if the file has PLUG_IN."""
    home = Home(tree, os.path.join(build, "plugin", "gegl", "cuda-blur.so"))
    if getattr(request.module, "PLUG_IN", False):
        home.install_plug_in()
    yield home
    home.remove()


@pytest.fixture(scope="module")
def gimp(request, home):
    """One for all tests of a file."""
    with Gimp(home) as gimp:
        yield gimp
        gimp.well = not request.session.testsfailed


@pytest.fixture(scope="module")
def window(request, home):
    """GIMP in a window, with the file's options WINDOW."""
    with Window(home, **request.module.WINDOW) as window:
        yield window
        window.gimp.well = not request.session.testsfailed


@pytest.fixture(autouse=True)
def delete_images(request):
    yield
    if "gimp" in request.fixturenames:
        for image in request.getfixturevalue("gimp").Gimp.get_images():
            image.delete()


@pytest.fixture
def new(gimp, rng):
    """A function that makes a layer of an image of its own, at random."""
    return lambda *args, **options: Drawable.make(gimp, rng, *args, **options)
