"""The disk cache (cache.h): exact bytes and names, every kind of damage, folders and files of
others, too little room, and many processes.

Root bypasses file modes, so a run as root drops its effective rights to nobody's, and takes them
back when it needs a file of another owner or a mount."""

import contextlib
import ctypes
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from ctypes import byref, c_char_p, c_int, c_size_t, c_void_p

import pytest

import fx
from conftest import SEED

LIMIT = 1 << 20
SUM = 32  # bytes after the payload
KEY_A, KEY_B = "0123456789abcdef" * 4, "fedcba9876543210" * 4
ROOT, DAEMON, NOBODY = 0, 1, 65534
IS_ROOT = os.geteuid() == ROOT
MISSING = 77  # a child's status: the machine lacks what the case needs

fx.library.declare({
    "fx_cache_new": (c_void_p, [c_char_p, c_size_t]),
    "fx_cache_free": (None, [c_void_p]),
    "fx_cache_get": (c_void_p, [c_void_p, c_char_p]),
    "fx_cache_put": (c_int, [c_void_p, c_char_p, c_void_p], True),
    "g_bytes_new": (c_void_p, [c_char_p, c_size_t]),
    "g_bytes_get_data": (c_void_p, [c_void_p, ctypes.POINTER(c_size_t)]),
    "g_bytes_unref": (None, [c_void_p]),
})


def become(id):
    if IS_ROOT:
        os.seteuid(ROOT)
        os.setegid(id)
        os.seteuid(id)


@contextlib.contextmanager
def rights(id):
    become(id)
    yield
    become(NOBODY)


class Cache:
    def __init__(self, folder, limit=LIMIT):
        self.handle = fx.library.fx_cache_new(folder and folder.encode(), limit)

    def __del__(self):
        fx.library.fx_cache_free(self.handle)

    def get(self, key):
        found = fx.library.fx_cache_get(self.handle, key.encode())
        if not found:
            return None
        size = c_size_t()
        data = ctypes.string_at(fx.library.g_bytes_get_data(found, byref(size)), size.value)
        fx.library.g_bytes_unref(found)
        return data

    def put(self, key, data):
        stored = fx.library.g_bytes_new(data, len(data))
        try:
            fx.call("fx_cache_put", self.handle, key.encode(), stored)
        finally:
            fx.library.g_bytes_unref(stored)

    def refuses(self, key, size):
        """Whether so many bytes are refused, with an error of a file."""
        try:
            self.put(key, make(1, size))
        except fx.Error as error:
            return error.code[0] == "g-file-error-quark"
        return False


class Scene:
    """A folder in which a cache is to make its own."""

    def __init__(self):
        self.top = tempfile.mkdtemp(dir="/tmp", prefix="blur-cache-")
        self.folder = f"{self.top}/cache"
        self.cache = Cache(self.folder)

    def path(self, key):
        return f"{self.folder}/{key}"

    def files(self):
        return os.listdir(self.folder)


@pytest.fixture
def scene():
    groups = os.getgroups()
    if IS_ROOT:
        os.setgroups([])
    become(NOBODY)
    scene = Scene()
    yield scene
    become(ROOT)
    shutil.rmtree(scene.top)
    if IS_ROOT:
        os.setgroups(groups)


def make(seed, size):
    return random.Random(seed).randbytes(size)


def number(n):
    return f"{n:064x}"


def write(path, data):
    if os.path.lexists(path):
        os.unlink(path)
    with open(path, "wb") as file:
        file.write(data)
    os.chmod(path, 0o600)


def set_age(path, seconds):
    now = time.time() - seconds
    os.utime(path, (now, now))


def get_mode(path):
    return os.stat(path).st_mode & 0o7777


# ---- bytes and names ----


def test_bytes(scene):
    cache, sizes = scene.cache, [0, 1, 2, 31, 4096, 65537, LIMIT - SUM]
    assert cache.get(KEY_A) is None and not os.path.exists(scene.folder)
    for seed, size in enumerate(sizes):
        cache.put(KEY_A, make(seed, size))
        assert cache.get(KEY_A) == make(seed, size) and cache.get(KEY_B) is None
        assert scene.files() == [KEY_A]
    assert get_mode(scene.folder) == 0o700 and get_mode(scene.path(KEY_A)) == 0o600
    assert cache.refuses(KEY_B, sizes[-1] + 1)
    assert cache.get(KEY_A) == make(len(sizes) - 1, sizes[-1])


def test_names(scene):
    """A folder's name may end in slashes, and have parents that are not there yet."""
    cache = Cache(f"{scene.top}/a/b/c//")
    cache.put(KEY_A, make(1, 10))
    assert cache.get(KEY_A) == make(1, 10) and os.path.exists(f"{scene.top}/a/b/c/{KEY_A}")


