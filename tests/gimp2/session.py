"""GIMP 2.10 in batch mode for tests in Python.

    with Session(plugin, probe) as gimp:
        image = gimp.image_new(60, 40, RGB)

calls gimp-image-new. A call returns its value, a list if there are several, or None; one that fails
raises Refused. The test plug-in makes the calls (probe.py), and has the pixels of drawables."""

import glob
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
from array import array

import numpy as np

import fx
from connection import CALL_SECONDS, Connection

INTERACTIVE, NONINTERACTIVE, WITH_LAST_VALS = range(3)
EXECUTION_ERROR, CALLING_ERROR, PASS_THROUGH, SUCCESS, CANCEL = range(5)
HERE = os.path.dirname(os.path.realpath(__file__))
SEED = os.environ.get("CUDA_BLUR_TEST_SEED", "1")
FAILED = re.compile("cuda-blur-WARNING \\*\\*: .*another one does its work.*")  # a device


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def make_plain(value):
    """As the test plug-in takes it, which has no numpy."""
    if isinstance(value, np.ndarray):
        return array("d", np.ascontiguousarray(value, float).tobytes())
    if isinstance(value, list):
        return array("i", value)
    return value.item() if isinstance(value, np.generic) else value


def keep_log(path):
    with open(path, errors="replace") as file:
        print("".join(f"gimp: {line}" for line in file.readlines()[-40:]))
    if artefacts := os.environ.get("CUDA_BLUR_TEST_ARTEFACTS"):
        os.makedirs(artefacts, exist_ok=True)
        shutil.copy(path, artefacts)
        print("kept in", artefacts)


class Caller(Connection):
    """A process of the test plug-in. What it does beside calls of procedures is in libgimp.py, and
    in dialog_parts.py."""

    def accept(self):
        super().accept()
        self.libgimp = self.load("libgimp")
        self.run, self.read, self.write_bytes = (
            getattr(self.libgimp, name) for name in ("run", "read", "write"))

    def send(self, procedure, *args):
        """Begins a call."""
        self.begin(self.run, procedure, *map(make_plain, args))

    def receive(self):
        """Waits for its end."""
        status, message, *values = self.finish()
        if status != SUCCESS:
            raise Refused(status, message)
        return values[0] if len(values) == 1 else values or None

    def call(self, procedure, *args):
        self.send(procedure, *args)
        return self.receive()

    def call_all(self, calls):
        """The same for few calls, which are sent before the first answer is awaited."""
        calls = list(calls)
        for call in calls:
            self.send(*call)
        return [self.receive() for _ in calls]

    def __getattr__(self, name):
        procedure = "gimp-" + name.replace("_", "-")
        return lambda *args: self.call(procedure, *args)

    def write(self, drawable, pixels):
        self.write_bytes(drawable, pixels.tobytes())

    def get_pid(self):
        peer = self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        return struct.unpack("3i", peer)[0]


class Starter(Caller):
    """One whose only call returns when what it has started ends."""

    def restart(self, procedure):
        if self.is_busy:
            self.forget()
        self.send(procedure)
        self.is_busy = True

    is_busy = False

    def forget(self):
        try:
            self.receive()
        except Refused:
            pass  # it was killed


