"""Other libraries' blurs and convolutions, for filters.py: CuPy and NPP on the GPU, data resident,
by the device's own clock, and OpenCV on the CPU. All take the samples as they are stored, alpha
like a colour. Each result on the GPU is compared with sums in double precision at some pixels; one
that is wrong is no figure."""

import ctypes
import glob
import importlib
import math
import time

import numpy as np

from picture import make_picture

WARM_UPS = 2
BUDGET = 3000.0  # milliseconds for all calls of one figure
REACH = 4.0  # sigmas, where the library leaves that to its caller
CHECKED = 16  # pixels of a result, besides its corners
SUM_MOST = 63  # the largest matrix


# ---- results


def make_weights(sigma):
    radius = math.ceil(REACH * sigma)
    weights = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    return (weights / weights.sum()).astype(np.float32)


def get_bilateral(case):
    """The radius of the window, sigma, and delta in the values of samples; of opaque RGB."""
    words = dict(word.split("=") for word in case.words[1:])
    white = 255.0 if case.form == "u8" else 1.0
    return int(case.size), float(words["sigma"]), float(words["delta"]) * white


def get_matrix(case):
    size = int(case.size)
    return np.array(case.matrix, np.float32).reshape(size, size)


def define(picture, x, y, matrix):
    """The matrix over the pixels around x, y."""
    height, width = picture.shape[:2]
    half = len(matrix) // 2
    ys, xs = np.arange(y - half, y + half + 1), np.arange(x - half, x + half + 1)
    part = picture[np.ix_(ys.clip(0, height - 1), xs.clip(0, width - 1))].astype(np.float64)
    return np.einsum("yx,yxc->c", matrix, part)


def find_error(picture, result, matrix):
    """The largest error, in parts of white and of the sum of the matrix's magnitudes."""
    height, width = picture.shape[:2]
    random = np.random.default_rng(7)
    places = [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)]
    places += [(random.integers(width), random.integers(height)) for _ in range(CHECKED)]
    errors = [np.abs(result[y, x] - define(picture, x, y, matrix)).max() for x, y in places]
    white = 255.0 if picture.dtype == np.uint8 else 1.0
    return max(errors) / (white * np.abs(matrix).sum()) if np.isfinite(errors).all() else math.inf


def check(what, picture, result, bound, matrix):
    """Returns whether the result is right."""
    error = find_error(picture, result, matrix)
    if not error <= bound:
        print(f"# {what}: WRONG, by {error:.2g}", flush=True)
    return error <= bound


def check_gaussian(what, case, picture, result):
    weights = make_weights(float(case.size))
    bound = 2.0 / 255 if case.form == "u8" else 1e-4
    return len(weights) > 999 or check(what, picture, result, bound, np.outer(weights, weights))


# ---- clocks


def time_all(time_runs, repeats):
    """time_runs (n) gives the milliseconds of n runs."""
    warm = time_runs(WARM_UPS)[-1]
    if repeats * warm > BUDGET:
        repeats = min(repeats, max(3, int(BUDGET / warm)))
    return time_runs(repeats)


class Peer:
    """prepare (case, picture) gives a function that does the case, or None if the library does not.
    A result that check does not find right gives no figure."""

    device = "resident"
    processors = [0]  # milliseconds of the last figure

    def __init__(self):
        self.forms = {}

    def get_picture(self, case):
        key = case.picture, case.form
        if key not in self.forms:
            self.forms = {key: make_picture(*case.picture, case.form)}
            self.load(self.forms[key])
        return self.forms[key]

    def load(self, picture):
        """Puts a new picture where the library reads it."""

    def measure(self, case, repeats):
        """Milliseconds, or None."""
        run = self.prepare(case, self.get_picture(case))
        times = run and time_all(lambda n: self.time(run, n), repeats)
        return times if times and self.check(f"{self.name} {case.size}", case) else None


class OnCupy(Peer):
    def __init__(self):
        super().__init__()
        self.cupy = importlib.import_module("cupy")
        device = self.cupy.cuda.runtime.getDeviceProperties(0)
        self.about = f"CuPy: {self.cupy.__version__}, {device['name'].decode()}"

    def load(self, picture):
        self.source = self.cupy.asarray(picture)
        self.result = self.cupy.empty_like(self.source)

    def time(self, run, count):
        events = [self.cupy.cuda.Event() for _ in range(count + 1)]
        events[0].record()
        for event in events[1:]:
            run()
            event.record()
        events[-1].synchronize()
        return [self.cupy.cuda.get_elapsed_time(a, b) for a, b in zip(events, events[1:])]


# ---- the Gaussian


class Copy(OnCupy):
    name = "a copy on the device"

    def prepare(self, case, picture):
        if case.peer != "copy":
            return None
        return lambda: self.cupy.copyto(self.result, self.source)

    def check(self, what, case):
        return True


class CupyGaussian(OnCupy):
    name = "CuPy"

    def prepare(self, case, picture):
        if case.peer != "gaussian":
            return None
        blur = importlib.import_module("cupyx.scipy.ndimage").gaussian_filter
        sigma = float(case.size)
        return lambda: blur(self.source, (sigma, sigma, 0), output=self.result, mode="nearest",
                            truncate=REACH)

    def check(self, what, case):
        return check_gaussian(what, case, self.get_picture(case), self.result.get())


