"""What GEGL or the module decides once in a process is tried in a fork of this process, in which
GEGL must not have started; and the ends of processes."""

import ctypes
import functools
import os
import signal
import sys
import tempfile
import traceback

import graph

SECONDS = 60  # after which a process hangs


def set_variables(variables):
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def become(function, arguments, variables, said):
    """What the fork does, until its end."""
    status = 1
    try:
        os.dup2(said.fileno(), 1)
        os.dup2(said.fileno(), 2)
        set_variables(variables)
        function(*arguments)
        graph.end()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def run_apart(function, *arguments, **variables):
    """Calls function in a fork, with these variables of the environment; one that is None is not
    set. Returns what the fork prints. Fails if the function fails or the fork does not end well."""
    assert not graph.started, "GEGL runs in this process already"
    with tempfile.TemporaryFile("w+") as said:
        child = os.fork()
        if child == 0:
            become(function, arguments, variables, said)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said.seek(0)
        text = said.read()
    assert status == 0, f"the process ended with {status}:\n{text}"
    return text


def apart(**variables):
    """Has a test run in a fork, with these variables."""
    def decorate(test):
        @functools.wraps(test)
        def run(*arguments, **options):
            run_apart(functools.partial(test, *arguments, **options), **variables)
        return run
    return decorate


def fork_and(function):
    """Calls function in a fork of this process, which may have started GEGL."""
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        function()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


def leave():
    """Ends the process as C does, at once: Python's own end does not come before that."""
    ctypes.CDLL(None).exit(0)
