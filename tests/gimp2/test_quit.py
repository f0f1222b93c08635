"""GIMP ends while a slow driver is being asked in the background: no process of the plug-in calls
exit() with a thread in CUDA, which would crash. The driver is CUDA_BLUR_TEST_DRIVER
(slow-driver.c)."""

import os
import signal

import pytest

import processes
from layers import Layer
from resident import BLUR, RGBA
from session import Session


def tell_all(gimp):
    """To end."""
    gimp.status = 1
    os.killpg(gimp.process.pid, signal.SIGTERM)


def lives(group):
    """Whether a process of it does."""
    return any(processes.get_stat(pid)[2:3] == [str(group)] and processes.lives(pid)
               for pid in processes.list_all())


@pytest.mark.parametrize("end", [Session.close_all, Session.kill, tell_all])
def test_quit(start_gimp, rng, tmp_path, end):
    """A picture that is worth a GPU, for two threads: the automatic device begins with the
    CPU."""
    asked, go, cut = (tmp_path / name for name in ("asked", "go", "cut"))
    environment = {"LD_LIBRARY_PATH": os.path.dirname(os.environ["CUDA_BLUR_TEST_DRIVER"]),
                   "SLOW_DRIVER_FOLDER": str(tmp_path), "CUDA_BLUR_TRACE": "1",
                   "OMP_NUM_THREADS": "2"}
    with start_gimp(kills=True, **environment) as gimp:
        try:
            Layer.make(gimp, rng, RGBA, (1500, 1000)).call(BLUR, sigma_x=3.0, sigma_y=3.0)
            assert processes.wait_until(asked.exists, 60.0), "the driver is not asked"
            end(gimp)
            gimp.process.wait()
        finally:
            go.touch()
            gimp.close_all()
        assert processes.wait_until(lambda: not lives(gimp.process.pid), 60.0), "a process stays"
        log = gimp.read_log()
        assert " CPU, " in log and "fatal error" not in log, log
        assert not cut.exists(), "exit() was called with a thread in the driver"
