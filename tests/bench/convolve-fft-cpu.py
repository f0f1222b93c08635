#!/usr/bin/env python3
"""convolve-fft-cpu.py [REPEATS]: what libraries take on one core of the CPU for the transforms of a
large matrix: FFTW (by pyfftw) and pocketfft (by SciPy). 3840x2160 RGBA, floats, in tiles that
overlap by the size of the matrix, there and back; nothing else is counted. For each size, the
fastest of several tiles. Milliseconds of the processor, the least of the repeats."""

import sys
import time

import numpy as np
import pyfftw
import scipy.fft

WIDTH, HEIGHT, CHANNELS = 3840, 2160, 4
SIZES = [63, 255, 1023]
TILES = [256, 512, 1024, 2048, 4096]
BATCH = 1 << 22  # samples at a time
REPEATS = int(sys.argv[1]) if len(sys.argv) > 1 else 5


def measure(work):
    times = []
    work()
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return 1000 * min(times)


def make_fftw(tile, batch):
    samples = pyfftw.empty_aligned((batch, tile, tile), dtype="float32")
    spectra = pyfftw.empty_aligned((batch, tile, tile // 2 + 1), dtype="complex64")
    there = pyfftw.FFTW(samples, spectra, axes=(1, 2), threads=1)
    back = pyfftw.FFTW(spectra, samples, axes=(1, 2), direction="FFTW_BACKWARD", threads=1)
    samples[:] = 1

    def work():
        there.execute()
        back.execute()

    return work


def make_pocketfft(tile, batch):
    samples = np.ones((batch, tile, tile), dtype=np.float32)
    return lambda: scipy.fft.irfft2(scipy.fft.rfft2(samples), s=(tile, tile))


def main():
    for size in SIZES:
        for name, make in (("FFTW", make_fftw), ("pocketfft", make_pocketfft)):
            results = []
            for tile in TILES:
                step = tile - size + 1
                if step < tile // 4:
                    continue
                tiles = CHANNELS * -(-WIDTH // step) * -(-HEIGHT // step)
                batch = min(tiles, max(1, BATCH // tile**2))
                results.append((measure(make(tile, batch)) * tiles / batch, tile))
            milliseconds, tile = min(results)
            print(f"{size}x{size}: {name} {milliseconds:.0f} ms in tiles of {tile}x{tile}")


main()
