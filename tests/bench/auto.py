"""Whether the automatic device is the faster one: python3 tests/bench/auto.py LIBRARY [CORES...]

Runs 120 kinds of work with the automatic device, on so many of this machine's cores in turn, and
then on each device. LIBRARY is libfx-bench.so of a build. A kind's regret is the time
of the device that is chosen, relative to the faster one: of the first run, by the estimates; and
the worst of the runs after the fifth. Choices that take up to 5 ms do not count."""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
from collections import Counter

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import engine  # noqa: E402
import fx  # noqa: E402
from cases import load_parts  # noqa: E402

RUNS, KNOWN = 14, 5
RANDOM = np.random.default_rng(1)
FILTERS = [case for part in load_parts("bench").values() for case in part.CHOICES]
SIZES = [(256, 256), (640, 480), (1920, 1080), (3840, 2160)]


class Picture(engine.Picture):
    def run(self, plan, device, size=None):
        """Returns the device and the milliseconds."""
        image = self.get_image()
        if size:
            image.region = fx.Rect(0, 0, *size)
        report = engine.run(fx.get_engine(), plan, device, image)
        return report.device, report.milliseconds


def measure(picture, plan, device):
    """The median of five runs after a first one; of fewer, if they take long."""
    times = []
    while len(times) < 6 and sum(times) < 3000:
        times.append(picture.run(plan, device)[1])
    return statistics.median(times[1:] or times)


def check(picture, name, filter, settings):
    """Prints a kind, and returns its regrets before and after."""
    plan = picture.make_plan(fx.Settings(filter, **settings))
    for _ in range(2):
        picture.run(plan, "gpu", (32, 32))  # of another kind, but with the same programs
    runs = [picture.run(plan, "auto") for _ in range(RUNS)]
    times = {device: measure(picture, plan, device) for device in ("gpu", "cpu")}
    best = min(times.values())
    before, *_ = [times[device] / best if times[device] > 5.0 else 1.0 for device, _ in runs]
    after = [times[device] / best if times[device] > 5.0 else 1.0 for device, _ in runs[KNOWN:]]
    usual = Counter(device for device, _ in runs[KNOWN:]).most_common(1)[0][0]
    regret = times[usual] / best if times[usual] > 5.0 else 1.0
    print(f"{name}: gpu {times['gpu']:.2f} cpu {times['cpu']:.2f},",
          " ".join(f"{device[0]}{ms:.1f}" for device, ms in runs),
          f"before {before:.2f} after {regret:.2f} worst {max(after):.2f}",
          "REGRET" if regret > 1.3 else "", flush=True)
    return before, regret, max(after)


def work(library):
    """All kinds, on the cores that this process has."""
    engine.load(library)
    regrets, report = [], fx.Report()
    for device in ("gpu", "cpu"):
        fx.run("gaussian-blur", np.zeros((8, 8, 4), np.uint8), device=device, report=report)
        print(report.device_name.decode())
    for width, height in SIZES:
        for dtype in (np.uint8, np.float32):
            pixels = RANDOM.random((height, width, 4), np.float32)
            picture = Picture((pixels * 255).astype(dtype) if dtype == np.uint8 else pixels)
            for filter, settings in FILTERS:
                words = [f"{value}" for value in settings.values() if np.ndim(value) == 0]
                words += [f"{len(value)}x" for value in settings.values() if np.ndim(value)]
                name = " ".join([f"{width}x{height} {dtype.__name__} {filter}", *words])
                regrets.append(check(picture, name, filter, settings))
    fx.close()
    for when, values in zip(("before", "after", "any after"), zip(*regrets)):
        print(f"CHOICES {when}: {len(values)}, over 1.3: {sum(r > 1.3 for r in values)}, over 2: "
              f"{sum(r > 2.0 for r in values)}, worst {max(values):.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library")
    parser.add_argument("cores", nargs="*", type=int)
    options = parser.parse_args()
    if not options.cores:
        return work(options.library)
    for cores in options.cores:
        mine = sorted(os.sched_getaffinity(0))[:cores]
        print(f"CORES {len(mine)}", flush=True)
        subprocess.run([sys.executable, __file__, options.library], check=True,
                       preexec_fn=lambda mine=mine: os.sched_setaffinity(0, mine))


if __name__ == "__main__":
    main()
