#!/usr/bin/python3
"""Calls of all kinds in GIMP for some time, with faults among them, run by ../soak.sh:

  soak.py DOOR PLUGIN PROBE MODULE SECONDS SEED

Each result is compared with the engine's. Prints at the end how often the CPU did what the GPU
might have done, and memory; exits 1 if anything was wrong. All about a call comes from its number
and the seed."""

import collections
import dataclasses
import os
import re
import resource
import sys
import time

import numpy as np

import folders  # noqa: F401 # for the others
import fx
import processes
from cases import pick
from formats import SAMPLES, Format
from judge import get_range
from layers import FEATHERED, SELECTIONS, Layer, is_right, lock, mix, run_engine
from resident import (BLUR, check_right, find_called, find_resident, kill_resident, need_resident,
                      wait_for_idle, wait_for_resident)
from session import NONINTERACTIVE, Refused, Session

fx.load(sys.argv[1])
from descriptions import (CHOICE, FILTERS, MATRIX, NUMBER, SWITCH, get_largest,  # noqa: E402
                          get_properties, list_words)

WARM = 100  # calls without a fault before memory is looked at
FAULTY = 8  # about one in so many has a fault
WITHOUT = 5  # calls without a resident process at most, once it was killed
PRINTED = 20  # calls that were wrong
NOTED = 1000  # calls after which memory is printed again
NANOSECONDS = 2e8  # that a call takes the engine on one core, by its estimate
LARGEST = 200.0  # of what is counted in pixels
LARGEST_TO_GROW = 21  # an odd number, for the kernel

# GIMP's procedures; its own blur, which the operation has taken over; the operations, in the test
# plug-in.
WAYS = [*5 * ["procedure"], "own", *2 * ["node"]]
OWN_SIGMA = 0.32  # that GIMP's own blur makes of a pixel of its size


# ---- a call ----


def happens(rng, probability):
    return rng.random() < probability


def scale(rng, low, high):
    """Small numbers as often as large ones."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def draw_number(rng, property):
    """Of a large range, mostly one of its small values."""
    most = property.maximum
    if most > 1e6:  # without a bound: the divisor and the offset
        return rng.uniform(0.0, 0.5) if happens(rng, 0.3) else 0.0
    if property.minimum < 0.0 or most <= 1.0:
        return rng.uniform(property.minimum, most)
    return 0.0 if happens(rng, 0.05) else scale(rng, 0.1, min(most, LARGEST))


def draw_whole_number(rng, property):
    """The automatic one as often as others."""
    if property.automatic.step:
        return 0 if happens(rng, 0.5) else 1 + 2 * int(rng.integers(100))
    if property.bits:
        return 0 if happens(rng, 0.7) else int(rng.integers(16))
    number = int(rng.integers(property.maximum + 1))
    return number if number >= property.least else 0


def draw_value(rng, property):
    if property.type == MATRIX:
        least = -1.0 if happens(rng, 0.5) else 0.05
        return rng.uniform(least, 1.0, 1 + 2 * rng.integers(32, size=2))
    if property.type == CHOICE:
        return pick(rng, list_words(property))
    if property.type == SWITCH:
        return int(happens(rng, 0.25))
    return (draw_number if property.type == NUMBER else draw_whole_number)(rng, property)


def draw_settings(rng, filter):
    """A matrix with negative values is divided by the sum of their magnitudes: divided by their own
    sum, which may be nearly 0, the result would have no bound. Nor does colour have one if alpha is
    negative, as such values can make it: some colours alone are changed."""
    settings = {property.name.decode().replace("-", "_"): draw_value(rng, property)
                for property in get_properties(FILTERS[filter])}
    del settings["device"]
    if "values" in settings:
        settings["divisor"] = 0.0
        if settings["values"].min() < 0.0:
            settings |= {"divisor": np.abs(settings["values"]).sum(),
                         "channels": int(rng.integers(1, 8)), "alpha_weighting": "straight"}
    if settings.get("grow"):
        for name in {"sigma_x", "sigma_y", "kernel_size", "radius", "length"} & {*settings}:
            settings[name] = min(settings[name], LARGEST_TO_GROW)
    return settings


def draw_own_blur(rng, format):
    """GIMP's own blurs stored values, whatever their light."""
    return {"sigma_x": np.clip(scale(rng, 0.1, LARGEST), 0.5, 100.0),
            "sigma_y": np.clip(scale(rng, 0.1, LARGEST), 0.5, 100.0),
            "light": "perceptual" if format.gamma else "linear"}


