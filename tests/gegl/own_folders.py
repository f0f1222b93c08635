"""A plug-in of pytest: GEGL gets folders of the test's own, with the module CUDA_BLUR_TEST_MODULE
among the user's operations: set here, before an engine that looks for NVRTC has GLib remember the
user's folders."""

import gc
import os
import shutil
import tempfile

import pytest

import graph

folder = tempfile.mkdtemp(prefix="cuda-blur-test-")
modules = os.path.join(folder, "data", "gegl-0.4", "plug-ins")
os.makedirs(modules)
os.symlink(os.environ["CUDA_BLUR_TEST_MODULE"], os.path.join(modules, "cuda-blur.so"))
os.environ.update(XDG_DATA_HOME=os.path.join(folder, "data"), CUDA_BLUR_TAKE_OVER="no",
                  XDG_CACHE_HOME=os.path.join(folder, "cache"), GEGL_SWAP="RAM")
os.environ.pop("GEGL_PATH", None)


def pytest_sessionfinish(session, exitstatus):
    """A buffer that is left is a warning, which ends the program; failures keep buffers."""
    if exitstatus == pytest.ExitCode.OK:
        gc.collect()
        graph.end()


def pytest_unconfigure(config):
    shutil.rmtree(folder, ignore_errors=True)
