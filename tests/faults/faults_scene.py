"""Uses one engine while a call fails: blurs, a convolution, a lens blur, a run whose source stays
resident, and views. On the stand-in for CUDA and for NVRTC (nvrtc.c)."""

import shutil
import tempfile
import time
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_void_p

import numpy as np

import fx
from cases import load_parts
from formats import Format, Table

SHAPE = 100, 40, 4  # two chunks
VIEW = 0, 0, 20, 40
SAME = 2  # the most levels by which the views of two devices may differ
DRAFTS_MAX = 10000
UNTIL_COMPILED = 600000  # milliseconds: a compiler may take long on a busy machine

STORED = Format("u8", 4)
TABLE = Format("u8", 4, trc=Table("square", lambda x: x * x))
LENS = load_parts("examples")["lens"].FILTER
EDGES = np.array([[0, 1, 0], [1, -3, 1], [0, 1, 0]])

fx.library.declare({
    "fault_came": (c_int, []),
    "fault_get_points": (POINTER(c_char_p), [c_int]),
    "fx_engine_set_config": (None, [c_void_p, POINTER(fx.Config)]),
    "fx_gpu_close": (None, [c_void_p]),
    "fx_gpu_open": (c_void_p, [POINTER(fx.Config)], True),
    "stand_in_check_clean": (None, [c_char_p]),
})


class Job:
    """The settings are made here, while nothing fails; the plan at each run."""

    def __init__(self, filter, format=STORED, resident=False, **settings):
        self.settings, self.format = fx.Settings(filter, **settings), format
        self.resident = resident

    def make_plan(self):
        return fx.Plan(self.settings, self.format)

    def run(self, engine, device, resident=None):
        """Returns the report and the result. Where the automatic choice fails, nothing has been
        written; the GPU alone may have written a part."""
        plan, report = self.make_plan(), fx.Report()
        stream = fx.Stream(PIXELS, self.format, (0, 0, SHAPE[1], SHAPE[0]), plan.reach)
        stream.image.resident = self.resident and resident
        try:
            fx.call("fx_engine_run", engine.handle, plan.handle, fx.DEVICES.index(device),
                    byref(stream.image), byref(report))
        except fx.Error:
            assert device != "auto" or not stream.writes
            raise
        stream.finish()
        return report, stream.result.reshape(SHAPE).astype(int)

    def render(self, preview, device, report):
        return preview.render_plan(self.make_plan(), VIEW, 0.5, device=device,
                                   report=report).astype(int)


def make_jobs():
    return [Job("gaussian-blur", sigma_x=2, sigma_y=2),  # the FIR
            Job("gaussian-blur", TABLE, sigma_x=12, sigma_y=12),  # multi-resolution
            Job("convolve", values=EDGES),
            Job(LENS, radius=10, blades=5, highlights=2, threshold=0.8),  # by FFT
            Job("gaussian-blur", resident=True, sigma_x=3, sigma_y=3),
            Job("gaussian-blur", resident=True, sigma_x=2, sigma_y=2)]  # uses the same source


PIXELS = np.random.default_rng(1).integers(0, 256, SHAPE, np.uint8)
FIR, VIEWED = 0, -1  # of the jobs, and of what they are to give
USES = 6 + 2
expected = []


def check_near(result, expected, most):
    assert np.abs(result - expected)[expected[..., 3] >= 8].max() <= most


class Outcome:
    """How often each device did it, how often it failed, and the last reason why the GPU did
    not."""

    def __init__(self):
        self.gpu = self.cpu = self.errors = 0
        self.last = ""

    def note_report(self, report, device):
        if report.device == "gpu":
            self.gpu += 1
            assert not report.fallback
            return
        assert device != "gpu"
        self.cpu += 1
        self.note_reason(report.fallback.decode())

    def note_error(self, error):
        assert error.code != "cancelled"
        self.errors += 1
        self.note_reason(str(error))

    def note_reason(self, reason):
        assert reason
        self.last = reason


class Scene:
    """few: the first two jobs alone, as many as concern the disk. Its cache is empty at first."""

    def __init__(self, few=False, **config):
        self.jobs, self.few, self.engine = make_jobs(), few, None
        self.folder = tempfile.mkdtemp(prefix="cuda-blur-faults-")
        self.config = fx.Config(memory_limit=c_size_t(-1).value, threads=2, timeout=UNTIL_COMPILED,
                                cache_dir=self.folder.encode())
        self.reopen(**config)
        if not expected:
            expected.extend(job.run(self.engine, "cpu")[1] for job in self.jobs)
            expected.append(self.jobs[FIR].render(self.make_preview(), "cpu", fx.ViewReport()))
            self.reopen()

    def reopen(self, **config):
        for name, value in config.items():
            setattr(self.config, name, value)
        self.engine = None
        self.engine = fx.Engine()
        fx.library.fx_engine_set_config(self.engine.handle, byref(self.config))

    def make_preview(self):
        return fx.Preview(PIXELS, STORED, engine=self.engine)

    def close(self):
        self.engine = None
        shutil.rmtree(self.folder)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def use(self, device, *jobs):
        """Runs jobs, or all there are and views. Fails if a result is wrong, if the automatic
        choice used the CPU without a reason, or if a failure has no message."""
        outcome, resident = Outcome(), fx.library.fx_resident_source_new(SHAPE[0])
        preview = not jobs and not self.few and self.make_preview()
        for n in jobs or range(2 if self.few else len(self.jobs)):
            self.use_job(n, device, resident, outcome)
        fx.library.fx_resident_source_free(resident)
        if preview and not preview.handle:
            outcome.errors += 1  # no memory
        elif preview:
            self.use_view(preview, device, outcome)
            preview.change(0, SHAPE[0] // 2)
            self.use_view(preview, device, outcome)
        return outcome

    def use_job(self, n, device, resident, outcome):
        try:
            report, result = self.jobs[n].run(self.engine, device, resident)
        except fx.Error as error:
            outcome.note_error(error)
            return
        outcome.note_report(report, device)
        check_near(result, expected[n], 1)

    def use_view(self, preview, device, outcome):
        """While the GPU is warmed up, views are drafts."""
        report, drafts = fx.ViewReport(draft=True), 0
        try:
            while report.draft:
                result = self.jobs[FIR].render(preview, device, report)
                assert (drafts := drafts + 1) < DRAFTS_MAX
                time.sleep(0.001)
        except fx.Error as error:
            outcome.note_error(error)
            return
        outcome.note_report(report.report, device)
        check_near(result, expected[VIEWED], SAME)

    def check_gpu(self, *jobs):
        """The same engine uses the GPU, now that nothing fails."""
        outcome = self.use("gpu", *jobs)
        assert outcome.errors == 0, outcome.last