# ---- damage ----


def check_damage(scene, data):
    """Such bytes in an entry's place miss, and are removed."""
    write(scene.path(KEY_A), data)
    assert scene.cache.get(KEY_A) is None and scene.files() == []


def make_entry(scene, length):
    scene.cache.put(KEY_A, make(3, length))
    with open(scene.path(KEY_A), "rb") as file:
        data = file.read()
    assert len(data) == length + SUM
    return data


def flip(data, bit):
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


@pytest.mark.parametrize("length", [0, 1, 37])
def test_truncation(scene, length):
    data = make_entry(scene, length)
    for n in range(len(data)):
        check_damage(scene, data[:n])
    check_damage(scene, data + b"\0")
    write(scene.path(KEY_A), data)
    assert scene.cache.get(KEY_A) == make(3, length)


def test_flipped_bits(scene):
    data = make_entry(scene, 11)
    for bit in range(len(data) * 8):
        check_damage(scene, flip(data, bit))


def test_wrong_key(scene):
    scene.cache.put(KEY_A, make(1, 100))
    os.rename(scene.path(KEY_A), scene.path(KEY_B))
    assert scene.cache.get(KEY_B) is None and scene.files() == []


def test_huge_file(scene):
    """Files larger than the cache may be are not even read: a whole entry, and 1 TiB of nothing."""
    larger = Cache(scene.folder, 2 * LIMIT)
    larger.put(KEY_A, make(1, LIMIT))
    assert larger.get(KEY_A) == make(1, LIMIT)
    assert scene.cache.get(KEY_A) is None and scene.files() == []
    scene.cache.put(KEY_A, make(1, 100))
    os.truncate(scene.path(KEY_A), 1 << 40)
    assert scene.cache.get(KEY_A) is None and scene.files() == []


# ---- folders and files of others ----


@pytest.mark.parametrize("kind,mode,used,written", [
    ("folder", 0o700, True, True), ("folder", 0o755, True, True), ("folder", 0o500, True, False),
    ("folder", 0o770, False, False), ("folder", 0o720, False, False),
    ("folder", 0o707, False, False), ("folder", 0o1777, False, False),
    ("folder", 0o000, False, False), ("file", 0o600, True, True), ("file", 0o444, True, True),
    ("file", 0o620, False, True), ("file", 0o602, False, True), ("file", 0o000, False, True)])
def test_modes(scene, kind, mode, used, written):
    cache = scene.cache
    cache.put(KEY_A, make(1, 100))
    os.chmod(scene.folder if kind == "folder" else scene.path(KEY_A), mode)
    assert cache.get(KEY_A) == (make(1, 100) if used else None)
    if written:
        cache.put(KEY_A, make(2, 50))
    else:
        assert cache.refuses(KEY_A, 50)
    os.chmod(scene.folder, 0o700)
    assert not written or cache.get(KEY_A) == make(2, 50)
    assert scene.files() == [KEY_A]


@pytest.mark.skipif(not IS_ROOT, reason="only root can give a file away")
def test_owner(scene):
    """Not even root, for whom modes do not count, uses another user's folder."""
    cache = scene.cache
    for path, mode in ((scene.path(KEY_A), 0o644), (scene.folder, 0o755)):
        cache.put(KEY_A, make(1, 100))
        with rights(ROOT):
            os.chown(path, DAEMON, DAEMON)
            os.chmod(path, mode)
        assert cache.get(KEY_A) is None
    assert cache.refuses(KEY_A, 10)
    with rights(ROOT):
        assert cache.get(KEY_A) is None and cache.refuses(KEY_A, 10)
    assert os.path.exists(scene.path(KEY_A))


def test_linked_folder(scene):
    """A link of this user is followed, with and without a slash; one of another user is not."""
    link = f"{scene.top}/link"
    cache, slashed = Cache(link), Cache(f"{link}/")
    scene.cache.put(KEY_A, make(1, 100))
    os.symlink(scene.folder, link)
    assert cache.get(KEY_A) == make(1, 100)
    slashed.put(KEY_B, make(2, 10))
    assert scene.cache.get(KEY_B) == make(2, 10)
    os.chmod(scene.folder, 0o770)
    assert cache.get(KEY_A) is None
    os.chmod(scene.folder, 0o700)
    if IS_ROOT:
        with rights(ROOT):
            os.lchown(link, DAEMON, DAEMON)
        for other in (cache, slashed):
            assert other.get(KEY_A) is None and other.refuses(KEY_A, 10)
        assert scene.cache.get(KEY_A) == make(1, 100)


