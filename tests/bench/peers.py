"""Other libraries' blurs and convolutions, for filters.py: CuPy, torch and torchvision, NPP and
VkFFT on the GPU, data resident, by the device's own clock, and OpenCV on the CPU. All take the
samples as they are stored, alpha like a colour. Each result on the GPU is compared with sums in
double precision at some pixels; one that is wrong is no figure.

Everything is counted that lies between RGBA pixels and RGBA pixels, so also planes and transforms.
A matrix's spectrum is ready, but for fftconvolve, which makes it in each call."""

import ctypes
import glob
import importlib
import math
import statistics
import time

import numpy as np

WARM_UPS = 2
BUDGET = 3000.0  # milliseconds for all calls of one figure
REACH = 4.0  # sigmas, where the library leaves that to its caller
CHECKED = 16  # pixels of a result, besides its corners
FFT_LEAST = 21  # the smallest matrix for those that transform
SUM_MOST = 63  # the largest for those that do not


# ---- the picture, as picture.c makes it


def multiply(h, factor):
    """The low 32 bits of the product, which itself may be over 63 bits."""
    low, high = h & 0xFFFF, h >> 16
    return (low * factor + ((high * factor & 0xFFFF) << 16)) & 0xFFFFFFFF


def make_noise(x, y, c):
    mask = 0xFFFFFFFF
    h = (x * 0x9E3779B1 & mask) ^ (y * 0x85EBCA77 & mask) ^ (c * 0xC2B2AE3D & mask)
    h ^= h >> 15
    h = multiply(h, 0x2C1B3C6D)
    h ^= h >> 12
    h = multiply(h, 0x297A2D39)
    return h ^ h >> 15


