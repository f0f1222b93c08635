#!/usr/bin/python3
"""The inside of the tests in a window: what their scripts cannot see from outside, they ask for
here. serve.py FOLDER BUILT, the folder with the tests' executables.

A request is a line in the file "request" of the folder, its answer a line in "answer". Those that
do something are answered with "ok", or what is wrong."""

import hashlib
import os
import select
import subprocess
import sys
import time

import numpy as np

HERE = os.path.dirname(os.path.realpath(__file__))
sys.dont_write_bytecode = True
sys.path[1:1] = [os.path.dirname(HERE)]
sys.path += [os.path.join(os.path.dirname(HERE), name) for name in ("command", "convolve", "lens")]

import colour  # noqa: E402
import fx  # noqa: E402
import processes  # noqa: E402
import reference  # noqa: E402
from cases import ABYSSES, LIGHTS  # noqa: E402
from convolve_case import WEIGHTINGS  # noqa: E402
from formats import Format  # noqa: E402
from layers import NORMAL, REPLACE, TYPES, WHITE_MASK, Layer, get_precision  # noqa: E402
from layers import describe, find_shown, is_within, mix, run_engine  # noqa: E402
from session import INTERACTIVE, NONINTERACTIVE, WITH_LAST_VALS  # noqa: E402
from session import Caller, Refused, Starter  # noqa: E402

BLUR = "gaussian-blur"
PLUGIN = "cuda-blur"
CHANNELS = {"rgb": 3, "rgba": 4, "grey": 1, "greya": 2}
FORMATS = {"8": ("u8", True), "16": ("u16", True), "float": ("float", False)}
RED, GRAY, ALPHA = 0, 3, 5  # components of an image
FINEST = 400  # colours along the longer side of a large image
PAUSE = 0.005

# GIMP's checks behind transparent pixels, as its preferences in profile.sh have them.
CHECK_SIZE, CHECK_LEVELS = 4, (0xff, 0xcc)  # the first one is at 0, 0
TOLERANCE = 2  # levels: the view's rounding and that of its checks

# A part of the layer that nothing but the layer looks like, off its edge, on which GIMP draws.
MARK = (20, 20, 32, 8)


