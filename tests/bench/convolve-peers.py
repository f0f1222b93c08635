#!/usr/bin/env python3
"""convolve-peers.py [REPEATS]: what others take for the matrices of bench-convolve's dense-K, data
resident, milliseconds by the device's own clock: a copy, NPP's FilterBorder, a plain kernel whose
matrix is in constant memory, cuDNN by way of torch's depthwise convolution; and OpenCV's filter2D
on the CPU. 3840x2160 RGBA, floats. Prints what bench-convolve prints. Each takes the samples as
they are: no light, no alpha."""

import ctypes
import glob
import statistics
import sys
import time

import numpy as np

WIDTH, HEIGHT = 3840, 2160
SIZES = [3, 5, 7, 9, 11, 15, 21, 31, 63]
REPEATS = int(sys.argv[1]) if len(sys.argv) > 1 else 9


def show(what, size, device, values):
    values = sorted(values)
    print(what, WIDTH, HEIGHT, "float", size, device, statistics.median(values), values[0],
          values[-1], len(values), sep="\t", flush=True)


def make_picture():
    random = np.random.default_rng(1)
    return random.random((HEIGHT, WIDTH, 4), dtype=np.float32)


def make_matrix(size):
    random = np.random.default_rng(size)
    return (random.random((size, size)) - 0.25).astype(np.float32)


class Cuda:
    """CuPy's memory and events."""

    def __init__(self, picture):
        import cupy
        self.cupy = cupy
        self.source = cupy.asarray(picture)
        self.result = cupy.empty_like(self.source)

    def measure(self, what, size, run):
        cupy = self.cupy
        run()
        run()
        values = []
        for _ in range(REPEATS):
            start, end = cupy.cuda.Event(), cupy.cuda.Event()
            start.record()
            run()
            end.record()
            end.synchronize()
            values.append(cupy.cuda.get_elapsed_time(start, end))
        show(what, size, "gpu", values)

    def check(self, what, matrix):
        """The pixel in the middle."""
        size = len(matrix)
        y, x, half = HEIGHT // 2, WIDTH // 2, size // 2
        part = self.source[y - half:y + half + 1, x - half:x + half + 1].get().astype(np.float64)
        wanted = (part * matrix[:, :, None]).sum((0, 1))
        got = self.result[y, x].get()
        if not np.allclose(got, wanted, atol=1e-3 * np.abs(matrix).sum()):
            print(f"# {what} {size}: {got}, not {wanted}")


PLAIN = r"""
__constant__ float matrix[63 * 63];
extern "C" __global__ void plain (const float4 *source, float4 *result, int width, int height,
                                  int size)
{
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float4 sum = { 0, 0, 0, 0 };

  if (x >= width || y >= height)
    return;
  for (int j = 0; j < size; j++)
    for (int i = 0; i < size; i++)
      {
        const float4 p = source[min (max (y + j - size / 2, 0), height - 1) * width +
                                min (max (x + i - size / 2, 0), width - 1)];
        const float w = matrix[j * size + i];

        sum.x += w * p.x;
        sum.y += w * p.y;
        sum.z += w * p.z;
        sum.w += w * p.w;
      }
  result[y * width + x] = sum;
}
"""


def measure_plain(cuda):
    cupy = cuda.cupy
    module = cupy.RawModule(code=PLAIN)
    kernel = module.get_function("plain")
    constant = cupy.ndarray(63 * 63, cupy.float32, module.get_global("matrix"))
    for size in SIZES:
        matrix = make_matrix(size)
        constant[:size * size] = cupy.asarray(matrix.ravel())
        cuda.measure("plain-dense", size, lambda: kernel(
            (WIDTH // 32, HEIGHT // 8), (32, 8),
            (cuda.source, cuda.result, np.int32(WIDTH), np.int32(HEIGHT), np.int32(size))))
        cuda.check("plain", matrix)


class Pair(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_int)]


class Context(ctypes.Structure):
    """NppStreamContext."""
    _fields_ = [("stream", ctypes.c_void_p), ("device", ctypes.c_int),
                ("multiprocessors", ctypes.c_int), ("threads_per_multiprocessor", ctypes.c_int),
                ("threads_per_block", ctypes.c_int), ("shared_per_block", ctypes.c_size_t),
                ("major", ctypes.c_int), ("minor", ctypes.c_int),
                ("stream_flags", ctypes.c_uint), ("reserved", ctypes.c_int)]


def measure_npp(cuda):
    cupy = cuda.cupy
    names = glob.glob("/usr/local/cuda/lib64/libnppif.so.*")
    library = ctypes.CDLL(sorted(names)[0])
    filter_border = library.nppiFilterBorder_32f_C4R_Ctx
    device = cupy.cuda.Device()
    about = cupy.cuda.runtime.getDeviceProperties(device.id)
    context = Context(None, device.id, about["multiProcessorCount"],
                      about["maxThreadsPerMultiProcessor"], about["maxThreadsPerBlock"],
                      about["sharedMemPerBlock"], about["major"], about["minor"], 0, 0)
    for size in SIZES:
        matrix = make_matrix(size)
        turned = cupy.asarray(matrix[::-1, ::-1].copy())  # NPP convolves

        def run():
            status = filter_border(
                ctypes.c_void_p(cuda.source.data.ptr), WIDTH * 16, Pair(WIDTH, HEIGHT), Pair(0, 0),
                ctypes.c_void_p(cuda.result.data.ptr), WIDTH * 16, Pair(WIDTH, HEIGHT),
                ctypes.c_void_p(turned.data.ptr), Pair(size, size), Pair(size // 2, size // 2), 2,
                context)
            if status != 0:
                raise RuntimeError(f"NPP: {status}")

        cuda.measure("npp-dense", size, run)
        cuda.check("npp", matrix)


def measure_torch(cuda):
    import torch
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.allow_tf32 = False
    source = torch.as_tensor(cuda.source, device="cuda").permute(2, 0, 1).contiguous()[None]
    for size in SIZES:
        matrix = torch.tensor(make_matrix(size), device="cuda")
        weight = matrix.expand(4, 1, size, size).contiguous()

        def run():
            torch.nn.functional.conv2d(source, weight, padding=size // 2, groups=4)

        run()
        torch.cuda.synchronize()
        values = []
        for _ in range(REPEATS):
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            run()
            end.record()
            end.synchronize()
            values.append(start.elapsed_time(end))
        show("torch-dense", size, "gpu", values)


def measure_opencv(picture):
    import cv2
    print(f"# OpenCV {cv2.__version__}, {cv2.getNumThreads()} threads")
    for size in SIZES:
        matrix = make_matrix(size)
        cv2.filter2D(picture, -1, matrix, borderType=cv2.BORDER_REPLICATE)
        values = []
        for _ in range(min(REPEATS, 5)):
            start = time.perf_counter()
            cv2.filter2D(picture, -1, matrix, borderType=cv2.BORDER_REPLICATE)
            values.append(1e3 * (time.perf_counter() - start))
        show("opencv-dense", size, "cpu", values)


def main():
    picture = make_picture()
    cuda = Cuda(picture)
    for name, measure in (("copy", lambda: cuda.measure(
            "copy", 0, lambda: cuda.cupy.copyto(cuda.result, cuda.source))),
            ("plain", lambda: measure_plain(cuda)), ("npp", lambda: measure_npp(cuda)),
            ("torch", lambda: measure_torch(cuda)), ("opencv", lambda: measure_opencv(picture))):
        try:
            measure()
        except Exception as error:  # one that is missing leaves the others
            print(f"# {name}: {error}", flush=True)


main()
