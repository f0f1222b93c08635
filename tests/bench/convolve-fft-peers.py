#!/usr/bin/env python3
"""convolve-fft-peers.py [REPEATS]: what others take for large matrices by Fourier transforms of the
whole picture, data resident, milliseconds by the device's own clock: CuPy's fftconvolve, cuFFT
called from CuPy between kernels of this file, and torch.fft. 3840x2160 RGBA, floats, edges black.
vkfft.cu is the fourth. Prints what bench-convolve-paths prints.

Everything is counted that lies between RGBA pixels and RGBA pixels: planes, transforms, product.
The matrix's spectrum is ready, but for fftconvolve, which makes it in each call. Two pairs of
lengths are tried for each size, and the faster is printed; fftconvolve chooses its own. Each result
is compared with sums in double precision at some pixels."""

import importlib
import statistics
import sys

import numpy as np

WIDTH, HEIGHT = 3840, 2160
SIZES = [21, 31, 63, 127, 255, 511, 1023]
REPEATS = int(sys.argv[1]) if len(sys.argv) > 1 else 9
WARM_UPS = 2
CHECKED = 64


def show(what, size, values):
    print(what, WIDTH, HEIGHT, "float", size, "gpu", statistics.median(values), min(values),
          max(values), len(values), sep="\t", flush=True)


def make_picture():
    return np.random.default_rng(1).random((HEIGHT, WIDTH, 4), dtype=np.float32)


def make_matrix(size):
    return (np.random.default_rng(size).random((size, size)) - 0.25).astype(np.float32)


# ---- lengths of the transforms


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


def find_lengths(size):
    x, y = WIDTH + size // 2, HEIGHT + size // 2
    return [(find_short_length(x), find_short_length(y)),
            (find_plain_length(x), find_plain_length(y))]


