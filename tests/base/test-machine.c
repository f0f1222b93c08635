/* The limits of control groups in both versions and those of Slurm, from files in a folder that
 * stands for the root. */
#include "folder.h"
#include "machine.h"
#include "test.h"

#define MB       1048576
#define V1_NONE  "9223372036854771712\n" /* as the kernel prints that there is no limit */
#define V1_GROUP "12:pids:/x\n5:memory:/job/step\n4:cpu,cpuacct:/job/step\n1:name=systemd:/\n"
#define V2_GROUP "0::/job/step\n"

/* A root with these files, and with 8,000 MB free. */
static char *
make_root (const char *const *files)
{
  static const char meminfo[] = "MemFree: 1 kB\nMemAvailable:    8192000 kB\n";
  char *root = g_dir_make_tmp ("test-machine.XXXXXX", NULL);

  for (const char *const *file = files; file; file = *file ? file + 2 : NULL)
    {
      g_autofree char *path = g_build_filename (root, *file ? *file : "proc/meminfo", NULL);
      g_autofree char *folder = g_path_get_dirname (path);

      g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
      g_assert_true (g_file_set_contents (path, *file ? file[1] : meminfo, -1, NULL));
    }
  return root;
}

static void
assert_machine (const char *const *files, double cores, guint megabytes)
{
  g_autofree char *root = make_root (files);

  g_assert_cmpfloat (fx_machine_get_cores (root), ==, cores);
  g_assert_cmpuint (fx_machine_get_memory (root) / MB, ==, megabytes);
  folder_remove (root);
}

#define GROUP  "proc/self/cgroup"
#define JOB    "sys/fs/cgroup/job/"
#define MEMORY "sys/fs/cgroup/memory/"
#define CPU    "sys/fs/cgroup/cpu/"

/* Of this process's group and of those that it is in, the least counts. A container sees its own
 * group where the others see the top. What others in the group use is not free, but for files that
 * nobody reads. */
TEST (test_groups, "/machine/groups")
{
  static const struct {
    const char *name;
    const char *files[16]; /* path and text */
    double cores;
    guint megabytes;
  } cases[] = {
    { "none", { NULL }, INFINITY, 8000 },
    { "unlimited",
      { GROUP, V1_GROUP V2_GROUP, JOB "memory.max", "max\n", JOB "step/memory.high", "max\n",
        JOB "step/cpu.max", "max 100000\n", MEMORY "job/step/memory.limit_in_bytes", V1_NONE,
        CPU "job/step/cpu.cfs_quota_us", "-1\n", CPU "job/step/cpu.cfs_period_us", "100000\n" },
      INFINITY,
      8000 },
    { "version 2, its own",
      { GROUP, V2_GROUP, JOB "step/memory.max", "2097152000\n", JOB "step/cpu.max",
        "150000 100000\n", JOB "memory.max", "4194304000\n", JOB "cpu.max", "max 100000\n" },
      1.5,
      2000 },
    { "version 2, above it",
      { GROUP, V2_GROUP, JOB "step/memory.max", "max\n", JOB "step/cpu.max", "max 100000\n",
        JOB "memory.high", "1048576000\n", JOB "cpu.max", "400000 100000\n" },
      4.0,
      1000 },
    { "version 1, its own",
      { GROUP, V1_GROUP, MEMORY "job/step/memory.limit_in_bytes", "2097152000\n",
        CPU "job/step/cpu.cfs_quota_us", "50000\n", CPU "job/step/cpu.cfs_period_us", "100000\n" },
      0.5,
      2000 },
    { "version 1, above it",
      { GROUP, V1_GROUP, MEMORY "job/step/memory.limit_in_bytes", V1_NONE,
        MEMORY "job/memory.limit_in_bytes", "1048576000\n", CPU "job/cpu.cfs_quota_us", "300000\n",
        CPU "job/cpu.cfs_period_us", "100000\n" },
      3.0,
      1000 },
    { "version 1, container",
      { GROUP, V1_GROUP, MEMORY "memory.limit_in_bytes", "1048576000\n", CPU "cpu.cfs_quota_us",
        "200000\n", CPU "cpu.cfs_period_us", "100000\n" },
      2.0,
      1000 },
    { "version 2, container",
      { GROUP, "0::/\n", "sys/fs/cgroup/memory.max", "1048576000\n", "sys/fs/cgroup/cpu.max",
        "200000 100000\n" },
      2.0,
      1000 },
    { "version 1, used",
      { GROUP, V1_GROUP, MEMORY "job/step/memory.limit_in_bytes", "2097152000\n",
        MEMORY "job/step/memory.usage_in_bytes", "1572864000\n", MEMORY "job/step/memory.stat",
        "inactive_file 1\ntotal_inactive_file 104857600\n" },
      INFINITY,
      600 },
    { "version 2, used",
      { GROUP, V2_GROUP, JOB "memory.max", "2097152000\n", JOB "memory.current", "1572864000\n",
        JOB "memory.stat", "active_file 1\ninactive_file 104857600\n" },
      INFINITY,
      600 },
    { "version 2, full",
      { GROUP, V2_GROUP, JOB "memory.max", "2097152000\n", JOB "memory.current", "3097152000\n" },
      INFINITY,
      0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].name);
      assert_machine (cases[i].files, cases[i].cores, cases[i].megabytes);
    }
}

static void
assert_slurm (const char *variable, const char *value, double cores, guint megabytes)
{
  const char *const nothing[] = { NULL };

  g_setenv (variable, value, TRUE);
  assert_machine (nothing, cores, megabytes);
  g_unsetenv (variable);
}

TEST (test_slurm, "/machine/slurm")
{
  assert_slurm ("SLURM_MEM_PER_NODE", "2000", INFINITY, 2000);
  assert_slurm ("SLURM_MEM_PER_NODE", "0", INFINITY, 8000);
  assert_slurm ("SLURM_MEM_PER_NODE", "64000", INFINITY, 8000);
  assert_slurm ("SLURM_MEM_PER_NODE", "2G", INFINITY, 8000); /* a user's wish, of no job */
  assert_slurm ("SLURM_CPUS_ON_NODE", "4", 4.0, 8000);
  g_setenv ("SLURM_CPUS_ON_NODE", "4", TRUE);
  assert_slurm ("SLURM_MEM_PER_CPU", "500", 4.0, 2000);
  g_unsetenv ("SLURM_CPUS_ON_NODE");
}

int
main (int argc, char **argv)
{
  static const char *const names[] = { "SLURM_MEM_PER_NODE", "SLURM_MEM_PER_CPU",
                                       "SLURM_MEM_PER_GPU", "SLURM_CPUS_ON_NODE" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    g_unsetenv (names[i]);
  seed_test_init (&argc, &argv);
  return g_test_run ();
}
