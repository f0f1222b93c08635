"""The limits of control groups in both versions and those of Slurm (machine.h), from files in a
folder that stands for the root."""

import math
from ctypes import c_char_p, c_double, c_uint64

import pytest

import fx

fx.library.declare({"fx_machine_get_cores": (c_double, [c_char_p]),
                    "fx_machine_get_memory": (c_uint64, [c_char_p])})

NONE = "9223372036854771712"  # as the kernel of version 1 prints that there is no limit
GROUP = "proc/self/cgroup"
ONE = {GROUP: "12:pids:/x\n5:memory:/job/step\n4:cpu,cpuacct:/job/step\n1:name=systemd:/"}
TWO = {GROUP: "0::/job/step"}
JOB, MEMORY, CPU = (f"sys/fs/cgroup/{name}/" for name in ("job", "memory", "cpu"))

# Of each: the cores, the megabytes, and the files.
GROUPS = {
    "none": (math.inf, 8000, {}),
    "unlimited": (math.inf, 8000, {
        GROUP: f"{ONE[GROUP]}\n{TWO[GROUP]}", JOB + "memory.max": "max",
        JOB + "step/memory.high": "max", JOB + "step/cpu.max": "max 100000",
        MEMORY + "job/step/memory.limit_in_bytes": NONE,
        CPU + "job/step/cpu.cfs_quota_us": "-1",
        CPU + "job/step/cpu.cfs_period_us": "100000"}),
    "version 2, its own": (1.5, 2000, {
        **TWO, JOB + "step/memory.max": "2097152000", JOB + "step/cpu.max": "150000 100000",
        JOB + "memory.max": "4194304000", JOB + "cpu.max": "max 100000"}),
    "version 2, above it": (4, 1000, {
        **TWO, JOB + "step/memory.max": "max", JOB + "step/cpu.max": "max 100000",
        JOB + "memory.high": "1048576000", JOB + "cpu.max": "400000 100000"}),
    "version 1, its own": (0.5, 2000, {
        **ONE, MEMORY + "job/step/memory.limit_in_bytes": "2097152000",
        CPU + "job/step/cpu.cfs_quota_us": "50000",
        CPU + "job/step/cpu.cfs_period_us": "100000"}),
    "version 1, above it": (3, 1000, {
        **ONE, MEMORY + "job/step/memory.limit_in_bytes": NONE,
        MEMORY + "job/memory.limit_in_bytes": "1048576000",
        CPU + "job/cpu.cfs_quota_us": "300000", CPU + "job/cpu.cfs_period_us": "100000"}),
    "version 1, container": (2, 1000, {
        **ONE, MEMORY + "memory.limit_in_bytes": "1048576000",
        CPU + "cpu.cfs_quota_us": "200000", CPU + "cpu.cfs_period_us": "100000"}),
    "version 2, container": (2, 1000, {
        GROUP: "0::/", "sys/fs/cgroup/memory.max": "1048576000",
        "sys/fs/cgroup/cpu.max": "200000 100000"}),
    "version 1, used": (math.inf, 600, {
        **ONE, MEMORY + "job/step/memory.limit_in_bytes": "2097152000",
        MEMORY + "job/step/memory.usage_in_bytes": "1572864000",
        MEMORY + "job/step/memory.stat": "inactive_file 1\ntotal_inactive_file 104857600"}),
    "version 2, used": (math.inf, 600, {
        **TWO, JOB + "memory.max": "2097152000", JOB + "memory.current": "1572864000",
        JOB + "memory.stat": "active_file 1\ninactive_file 104857600"}),
    "version 2, full": (math.inf, 0, {
        **TWO, JOB + "memory.max": "2097152000", JOB + "memory.current": "3097152000"}),
}


@pytest.fixture
def check(monkeypatch, tmp_path):
    """A function that compares what may be used with files below the root, with 8,000 MB free. The
    job that this runs in does not count."""
    for name in ("MEM_PER_NODE", "MEM_PER_CPU", "MEM_PER_GPU", "CPUS_ON_NODE"):
        monkeypatch.delenv(f"SLURM_{name}", raising=False)

    def check(cores, megabytes, files):
        free = {"proc/meminfo": "MemFree: 1 kB\nMemAvailable:    8192000 kB"}
        for name, text in {**free, **files}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{text}\n")
        root = bytes(tmp_path)
        assert fx.library.fx_machine_get_cores(root) == cores
        assert fx.library.fx_machine_get_memory(root) >> 20 == megabytes

    return check


@pytest.mark.parametrize("name", GROUPS)
def test_groups(check, name):
    """Of this process's group and of those that it is in, the least counts. A container sees its
    own group where the others see the top. What others in the group use is not free, but for files
    that nobody reads."""
    check(*GROUPS[name])


@pytest.mark.parametrize("job,cores,megabytes", [
    ({"MEM_PER_NODE": "2000"}, math.inf, 2000), ({"MEM_PER_NODE": "0"}, math.inf, 8000),
    ({"MEM_PER_NODE": "64000"}, math.inf, 8000),
    ({"MEM_PER_NODE": "2G"}, math.inf, 8000),  # a user's wish, of no job
    ({"CPUS_ON_NODE": "4"}, 4, 8000), ({"CPUS_ON_NODE": "4", "MEM_PER_CPU": "500"}, 4, 2000)])
def test_slurm(check, monkeypatch, job, cores, megabytes):
    for name, value in job.items():
        monkeypatch.setenv(f"SLURM_{name}", value)
    check(cores, megabytes, {})