class OpenCV(Peer):
    name, device = "OpenCV", "cpu"

    def __init__(self, threads):
        super().__init__()
        self.cv2 = importlib.import_module("cv2")
        if threads:
            self.cv2.setNumThreads(threads)
        self.about = f"OpenCV: {self.cv2.__version__}, {self.cv2.getNumThreads()} threads"

    def prepare(self, case, picture):
        edge = self.cv2.BORDER_REPLICATE
        if case.peer == "gaussian":
            return lambda: self.cv2.GaussianBlur(picture, (0, 0), float(case.size), borderType=edge)
        if case.peer == "matrix" and int(case.size) <= SUM_MOST:
            matrix = get_matrix(case)
            return lambda: self.cv2.filter2D(picture, -1, matrix, borderType=edge)
        if case.peer == "bilateral":
            radius, sigma, delta = get_bilateral(case)
            colors = np.ascontiguousarray(picture[..., :3])
            return lambda: self.cv2.bilateralFilter(colors, 2 * radius + 1, delta, sigma,
                                                    borderType=edge)
        return None

    def time(self, run, count):
        times, self.processors = [], []
        for _ in range(count):
            start, processors = time.perf_counter(), time.process_time()
            run()
            times.append((time.perf_counter() - start) * 1e3)
            self.processors.append((time.process_time() - processors) * 1e3)
        return times

    def check(self, what, case):
        return True  # it has kernels of its own size


class Pair(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_int)]


class Context(ctypes.Structure):
    """NppStreamContext."""
    _fields_ = [("stream", ctypes.c_void_p), ("device", ctypes.c_int),
                ("multiprocessors", ctypes.c_int), ("threads_per_multiprocessor", ctypes.c_int),
                ("threads_per_block", ctypes.c_int), ("shared_per_block", ctypes.c_size_t),
                ("major", ctypes.c_int), ("minor", ctypes.c_int),
                ("stream_flags", ctypes.c_uint), ("reserved", ctypes.c_int)]


class Npp(OnCupy):
    """Gaussians of floats by rows, then columns, of bytes by FilterGaussAdvanced; dense matrices
    over floats by FilterBorder; soft edges by FilterBilateralGaussBorder."""

    name = "NPP"

    def __init__(self):
        super().__init__()
        names = glob.glob("/usr/local/cuda/lib64/libnppif.so.*")
        self.library = ctypes.CDLL(sorted(names)[0] if names else "libnppif.so")
        about = self.cupy.cuda.runtime.getDeviceProperties(0)
        self.context = Context(None, 0, about["multiProcessorCount"],
                               about["maxThreadsPerMultiProcessor"], about["maxThreadsPerBlock"],
                               about["sharedMemPerBlock"], about["major"], about["minor"], 0, 0)

    def call(self, name, source, result, *rest):
        height, width = source.shape[:2]
        size, step = Pair(width, height), source.strides[0]
        status = getattr(self.library, name)(
            ctypes.c_void_p(source.data.ptr), step, size, Pair(0, 0),
            ctypes.c_void_p(result.data.ptr), step, size, *rest, 2, self.context)  # edges repeated
        if status != 0:
            raise RuntimeError(f"NPP: {status}")

    def prepare(self, case, picture):
        if case.peer == "gaussian":
            return self.prepare_gaussian(case)
        if case.peer == "bilateral":
            return self.prepare_bilateral(case)
        if case.peer != "matrix" or case.form != "float" or int(case.size) > SUM_MOST:
            return None
        size = int(case.size)
        turned = self.cupy.asarray(get_matrix(case)[::-1, ::-1].copy())  # NPP turns it
        return lambda: self.call(
            "nppiFilterBorder_32f_C4R_Ctx", self.source, self.result,
            ctypes.c_void_p(turned.data.ptr), Pair(size, size), Pair(size // 2, size // 2))

    def prepare_bilateral(self, case):
        radius, sigma, delta = get_bilateral(case)
        source = self.cupy.ascontiguousarray(self.source[..., :3])
        result = self.cupy.empty_like(source)
        name = f"nppiFilterBilateralGaussBorder_{'32f' if case.form == 'float' else '8u'}_C3R_Ctx"
        squares = ctypes.c_float(delta ** 2), ctypes.c_float(sigma ** 2)
        return lambda: self.call(name, source, result, radius, 1, *squares)

    def prepare_gaussian(self, case):
        weights = self.cupy.asarray(make_weights(float(case.size)))
        taps, at = len(weights), ctypes.c_void_p(weights.data.ptr)
        half = self.cupy.empty_like(self.source)

        def run_float():
            self.call("nppiFilterRowBorder_32f_C4R_Ctx", self.source, half, at, taps, taps // 2)
            self.call("nppiFilterColumnBorder_32f_C4R_Ctx", half, self.result, at, taps, taps // 2)

        def run_bytes(kept=weights):  # which `at` points to
            self.call("nppiFilterGaussAdvancedBorder_8u_C4R_Ctx", self.source, self.result, taps,
                      at)

        return run_float if case.form == "float" else run_bytes

    def check(self, what, case):
        picture, result = self.get_picture(case), self.result.get()
        if case.peer == "gaussian":
            return check_gaussian(what, case, picture, result)
        if case.peer == "bilateral":
            return True  # its windows are round
        return check(what, picture, result, 1e-4, get_matrix(case))


KINDS = {"copy": Copy, "cupy": CupyGaussian, "npp": Npp, "opencv": OpenCV}


def find_peers(names, threads):
    """Those of names that are installed. threads: of the CPU."""
    peers, said = [], set()
    for name in names:
        try:
            peers.append(KINDS[name](*[threads] if name == "opencv" else []))
            said.add(peers[-1].about)
        except Exception as error:  # a library without its GPU or its driver fails in its own ways
            said.add(f"{name}: {error}".splitlines()[0])
    for line in sorted(said):
        print("#", line, flush=True)
    return peers