def test_linked_file(scene):
    """A link to a good entry, and one to nowhere: neither is read, written or followed."""
    path, target = scene.path(KEY_A), f"{scene.top}/target"
    scene.cache.put(KEY_A, make(1, 100))
    os.rename(path, target)
    os.symlink(target, path)
    assert scene.cache.get(KEY_A) is None
    assert os.path.exists(target) and not os.path.lexists(path)
    os.unlink(target)
    os.symlink(target, path)
    scene.cache.put(KEY_A, make(2, 100))
    assert not os.path.lexists(target) and not os.path.islink(path)
    assert scene.cache.get(KEY_A) == make(2, 100)


def test_no_file(scene):
    """A FIFO, which must not hang, and a folder; and a file in place of the cache's folder."""
    path, file = scene.path(KEY_A), f"{scene.top}/file"
    scene.cache.put(KEY_A, make(1, 100))
    os.unlink(path)
    os.mkfifo(path, 0o600)
    assert scene.cache.get(KEY_A) is None
    if os.path.lexists(path):
        os.unlink(path)
    os.mkdir(path, 0o700)
    write(f"{path}/x", b"x")
    assert scene.cache.get(KEY_A) is None and scene.cache.refuses(KEY_A, 10)
    assert os.path.exists(f"{path}/x") and scene.files() == [KEY_A]
    write(file, b"x")
    assert Cache(file).get(KEY_A) is None and Cache(file).refuses(KEY_A, 10)


HOMELESS = """
import os, sys
sys.path[:0] = {path!r}
import fx
fx.load({door!r})
import test_cache
test_cache.become(test_cache.NOBODY)
cache = test_cache.Cache(None)
for _ in range(2):
    assert cache.get(test_cache.KEY_A) is None and cache.refuses(test_cache.KEY_A, 10)
"""


@pytest.mark.parametrize("home", ["top", "/nonexistent/home", ""])
def test_home(request, scene, home):
    """One that is read-only, one that does not exist, and none in the environment: in a process by
    itself, since GLib reads them once."""
    os.chmod(scene.top, 0o500)
    env = dict(os.environ, HOME="/nonexistent/home",
               XDG_CACHE_HOME=scene.top if home == "top" else home)
    env.pop("CUDA_BLUR_CACHE_DIR", None)
    here = os.path.dirname(os.path.abspath(__file__))
    code = HOMELESS.format(path=[here, os.path.dirname(here)],
                           door=os.path.abspath(request.config.getoption("door")))
    with rights(ROOT):  # the child drops them itself
        subprocess.run([sys.executable, "-B", "-c", code], env=env, check=True)


# ---- too little room ----