class Session(Caller):
    """A GIMP with the two plug-ins in a profile of its own. At its end it must have closed, and
    neither it nor a plug-in have crashed, nor a device have failed. kills: plug-ins are killed;
    fails: devices may fail, too; fonts: there are some; folder: with a profile, which stays;
    display: where it has a window; environment: variables of GIMP's."""

    def __init__(self, plugin, probe, kills=False, fails=False, fonts=False, module=None,
                 folder=None, display=None, **environment):
        self.folder, self.is_kept = folder or tempfile.mkdtemp(prefix="cuda-blur-"), bool(folder)
        super().__init__(self.folder, "main")
        self.kills, self.fails, self.environment = kills, fails, environment
        self.log_path, self.log_mark = os.path.join(self.folder, "log"), 0
        self.other = Caller(self.folder, "extension-cuda-blur-test-caller")
        self.starter = Starter(self.folder, "extension-cuda-blur-test-starter")
        self.failure, self.well = None, True
        self.status = 0  # with which GIMP is to end
        self.start(plugin, probe, fonts, module, display)

    def start(self, plugin, probe, fonts, module, display):
        log = f"{self.folder}/sanitizer"
        env = dict(os.environ, CUDA_BLUR_TEST_FOLDER=self.folder, CUDA_BLUR_TEST_SEED=SEED,
                   ASAN_OPTIONS=f"protect_shadow_gap=0:log_path={log}:log_exe_name=1",
                   CUDA_BLUR_TEST_LIBRARY=f"{probe}.so", **self.environment)
        env["CUDA_BLUR_TEST_PRELOAD"] = env.pop("LD_PRELOAD", "")  # for sanitized libraries
        words = ["gimp", "--no-data", "--new-instance", "--no-splash", "--console-messages",
                 "--batch-interpreter=plug-in-cuda-blur-test", "--batch=remote"]
        if display:  # which the profile would hide
            language = env.get("LANGUAGE", "")
            words = ["env", f"DISPLAY={display}", f"LANGUAGE={language}", *words]
        else:
            words.append("--no-interface")
        with open(self.log_path, "wb") as file:
            self.process = subprocess.Popen(
                ["sh", os.path.join(HERE, "enter.sh"), self.folder, plugin, probe, module or "",
                 *words, *([] if fonts else ["--no-fonts"])],
                env=env, stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                start_new_session=True)
        try:
            for caller in (self.other, self.starter, self):
                caller.accept()
        except (EOFError, OSError):
            self.failure = "GIMP does not start"
            self.end()

    def __enter__(self):
        return self

    def __exit__(self, kind, *others):
        self.end(kind is None and self.well)

    def read_log(self):
        """What GIMP and its plug-ins have said since the last call."""
        with open(self.log_path, errors="replace") as file:
            file.seek(self.log_mark)
            text = file.read()
            self.log_mark = file.tell()
        return text

    def is_on_gpu(self, device="auto"):
        """Whether the procedures are to use a GPU for that device."""
        if device == "auto":
            device = self.environment.get("CUDA_BLUR_DEVICE", os.environ.get("CUDA_BLUR_DEVICE"))
        return device != "cpu" and fx.has_gpu()

    # ---- the end ----

    def kill(self):
        """By SIGKILL."""
        self.status = -signal.SIGKILL
        self.process.kill()
        self.process.wait()

    def close_all(self):
        for caller in (self, self.other, self.starter):
            caller.close()

    def find_failure(self):
        """What has gone wrong in GIMP, or None."""
        with open(self.log_path, errors="replace") as file:
            log = file.read()
        crash = "dumped core" if self.kills else "crashed|dumped core|unable to run plug-in"
        if match := re.search(f"(?i).*({crash}).*", log) or re.search(".*runtime error: .*", log):
            return match.group()
        if not self.fails and (match := FAILED.search(log)):
            return f"a device has failed: {match.group()}"
        for path in glob.glob(f"{self.folder}/sanitizer.cuda-blur.*"):
            with open(path, errors="replace") as file:
                return f"AddressSanitizer has found something:\n{file.read(4000)}"
        return None

    def wait(self):
        try:
            status = self.process.wait(CALL_SECONDS)
        except subprocess.TimeoutExpired:
            return "GIMP does not quit"
        return None if status == self.status else f"GIMP has ended with {status}"

    def end(self, well=True):
        """well: whether the tests have passed."""
        self.close_all()
        failure = self.failure or self.wait()
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        failure = failure or self.find_failure()
        if failure or not well:
            keep_log(self.log_path)
        if not self.is_kept:
            shutil.rmtree(self.folder, ignore_errors=True)
        assert not failure, failure
