#!/usr/bin/env python3
"""The Gaussian on the CPU: builds of bench-gaussian and OpenCV by turns, in one run.

    python3 gaussian.py --threads 2,16 NAME=PROGRAM [NAME=PROGRAM ...]

PROGRAM is a bench-gaussian, or a command in quotes that runs one. Prints a table for each number of
threads: a case, a sigma, and for each name the least milliseconds of all rounds, by the wall clock
and of the processors. OpenCV, if Python has it, blurs the samples as they are stored, alpha like a
colour.
"""

import argparse
import shlex
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import peers

SIZE = (3840, 2160)


class Program:
    def __init__(self, command):
        self.command = shlex.split(command)

    def measure(self, options, threads, case, sigma):
        command = [*self.command, "--threads", str(threads), "--cases", case, "--sigmas", sigma]
        output = subprocess.run([*command, "--repeats", str(options.repeats)], check=True,
                                stdout=subprocess.PIPE, text=True).stdout
        columns = {line.split("\t")[0]: line.split("\t") for line in output.splitlines()}
        return float(columns["blur"][7]), float(columns["blur-cpu"][7])


class OpenCV:
    def __init__(self):
        import cv2
        import numpy as np

        self.cv2 = cv2
        picture = peers.make_picture(np, *SIZE)
        self.pictures = {"u8": picture, "u16": picture.astype(np.uint16) * 257,
                         "float": picture.astype(np.float32) / 255}
        print(f"# OpenCV: {cv2.__version__}")

    def measure(self, options, threads, case, sigma):
        self.cv2.setNumThreads(threads)
        times = [self.time(self.pictures[case.split("-")[0]], float(sigma))
                 for _ in range(options.repeats + 1)]
        return tuple(min(column) for column in zip(*times[1:]))

    def time(self, picture, sigma):
        wall, processors = time.perf_counter(), time.process_time()
        self.cv2.GaussianBlur(picture, (0, 0), sigma, borderType=self.cv2.BORDER_REPLICATE)
        return (time.perf_counter() - wall) * 1e3, (time.process_time() - processors) * 1e3


def print_table(options, threads, subjects):
    print(f"\n# {threads} threads; milliseconds by the wall clock and of the processors")
    print("case", "sigma", *subjects, sep="\t")
    for case in options.cases.split(","):
        for sigma in options.sigmas.split(","):
            rounds = [[subject.measure(options, threads, case, sigma)
                       for subject in subjects.values()] for _ in range(options.rounds)]
            least = [[min(column) for column in zip(*figures)] for figures in zip(*rounds)]
            print(case, sigma, *(f"{wall:.1f} ({processors:.1f})" for wall, processors in least),
                  sep="\t", flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="+", metavar="NAME=PROGRAM")
    parser.add_argument("--threads", default="2,16")
    parser.add_argument("--sigmas", default="1,2,3,5,8,10")
    parser.add_argument("--cases", default=",".join(
        f"{sample}-{light}-{alpha}" for sample in ("u8", "u16", "float")
        for light in ("linear", "perceptual") for alpha in ("soft", "opaque")))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=5, help="timed calls a round")
    return parser.parse_args()


def main():
    options = parse()
    subjects = {name: Program(command)
                for name, command in (program.split("=", 1) for program in options.programs)}
    try:
        subjects["OpenCV"] = OpenCV()
    except ImportError as error:
        print(f"# OpenCV: {error}")
    for threads in options.threads.split(","):
        print_table(options, int(threads), subjects)


if __name__ == "__main__":
    main()