def lay_out_matrix(matrix, columns, rows):
    """Around the origin, turned so that it is not flipped."""
    size = len(matrix)
    plane = np.zeros((rows, columns), np.float32)
    plane[:size, :size] = matrix[::-1, ::-1]
    return np.roll(plane, (-(size // 2), -(size // 2)), (0, 1))


# ---- results


def find_error(picture, result, matrix):
    """The largest error, in parts of the sum of the matrix's magnitudes."""
    random = np.random.default_rng(7)
    size, half = len(matrix), len(matrix) // 2
    places = [(0, 0), (0, WIDTH - 1), (HEIGHT - 1, 0), (HEIGHT - 1, WIDTH - 1)]
    places += [(random.integers(HEIGHT), random.integers(WIDTH)) for _ in range(CHECKED)]
    padded = np.zeros((size, size, 4))
    errors = []
    for y, x in places:
        top, left = max(0, y - half), max(0, x - half)
        part = picture[top:y + half + 1, left:x + half + 1]
        padded[:] = 0
        padded[top - y + half:, left - x + half:][:part.shape[0], :part.shape[1]] = part
        wanted = (padded * matrix[:, :, None]).sum((0, 1))
        errors.append(np.abs(result[y, x] - wanted).max())
    return max(errors) / np.abs(matrix).sum() if np.isfinite(errors).all() else np.inf


def measure(what, size, runs, time, picture):
    """runs: (text, function that gives the result as RGBA) for each pair of lengths."""
    best = None
    for text, run in runs:
        values = time(run)
        result = run()
        error = find_error(picture, result.get() if hasattr(result, "get") else
                           result.cpu().numpy(), make_matrix(size))
        right = error < 1e-5
        print(f"# {what} {size}: {text}, {statistics.median(values):.3f} ms, error {error:.2g}"
              f"{'' if right else ': WRONG'}", flush=True)
        if right and (best is None or statistics.median(values) < statistics.median(best)):
            best = values
    if best is not None:
        show(what, size, best)


# ---- CuPy

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


def time_cupy(cupy, run):
    values = []
    for _ in range(WARM_UPS):
        run()
    for _ in range(REPEATS):
        start, end = cupy.cuda.Event(), cupy.cuda.Event()
        start.record()
        run()
        end.record()
        end.synchronize()
        values.append(cupy.cuda.get_elapsed_time(start, end))
    return values


def measure_fftconvolve(picture):
    cupy = importlib.import_module("cupy")
    fftconvolve = importlib.import_module("cupyx.scipy.signal").fftconvolve
    source, result = cupy.asarray(picture), cupy.empty(picture.shape, cupy.float32)
    print(f"# CuPy {cupy.__version__}")
    for size in SIZES:
        turned = cupy.asarray(make_matrix(size)[::-1, ::-1].copy())[None]

        def run():
            planes = cupy.ascontiguousarray(source.transpose(2, 0, 1))
            done = fftconvolve(planes, turned, mode="same", axes=(1, 2))
            result[...] = done.transpose(1, 2, 0)
            return result

        measure("cupy-fftconvolve", size, [("its own lengths", run)],
                lambda run: time_cupy(cupy, run), picture)


def make_cufft_run(cupy, fft, kernels, source, result, matrix, columns, rows):
    pack, unpack = kernels
    spectrum = fft.rfft2(cupy.asarray(lay_out_matrix(matrix, columns, rows)))
    spectrum *= np.float32(1.0 / (columns * rows))
    planes = cupy.empty((4, rows, columns), cupy.float32)
    about = (np.int32(WIDTH), np.int32(HEIGHT), np.int32(columns), np.int32(rows))
    blocks = (-(-columns // 32), -(-rows // 8))

    def run():
        pack(blocks, (32, 8), (source, planes, *about))
        product = fft.rfft2(planes, axes=(1, 2))
        product *= spectrum
        done = fft.irfft2(product, s=(rows, columns), axes=(1, 2), norm="forward",
                          overwrite_x=True)
        unpack((WIDTH // 32, HEIGHT // 8), (32, 8), (done, result, *about))
        return result

    return f"{columns}x{rows}", run


def measure_cufft(picture):
    cupy = importlib.import_module("cupy")
    fft = importlib.import_module("cupyx.scipy.fft")
    source, result = cupy.asarray(picture), cupy.empty(picture.shape, cupy.float32)
    module = cupy.RawModule(code=KERNELS)
    kernels = module.get_function("pack"), module.get_function("unpack")
    for size in SIZES:
        matrix = make_matrix(size)
        runs = [make_cufft_run(cupy, fft, kernels, source, result, matrix, *lengths)
                for lengths in find_lengths(size)]
        measure("cufft", size, runs, lambda run: time_cupy(cupy, run), picture)


# ---- torch


def time_torch(torch, run):
    values = []
    for _ in range(WARM_UPS):
        run()
    for _ in range(REPEATS):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        run()
        end.record()
        end.synchronize()
        values.append(start.elapsed_time(end))
    return values


def make_torch_run(torch, source, matrix, columns, rows):
    spectrum = torch.fft.rfft2(torch.from_numpy(lay_out_matrix(matrix, columns, rows)).cuda())

    def run():
        product = torch.fft.rfft2(source.permute(2, 0, 1), s=(rows, columns))
        product *= spectrum
        done = torch.fft.irfft2(product, s=(rows, columns))
        return done[:, :HEIGHT, :WIDTH].permute(1, 2, 0).contiguous()

    return f"{columns}x{rows}", run


def measure_torch(picture):
    torch = importlib.import_module("torch")
    source = torch.from_numpy(picture).cuda()
    print(f"# torch {torch.__version__}, {torch.cuda.get_device_name(0)}")
    for size in SIZES:
        matrix = make_matrix(size)
        runs = [make_torch_run(torch, source, matrix, *lengths) for lengths in find_lengths(size)]
        measure("torch-fft", size, runs, lambda run: time_torch(torch, run), picture)


def main():
    picture = make_picture()
    for name, run in (("CuPy's fftconvolve", measure_fftconvolve), ("cuFFT", measure_cufft),
                      ("torch.fft", measure_torch)):
        try:
            run(picture)
        except Exception as error:  # one that is missing leaves the others
            print(f"# {name}: {error}", flush=True)


if __name__ == "__main__":
    main()
