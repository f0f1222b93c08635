"""The folders that NVRTC is loaded from (nvrtc-folders.h), and whether others may change what lies
there (safe-path.h). That the compiler asks, and that a privileged process searches none of the
user's, others show (faults-machine folder, config privileged)."""

import itertools
import os
import subprocess
import sys
from ctypes import POINTER, c_char_p, c_int, c_void_p

import pytest

import fx

HOST = "/run/host"

fx.library.declare({
    "fx_nvrtc_folders": (POINTER(c_char_p), [c_char_p]),
    "fx_path_is_safe": (c_int, [c_char_p]),
    "g_strfreev": (None, [c_void_p]),
})


def is_safe(path):
    return bool(fx.library.fx_path_is_safe(bytes(path)))


def list_folders(host):
    strings = fx.library.fx_nvrtc_folders(os.fsencode(host))
    folders = [name.decode() for name in itertools.takewhile(lambda s: s is not None, strings)]
    fx.library.g_strfreev(strings)
    return folders


@pytest.fixture
def top(tmp_path):
    if not is_safe(tmp_path):
        pytest.skip("the system's temporary folder is not safe itself")
    return tmp_path


@pytest.mark.parametrize("toolkit,lib,file,safe", [
    (0o755, 0o755, 0o644, True), (0o775, 0o775, 0o664, True), (0o755, 0o755, 0o666, False),
    (0o755, 0o777, 0o644, False), (0o777, 0o755, 0o644, False),  # another lib64 can be put there
    (0o1777, 0o755, 0o644, True), (0o755, 0o1777, 0o644, True)])
def test_modes(top, toolkit, lib, file, safe):
    library, link = top / "toolkit/lib64/libnvrtc.so.13", top / "link"
    library.parent.mkdir(parents=True)
    library.touch()
    link.symlink_to(library)
    for path, mode in (library, file), (top / "toolkit/lib64", lib), (top / "toolkit", toolkit):
        path.chmod(mode)
    assert is_safe(library) == safe
    assert is_safe(link) == safe  # the link's target counts


def test_link(top):
    """A link that everybody may replace leads to a file that nobody may."""
    open, toolkit = top / "open", top / "cuda-13.0"
    open.mkdir(mode=0o755)
    toolkit.mkdir(mode=0o755)
    (toolkit / "libnvrtc.so.13").touch()
    (open / "cuda").symlink_to(toolkit)
    library = open / "cuda/libnvrtc.so.13"
    assert is_safe(library)
    open.chmod(0o777)
    assert not is_safe(library)


def test_names(top):
    assert is_safe(b"/") and not is_safe(b".") and not is_safe(top / "missing")


def test_foreign(top):
    """In a sticky folder, another user may replace the entries that belong to that user."""
    library = top / "library"
    library.touch()
    try:
        os.chown(library, 12345, 12345)
    except PermissionError:
        pytest.skip("a file cannot be given away here")
    assert is_safe(library)  # its folder is closed to all but root
    top.chmod(0o1777)
    assert not is_safe(library)


def test_host(tmp_path):
    """A Flatpak sees the files of its host in a folder; links there lead outside of it."""
    for name in "cuda-12.9", "cuda-13.0", "cuda-12.10", "other":
        (tmp_path / "usr/local" / name / "lib64").mkdir(parents=True)
    (tmp_path / "usr/local/cuda").symlink_to("/etc/alternatives/cuda")
    folders = list_folders(tmp_path)
    assert folders[0] == "" and len(folders) == len(list_folders("/nonexistent")) + 4
    assert folders[-6:] == [f"{tmp_path}/usr/{folder}" for folder in (
        "local/cuda/lib64", "local/cuda-13.0/lib64", "local/cuda-12.10/lib64",
        "local/cuda-12.9/lib64", "lib/x86_64-linux-gnu", "lib64")]


USER = """
import sys
sys.path[:0] = {path!r}
import fx
fx.load({door!r})
import test_safe_path
print(*test_safe_path.list_folders(test_safe_path.HOST), sep="\\n")
"""


def test_user(request, tmp_path):
    """The user's folders, newest Python first, lie between the toolkit's and the host's. In a
    process by itself, since GLib reads the home once."""
    for python in ("venv/lib/python3.9", "venv/lib/python3.11", ".local/lib/python3.11",
                   "conda/lib/python3.12"):
        (tmp_path / python).mkdir(parents=True)
    env = dict(os.environ, HOME=str(tmp_path), VIRTUAL_ENV=f"{tmp_path}/venv",
               CONDA_PREFIX=f"{tmp_path}/conda")
    env.pop("XDG_DATA_HOME", None)
    here = os.path.dirname(os.path.abspath(__file__))
    code = USER.format(path=[here, os.path.dirname(here)],
                       door=os.path.abspath(request.config.getoption("door")))
    said = subprocess.run([sys.executable, "-B", "-c", code], env=env, check=True, text=True,
                          stdout=subprocess.PIPE).stdout.splitlines()
    start = said.index(f"{tmp_path}/.local/share/gimp-cuda-blur/cuda/lib")
    assert said[start - 1] == "/usr/local/cuda/lib64"  # which the build may have named, too
    assert said[start:start + 10] == [f"{tmp_path}/{folder}" for folder in (
        ".local/share/gimp-cuda-blur/cuda/lib",
        "venv/lib/python3.11/site-packages/nvidia/cu13/lib",
        "venv/lib/python3.9/site-packages/nvidia/cu13/lib",
        "venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib",
        "venv/lib/python3.9/site-packages/nvidia/cuda_nvrtc/lib",
        ".local/lib/python3.11/site-packages/nvidia/cu13/lib",
        ".local/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib",
        "conda/lib",
        "conda/lib/python3.12/site-packages/nvidia/cu13/lib",
        "conda/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib")]
    assert said[start + 10].startswith(HOST)
