"""Processes, as /proc shows them."""

import os
import signal
import time
from typing import NamedTuple

PAUSE = 0.0005  # between two looks


def read_file(pid, name):
    """A file of the process's, or nothing if that has ended."""
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def read_link(pid, name):
    try:
        return os.readlink(f"/proc/{pid}/{name}")
    except OSError:
        return ""


def list_all():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def get_stat(pid):
    """Its state, its parent, and more."""
    return read_file(pid, "stat").rpartition(")")[2].split()


def lives(pid):
    """One that is dead but not yet waited for does not."""
    return get_stat(pid)[:1] not in ([], ["Z"], ["X"])


def find_all(parent, name):
    """The children whose executable has that name."""
    return [pid for pid in list_all()
            if get_stat(pid)[1:2] == [str(parent)] and lives(pid)
            and os.path.basename(read_link(pid, "exe")) == name]


def find(parent, name, *others):
    """One that is none of the others; or None."""
    return next((pid for pid in find_all(parent, name) if pid not in others), None)


def wait_until(condition, seconds, pause=PAUSE):
    """Returns what is true of the condition, or what is not when the time is over. On a busy
    machine a look at it may take longer than that, and it may have come true meanwhile."""
    deadline = time.monotonic() + seconds
    while not (result := condition()) and time.monotonic() < deadline:
        time.sleep(pause)
    return result or condition()


def wait_end(pid, seconds):
    """Returns whether it has ended within that time."""
    return wait_until(lambda: not lives(pid), seconds)


def kill(pid):
    """Returns whether it was still there."""
    if not lives(pid):
        return False
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


class Use(NamedTuple):
    memory: int  # kB, resident
    threads: int
    files: int  # open ones


def get_use(pid):
    status = dict(line.split(":", 1) for line in read_file(pid, "status").splitlines())
    return Use(int(status["VmRSS"].split()[0]), int(status["Threads"]),
               len(os.listdir(f"/proc/{pid}/fd")))


def get_time(pid):
    """Nanoseconds that its first thread has run."""
    return int(read_file(pid, "schedstat").split()[0])


def get_words(pid):
    """Of the command that it was started with."""
    return read_file(pid, "cmdline").split("\0")


def has_mapped(pid, part):
    """Whether it has a file mapped whose path has that part."""
    return any(part in line for line in read_file(pid, "maps").splitlines())


def find_sharers(pid, file):
    """Processes other than it that have its open file of that number."""
    name = read_link(pid, f"fd/{file}")
    assert name, f"no file {file}"
    return [other for other in list_all() if other != pid and any(
        read_link(other, f"fd/{number}") == name for number in list_files(other))]


def list_files(pid):
    try:
        return os.listdir(f"/proc/{pid}/fd")
    except OSError:
        return []
