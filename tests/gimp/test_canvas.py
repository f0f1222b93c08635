"""The preview on the canvas, and what the dialog reads: cases in C, which call the plug-in's own
code between GIMP's messages."""

import os

import pytest

from session import NONINTERACTIVE

SECONDS = 500.0  # less than meson's: a test that hangs shows where


@pytest.fixture(scope="module")
def gimp(request, start_gimp):
    # A case has a text layer.
    with start_gimp(kills=True, fonts=True) as session:
        yield session
        session.well = not request.session.testsfailed


def test_cases(gimp):
    gimp.connection.settimeout(max(SECONDS, gimp.connection.gettimeout()))
    try:
        gimp.call("plug-in-cuda-blur-test", NONINTERACTIVE, "cases")
    finally:
        with open(os.path.join(gimp.folder, "tap")) as file:
            results = file.read()
        print(results)
    assert "\n1.." in results and "\nnot ok" not in results
