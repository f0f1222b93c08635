"""What GIMP's tests in Python take beside the options of the others: the two plug-ins, and a GIMP
for all tests of a file, in batch mode or in a window."""

import contextlib
import os
import shutil

import pytest

import folders  # noqa: F401 # for the others
from desk import Desk
from layers import Layer
from session import Session


def pytest_addoption(parser):
    parser.addoption("--plugin", required=True, help="cuda-blur of the build")
    parser.addoption("--probe", required=True, help="cuda-blur-test of the build")
    parser.addoption("--module", help="the operations' module of the build")


def find_plugins(request, *programs):
    """The two plug-ins, for which it takes the programs."""
    for program in programs:
        if not shutil.which(program):
            pytest.skip(f"no {program}")
    return [os.path.abspath(request.config.getoption(name)) for name in ("plugin", "probe")]


@pytest.fixture(scope="session")
def start_gimp(request):
    """A function that starts a GIMP, with the options of Session."""
    paths = find_plugins(request, "gimp")
    return lambda **options: Session(*paths, **options)


@contextlib.contextmanager
def keep_gimp(request, start_gimp, **options):
    with start_gimp(**options) as session:
        yield session
        session.well = not request.session.testsfailed


@pytest.fixture(scope="session")
def common_gimp(request, start_gimp):
    with keep_gimp(request, start_gimp) as session:
        yield session


@pytest.fixture(scope="module")
def gimp(request, start_gimp):
    """One for all files, or another with the file's options GIMP."""
    if options := getattr(request.module, "GIMP", None):
        with keep_gimp(request, start_gimp, **options) as session:
            yield session
    else:
        yield request.getfixturevalue("common_gimp")


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


@pytest.fixture(scope="module")
def make_desk(request):
    """A function that makes a profile for GIMP in a window, with the options of Desk."""
    paths, desks = find_plugins(request, "gimp", "Xvfb", "xdotool"), []

    def make(**options):
        desks.append(Desk(*paths, **options))
        return desks[-1]

    yield make
    for desk in desks:
        desk.stop(not request.session.testsfailed)


@pytest.fixture(scope="module")
def desk(request, make_desk):
    """One whose GIMP is started, with the file's options DESK; a file that needs more has a fixture
    of this name."""
    desk = make_desk(**getattr(request.module, "DESK", {}))
    desk.start()
    return desk