def make_picture(width, height, form):
    """RGBA as it is stored: bytes, words, or floats from 0 to 1."""
    x = np.arange(width, dtype=np.int64)[None, :, None]
    y = np.arange(height, dtype=np.int64)[:, None, None]
    c = np.arange(3, dtype=np.int64)[None, None, :]
    color = x * 160 // width + y * 95 // height + 0 * c
    color = np.where((x // 40 + y // 30) % 5 == c, 255 - color, color)
    color = np.clip(color + make_noise(x, y, c) % 33 - 16, 0, 255)
    t = x * 1024 // width + 0 * y
    alpha = np.where(t < 860, 255 - (t - 700) * 255 // 160, (x // 64 + y // 64) % 2 * 255)
    alpha = np.where(t < 700, 255, alpha)
    picture = np.ascontiguousarray(np.concatenate([color, alpha], axis=2).astype(np.uint8))
    if form == "u16":
        return picture.astype(np.uint16) * 257
    return picture if form == "u8" else picture.astype(np.float32) / 255


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


def define(picture, x, y, rows, columns, black):
    """The matrix rows x columns, or the matrix rows if columns is None, over the pixels at x, y."""
    height, width = picture.shape[:2]
    half_y, half_x = len(rows) // 2, (len(rows[0]) if columns is None else len(columns)) // 2
    ys, xs = np.arange(y - half_y, y + half_y + 1), np.arange(x - half_x, x + half_x + 1)
    part = picture[np.ix_(ys.clip(0, height - 1), xs.clip(0, width - 1))].astype(np.float64)
    if black:
        part[(ys < 0) | (ys >= height)] = 0
        part[:, (xs < 0) | (xs >= width)] = 0
    if columns is None:
        return np.einsum("yx,yxc->c", rows, part)
    return np.einsum("y,x,yxc->c", rows, columns, part)


def find_error(picture, result, rows, columns=None, black=False):
    """The largest error, in parts of white and of the sum of the matrix's magnitudes."""
    height, width = picture.shape[:2]
    random = np.random.default_rng(7)
    places = [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)]
    places += [(random.integers(width), random.integers(height)) for _ in range(CHECKED)]
    errors = [np.abs(result[y, x] - define(picture, x, y, rows, columns, black)).max()
              for x, y in places]
    white = 255.0 if picture.dtype == np.uint8 else 1.0
    weight = np.abs(rows).sum() if columns is None else 1.0
    return max(errors) / (white * weight) if np.isfinite(errors).all() else math.inf


def check(what, picture, result, bound, *definition, **edges):
    """Returns whether the result is right."""
    error = find_error(picture, result, *definition, **edges)
    if not error <= bound:
        print(f"# {what}: WRONG, by {error:.2g}", flush=True)
    return error <= bound


def check_gaussian(what, case, picture, result):
    weights = make_weights(float(case.size))
    bound = 2.0 / 255 if case.form == "u8" else 1e-4
    return len(weights) > 999 or check(what, picture, result, bound, weights, weights)


# ---- clocks


def time_all(time_runs, repeats):
    """time_runs (n) gives the milliseconds of n runs."""
    warm = time_runs(WARM_UPS)[-1]
    if repeats * warm > BUDGET:
        repeats = min(repeats, max(3, int(BUDGET / warm)))
    return time_runs(repeats)


class Peer:
    """prepare (case, picture) gives {text: run} of the ways to do the case; empty if the library
    does not do it. The fastest that check finds right is the figure."""

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
        """[(name, milliseconds)]"""
        best = None
        for text, run in self.prepare(case, self.get_picture(case)).items():
            times = time_all(lambda n: self.time(run, n), repeats)
            right = self.check(f"{self.name} {case.size} {text}", case, run)
            if right and (not best or statistics.median(times) < statistics.median(best)):
                best = times
        return [(self.name, best)] if best else []


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


class OnTorch(Peer):
    def __init__(self):
        super().__init__()
        self.torch = importlib.import_module("torch")
        self.torch.backends.cudnn.benchmark = True
        self.torch.backends.cudnn.allow_tf32 = False
        self.about = f"torch: {self.torch.__version__}, {self.torch.cuda.get_device_name(0)}"

    def load(self, picture):
        self.pixels = self.torch.from_numpy(picture).cuda()
        self.planes = self.pixels.permute(2, 0, 1).contiguous()

    def time(self, run, count):
        events = [self.torch.cuda.Event(enable_timing=True) for _ in range(count + 1)]
        events[0].record()
        for event in events[1:]:
            run()
            event.record()
        self.torch.cuda.synchronize()
        return [a.elapsed_time(b) for a, b in zip(events, events[1:])]


# ---- the Gaussian


class Copy(OnCupy):
    name = "a copy on the device"

    def prepare(self, case, picture):
        if case.table != "copy":
            return {}
        return {"": lambda: self.cupy.copyto(self.result, self.source)}

    def check(self, what, case, run):
        return True


class CupyGaussian(OnCupy):
    name = "CuPy"

    def prepare(self, case, picture):
        blur = importlib.import_module("cupyx.scipy.ndimage").gaussian_filter
        sigma = float(case.size)
        return {"": lambda: blur(self.source, (sigma, sigma, 0), output=self.result, mode="nearest",
                                 truncate=REACH)} if case.table == "gaussian" else {}

    def check(self, what, case, run):
        return check_gaussian(what, case, self.get_picture(case), self.result.get())


class Torchvision(OnTorch):
    name = "torchvision"

    def prepare(self, case, picture):
        blur = importlib.import_module("torchvision.transforms.functional").gaussian_blur
        sigma = float(case.size)
        taps = 2 * math.ceil(REACH * sigma) + 1
        return {"": lambda: blur(self.planes, taps, sigma)} if case.table == "gaussian" else {}

    def check(self, what, case, run):
        return True  # it mirrors the edges


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
        if case.table == "gaussian":
            return {"": lambda: self.cv2.GaussianBlur(picture, (0, 0), float(case.size),
                                                      borderType=edge)}
        if case.table == "dense" and int(case.size) <= SUM_MOST:
            matrix = get_matrix(case)
            return {"": lambda: self.cv2.filter2D(picture, -1, matrix, borderType=edge)}
        if case.table == "selective-soft":
            radius, sigma, delta = get_bilateral(case)
            colors = np.ascontiguousarray(picture[..., :3])
            return {"": lambda: self.cv2.bilateralFilter(colors, 2 * radius + 1, delta, sigma,
                                                         borderType=edge)}
        return {}

    def time(self, run, count):
        times, self.processors = [], []
        for _ in range(count):
            start, processors = time.perf_counter(), time.process_time()
            run()
            times.append((time.perf_counter() - start) * 1e3)
            self.processors.append((time.process_time() - processors) * 1e3)
        return times

    def check(self, what, case, run):
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
        if case.table == "gaussian":
            return {"": self.prepare_gaussian(case)}
        if case.table == "selective-soft":
            return {"": self.prepare_bilateral(case)}
        if case.table != "dense" or case.form != "float" or int(case.size) > SUM_MOST:
            return {}
        size = int(case.size)
        turned = self.cupy.asarray(get_matrix(case)[::-1, ::-1].copy())  # NPP turns it
        return {"": lambda: self.call(
            "nppiFilterBorder_32f_C4R_Ctx", self.source, self.result,
            ctypes.c_void_p(turned.data.ptr), Pair(size, size), Pair(size // 2, size // 2))}

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

    def check(self, what, case, run):
        picture, result = self.get_picture(case), self.result.get()
        if case.table == "gaussian":
            return check_gaussian(what, case, picture, result)
        if case.table == "selective-soft":
            return True  # its windows are round
        return check(what, picture, result, 1e-4, get_matrix(case))


# ---- dense matrices


class CuDnn(OnTorch):
    name = "cuDNN (torch depthwise)"

    def prepare(self, case, picture):
        if case.table != "dense" or case.form != "float" or int(case.size) > SUM_MOST:
            return {}
        matrix = self.torch.tensor(get_matrix(case), device="cuda")
        weight = matrix.expand(4, 1, *matrix.shape).contiguous()
        return {"": lambda: self.torch.nn.functional.conv2d(
            self.planes[None], weight, padding=len(matrix) // 2, groups=4)}

    def check(self, what, case, run):
        result = run()[0].permute(1, 2, 0).cpu().numpy()
        return check(what, self.get_picture(case), result, 1e-5, get_matrix(case), black=True)


def get_rest(number, factors):
    for factor in factors:
        while number % factor == 0:
            number //= factor
    return number


def find_short_length(least):
    """A multiple of 16 of the factors 2, 3, 5 and 7."""
    number = (least + 15) // 16 * 16
    while get_rest(number, (2, 3, 5, 7)) != 1:
        number += 16
    return number


def find_plain_length(least):
    """A power of two, or that times 3, 5 or 9."""
    numbers = [64 * factor for factor in (1, 3, 5, 9)]
    return min(number << max(0, (-(-least // number) - 1).bit_length()) for number in numbers)


def find_lengths(case, margin):
    """The pairs of columns and rows to try."""
    x, y = (side + margin for side in case.picture)
    return [(find_short_length(x), find_short_length(y)),
            (find_plain_length(x), find_plain_length(y))]


def lay_out_matrix(matrix, columns, rows):
    """Around the origin, turned so that it is not flipped."""
    size = len(matrix)
    plane = np.zeros((rows, columns), np.float32)
    plane[:size, :size] = matrix[::-1, ::-1]
    return np.roll(plane, (-(size // 2), -(size // 2)), (0, 1))


def does_fft(case, table):
    return case.table == table and case.form == "float" and int(case.size) >= FFT_LEAST


class FftConvolve(OnCupy):
    name = "CuPy's `fftconvolve`"

    def prepare(self, case, picture):
        if not does_fft(case, "dense-none"):
            return {}
        fftconvolve = importlib.import_module("cupyx.scipy.signal").fftconvolve
        turned = self.cupy.asarray(get_matrix(case)[::-1, ::-1].copy())[None]

        def run():
            planes = self.cupy.ascontiguousarray(self.source.transpose(2, 0, 1))
            done = fftconvolve(planes, turned, mode="same", axes=(1, 2))
            self.result[...] = done.transpose(1, 2, 0)

        return {"its own lengths": run}

    def check(self, what, case, run):
        return check(what, self.get_picture(case), self.result.get(), 1e-5, get_matrix(case),
                     black=True)


KERNELS = r"""
extern "C" __global__ void pack (const float4 *pixels, float *planes, int width, int height,
                                 int columns, int rows)
{
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const size_t plane = (size_t) columns * rows, at = (size_t) y * columns + x;
  float4 pixel = { 0, 0, 0, 0 };

  if (x >= columns || y >= rows)
    return;
  if (x < width && y < height)
    pixel = pixels[y * width + x];
  planes[at] = pixel.x;
  planes[at + plane] = pixel.y;
  planes[at + 2 * plane] = pixel.z;
  planes[at + 3 * plane] = pixel.w;
}

extern "C" __global__ void unpack (const float *planes, float4 *pixels, int width, int height,
                                   int columns, int rows)
{
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const size_t plane = (size_t) columns * rows, at = (size_t) y * columns + x;

  if (x < width && y < height)
    pixels[y * width + x] = make_float4 (planes[at], planes[at + plane], planes[at + 2 * plane],
                                         planes[at + 3 * plane]);
}
"""


class CuFft(FftConvolve):
    name = "cuFFT by CuPy"

    def prepare(self, case, picture):
        return {f"{columns}x{rows}": self.prepare_lengths(get_matrix(case), columns, rows)
                for columns, rows in find_lengths(case, int(case.size) // 2)
                } if does_fft(case, "dense-none") else {}

    def prepare_lengths(self, matrix, columns, rows):
        cupy, fft = self.cupy, importlib.import_module("cupyx.scipy.fft")
        height, width = self.source.shape[:2]
        module = cupy.RawModule(code=KERNELS)
        pack, unpack = module.get_function("pack"), module.get_function("unpack")
        spectrum = fft.rfft2(cupy.asarray(lay_out_matrix(matrix, columns, rows)))
        spectrum *= np.float32(1.0 / (columns * rows))
        planes = cupy.empty((4, rows, columns), cupy.float32)
        about = tuple(np.int32(number) for number in (width, height, columns, rows))

        def run():
            pack((-(-columns // 32), -(-rows // 8)), (32, 8), (self.source, planes, *about))
            product = fft.rfft2(planes, axes=(1, 2))
            product *= spectrum
            done = fft.irfft2(product, s=(rows, columns), axes=(1, 2), norm="forward",
                              overwrite_x=True)
            unpack((-(-width // 32), -(-height // 8)), (32, 8), (done, self.result, *about))

        return run


class TorchFft(OnTorch):
    name = "`torch.fft`"

    def prepare(self, case, picture):
        return {f"{columns}x{rows}": self.prepare_lengths(get_matrix(case), columns, rows)
                for columns, rows in find_lengths(case, int(case.size) // 2)
                } if does_fft(case, "dense-none") else {}

    def prepare_lengths(self, matrix, columns, rows):
        fft = self.torch.fft
        height, width = self.pixels.shape[:2]
        spectrum = fft.rfft2(self.torch.from_numpy(lay_out_matrix(matrix, columns, rows)).cuda())

        def run():
            product = fft.rfft2(self.pixels.permute(2, 0, 1), s=(rows, columns))
            product *= spectrum
            done = fft.irfft2(product, s=(rows, columns))
            return done[:, :height, :width].permute(1, 2, 0).contiguous()

        return run

    def check(self, what, case, run):
        return check(what, self.get_picture(case), run().cpu().numpy(), 1e-5, get_matrix(case),
                     black=True)


class VkFft(Peer):
    """By the library that is built of vkfft.cu."""

    name = "VkFFT"

    def __init__(self, path):
        super().__init__()
        self.library = ctypes.CDLL(path)
        self.library.vkfft_get_error.restype = ctypes.c_char_p
        self.about = f"VkFFT: {self.library.vkfft_get_version()}"

    def call(self, done):
        if not done:
            raise RuntimeError(self.library.vkfft_get_error().decode())

    def load(self, picture):
        height, width = picture.shape[:2]
        self.result = np.empty_like(picture)
        self.call(self.library.vkfft_load(picture.ctypes.data_as(ctypes.c_void_p), width, height))

    def measure(self, case, repeats):
        clamp = case.table == "dense"
        if not does_fft(case, "dense" if clamp else "dense-none"):
            return []
        matrix, picture = get_matrix(case), self.get_picture(case)
        size, best = int(case.size), None
        for columns, rows in find_lengths(case, size - 1 if clamp else size // 2):
            for padding in ([False] if clamp else [True, False]):
                times = self.time(lay_out_matrix(matrix, columns, rows), size // 2 if clamp else 0,
                                  padding, repeats)
                what = f"VkFFT {size} {columns}x{rows}{' padded' if padding else ''}"
                if check(what, picture, self.result, 1e-5, matrix, black=not clamp):
                    best = min(best or times, times, key=lambda both: statistics.median(both[0]))
                    break  # its own padding saves time wherever it is right
        return list(zip((self.name, f"{self.name}, transforms alone"), best)) if best else []

    def time(self, plane, reach, padding, repeats):
        """The milliseconds of everything, and of the transforms alone."""
        rows, columns = plane.shape
        times = np.zeros((2, repeats + WARM_UPS), np.float32)
        pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in (plane, self.result, times)]
        self.call(self.library.vkfft_measure(pointers[0], columns, rows, reach, padding,
                                             pointers[1], repeats + WARM_UPS, pointers[2]))
        return times[:, WARM_UPS:].tolist()


KINDS = {"copy": Copy, "cupy": CupyGaussian, "torchvision": Torchvision, "npp": Npp, "cudnn": CuDnn,
         "cufft": CuFft, "torch-fft": TorchFft, "fftconvolve": FftConvolve, "opencv": OpenCV,
         "vkfft": VkFft}


def find_peers(names, vkfft, threads):
    """Those of names that are installed. vkfft: the library of vkfft.cu; threads: of the CPU."""
    peers, said = [], set()
    arguments = {"opencv": [threads], "vkfft": [vkfft or "libbench-vkfft.so"]}
    for name in names:
        try:
            peers.append(KINDS[name](*arguments.get(name, [])))
            said.add(peers[-1].about)
        except Exception as error:  # a library without its GPU or its driver fails in its own ways
            said.add(f"{name}: {error}".splitlines()[0])
    for line in sorted(said):
        print("#", line, flush=True)
    return peers
