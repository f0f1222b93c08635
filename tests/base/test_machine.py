"""The limits of control groups in both versions (machine.h), from files in a folder that stands for
the root."""

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

# For each kind of group: the cores, the megabytes, and the files.
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


@pytest.mark.parametrize("name", GROUPS)
def test_groups(tmp_path, name):
    """Of this process's group and of those that it is in, the least counts. A container sees its
    own group where the others see the top. What others in the group use is not free, but for files
    that nobody reads. The machine has 8,000 MB free."""
    cores, megabytes, files = GROUPS[name]
    free = {"proc/meminfo": "MemFree: 1 kB\nMemAvailable:    8192000 kB"}
    for file, text in {**free, **files}.items():
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n")
    assert fx.library.fx_machine_get_cores(bytes(tmp_path)) == cores
    assert fx.library.fx_machine_get_memory(bytes(tmp_path)) >> 20 == megabytes
