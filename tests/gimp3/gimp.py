"""GIMP 3 in a tree of tree.sh.

    with Gimp(home) as gimp:
        image = gimp.Gimp.Image.new(61, 47, gimp.Gimp.ImageBaseType.RGB)

makes an image by Python-Fu's module Gimp, in whose process the object stays."""

import os
import re
import shutil
import signal
import subprocess
import tempfile

from connection import Connection
from session import SEED, keep_log

HERE = os.path.dirname(os.path.realpath(__file__))
END_SECONDS = 500  # after which a GIMP is killed
AS_ROOT = [] if os.getuid() == 0 else ["sudo", "-n"]

# These plug-ins alone, so that GIMP starts fast. A gimprc with a script-fu-path would make GIMP
# 3.0.4's Script-Fu crash.
PLUG_INS = "script-fu", "python-eval", "file-png"
GIMPRC = """(plug-in-path "{0}/gimp/plug-ins")
(temp-path "{0}/gimp/tmp")
(swap-path "{0}/gimp/tmp")
(check-updates no)
(show-welcome-dialog no)
(image-title-format "cuda-blur-test-image%D*")
(save-session-info no)
"""

# Texts that are not allowed. GIMP 3 may have closed the pipe before a plug-in that has returned its
# result says that it ends.
BAD = re.compile("(?i)crashed|fatal error|dumped core|cuda-blur.*(warning|critical)")
BROKEN = "gimp_flush(): error: Broken pipe"


def find_tree(suite):
    """Its folder. There is none if this fails with a CalledProcessError, whose output says why."""
    words = ["sh", os.path.join(HERE, "tree.sh"), "--find", suite]
    return subprocess.check_output(words, stderr=subprocess.STDOUT, text=True).strip()


class Home:
    """A folder in a tree with a profile of GIMP's, and the operations in its data folder. It has
    two names: folder here, and inside in the tree."""

    def __init__(self, tree, module=None):
        self.tree, self.module = tree, module
        self.folder = tempfile.mkdtemp(prefix="test.", dir=os.path.join(tree, "tmp"))
        self.inside = os.path.join("/tmp", os.path.basename(self.folder))
        self.operations = self.get_path("data/gegl-0.4/plug-ins/cuda-blur.so")
        for name in ("home", "gimp/plug-ins", "gimp/tmp", "data/gegl-0.4/plug-ins"):
            os.makedirs(self.get_path(name))
        os.mkdir(self.get_path("run"), 0o700)
        for name in PLUG_INS:
            self.run("sh", "-c", f"ln -s /usr/lib/*/gimp/3.0/plug-ins/{name} gimp/plug-ins/",
                     check=True)
        self.write("gimp/gimprc", GIMPRC.format(self.inside))
        for path in ("remote.py", "../gimp2/server.py"):
            shutil.copy(os.path.join(HERE, path), self.folder)
        if module:
            self.install_module()

    def get_path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.get_path(name), "a", encoding="utf-8") as file:
            file.write(text)

    def install_module(self):
        shutil.copy(self.module, self.operations)

    def remove_module(self):
        os.unlink(self.operations)

    def install_plug_in(self):
        """That of GIMP 3, which is built in the tree."""
        self.plug_in = self.get_path("gimp/plug-ins/cuda-blur/cuda-blur")
        os.mkdir(os.path.dirname(self.plug_in))
        subprocess.run(["sh", os.path.join(HERE, "build.sh"), self.tree, self.plug_in], check=True)

    def get_command(self, *words, **variables):
        """One that runs those words in the folder. Nothing is mounted there: a program sees no
        /proc."""
        inside = self.inside
        variables = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": f"{inside}/home",
                     "GIMP3_DIRECTORY": f"{inside}/gimp", "XDG_DATA_HOME": f"{inside}/data",
                     "XDG_CACHE_HOME": f"{inside}/cache", "XDG_RUNTIME_DIR": f"{inside}/run",
                     "CUDA_BLUR_CACHE_DIR": f"{inside}/cuda-cache", "CUDA_BLUR_WARN": "1",
                     "NO_AT_BRIDGE": "1", "PYTHONDONTWRITEBYTECODE": "1",
                     "CUDA_BLUR_TEST_SEED": SEED, **variables}
        return [*AS_ROOT, "chroot", f"--userspec={os.getuid()}:{os.getgid()}", self.tree,
                "/usr/bin/env", "-i", "-C", inside,
                *(f"{name}={value}" for name, value in variables.items()), *map(str, words)]

    def run(self, *words, check=False, **variables):
        """Runs them. All that is said is in the result's stdout."""
        return subprocess.run(self.get_command(*words, **variables), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", check=check)

    def remove(self):
        """Killed plug-ins may still end, and write on."""
        while os.path.exists(self.folder):
            shutil.rmtree(self.folder, ignore_errors=True)


class Gimp(Connection):
    """At its end it must have closed, and neither it nor a plug-in have crashed or warned. kills:
    plug-ins are killed; display: where it has a window; fonts: there are some; variables: of its
    environment."""

    def __init__(self, home, kills=False, display=None, fonts=False, **variables):
        self.home, self.kills, self.well = home, kills, True
        words = ["--no-data", "--new-instance", "--no-splash",
                 "--batch-interpreter=python-fu-eval",
                 "--batch=sys.path.insert(0, '.'); import server; server.serve('socket')",
                 *([] if fonts else ["--no-fonts"])]
        if display:
            words, variables = ["gimp", *words], variables | {"DISPLAY": display}
        else:
            words = ["gimp-console", *words, "--quit"]
        super().__init__(home.folder, "socket")
        with tempfile.NamedTemporaryFile(prefix="log.", dir=home.folder, delete=False) as log:
            self.log_path = log.name
            self.process = subprocess.Popen(
                home.get_command("timeout", "--kill-after=10", END_SECONDS, *words, **variables),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            self.accept()
        except OSError:
            keep_log(self.log_path)
            raise
        self.Gimp, self.Gegl, self.Gio = (self.load(f"gi.repository.{name}")
                                          for name in ("Gimp", "Gegl", "Gio"))
        self.remote, self.pid = self.load("remote"), self.load("os").getppid()

    # ---- files in the home ----

    def save(self, image, name):
        """Returns the file."""
        file = self.Gio.File.new_for_path(name)
        self.Gimp.file_save(self.Gimp.RunMode.NONINTERACTIVE, image, file, None)
        return file

    def open(self, name):
        file = self.Gio.File.new_for_path(name)
        return self.Gimp.file_load(self.Gimp.RunMode.NONINTERACTIVE, file)

    # ---- the end ----

    def __enter__(self):
        return self

    def __exit__(self, kind, *others):
        self.end(kind is None and self.well)

    def read_log(self):
        with open(self.log_path, errors="replace") as file:
            return file.read()

    def find_failure(self):
        """What has gone wrong in GIMP, or None."""
        status, log = self.process.wait(), self.read_log()
        if status:
            return f"GIMP has ended with {status}"
        bad = [line for line in log.splitlines() if BAD.search(line) and BROKEN not in line]
        return next((line for line in bad if not (self.kills and "crashed" in line)), None)

    def end(self, well=True):
        """well: whether the tests have passed; otherwise a window would stay."""
        self.close()
        if not well and self.process.poll() is None:
            os.killpg(os.getpgid(self.pid), signal.SIGKILL)
        failure = self.find_failure()
        if failure or not well:
            keep_log(self.log_path)
        assert not well or not failure, failure
