"""How pytest runs the tests in Python: --door=LIBRARY --device=cpu|gpu. Without the GPU, or if all
tests are skipped, it exits with 77. At the end it prints the seed and the fingerprint."""

import ctypes
import faulthandler
import gc
import os
import sys
import zlib

import numpy as np
import pytest

import fx
from formats import Curve, Format

SEED = int(os.environ.get("CUDA_BLUR_TEST_SEED", "1"))


def pytest_addoption(parser):
    parser.addoption("--door", required=True, help="libfx-test.so or libfx-shim.so of the build")
    parser.addoption("--device", choices=["cpu", "gpu"], default="cpu")


def pytest_configure(config):
    config.addinivalue_line("markers", "sanitized: see door/meson.build")
    fx.load(config.getoption("door"))
    fx.device = config.getoption("device")
    if fx.device == "gpu" and not fx.has_gpu():
        pytest.exit("there is no GPU", 77)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    """If the process crashes from here to its end, it still says where: pytest has just switched
    that off."""
    faulthandler.enable(sys.__stderr__)
    fx.close()


def pytest_report_header(config):
    return f"seed {SEED}: CUDA_BLUR_TEST_SEED={SEED} repeats it"


def pytest_make_parametrize_id(config, val):
    """A case's name has its values, so that -k finds them."""
    if isinstance(val, (tuple, list)):
        return ",".join(pytest_make_parametrize_id(config, part) or str(part) for part in val)
    return val.name if isinstance(val, (Curve, Format)) else None


@pytest.fixture
def rng(request):
    """Random numbers of a test by itself: they do not depend on which others run."""
    return np.random.default_rng([SEED, zlib.crc32(request.node.nodeid.encode())])


@pytest.fixture
def read_trace(monkeypatch, capfd):
    """A function that returns what the trace has said since the last call."""
    monkeypatch.setenv("CUDA_BLUR_TRACE", "1")
    return lambda: capfd.readouterr().err


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session, exitstatus):
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if exitstatus == pytest.ExitCode.OK and has_leaks(session):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    elif exitstatus == pytest.ExitCode.OK and not reporter.stats.get("passed"):
        session.exitstatus = 77


def has_leaks(session):
    """Whether LeakSanitizer, if it sees Python's memory, finds some that nothing points to. It
    sees no addresses in Python's numbers, so what the tests' modules keep is freed before."""
    if os.environ.get("PYTHONMALLOC") != "malloc":
        return False
    fx.close()
    for item in session.items:
        vars(item.module).clear()
    gc.collect()
    return bool(ctypes.CDLL(None).__lsan_do_recoverable_leak_check())


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(pytest_report_header(terminalreporter.config))
    terminalreporter.write_line(str(fx.fingerprint))
