#!/usr/bin/env python3
"""The blurs of Python's libraries: CuPy and torchvision on the GPU, OpenCV on the CPU.

Prints a figure a line, as the other benchmarks do (bench.h): what, width, height, format, sigma,
device, median, minimum, maximum, count. Lines that start with # say what was measured. Each
library is measured where it is installed. They blur RGBA samples as they are stored, alpha like a
colour.
"""

import argparse
import importlib
import math
import statistics
import sys
import time

TOO_LONG = 2000.0  # milliseconds that one call may take
BUDGET = 3000.0  # for all calls of one figure
WARM_UP = 2
REACH = 4.0  # sigmas, where the library leaves that to its caller


def load(name):
    """The module, or None with a line that says why it is not there."""
    try:
        return importlib.import_module(name)
    except Exception as error:  # a library without its GPU or its driver fails in its own ways
        print(f"# {name}: {error}".splitlines()[0])
        return None


# ---- pictures, as picture.c makes them


def make_picture(np, width, height):
    """RGBA, 8-bit."""
    x = np.arange(width, dtype=np.int64)[None, :, None]
    y = np.arange(height, dtype=np.int64)[:, None, None]
    c = np.arange(3, dtype=np.int64)[None, None, :]
    color = x * 160 // width + y * 95 // height + 0 * c
    color = np.where((x // 40 + y // 30) % 5 == c, 255 - color, color)
    color = np.clip(color + make_noise(np, x, y, c) % 33 - 16, 0, 255)
    t = x * 1024 // width + 0 * y
    alpha = np.where(t < 860, 255 - (t - 700) * 255 // 160, (x // 64 + y // 64) % 2 * 255)
    alpha = np.where(t < 700, 255, alpha)
    return np.ascontiguousarray(np.concatenate([color, alpha], axis=2).astype(np.uint8))


def make_noise(np, x, y, c):
    mask = 0xFFFFFFFF
    h = (x * 0x9E3779B1 & mask) ^ (y * 0x85EBCA77 & mask) ^ (c * 0xC2B2AE3D & mask)
    h ^= h >> 15
    h = multiply(h, 0x2C1B3C6D)
    h ^= h >> 12
    h = multiply(h, 0x297A2D39)
    return h ^ h >> 15


def multiply(h, factor):
    """The low 32 bits of the product, which itself may be over 63 bits."""
    low, high = h & 0xFFFF, h >> 16
    return (low * factor + ((high * factor & 0xFFFF) << 16)) & 0xFFFFFFFF


# ---- the libraries: each gives run(sigma), which starts a blur, and a clock


class Cupy:
    what, device, growth = "cupy", "gpu", 1.0

    def __init__(self, np):
        self.cupy = importlib.import_module("cupy")
        self.filter = importlib.import_module("cupyx.scipy.ndimage").gaussian_filter
        self.cupy.cuda.runtime.getDeviceCount()
        name = self.cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
        print(f"# CuPy: {self.cupy.__version__}, {name}")

    def begin(self, pixels):
        self.source = self.cupy.asarray(pixels)
        self.result = self.cupy.empty_like(self.source)

    def run(self, sigma):
        self.filter(self.source, (sigma, sigma, 0), output=self.result, mode="nearest",
                    truncate=REACH)

    def time(self, sigma, count):
        events = [self.cupy.cuda.Event() for _ in range(count + 1)]
        events[0].record()
        for event in events[1:]:
            self.run(sigma)
            event.record()
        events[-1].synchronize()
        return [self.cupy.cuda.get_elapsed_time(a, b) for a, b in zip(events, events[1:])]


class Torchvision:
    what, device, growth = "torchvision", "gpu", 2.0

    def __init__(self, np):
        self.torch = importlib.import_module("torch")
        torchvision = importlib.import_module("torchvision")
        self.blur = importlib.import_module("torchvision.transforms.functional").gaussian_blur
        name = self.torch.cuda.get_device_name(0)
        print(f"# torchvision: {torchvision.__version__}, {name}")

    def begin(self, pixels):
        planes = self.torch.from_numpy(pixels).permute(2, 0, 1).contiguous()
        self.source = planes.cuda()

    def run(self, sigma):
        self.blur(self.source, 2 * math.ceil(REACH * sigma) + 1, sigma)

    def time(self, sigma, count):
        events = [self.torch.cuda.Event(enable_timing=True) for _ in range(count + 1)]
        events[0].record()
        for event in events[1:]:
            self.run(sigma)
            event.record()
        self.torch.cuda.synchronize()
        return [a.elapsed_time(b) for a, b in zip(events, events[1:])]


class OpenCV:
    what, device, growth = "opencv", "cpu", 1.0

    def __init__(self, np):
        self.cv2 = importlib.import_module("cv2")
        print(f"# OpenCV: {self.cv2.__version__}, {self.cv2.getNumThreads()} threads")

    def begin(self, pixels):
        self.source = pixels

    def run(self, sigma):
        return self.cv2.GaussianBlur(self.source, (0, 0), sigma,
                                     borderType=self.cv2.BORDER_REPLICATE)

    def time(self, sigma, count):
        times = []
        for _ in range(count):
            start = time.perf_counter()
            self.run(sigma)
            times.append((time.perf_counter() - start) * 1e3)
        return times


# ---- figures


def print_figure(what, width, height, name, sigma, device, values):
    figures = (statistics.median(values), min(values), max(values))
    columns = [what, width, height, name, f"{sigma:g}", device]
    print(*columns, *(f"{figure:.6g}" for figure in figures), len(values), sep="\t", flush=True)


def measure_sigma(peer, sigma, count):
    warm = peer.time(sigma, WARM_UP)[-1]
    if count * warm > BUDGET:
        count = min(count, max(3, int(BUDGET / warm)))
    return peer.time(sigma, count)


def measure_times(peer, name, pixels, options, deadline):
    """All sigmas, ascending, up to the first that would take too long or is refused."""
    height, width = pixels.shape[:2]
    last = None
    peer.begin(pixels)
    for sigma in options.sigmas:
        if last and last[1] * (sigma / last[0]) ** peer.growth > TOO_LONG:
            break
        if time.monotonic() > deadline:
            break
        try:
            times = measure_sigma(peer, sigma, options.repeats)
        except Exception as error:  # too large a kernel, no memory
            print(f"peers.py: {peer.what}, sigma {sigma:g}: {error}".splitlines()[0],
                  file=sys.stderr)
            break
        last = (sigma, statistics.median(times))
        print_figure(peer.what, width, height, name, sigma, peer.device, times)


def make_reference(np, values, sigma):
    """A convolution in double precision out to 6 sigma, edges repeated."""
    radius = math.ceil(6 * sigma)
    weights = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    weights /= weights.sum()
    for axis in (0, 1):
        padding = [(radius, radius) if a == axis else (0, 0) for a in range(3)]
        padded = np.pad(values, padding, mode="edge")
        length = values.shape[axis]
        part = [slice(None)] * 3
        result = np.zeros_like(values)
        for k, weight in enumerate(weights):
            part[axis] = slice(k, k + length)
            result += weight * padded[tuple(part)]
        values = result
    return values


def measure_errors(np, opencv, options, deadline):
    """OpenCV blurs samples as stored, and so does its reference; no alpha."""
    width, height = options.error_size
    picture = np.ascontiguousarray(make_picture(np, width, height)[:, :, :3])
    for sigma in options.error_sigmas:
        if time.monotonic() > deadline:
            break
        reference = make_reference(np, picture / 255.0, sigma)
        opencv.begin(picture)
        off = np.abs(opencv.run(sigma).astype(int) - np.rint(reference * 255.0).astype(int))
        opencv.begin((picture / 255.0).astype(np.float32))
        real = np.abs(opencv.run(sigma) - reference).max()
        for what, name, value in (
            ("levels", "rgb-u8", off.max()),
            ("exact", "rgb-u8", 100.0 * (off == 0).mean()),
            ("float", "rgb-float", real),
        ):
            print_figure(f"opencv-error-{what}", width, height, name, sigma, "cpu", [value])


# ---- options


def numbers(text):
    return sorted(float(item) for item in text.split(","))


def size(text):
    width, height = text.split("x")
    return int(width), int(height)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=size, default=(3840, 2160), metavar="WxH")
    parser.add_argument("--sigmas", type=numbers,
                        default=numbers("0.5,1.5,2,3,6,8,10,50,100,200,1000"))
    parser.add_argument("--error-size", type=size, default=(640, 480), metavar="WxH")
    parser.add_argument("--error-sigmas", type=numbers, default=numbers("0.5,1.5,3,10,50"))
    parser.add_argument("--repeats", type=int, default=31, help="timed calls a figure")
    parser.add_argument("--seconds", type=float, default=0,
                        help="then begin nothing new; 0: no limit")
    return parser.parse_args()


def main():
    options = parse()
    deadline = time.monotonic() + options.seconds if options.seconds > 0 else math.inf
    np = load("numpy")
    if np is None:
        return
    picture = make_picture(np, *options.size)
    for kind in (Cupy, Torchvision, OpenCV):
        try:
            peer = kind(np)
        except Exception as error:
            print(f"# {kind.what}: {error}".splitlines()[0])
            continue
        measure_times(peer, "float", (picture / 255.0).astype(np.float32), options, deadline)
        measure_times(peer, "u8", picture, options, deadline)
        if kind is OpenCV:
            measure_errors(np, peer, options, deadline)


if __name__ == "__main__":
    main()