def make_pixels(format, width, height, seed=1):
    """Blocks of one colour between noise. A picture that is shown small must not become one grey
    even without a blur, so a large one is magnified."""
    block = max(1, max(width, height) // FINEST)
    y, x = np.indices((-(-height // block), -(-width // block)))
    colors = np.random.default_rng(seed).random((*y.shape, format.channels))
    first = (x // 11 + y // 7) % 2 == 0
    colors[first] = colors[(y - y % 7)[first], (x - x % 11)[first]]
    pixels = format.encode(colors)
    return pixels.repeat(block, axis=0).repeat(block, axis=1)[:height, :width]


def read_numbers(text, *kinds):
    """The words of a request, of which the last may be missing."""
    return [kind(word) for kind, word in zip(kinds, text.split())]


class Server:
    """The image in the window, and requests: each is a method, which gets what follows its name."""

    def __init__(self, folder, built):
        self.folder, self.built = folder, built
        self.gimp = Caller(folder, "main")
        self.other, self.starter = (kind(folder, f"extension-cuda-blur-test-{name}") for kind, name
                                    in ((Caller, "caller"), (Starter, "starter")))
        self.layer = self.display = self.original = self.to_kill = None
        self.settings, self.kept = {}, 0

    def accept(self):
        for caller in (self.other, self.starter, self.gimp):
            caller.accept()
            caller.connection.settimeout(None)

    # ---- the image ----

    def do_image(self, text):
        """TYPE [WIDTHxHEIGHT [PRECISION]]: a new one in place of the last. TYPE is rgb, rgba, grey
        or greya, PRECISION 8, 16 (both gamma) or float (linear). One with alpha has a layer mask
        and an offset, so that nothing but the layer's own pixels can be what is seen or undone."""
        name, size, precision, *_ = [*text.split(), *["360x300", "8"][len(text.split()) - 1:]]
        width, height = (int(n) for n in size.split("x"))
        sample, gamma = FORMATS[precision]
        format, gimp = Format(sample, CHANNELS[name], gamma), self.gimp
        base, kind = TYPES[format.channels]
        image = gimp.image_new_with_precision(width, height, base, get_precision(format))
        drawable = gimp.layer_new(image, width, height, kind, "subject", 100.0, NORMAL)
        gimp.image_insert_layer(image, drawable, -1, 0)
        self.layer, self.kept = Layer(gimp, image, drawable, format), 0
        self.original = make_pixels(format, width, height)
        gimp.write(drawable, self.original)
        if format.has_alpha:
            mask = gimp.layer_create_mask(drawable, WHITE_MASK)
            gimp.layer_add_mask(drawable, mask)
            gimp.write(mask, make_pixels(Format(sample, 1, False), width, height))
            gimp.layer_set_edit_mask(drawable, 0)
            gimp.layer_set_offsets(drawable, 10, -15)
        self.show()

    def show(self):
        """The old display goes last: GIMP would otherwise have none for a moment."""
        gimp, old = self.gimp, self.display
        gimp.image_undo_disable(self.layer.image)  # drops the steps made so far
        gimp.image_undo_enable(self.layer.image)
        gimp.image_clean_all(self.layer.image)
        self.display = gimp.display_new(self.layer.image)
        if old:
            gimp.display_delete(old)
        gimp.displays_flush()

    def do_paint(self, text):
        """X Y WIDTH HEIGHT: other pixels in that part of the layer, without an undo step."""
        x, y, width, height = read_numbers(text, *4 * [int])
        self.original[y:y + height, x:x + width] = make_pixels(self.layer.format, width, height, 2)
        self.write()

    def write(self):
        self.gimp.write(self.layer.drawable, self.original)
        self.gimp.displays_flush()

    def do_profile(self, text):
        """LEVEL...: the image gets a profile, AdobeRGB or for gray a gamma of 1.8, and all of its
        layer, which has 8 bits and no alpha, those levels."""
        gray = self.layer.format.channels == 1
        profile = (colour.icc(colour.parametric(0, 1.8), gray=True) if gray else
                   colour.icc(colour.ADOBE, primaries=colour.ADOBE_PRIMARIES))
        self.original[...] = read_numbers(text, *3 * [int])
        self.gimp.image_set_color_profile(self.layer.image, len(profile), profile)
        self.write()

    def do_select(self, text):
        """X Y WIDTH HEIGHT FEATHER, in the image; all 0: no selection."""
        *place, feather = (float(word) for word in text.split())
        self.gimp.context_set_feather(feather > 0.0)
        self.gimp.context_set_feather_radius(feather, feather)
        if place[2] > 0:
            self.gimp.image_select_rectangle(self.layer.image, REPLACE, *place)
        else:
            self.gimp.selection_none(self.layer.image)
        self.gimp.displays_flush()

    def do_keep(self, what):
        """Which channels of the layer a blur is to leave alone from now on: "lock", its alpha is
        locked; red, grey or alpha, that component of the image is not active; or none."""
        gimp, layer, alpha = self.gimp, self.layer, 1 << self.layer.format.colors
        if layer.format.colors == 1:
            gimp.image_set_component_active(layer.image, GRAY, what != "grey")
        else:
            gimp.image_set_component_active(layer.image, RED, what != "red")
            gimp.image_set_component_active(layer.image, ALPHA, what != "alpha")
        gimp.layer_set_lock_alpha(layer.drawable, what == "lock")
        self.kept = {"lock": alpha, "alpha": alpha, "none": 0}.get(what, 1)

    def do_mask(self, _):
        """Has filters change the layer's mask from now on."""
        self.gimp.layer_set_edit_mask(self.layer.drawable, 1)
        self.gimp.displays_flush()

    def do_settings(self, text):
        """SIGMA GROW [KERNEL-SIZE]: the values that the dialog begins with."""
        sigma, grow, size = [*read_numbers(text, float, int, int), 0][:3]
        self.settings = {"sigma_x": sigma, "sigma_y": sigma, "kernel_size": size, "grow": grow}
        last = (f"sigma-x={sigma:.17g}\nsigma-y={sigma:.17g}\nkernel-size={size}\n"
                f"grow={'yes' if grow else 'no'}\n")
        self.gimp.procedural_db_set_data(f"plug-in-cuda-{BLUR}", len(last), last.encode())

    def do_expect(self, text):
        """SIGMA-X SIGMA-Y KERNEL-SIZE ABYSS LIGHT GROW: what is expected from now on, whatever the
        dialog began with."""
        x, y, size, abyss, light, grow = read_numbers(text, float, float, *4 * [int])
        self.settings = {"sigma_x": x, "sigma_y": y, "kernel_size": size, "grow": grow,
                         "abyss": ABYSSES[abyss], "light": LIGHTS[light]}

    # ---- the layer ----

    def do_state(self, _):
        """The layer's place, and sums over every byte of it and of its mask."""
        mask = self.gimp.layer_get_mask(self.layer.drawable)
        width, height, data, _ = self.gimp.read(self.layer.drawable)
        sums = [hashlib.md5(data).hexdigest(),
                "-" if mask == -1 else hashlib.md5(self.gimp.read(mask)[2]).hexdigest()]
        x, y = self.layer.get_offsets()
        return f"{width}x{height}{x:+}{y:+} {' '.join(sums)}"

    def do_layer(self, _):
        """The layer's ID and width."""
        return f"{self.layer.drawable} {self.gimp.drawable_width(self.layer.drawable)}"

    def get_growth(self):
        return fx.Settings(BLUR, **self.settings).get_growth() if self.settings["grow"] else (0, 0)

    def get_share(self):
        """The selection's share of each of the layer's pixels, or None: all is selected."""
        if self.gimp.selection_is_empty(self.layer.image):
            return None
        return self.layer.get_selection()

    def blur(self, before, rect=None):
        """The values that the layer must have in rect, of the layer as it is; all of it by
        default."""
        format, (x, y), share = self.layer.format, self.get_growth(), self.get_share()
        large = np.pad(before, [(y, y), (x, x), (0, 0)]) if x or y else before
        left, top, width, height = rect or (-x, -y, large.shape[1], large.shape[0])
        part = (left + x, top + y, width, height)
        values = format.decode(run_engine(BLUR, large, format, region=part, **self.settings))
        old = format.decode(large[part[1]:part[1] + height, part[0]:part[0] + width])
        if share is not None:
            values = mix(format, old, values, share[top:top + height, left:left + width])
        if self.kept:
            gone = values[..., -1:] == 0.0 if format.has_alpha else False
            values = np.where(reference.get_bits(format, self.kept) | gone, old, values)
        return values

    def compare(self, before, pixels):
        expected = self.blur(before)
        if pixels.shape != expected.shape:
            return f"the layer has another size: {pixels.shape}, not {expected.shape}"
        if is_within(self.layer.format, expected, pixels, 1.0):
            return "ok"
        return "the pixels are not the layer, blurred as expected"

    def do_blurred(self, _):
        """Whether the layer is its original, blurred as expected."""
        return self.compare(self.original, self.layer.read())

    def do_shown(self, _):
        """Whether the preview on the canvas is the layer, blurred as expected. Its layer grows by
        whole tiles."""
        shown = find_shown(self.gimp, self.layer.image)
        if not shown:
            return "there is no preview on the canvas"
        before, (grow_x, grow_y) = self.layer.read(), self.get_growth()
        other = Layer(self.gimp, self.layer.image, shown, self.layer.format)
        pixels, (x, y), (left, top) = other.read(), self.layer.get_offsets(), other.get_offsets()
        x, y = x - left - grow_x, y - top - grow_y
        if x < 0 or y < 0:
            return "there is no room for the preview on the canvas"
        height, width = before.shape[:2]
        return self.compare(before, pixels[y:y + height + 2 * grow_y, x:x + width + 2 * grow_x])

    def check_bytes(self, expected):
        same = self.layer.read().tobytes() == expected.tobytes()
        return "ok" if same else "the layer's bytes are not those that are expected"

    def check_filter(self, filter, settings):
        """Whether the layer is what a filter makes of its original: to the byte on the CPU."""
        format, gpu = self.layer.format, fx.has_gpu()
        expected = run_engine(filter, self.original, format, **settings)
        if not gpu:
            return self.check_bytes(expected)
        factor = 2.0
        if filter == "convolve":
            factor *= reference.Matrix(settings["values"], settings["divisor"]).gain
        right = is_within(format, format.decode(expected), self.layer.read(), 1.0, factor)
        return "ok" if right else "the pixels are not those that are expected"

    def do_convolved(self, text):
        """DIVISOR OFFSET CHANNELS WEIGHTING ABYSS LIGHT ROWSxCOLUMNS: VALUE..."""
        *head, rest = text.split(" ", 6)
        divisor, offset, channels, weighting, abyss, light = read_numbers(" ".join(head), float,
                                                                          float, *4 * [int])
        size, values = rest.split(":")
        values = np.array([float(word) for word in values.split()])
        return self.check_filter("convolve", {
            "values": values.reshape([int(n) for n in size.split("x")]), "divisor": divisor,
            "offset": offset, "channels": channels, "alpha_weighting": WEIGHTINGS[weighting],
            "abyss": ABYSSES[abyss], "light": LIGHTS[light]})

    def do_lens(self, text):
        """RADIUS BLADES ROTATION ROUNDNESS RING SQUEEZE HIGHLIGHTS THRESHOLD ABYSS LIGHT"""
        names = ["radius", "blades", "rotation", "roundness", "ring", "squeeze", "highlights",
                 "threshold"]
        *numbers, abyss, light = read_numbers(text, float, int, *6 * [float], int, int)
        return self.check_filter("lens-blur", {**dict(zip(names, numbers)),
                                               "abyss": ABYSSES[abyss], "light": LIGHTS[light]})

    def do_motion(self, text):
        """KIND LENGTH ANGLE FACTOR CENTER-X CENTER-Y"""
        kind, *numbers = read_numbers(text, int, *5 * [float])
        names = ["length", "angle", "factor", "center_x", "center_y"]
        return self.check_filter("motion-blur", {**dict(zip(names, numbers)),
                                                 "kind": ["line", "spin", "zoom"][kind]})

    # ---- the screen ----

    def run_screen(self, *words):
        return subprocess.run([f"{self.built}/cuda-blur-test-screen", *map(str, words)],
                              capture_output=True)

    def grab(self, x, y, width, height):
        pixels = np.frombuffer(self.run_screen("grab", x, y, width, height).stdout, np.uint8)
        return pixels.reshape(height, width, 3)

    def render(self, rect, scale, blurred):
        """A view of the layer, in 8 bits: rect is of the scaled layer (preview.h)."""
        format, (grow_x, grow_y) = self.layer.format, self.get_growth()
        height, width = self.original.shape[:2]
        starts, sizes = zip(*(get_covered(first, n, scale, -grow, size + grow) for
                              first, n, grow, size in zip(rect[:2], rect[2:], (grow_x, grow_y),
                                                          (width, height))))
        if blurred:
            values = self.blur(self.original, (*starts, *sizes))
        else:
            large = np.pad(self.original, [(grow_y, grow_y), (grow_x, grow_x), (0, 0)])
            values = format.decode(large[starts[1] + grow_y:, starts[0] + grow_x:])
            values = values[:sizes[1], :sizes[0]]
        pixels = reference.premultiply(format, "linear", values)
        colors = pixels[..., :format.colors].repeat(3 // format.colors, axis=-1)
        alpha = pixels[..., -1:] if format.has_alpha else np.ones((*pixels.shape[:2], 1))
        view = reference.reduce(np.concatenate([colors, alpha], axis=-1), scale, rect,
                                (-starts[0], -starts[1]))
        return put_on_checks(RGBA.encode(reference.unpremultiply(RGBA, "linear", view)), rect)

    def do_picture(self, text):
        """X Y WIDTH HEIGHT COLUMN ROW SCALE [DIVIDER]: whether that part of the screen shows the
        layer, blurred as expected, at that scale, from that pixel of the scaled layer on; left of
        the divider, a column of the screen, the layer as it is. The columns under the divider
        itself are not checked."""
        x, y, width, height, column, row, scale, *divider = read_numbers(
            text, *6 * [int], float, int)
        actual, rect = self.grab(x, y, width, height), (column, row, width, height)
        expected, columns = self.render(rect, scale, True), x + np.arange(width)
        if divider:
            expected[:, columns < divider[0]] = self.render(rect, scale, False)[
                :, columns < divider[0]]
            under = np.abs(columns - divider[0]) <= 1
            expected[:, under] = actual[:, under]
        errors = np.abs(actual.astype(int) - expected).max(axis=-1)
        if errors.max() <= TOLERANCE:
            return "ok"
        place = np.unravel_index(errors.argmax(), errors.shape)
        return (f"{np.count_nonzero(errors > TOLERANCE)} of {errors.size} pixels are wrong, the "
                f"worst at {place[1]},{place[0]}: {actual[place]}, expected {expected[place]}")

    def do_find(self, text):
        """WIDTH HEIGHT, the screen's: "at X Y", where its first pixel is, of the layer as it is and
        at full size."""
        mark = self.render(MARK, 1.0, False)
        screen = self.grab(0, 0, *read_numbers(text, int, int))
        for y, x in np.argwhere((screen == mark[0, 0]).all(axis=-1)):
            if np.array_equal(screen[y:y + MARK[3], x:x + MARK[2]], mark):
                return f"at {x - MARK[0]} {y - MARK[1]}"
        return "the layer is not to be seen"

    def do_screen(self, text):
        """X Y WIDTH HEIGHT: a sum over what that part of the screen shows."""
        return hashlib.md5(self.grab(*read_numbers(text, *4 * [int]))).hexdigest()

    def do_colour(self, text):
        """The same: the means of its red, green and blue levels, 0 to 255."""
        means = self.grab(*read_numbers(text, *4 * [int])).mean(axis=(0, 1))
        return " ".join(f"{mean:.0f}" for mean in means)

    def do_brightness(self, text):
        """The same: the mean of its levels."""
        return f"{self.grab(*read_numbers(text, *4 * [int])).mean():.0f}"

    def do_measure(self, window):
        """WINDOW: its width and height, and the least ones that show all that is in it."""
        return self.run_screen("measure", window).stdout.decode().strip() or "which window?"

    def do_close(self, window):
        """WINDOW: asks it to close."""
        return "which window?" if self.run_screen("close", window).returncode else "ok"

    # ---- processes ----

    def get_processes(self):
        """The plug-in's, of which it looks for two."""
        one = processes.find(self.gimp_pid, PLUGIN)
        return [pid for pid in (one, one and processes.find(self.gimp_pid, PLUGIN, one)) if pid]

    @property
    def gimp_pid(self):
        return int(processes.get_stat(self.gimp.get_pid())[1])

    def do_processes(self, _):
        """How many they are, and one of them. While no call is under way that is the resident
        one."""
        found = self.get_processes()
        return f"{len(found)} {found[0] if found else 0}"

    def do_modules(self, _):
        """Whether none of two has loaded GEGL's operations, which the test plug-in has."""
        loaded = [processes.has_mapped(pid, "/gegl-0.4/")
                  for pid in (*self.get_processes(), self.gimp.get_pid())]
        return "ok" if loaded == [False, False, True] else f"loaded: {loaded}"

    def do_start(self, _):
        """Starts the resident process again."""
        self.starter.restart("extension-cuda-filters")

    def do_kill(self, text):
        """PROCESS MILLISECONDS: in the next call, that long after the layer has become wider."""
        self.to_kill = read_numbers(text, int, int)

    # ---- calls ----

    def call(self, mode, arguments=None, **settings):
        width = self.gimp.drawable_width(self.layer.drawable)
        self.layer.send(BLUR, mode, arguments, **settings)
        if self.to_kill:
            process, milliseconds = self.to_kill
            self.to_kill = None
            processes.wait_until(
                lambda: self.other.drawable_width(self.layer.drawable) > width, 10.0)
            time.sleep(milliseconds / 1e3)
            processes.kill(process)
        try:
            self.gimp.receive()
        finally:
            self.gimp.displays_flush()

    def do_blur(self, _):
        """As expected."""
        self.call(NONINTERACTIVE, **self.settings)

    def do_interactive(self, _):
        self.call(INTERACTIVE, [])

    def do_last(self, _):
        self.call(WITH_LAST_VALS, [])

    def do_progress(self, _):
        """Whether a blur of a large image names itself and tells how far it is: of an image whose
        tiles alone take longer, on any machine, than the 40 ms between two such values. In batch
        mode GIMP drops all progress."""
        image = self.gimp.image_new_with_precision(5000, 4000, *TYPES[4][:1], 150)
        drawable = self.gimp.layer_new(image, 5000, 4000, TYPES[4][1], "large", 100.0, NORMAL)
        self.gimp.image_insert_layer(image, drawable, -1, 0)
        self.gimp.call("watch-progress")
        Layer(self.gimp, image, drawable, Format("u8", 4)).call(BLUR, **self.settings)
        texts, values = self.gimp.call("tell-progress")
        self.gimp.image_delete(image)
        return "ok" if texts and values else f"{texts} texts, {values} values"

    def do_canvas(self, text):
        """The canvas in the test plug-in's process (canvas-calls.c): show, blur SIGMA GROW, hide,
        kill MESSAGE, clean, dirty or describe. Undo and redo need keys, and so a window."""
        word, *numbers = text.split()
        if word == "clean":
            return self.gimp.image_clean_all(self.layer.image)
        if word == "dirty":
            return "yes" if self.gimp.image_is_dirty(self.layer.image) else "no"
        if word == "kill":
            try:
                self.gimp.call("plug-in-cuda-blur-test-victim", NONINTERACTIVE, self.layer.image,
                               self.layer.drawable, int(numbers[0]))
            except Refused:
                return "ok"
            return "it lives"
        if word == "blur":
            return self.blur_canvas(float(numbers[0]), int(numbers[1]))
        if word == "describe":
            return describe(self.gimp, self.layer.image)
        return self.gimp.call(f"canvas-{word}", self.layer.drawable)

    def blur_canvas(self, sigma, grow):
        settings = {"sigma_x": sigma, "sigma_y": sigma, "grow": grow}
        x, y = fx.Settings(BLUR, **settings).get_growth()
        large = np.pad(self.layer.read(), [(y, y), (x, x), (0, 0)])
        after = run_engine(BLUR, large, self.layer.format, **settings)
        answer = self.gimp.set_canvas(sigma, sigma, grow, after)
        return answer if answer != "ok" else {"done": "ok"}.get(
            written := self.gimp.call("canvas-write", 1, -1), written)

    # ---- requests ----

    def answer(self, line):
        word, _, rest = line.partition(" ")
        method = getattr(self, f"do_{word}", None)
        if not method:
            return "what?"
        try:
            return method(rest) or "ok"
        except Refused as refused:
            return f"{STATUSES[refused.status]}: {refused}"
        except (AssertionError, LookupError, ValueError, fx.Error) as failure:
            return f"{type(failure).__name__}: {failure}"

    def take(self):
        """The next request; None if GIMP is gone."""
        path = os.path.join(self.folder, "request")
        while not os.path.exists(path):
            if select.select([self.gimp.connection], [], [], PAUSE)[0]:
                return None
        with open(path) as file:
            line = file.read().strip()
        os.unlink(path)
        return line

    def put(self, answer):
        path = os.path.join(self.folder, "answer")
        with open(path + ".new", "w") as file:
            file.write(answer + "\n")
        os.rename(path + ".new", path)

    def run(self):
        self.accept()
        while (line := self.take()) and line != "quit":
            self.put(" ".join(self.answer(line).split()))
        self.put("ok")
        self.gimp.close()
        for caller in (self.other, self.starter):
            caller.wait_end()  # GIMP ends it, and would complain of one that has ended before
            caller.close()


RGBA = Format("u8", 4)
STATUSES = ["GIMP_PDB_EXECUTION_ERROR", "GIMP_PDB_CALLING_ERROR", "GIMP_PDB_PASS_THROUGH",
            "GIMP_PDB_SUCCESS", "GIMP_PDB_CANCEL"]


def get_covered(first, n, scale, low, high):
    """The first of the pixels from low to high - 1 that n pixels of a view cover, and how many."""
    start = min(max(int(np.floor(first / scale)), low), high - 1)
    end = min(max(int(np.ceil((first + n) / scale)), start + 1), high)
    return start, end - start


def put_on_checks(rgba, rect):
    """In integers, as GimpPreviewArea does."""
    x, y = np.arange(rect[2]) + rect[0], np.arange(rect[3])[:, None] + rect[1]
    check = np.where((x ^ y) & CHECK_SIZE, CHECK_LEVELS[1], CHECK_LEVELS[0])[..., None]
    colors, alpha = rgba[..., :3].astype(int), rgba[..., 3:].astype(int)
    between = ((check << 8) + (colors - check) * (alpha + 1)) >> 8
    return np.where(alpha == 0, check, np.where(alpha == 255, colors, between))


def main():
    folder, built = sys.argv[1:]
    fx.load(f"{built}/../door/libfx-test.so")
    Server(folder, built).run()
    fx.close()


main()
