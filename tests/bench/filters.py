#!/usr/bin/env python3
"""Times tables of cases with builds of the engine, which take turns, and with other libraries.

    python3 filters.py [OPTION...] [NAME=LIBRARY...] > figures.tsv

LIBRARY is libfx-bench.so of a build. Prints a figure a line, with fields separated by tabs: who
(NAME, or another library), the table, width and height of the picture, its format, the size (sigma,
a matrix's side, a radius), the device, the median, the least and the most of the milliseconds, how
many they are, the processors' milliseconds, and a hash of the result with --hash. engine.py says
what formats and devices are. Lines that start with # say what was measured on, and
what was left out. tables.py makes tables of the figures.
"""

import argparse
import math
import statistics
import sys
from collections import namedtuple
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))
from cases import load_parts  # noqa: E402
from table import Table  # noqa: E402

TOO_LONG = 2000.0  # milliseconds that a call of another library may take
LIBRARY = Path(__file__).parents[2] / "build-bench/tests/bench/libfx-bench.so"


# ---- tables

Case = namedtuple("Case", "table size form device picture words matrix peer")


def copy(size):
    return None, None


TABLES = {"copy": Table(copy, "0", "float,u8", peer="copy")}
for part in load_parts("bench").values():
    TABLES.update(part.TABLES)


def parse_size(text):
    width, height = text.split("x")
    return int(width), int(height)


def make_cases(name, options):
    table = TABLES[name]
    picture = parse_size(options.picture or table.picture)
    for size in (options.sizes or table.sizes).split(","):
        words, matrix = table.make(size)
        for form in (options.formats or table.forms).split(","):
            for device in (options.devices or table.devices).split(","):
                yield Case(name, size, form, device, picture, words, matrix, table.peer)


# ---- those that are timed


def write(who, case, times, processors, result=""):
    return "\t".join(str(item) for item in (
        who, case.table, *case.picture, case.form, case.size, case.device,
        f"{statistics.median(times):.6g}", f"{min(times):.6g}", f"{max(times):.6g}", len(times),
        f"{statistics.median(processors):.6g}", result))


class Build:
    """A build's library, in a process that waits for cases."""

    def __init__(self, name, library, table, options):
        self.name = name
        self.pool = ProcessPoolExecutor(1, get_context("spawn"), start, (library, {
            "repeats": options.repeats, "threads": options.threads, "hash": options.hash,
            "programs": options.programs or TABLES[table].programs}))

    def measure(self, case):
        """Lines to print."""
        if case.words is None:
            return
        try:
            *figure, gpu = self.pool.submit(measure, case._replace(matrix=None)).result()
        except BrokenProcessPool as error:
            raise SystemExit(f"filters.py: {self.name} ended at {case[:4]}: {error}") from error
        except Exception as error:
            yield f"# {self.name}, {case.table}, {case.device}: {error}"
            return
        if gpu:
            yield f"# GPU: {gpu}"
        yield write(self.name, case, *figure)

    def close(self):
        self.pool.submit(end).result()
        self.pool.shutdown()


def start(library, options):
    """In a build's process, as in the next two functions."""
    global engine
    import engine
    engine.load(library)
    engine.subject = engine.Engine(options)


def measure(case):
    try:
        return engine.subject.measure(case)
    except Exception as error:  # some cannot be sent to another process
        raise RuntimeError(str(error)) from None


def end():
    engine.subject.close()


class Library:
    """One of peers.py. Larger sizes than the first that would take too long are left out."""

    def __init__(self, peer, repeats):
        self.peer, self.repeats = peer, repeats
        self.last = {}  # (size, milliseconds) of a table and a format

    def is_too_long(self, case):
        size, milliseconds = self.last.get((case.table, case.form), (0, 0))
        return size and milliseconds * (float(case.size) / size) ** 2 > TOO_LONG

    def measure(self, case):
        if case.device != self.peer.device or "-" in case.form or self.is_too_long(case):
            return
        try:
            times = self.peer.measure(case, self.repeats)
        except Exception as error:  # too large a kernel, no memory
            yield f"# {self.peer.name}, {case.table} {case.size}: {error}".splitlines()[0]
            self.last[case.table, case.form] = float(case.size), math.inf
            return
        if times:
            yield write(self.peer.name, case, times, self.peer.processors)
            self.last[case.table, case.form] = float(case.size), statistics.median(times)

    def close(self):
        pass


# ---- a run


def measure_table(name, options, libraries, said):
    builds = [Build(*build.split("=", 1), name, options) for build in options.build]
    for case in make_cases(name, options):
        for _ in range(options.rounds):
            for subject in builds + libraries:
                for line in subject.measure(case):
                    if line not in said:
                        print(line, flush=True)
                    if line.startswith("#"):
                        said.add(line)
    for build in builds:
        build.close()


def find_libraries(options):
    if options.peers == "none":
        return []
    try:
        import peers
    except ImportError as error:
        print(f"# other libraries: {error}")
        return []
    names = list(peers.KINDS) if options.peers == "all" else options.peers.split(",")
    return [Library(peer, options.repeats)
            for peer in peers.find_peers(names, options.threads)]


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="*", metavar="NAME=LIBRARY",
                        default=[f"this plug-in={LIBRARY}"])
    parser.add_argument("--tables", default=",".join(TABLES), help="of " + ", ".join(TABLES))
    parser.add_argument("--sizes", help="in place of each table's own")
    parser.add_argument("--formats", help="likewise")
    parser.add_argument("--devices", help="likewise")
    parser.add_argument("--programs", help="likewise: generic, specialised, both")
    parser.add_argument("--picture", metavar="WxH", help="likewise")
    parser.add_argument("--peers", default="all", help="none, all, or a list of peers.py's kinds")
    parser.add_argument("--threads", type=int, default=0, help="of the CPU; 0: as many as usual")
    parser.add_argument("--repeats", type=int, default=9, help="timed runs a figure")
    parser.add_argument("--rounds", type=int, default=1, help="of which tables.py takes the least")
    parser.add_argument("--hash", action="store_true", help="also of each result")
    return parser.parse_args()


def main():
    options = parse()
    libraries, said = find_libraries(options), set()
    for name in options.tables.split(","):
        measure_table(name, options, libraries, said)


if __name__ == "__main__":
    main()