def run_child(body):
    """Runs it in a child process, and returns its status."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            status = body() or 0
        except BaseException as failure:
            os.write(2, f"{failure!r}\n".encode())
        os._exit(status)
    return pid


def wait_for(pid):
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.mark.parametrize("cut", [0, 1, 3000, 4000, 4000 + SUM - 1])
def test_file_size_limit(scene, cut):
    """A full disk, in the payload and in the sum. The entry that was there stays."""
    scene.cache.put(KEY_A, make(1, 500))
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (cut, old[1]))
    refused = scene.cache.refuses(KEY_A, 4000)
    resource.setrlimit(resource.RLIMIT_FSIZE, old)
    assert refused and scene.files() == [KEY_A]
    assert scene.cache.get(KEY_A) == make(1, 500)


def test_full_disk(scene):
    """The mount is seen by a child alone, and goes with it."""
    def fill():
        become(ROOT)
        libc, private, new_mounts = ctypes.CDLL(None), 0x44000, 0x20000
        if (os.geteuid() != ROOT or libc.unshare(new_mounts)
                or libc.mount(None, b"/", None, private, None)
                or libc.mount(b"blur", scene.top.encode(), b"tmpfs", 0, b"size=64k,mode=0777")):
            return MISSING
        become(NOBODY)
        cache = scene.cache
        cache.put(KEY_A, make(1, 20000))
        assert cache.refuses(KEY_B, 60000) and cache.refuses(KEY_A, 60000)
        assert scene.files() == [KEY_A] and cache.get(KEY_A) == make(1, 20000)
        cache.put(KEY_B, make(2, 20000))
        assert cache.get(KEY_B) == make(2, 20000)
        return 0

    status = wait_for(run_child(fill))
    if status == MISSING:
        pytest.skip("no right to mount a small disk")
    assert status == 0


# ---- the bound ----

WHOLE = 1000 + SUM


def list_present(scene, n):
    return "".join(str(int(os.path.exists(scene.path(number(i))))) for i in range(n))


def test_eviction(scene):
    """Four entries fit. They are the older the lower their number, until one is used."""
    cache, n = Cache(scene.folder, 4 * WHOLE), 0
    for used, size, present in [
            (None, 1000, "1111"),  # four, and nothing else yet
            (0, 1000, "10111"),  # 1 is now the oldest
            (None, 1000, "100111"),
            (3, 2000, "0001011"),  # twice the size: two go, and 3 has been used since
            (None, 4000, "00000001"),  # 7 is as large as the cache, but for a few bytes
            (None, 1, "000000011"),
            (None, 1000, "0000000011")]:
        time.sleep(0.02)  # the clock of files ticks every 4 to 10 ms
        assert used is None or cache.get(number(used)) is not None
        first = n == 0
        while n < len(present):
            cache.put(number(n), make(n, size))
            if first:
                set_age(scene.path(number(n)), 1000 - 10 * n)
            n += 1
        assert list_present(scene, n) == present


def test_future(scene):
    """A clock that was wrong must not evict an entry that was just put, nor other people's files;
    nor one that is put once the clock is right again."""
    cache, readme = Cache(scene.folder, 2 * WHOLE), f"{scene.folder}/README"
    for i in range(3):
        cache.put(number(i), make(i, 1000))
        set_age(scene.path(number(i)), -100000 - 10 * i)
        if i == 0:
            write(readme, 5000 * b"x")
    assert list_present(scene, 3) == "011" and os.path.exists(readme)
    for i in range(3, 6):
        cache.put(number(i), make(i, 1000))
        assert cache.get(number(i)) == make(i, 1000)
        assert len(scene.files()) == 3  # the limit's two, and README


# ---- many processes ----


def test_leftovers(scene):
    """A process is killed in the middle of a put. What it leaves may be a put under way: it stays
    for an hour."""
    def die_in_put():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        scene.cache.put(KEY_B, make(1, 5000))

    scene.cache.put(KEY_A, make(1, 100))
    assert wait_for(run_child(die_in_put)) == -signal.SIGXFSZ
    leftover, = set(scene.files()) - {KEY_A}
    assert scene.cache.get(KEY_B) is None
    set_age(scene.path(leftover), 3000)
    scene.cache.put(KEY_A, make(2, 100))
    assert leftover in scene.files()
    set_age(scene.path(leftover), 4000)
    scene.cache.put(KEY_A, make(3, 100))
    assert scene.files() == [KEY_A] and scene.cache.get(KEY_A) == make(3, 100)


def make_self_checking(seed):
    """An entry that describes itself: it begins with the seed of its size and bytes."""
    return seed.to_bytes(4, "little") + make(seed, seed % 5000)


def is_whole(data):
    return data == make_self_checking(int.from_bytes(data[:4], "little"))


def hammer(scene, seed):
    """Gets and puts a few keys at random; the cache holds only some of them."""
    cache, rng, hits = Cache(scene.folder, 16000), random.Random(seed), 0
    for i in range(1500):
        key = number(rng.randrange(8))
        if i % 3 == 0:
            cache.put(key, make_self_checking(rng.randrange(1 << 32)))
        elif data := cache.get(key):
            assert is_whole(data)
            hits += 1
    assert hits


def vandalise(scene, seed):
    """Overwrites bytes of entries in place, as a failing disk would."""
    rng = random.Random(seed)
    for i in range(3000):
        with contextlib.suppress(FileNotFoundError):
            fd = os.open(scene.path(number(rng.randrange(8))), os.O_WRONLY)
            if i % 2:
                os.pwrite(fd, bytes([i % 256]), rng.randrange(200))
            else:
                os.ftruncate(fd, rng.randrange(300))
            os.close(fd)
        time.sleep(0.0003)


@pytest.mark.parametrize("third", [hammer, vandalise])
def test_processes(scene, third):
    pids = [run_child(lambda: (third if i == 2 else hammer)(scene, SEED + i)) for i in range(3)]
    assert [wait_for(pid) for pid in pids] == [0, 0, 0]
    assert len(scene.files()) <= 8


def test_crowd(scene):
    """Many processes at once, and not even the folder is there. Each gets the entries that exist,
    and puts the others; then all exist."""
    start, end = os.pipe()

    def share():
        os.close(end)
        os.read(start, 1)  # until all are there
        cache = Cache(scene.folder)
        for n in range(8):
            if data := cache.get(number(n)):
                assert is_whole(data)
            else:
                cache.put(number(n), make_self_checking(n))
            assert cache.get(number(n)) == make_self_checking(n)

    pids = [run_child(share) for _ in range(50)]
    os.close(start)
    os.close(end)
    assert {wait_for(pid) for pid in pids} == {0}
    assert len(scene.files()) == 8
