"""What GIMP's tests in Python take beside the options of the others: the two plug-ins, and a GIMP
for all tests of a file."""

import os
import shutil
import sys

import pytest

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path += [os.path.join(os.path.dirname(HERE), name) for name in ("command", "convolve", "lens")]

from layers import Layer  # noqa: E402
from session import Session  # noqa: E402


def pytest_addoption(parser):
    parser.addoption("--plugin", required=True, help="cuda-blur of the build")
    parser.addoption("--probe", required=True, help="cuda-blur-test of the build")
    parser.addoption("--module", help="the operations' module of the build")


@pytest.fixture(scope="session")
def start_gimp(request):
    """A function that starts a GIMP, with the options of Session."""
    if not shutil.which("gimp"):
        pytest.skip("no gimp")
    paths = [os.path.abspath(request.config.getoption(name)) for name in ("plugin", "probe")]
    return lambda **options: Session(*paths, **options)


@pytest.fixture(scope="session")
def gimp(request, start_gimp):
    """One for all files; a file that needs another one has a fixture of this name."""
    with start_gimp() as session:
        yield session
        session.well = not request.session.testsfailed


@pytest.fixture(autouse=True)
def delete_images(request):
    yield
    gimp = request.getfixturevalue("gimp") if "gimp" in request.fixturenames else None
    if gimp and gimp.process.poll() is None:  # a test may have killed it
        for image in gimp.image_list()[1]:
            gimp.image_delete(image)


@pytest.fixture
def new(gimp, rng):
    """A function that makes a layer of an image of its own, at random."""
    return lambda *args, **options: Layer.make(gimp, rng, *args, **options)
