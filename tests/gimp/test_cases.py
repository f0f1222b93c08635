"""Cases in C: those of the plug-in's own code, which they call between GIMP's messages. canvas: the
preview on the canvas, and what the dialog reads; cancel and hand: a call that is killed, or into
which someone else has a hand, before each message."""

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


@pytest.mark.parametrize("group", ["cancel", "canvas", "hand"])
def test_cases(gimp, group):
    gimp.connection.settimeout(max(SECONDS, gimp.connection.gettimeout()))
    try:
        gimp.call("plug-in-cuda-blur-test", NONINTERACTIVE, group)
    finally:
        with open(os.path.join(gimp.folder, "tap")) as file:
            results = file.read()
        print(results)
    assert "\n1.." in results and "\nnot ok" not in results
