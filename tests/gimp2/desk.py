"""GIMP in a window, driven by keys and the mouse as a user would, and the dialogs of the filters,
by their trace and by what the screen shows."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
from typing import NamedTuple

import processes
from cases import load_parts
from resident import PLUGIN
from screen import Screen
from session import HERE, Session
from subject import BLUR, Subject

PARTS = load_parts("examples")
TITLES = {part.FILTER: part.TITLE for part in PARTS.values()}
KEYS = {}  # with Ctrl+Alt: the first letter of each folder that no other filter has
GIMPS_OWN = "o"  # Open as Layers
for folder, part in PARTS.items():
    KEYS[part.FILTER] = next(letter for letter in folder
                             if letter not in [*KEYS.values(), *GIMPS_OWN])
VIEW = re.compile(r"cuda-blur: preview .* bytes  (\d+)x(\d+)\+(-?\d+)\+(-?\d+) "
                  r"from (-?\d+),(-?\d+) scale (\S+)(?: sigma ([\d.]+) ([\d.]+))?.*")
CORNER = 20, 20  # a place in the preview that is not in the way


class View(NamedTuple):
    """One of the preview: its place on the screen, at x and y, and that in the scaled layer."""
    width: int
    height: int
    x: int
    y: int
    column: int
    row: int
    scale: float
    sigma_x: float
    sigma_y: float
    line: str

    @property
    def middle(self):
        return self.x + self.width // 2, self.y + self.height // 2

    @property
    def is_draft(self):
        """Or the layer as it is, while a map is read."""
        return " draft, " in self.line or " as it is, " in self.line


def is_near(a, b, by=1):
    return abs(a - b) <= by


class Desk(Screen):
    """GIMP with the plug-ins, in a profile of its own, under Xvfb. filter: whose dialog is meant;
    environment: variables of GIMP's. gimp is the GIMP that runs now, and image the one that is in
    its window."""

    def __init__(self, plugin, probe, filter=BLUR, size=(1280, 1000), kills=False,
                 **environment):
        super().__init__(*size)
        self.plugin, self.probe, self.kills = plugin, probe, kills
        self.built = os.path.dirname(os.path.abspath(probe))
        # GIMP's plug-in for its help asks GIMP for nothing when it is queried (see probe.py): GIMP
        # does not miss its start if a wrapper is set for it.
        self.environment = {"CUDA_BLUR_TRACE": "1", "GIMP_PLUGIN_DEBUG_WRAP": "help,query",
                            "GIMP_PLUGIN_DEBUG_WRAPPER": "env",
                            "GTK_MODULES": f"{self.built}/cuda-blur-test-widgets.so", **environment}
        self.folder = tempfile.mkdtemp(prefix="cuda-blur-")
        self.gimp = self.image = self.view = self.problem = None
        self.inset = 0  # at the preview's edges: 1 if it may have the focus, which is drawn there
        self.wheel = 4
        self.choose_filter(filter)
        self.make_profile()

    def choose_filter(self, filter):
        self.dialog, self.shortcut = f"^{re.escape(TITLES[filter])}$", f"ctrl+alt+{KEYS[filter]}"

    # ---- GIMP ----

    def make_profile(self):
        script = ('. "$0" && make_profile "$1" "$2" "$3" "${0%/*}/probe.py" && '
                  'add_help "${2%/*/*}/help/help"')
        subprocess.run(["sh", "-c", script, os.path.join(HERE, "profile.sh"), self.folder,
                        self.plugin, self.probe], check=True)
        self.add("menurc", *(f'(gtk_accel_path "<Actions>/plug-in/plug-in-cuda-{filter}" '
                             f'"<Primary><Alt>{key}")' for filter, key in KEYS.items()))

    def get_path(self, name):
        """Of a file in GIMP's folder."""
        return os.path.join(self.folder, "gimp", name)

    def add(self, name, *lines):
        """To a file there."""
        with open(self.get_path(name), "a") as file:
            file.writelines(f"{line}\n" for line in lines)

    def start(self, **environment):
        self.gimp = Session(self.plugin, self.probe, kills=self.kills, folder=self.folder,
                            display=self.display, **self.environment | environment)
        self.image = self.view = None
        self.views_before = 0  # of other dialogs

    def restart(self, **environment):
        """With the same profile and an empty log."""
        self.gimp.end()
        self.start(**environment)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.stop(kind is None)

    def stop(self, well):
        """well: whether the tests have passed."""
        if not well:
            self.keep_picture()
        try:
            if self.gimp:
                self.gimp.end(well)
        finally:
            super().stop()
            shutil.rmtree(self.folder, ignore_errors=True)

    # ---- the image ----

    def new_image(self, name="rgb", sigma=3, grow=0, size=(360, 300), sample="u8"):
        """In place of the last, whose display goes last: GIMP would otherwise have none for a
        moment. sigma and grow are what the dialog begins with, if they are not what it had last."""
        old = self.image and self.image.display
        self.image = Subject.make(self.gimp, name, size, sample)
        self.image.display = self.gimp.display_new(self.image.image)
        if old:
            self.gimp.display_delete(old)
        self.gimp.displays_flush()
        if sigma is not None:
            self.image.begin_with(float(sigma), grow)
        self.original, self.blurs = self.state(), self.count("filter")
        return self.image

    def state(self):
        return self.image.get_state()

    def become(self, state, seconds=20):
        self.wait_for(f"the layer was {state}", lambda: self.state() == state, seconds=seconds)

    def find_processes(self):
        """The plug-in's. While no call is under way there is only the resident one."""
        return processes.find_all(self.gimp.process.pid, PLUGIN)

    def is_idle(self):
        return len(self.find_processes()) <= 1

    def check_unchanged(self, state=None):
        """The layer is as it was, at first by default, when all is done."""
        self.wait_for("a call does not end", self.is_idle)
        assert self.state() == (state or self.original)

    def undo(self, state=None):
        """One Ctrl+Z makes of the layer what it was, at first by default."""
        changed = self.state()
        self.press_image("ctrl+z")
        self.wait_for("no step is undone", lambda: self.state() != changed, seconds=10)
        self.check_unchanged(state)

    def redo(self, state):
        self.press_image("ctrl+y")
        self.become(state, 10)
        self.check_unchanged(state)

    def wait_for_change(self):
        self.wait_for("the layer does not change", lambda: self.state() != self.original)

    def check_applied(self, filter=None, **settings):
        """The layer becomes what the filter makes of it with the settings; its original, blurred as
        expected, by default."""
        # GIMP ends who reads a layer while it grows: the trace tells when the blur is through.
        processes.wait_until(lambda: self.count("filter") > self.blurs, 20, 0.02)
        self.blurs = self.count("filter")
        processes.wait_until(lambda: self.state() != self.original, 20, 0.02)
        problem = (self.image.compare_filter(filter, **settings) if filter else
                   self.image.compare_layer())
        assert not problem, problem

    @staticmethod
    def signal(number, pids):
        """Some may have ended."""
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    @contextlib.contextmanager
    def hold(self):
        """The plug-in does nothing meanwhile. Keys wait for it."""
        held = self.find_processes()
        self.signal(signal.SIGSTOP, held)
        try:
            self.wait_for("a process does not stop", lambda: all(
                processes.get_stat(pid)[:1] == ["T"] or not processes.lives(pid) for pid in held))
            yield
        finally:
            self.signal(signal.SIGCONT, held)

    # ---- the dialog ----

    def press_at_once(self, *keys):
        """The dialog finds all of them at once, so that it does nothing else between two, however
        slowly they are sent."""
        with self.hold():
            self.await_window(self.dialog)
            self.xdotool("windowfocus", "--sync", *self.window, "key", *keys)
        self.settle()

    def type_matrix(self, *lines):
        """In place of the last one."""
        self.press("alt+x", "ctrl+a", "Delete")
        for line in lines:
            self.focus(self.dialog, "type", "--", line)
            self.press("Return")

    def apply(self, *filter, **settings):
        """OK, and what must become of the layer."""
        self.ok()
        self.check_applied(*filter, **settings)

    def open(self, shortcut=None):
        self.views_before = self.count("preview")
        self.press_image(shortcut or self.shortcut)
        self.await_dialog()

    def begin(self, *args, **options):
        """The dialog over a new image."""
        image = self.new_image(*args, **options)
        self.open()
        return image

    def await_page(self):
        """The file that GIMP's browser, which the test plug-in stands for, is to show."""
        path = os.path.join(self.folder, "browsed")
        self.wait_for("no page is shown", os.path.exists, path)
        with open(path) as file:
            page = file.read().strip()
        os.unlink(path)
        return page.removeprefix("file://")

    # ---- the mouse ----

    def point(self, *words):
        self.xdotool(*words)
        if self.find(self.dialog):
            self.settle()

    def click(self, x, y, button=1):
        self.point("mousemove", x, y, "click", button)

    def drag(self, start, end):
        """With the first button."""
        self.point("mousemove", *start, "mousedown", 1)
        self.point("mousemove", (start[0] + end[0]) // 2, (start[1] + end[1]) // 2)
        self.point("mousemove", *end)
        self.point("mouseup", 1)

    def click_ok(self):
        """In the dialog's corner."""
        x, y, width, height = self.get_geometry(self.dialog)
        self.click(x + width - 50, y + height - 30)
        self.wait_for("the dialog does not close on a click on OK", self.find_none, self.dialog)

    # ---- the trace ----

    def read_log(self):
        """All that GIMP and its plug-ins have said since it was started."""
        with open(self.gimp.log_path, errors="replace") as file:
            return file.read()

    def list_traces(self, stage):
        return [line for line in self.read_log().splitlines() if f"cuda-blur: {stage} " in line]

    def count(self, stage):
        return len(self.list_traces(stage))

    def read_view(self):
        """The last view that the dialog has painted, if there is one."""
        lines = self.list_traces("preview")[self.views_before:]
        match = lines and VIEW.search(lines[-1])
        if not match:
            return False
        numbers = [float(number or 0) for number in match.groups()]
        self.view = View(*map(int, numbers[:6]), *numbers[6:], lines[-1])
        return True

    def is_view(self, condition=None):
        """Whether the last view is no draft, and fulfils the condition: a function, or a part of
        what is traced of the settings."""
        if not self.read_view() or self.view.is_draft:
            return False
        if isinstance(condition, str):
            return f" {condition} " in f"{self.view.line} "
        return not condition or bool(condition(self.view))

    def previews(self, condition=None, seconds=15):
        """It becomes so."""
        assert processes.wait_until(lambda: self.is_view(condition), seconds, 0.02), self.view

    def compare_view(self, condition=None, divider=None, part=None):
        """What is wrong with the view, by the condition or by what the screen shows: blurred, but
        right of that column of the screen as the layer is. part: of it, that rectangle."""
        if not self.is_view(condition):
            return "it is another view"
        view = self.view
        x, y, width, height = part or (self.inset, self.inset, view.width - 2 * self.inset,
                                       view.height - 2 * self.inset)
        picture = self.grab(view.x + x, view.y + y, width, height)
        return self.image.compare_picture(picture, view.x + x, (view.column + x, view.row + y),
                                          view.scale, divider)

    def is_right(self, compare, *arguments):
        """Whether a comparison finds no problem, which otherwise is kept to be told."""
        self.problem = compare(*arguments)
        return self.problem is None

    def becomes_right(self, compare, *arguments, seconds=15):
        assert processes.wait_until(lambda: self.is_right(compare, *arguments), seconds, 0.02), (
            f"{self.problem}; {self.view}")

    def shows(self, condition=None, divider=None):
        """Within some seconds."""
        self.becomes_right(self.compare_view, condition, divider)

    def shows_on_canvas(self):
        self.becomes_right(self.image.compare_canvas)

    # ---- the preview's area ----

    def focus_preview(self):
        """So that keys go to it."""
        self.inset = 1
        self.wait_for("there is no preview", self.read_view, seconds=15)
        self.click(*self.view.middle)

    def measure_preview(self):
        """Keeps the view that fills the preview's area, and leaves all of the layer in sight."""
        self.focus_preview()
        self.press("1", "plus", "plus")
        self.previews(lambda view: view.scale == 2)
        self.area = self.view
        self.press("0")

    @property
    def right(self):
        """The column where the area ends."""
        return self.area.x + self.area.width

    def next_view(self):
        """One that was asked for after all that was done before. The wheel zooms in, then out."""
        self.read_view()
        scale = self.view.scale
        self.point("mousemove", self.area.x + CORNER[0], self.area.y + CORNER[1], "click",
                   self.wheel)
        self.wheel = 9 - self.wheel
        self.previews(lambda view: view.scale != scale, 30)
        return self.view

    def find_slider(self):
        """The left end of sigma X's slider. A click on the bar moves it and so finds it."""
        self.read_view()
        sigma, x, y = self.view.sigma_x, self.right + 40, self.area.y + 11

        def is_at(x):
            self.click(x, y)
            return self.next_view().sigma_x != sigma

        x = next((x for x in range(x, x + 160, 10) if is_at(x)), None)
        assert x, "there is no slider"
        self.slider = x + 10, y
        self.click(*self.slider)
        self.next_view()
        self.focus_preview()
        self.press("0")

    def drag_slider(self):
        """200 values at 60 to a second, forth and back."""
        x, y = self.slider
        moves = [("mousemove", x + min(step, 200 - step), y, "sleep", 0.0167)
                 for step in range(1, 201)]
        self.xdotool("mousemove", x, y, "mousedown", 1, *(word for move in moves for word in move))
        self.xdotool("mouseup", 1)