@dataclasses.dataclass
class Call:
    way: str
    filter: str
    kind: str  # of the drawable
    format: Format  # of the layer
    size: tuple
    selection: str  # or None
    settings: dict
    device: str

    @classmethod
    def draw(cls, rng, gpu):
        """Each kind of layer is as frequent as masks, and as channels. Half of the calls ask for a
        GPU, if there is one: of those that can, as GIMP's own blur cannot."""
        way = pick(rng, WAYS)
        filter = BLUR if way == "own" else pick(rng, UNMAPPED)
        drawn = rng.integers(6 if way == "procedure" else 4)
        kind = "layer" if drawn < 4 else ["mask", "channel"][drawn - 4]
        format = Format(pick(rng, SAMPLES), int(1 + (drawn if drawn < 4 else rng.integers(4))),
                        bool(rng.integers(2)))
        device = pick(rng, ["cpu", *3 * ["auto"]])
        if happens(rng, 4 / 7 if gpu else 0.03):
            device = "gpu"
        settings = draw_own_blur(rng, format) if way == "own" else draw_settings(rng, filter)
        largest = 3000.0 if happens(rng, 0.02) else 1200.0 if happens(rng, 0.1) else 200.0
        size = tuple(int(scale(rng, 1.0, largest + 1.0)) for _ in range(2))
        selection = pick(rng, SELECTIONS) if way == "procedure" and happens(rng, 0.3) else None
        call = cls(way, filter, kind, format, size, selection, settings, device)
        call.limit_cost()
        return call

    def limit_cost(self):
        """Less of the picture, not of the settings."""
        plan = fx.Plan(fx.Settings(self.filter, checked=False, **self.settings), self.format,
                       geometry=(0, 0, *self.size))
        most = NANOSECONDS / max(plan.get_stored().cpu_cost, 1.0)
        growth = 8 * LARGEST_TO_GROW if self.settings.get("grow") else 0
        while max(self.size) > 1 and (self.size[0] + growth) * (self.size[1] + growth) > most:
            self.size = tuple(n // 2 if n == max(self.size) and n > 1 else n for n in self.size)

    @property
    def has_bound(self):
        """Through a soft selection GIMP mixes rounded values: if alpha is small, no bound holds for
        colour."""
        return not (self.selection == FEATHERED and self.kind == "layer" and self.format.has_alpha)

    def make(self, gimp, rng):
        layer = Layer.make(gimp, rng, self.format, self.size)
        gimp.layer_set_offsets(layer.drawable, *(int(n) for n in rng.integers(-5, 20, 2)))
        if self.kind != "layer":
            layer = layer.add_mask(rng) if self.kind == "mask" else layer.add_channel(rng)
        layer.paint(rng, "random")
        if self.selection:
            layer.select_as(self.selection)
        gimp.image_clean_all(layer.image)
        return layer

    def get_chain(self):
        """The operation, as the gegl command has it."""
        words = [f"cuda:{self.filter}", f"device={self.device}"]
        for property in get_properties(FILTERS[self.filter]):
            value = self.settings.get(property.name.decode().replace("-", "_"))
            if isinstance(value, np.ndarray):
                rows, columns = value.shape
                value = f"'{rows}x{columns}: {' '.join(map(repr, value.ravel().tolist()))}'"
            if property.type == SWITCH:
                words.append("clip-extent=true")
            elif value is not None:
                words.append(f"{(property.operation_name or property.name).decode()}={value}")
        return " ".join(words)

    def send(self, layer):
        if self.way == "own":
            layer.gimp.send("plug-in-gauss", NONINTERACTIVE, layer.image, layer.drawable,
                            *(float(self.settings[name]) / OWN_SIGMA
                              for name in ("sigma_x", "sigma_y")), 0)
        else:
            layer.send(self.filter, **self.settings, device=self.device)


# ---- what must become of it ----


class Scene:
    """A call's layer, what it was, and what is to come of the call."""

    def __init__(self, call, gimp, rng):
        self.call, self.gimp, self.layer = call, gimp, call.make(gimp, rng)
        self.before, self.grown = self.layer.read(), (0, 0)
        self.share = self.layer.get_selection() if call.selection else None
        format, size, plan = self.layer.format, self.before.shape[1::-1], None
        try:
            known = fx.Settings(call.filter, **call.settings)
            plan = fx.Plan(known, format, self.layer.coverage, geometry=(0, 0, *size))
        except fx.Error:
            pass
        if plan and call.settings.get("grow") and call.way == "procedure" and (
                call.kind == "layer" and format.has_alpha and not call.selection):
            self.grown = known.get_growth(*size)
        beside = call.selection and not gimp.drawable_mask_intersect(self.layer.drawable)[0]
        self.identity = bool(plan and (plan.is_identity or beside))
        self.refused = not plan or (call.device == "gpu" and call.way != "own" and
                                    not self.identity and not gimp.is_on_gpu("gpu"))

    def check_same(self, after):
        assert after.tobytes() == self.before.tobytes(), "it has changed"

    def check_done(self, after):
        """GIMP's own blur rounds twice, and a selection once more."""
        call, layer, (x, y) = self.call, self.layer, self.grown
        source = np.pad(self.before, [(y, y), (x, x), (0, 0)])
        assert after.shape == source.shape, f"{after.shape}, not {source.shape}"
        if not call.has_bound:
            return
        settings = {**call.settings, "grow": any(self.grown)}
        format = layer.format
        expected = format.decode(run_engine(
            call.filter, source, format, coverage=layer.coverage,
            geometry=(x, y, *self.before.shape[1::-1]), **settings))
        if call.selection:
            encoding = self.gimp.read(layer.drawable)[3]
            format = dataclasses.replace(format, gamma="'" in encoding)
            expected = mix(format, format.decode(source), expected, self.share)
        assert is_right(call.filter, format, expected, after, get_range(format.decode(source)),
                        **settings), "the pixels are not the engine's"

    def check(self, message):
        """After a call that nobody disturbed; message: None if it was done."""
        dirty, after = self.gimp.image_is_dirty(self.layer.image), self.layer.read()
        assert self.refused == (message is not None), message or "it was not refused"
        assert dirty != (self.refused or self.identity), f"undo step: {dirty}"
        if self.refused or self.identity:
            self.check_same(after)
        else:
            self.check_done(after)

    def check_broken(self, message):
        """After one whose process may have been killed: all is old, or all new. A process that
        nobody waits for may still put the result there, so the undo step is looked at first. A
        layer that grows may have been enlarged and given its old size again. If there are few
        pixels, the result may equal them."""
        dirty, after = self.gimp.image_is_dirty(self.layer.image), self.layer.read()
        old = after.tobytes() == self.before.tobytes()
        if message and old and (not dirty or any(self.grown)):
            return
        if self.refused or self.identity:
            self.check_same(after)
        else:
            self.check_done(after)

    def check_settled(self, message):
        """The resident process goes on with a call whose process was killed."""
        def is_whole():
            try:
                self.check_broken(message)
            except AssertionError:
                return False
            return True

        processes.wait_until(is_whole, 10.0, 0.02)
        self.check_broken(message)


# ---- faults ----

BEFORE, DURING, CALLED, MEMORY = STRIKES = ["resident process killed before",
                                            "resident process killed during",
                                            "called process killed", "memory limit"]
DAMAGED, EMPTIED, CLOSED = CACHE = ["cache damaged", "cache emptied", "cache closed"]
BAD, LOCKED = REFUSED = ["bad argument", "locked"]
FAULTS = [*STRIKES, *CACHE, *REFUSED]
ROOM = 64 << 20  # bytes that a process may still have


UNMAPPED = [name for name, filter in FILTERS.items() if not filter.contents.map[0]]


def spoil(rng, filter):
    """An argument that is wrong."""
    property = pick(rng, get_properties(FILTERS[filter]))
    value = np.ones((2, 1)) if property.type == MATRIX else get_largest(property) * 2 + 1
    return {property.name.decode().replace("-", "_"): value}


def damage_cache(rng, folder, empty):
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        path = os.path.join(folder, name)
        if empty:
            os.unlink(path)
        elif os.path.isfile(path) and os.path.getsize(path):
            with open(path, "r+b") as file:
                file.seek(int(rng.integers(os.path.getsize(path))))
                file.write(rng.bytes(16))


def limit_memory(rng, pid):
    """Returns the limit that it had."""
    size = int(processes.read_file(pid, "statm").split()[0]) * resource.getpagesize()
    old = resource.prlimit(pid, resource.RLIMIT_AS)
    resource.prlimit(pid, resource.RLIMIT_AS, (size + int(rng.integers(ROOM)), old[1]))
    return old


def strike(gimp, rng, fault, resident):
    """During a call."""
    process = resident
    if fault == CALLED:
        process = find_called(gimp, resident, gimp)
    time.sleep(scale(rng, 0.0003, 0.3))
    if process:
        processes.kill(process)


# ---- memory ----

# kB from the start to the end. GEGL, babl and allocators keep some of what large images have taken:
# less than one of the largest.
GROWTH = {"resident process": 32 << 10, "GIMP": 256 << 10, "operations' process": 256 << 10}
TABLE = 256 << 10


def get_image_growth(images):
    """The memory that GIMP 2.10 loses with that many images. When the soak's images were made and
    deleted without a single call, its memory went from 60 MB to 130 after 10,000 images, to 316
    after 20,000, to 615 after 30,000, to 1,013 after 40,000 and to 1,827 after 55,000: 0.0006 to
    0.0007 kB times their square."""
    return 0.00075 * images ** 2


def count_tables(gimp):
    """Which babl makes of all colours for conversions that it meets often, by its own measurement
    of the machine: one run has a table and another has none (BABL_LUT_INFO)."""
    with open(gimp.log_path, errors="replace") as file:
        return file.read().count("generating LUT for ")


def get_memory(gimp):
    pids = need_resident(gimp), gimp.process.pid, gimp.get_pid()
    return {name: processes.get_use(pid).memory for name, pid in zip(GROWTH, pids)}


# ---- the whole ----


class Soak:
    def __init__(self, gimp, seed, seconds):
        self.gimp, self.seed, self.seconds = gimp, seed, seconds
        self.gpu, self.counts = gimp.is_on_gpu("gpu"), collections.Counter()
        self.faults, self.fallbacks = collections.Counter(), collections.Counter()
        self.weak = None  # the resident process that had no memory: its GPU may still fail for it
        self.without = 0  # calls that are still to be made without a resident process
        self.cache = os.path.join(gimp.folder, "cuda-cache")

    def take_fallbacks(self, allowed):
        """Counts why the CPU did what the GPU might have done. It may do what it is done with
        sooner, and what there is no GPU for; allowed: a device may fail, too."""
        wrong = None
        for line in self.gimp.read_log().splitlines():
            if match := re.search("cuda-blur: fallback .* bytes  (.*)", line):
                self.fallbacks[match[1]] += 1
                if self.gpu and match[1] not in ("The CPU may be faster for this",
                                                 "The CPU finishes before the GPU would be ready"):
                    wrong = match[1]
            elif "cuda-blur-WARNING" in line:
                wrong = wrong or line
        assert allowed or not wrong, f"not by the GPU: {wrong}"

    def begin_fault(self, rng, fault, scene):
        if fault == BEFORE:
            kill_resident(self.gimp)
        elif fault in (DAMAGED, EMPTIED):
            damage_cache(rng, self.cache, fault == EMPTIED)
        elif fault == CLOSED and os.path.isdir(self.cache):
            os.chmod(self.cache, pick(rng, [0o500, 0o777]))
        elif fault == LOCKED:
            layer = scene.layer
            if scene.call.kind == "mask":
                layer = dataclasses.replace(layer, drawable=self.gimp.layer_from_mask(
                    layer.drawable))
            lock(layer)
            self.gimp.image_clean_all(layer.image)

    def run(self, rng, scene, fault):
        """Returns the message, or None if it was done."""
        resident = need_resident(self.gimp) if fault in STRIKES else None
        limit = limit_memory(rng, resident) if fault == MEMORY else None
        self.begin_fault(rng, fault, scene)
        message = None
        scene.call.send(scene.layer)
        if fault in (DURING, CALLED):
            strike(self.gimp, rng, fault, resident)
        try:
            self.gimp.receive()
        except Refused as refused:
            message = str(refused)
            assert fault == CALLED or "returned no return values" not in message, message
        if limit and processes.lives(resident):
            resource.prlimit(resident, resource.RLIMIT_AS, limit)
        if fault == CLOSED and os.path.isdir(self.cache):
            os.chmod(self.cache, 0o700)
        if fault in STRIKES[:2] + [MEMORY] and not processes.lives(resident):
            wait_for_resident(self.gimp, False)  # GIMP is to know it before the next call
        return message

    def check(self, rng, scene, fault):
        if scene.call.way == "node":
            data = self.gimp.libgimp.run_chain(scene.layer.drawable, scene.call.get_chain())
            after = np.frombuffer(data, scene.layer.format.dtype).reshape(scene.before.shape)
            (scene.check_same if scene.identity else scene.check_done)(after)
            return
        scene.refused = scene.refused or fault in REFUSED
        message = self.run(rng, scene, fault)
        if fault == CALLED:
            scene.check_settled(message)
        elif fault in (DURING, MEMORY):
            scene.check_broken(message)
        else:
            scene.check(message)

    def may_fail(self, fault):
        """Whether the call's fault, or one before it, is a reason for a device to fail."""
        if fault == MEMORY:
            self.weak = find_resident(self.gimp)
        elif self.weak and not processes.lives(self.weak):
            self.weak = None
        return fault == MEMORY or self.weak is not None

    def draw_fault(self, rng, call, kills):
        fault = pick(rng, FAULTS)
        if (call.way != "procedure" and fault not in CACHE) or (fault in STRIKES and not kills):
            return None
        return fault

    def make_call(self, number, faulty=False, kills=False):
        rng = np.random.default_rng([self.seed, number])
        call = Call.draw(rng, self.gpu)
        fault = self.draw_fault(rng, call, kills) if faulty else None
        if fault == BAD:
            bad = spoil(rng, call.filter)
            call.device = bad.pop("device", call.device)
            call.settings |= bad
        try:
            scene = Scene(call, self.gimp, rng)
            if fault == LOCKED and scene.identity:
                fault = None  # whether that is refused does not matter
            self.check(rng, scene, fault)
            self.take_fallbacks(self.may_fail(fault))
        except AssertionError as failure:
            self.tell(f"call {number}, {fault or 'no fault'}, {call}: {failure}")
        for image in self.gimp.image_list()[1]:
            self.gimp.image_delete(image)
        self.counts.update(calls=1, asked=call.device == "gpu")
        self.faults.update([fault] if fault else [])
        if fault in (BEFORE, DURING, MEMORY):
            self.without = int(rng.integers(WITHOUT + 1))

    def tell(self, problem):
        self.counts["wrong"] += 1
        if self.counts["wrong"] <= PRINTED:
            print("# WRONG:", problem)

    def make_next_call(self, number, kills):
        rng = np.random.default_rng([self.seed, number, 1])
        faulty = rng.integers(FAULTY) == 0
        if self.without:
            self.without -= 1
        else:
            need_resident(self.gimp)
        self.make_call(number, faulty, kills)

    def note_memory(self):
        """When the engine is given back: an engine keeps what its largest image has taken."""
        need_resident(self.gimp)
        check_right(self.gimp, np.random.default_rng(self.seed))
        if not wait_for_idle(self.gimp, 20.0):
            self.tell("the resident process does not become idle")
        memory = get_memory(self.gimp)
        print(f"# after {self.counts['calls']} calls: {memory} kB, babl's tables "
              f"{count_tables(self.gimp)}", flush=True)
        return memory

    def warm_up(self):
        """The same calls each time, so that memory can be compared."""
        need_resident(self.gimp)
        for number in range(WARM):
            self.make_call(1 << 31 | number)
        return self.note_memory(), count_tables(self.gimp)

    def make_calls(self, start):
        """No process is killed in the last third, so that one is there for long."""
        number = 0
        while (passed := time.monotonic() - start) < self.seconds:
            number += 1
            self.make_next_call(number, passed < self.seconds * 2 / 3)
            if number % NOTED == 0:
                self.note_memory()

    def compare(self, start, end):
        """Memory."""
        (before, tables_before), (after, tables) = start, end
        for name, most in GROWTH.items():
            if name != "resident process":
                most += (tables - tables_before) * TABLE
            if name == "GIMP":
                most += get_image_growth(self.counts["calls"])
            if after[name] > before[name] + most:
                self.tell(f"the {name} has grown from {before[name]} to {after[name]} kB, by more "
                          f"than {most:.0f}")

    def report(self, seconds):
        for fault in FAULTS:
            print(f"# {fault}: {self.faults[fault]}")
        for reason, count in sorted(self.fallbacks.items()):
            print(f"# {count} times by the CPU: {reason}")
        gpu = "" if self.gpu else ", which is not there"
        print(f"{self.counts['calls']} calls, {self.counts['asked']} of them for the GPU{gpu}, "
              f"{self.faults.total()} with faults, {self.counts['wrong']} wrong; {seconds:.0f} s")


def main():
    _, plugin, probe, module, seconds, seed = sys.argv[1:]
    # Freed memory returns to the system, so that growth is a leak.
    with Session(plugin, probe, kills=True, fails=True, module=module, CUDA_BLUR_TAKE_OVER="yes",
                 CUDA_BLUR_TRACE="1", CUDA_BLUR_IDLE_SECONDS="3", BABL_LUT_INFO="1",
                 MALLOC_MMAP_THRESHOLD_="131072", MALLOC_TRIM_THRESHOLD_="131072",
                 MALLOC_ARENA_MAX="1") as gimp:
        soak, start = Soak(gimp, int(seed), float(seconds)), time.monotonic()
        warm = soak.warm_up()
        soak.make_calls(start)
        soak.compare(warm, soak.warm_up())
        soak.report(time.monotonic() - start)
        gimp.well = not soak.counts["wrong"]
    fx.close()
    return int(soak.counts["wrong"] > 0)


sys.exit(main())
