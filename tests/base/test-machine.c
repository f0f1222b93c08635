/* The limits of control groups in both versions and those of Slurm, from files in a folder that
 * stands for the root. */
#include "folder.h"
#include "machine.h"
#include "test.h"

#define MB       1048576
#define V1_NONE  "9223372036854771712\n" /* as the kernel prints that there is no limit */
#define V1_GROUP "12:pids:/x\n5:memory:/job/step\n4:cpu,cpuacct:/job/step\n1:name=systemd:/\n"
#define V2_GROUP "0::/job/step\n"

typedef struct {
  const char *path, *text;
} File;

/* A root with these files, and with 8,000 MB free. */
static char *
make_root (const File *files)
{
  char *root = g_dir_make_tmp ("test-machine.XXXXXX", NULL);
  const File machine = { "proc/meminfo", "MemFree: 1 kB\nMemAvailable:    8192000 kB\n" };

  for (const File *file = &machine; file->path; file = file == &machine ? files : file + 1)
    {
      g_autofree char *path = g_build_filename (root, file->path, NULL);
      g_autofree char *folder = g_path_get_dirname (path);

      g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
      g_assert_true (g_file_set_contents (path, file->text, -1, NULL));
    }
  return root;
}

static void
assert_machine (const File *files, double cores, guint megabytes)
{
  g_autofree char *root = make_root (files);

  g_assert_cmpfloat (fx_machine_get_cores (root), ==, cores);
  g_assert_cmpuint (fx_machine_get_memory (root) / MB, ==, megabytes);
  folder_remove (root);
}

TEST (test_none, "/machine/none")
{
  const File nothing[] = { { NULL, NULL } };
  const File unlimited[] = {
    { "proc/self/cgroup", V1_GROUP V2_GROUP },
    { "sys/fs/cgroup/job/memory.max", "max\n" },
    { "sys/fs/cgroup/job/step/memory.high", "max\n" },
    { "sys/fs/cgroup/job/step/cpu.max", "max 100000\n" },
    { "sys/fs/cgroup/memory/job/step/memory.limit_in_bytes", V1_NONE },
    { "sys/fs/cgroup/cpu/job/step/cpu.cfs_quota_us", "-1\n" },
    { "sys/fs/cgroup/cpu/job/step/cpu.cfs_period_us", "100000\n" },
    { NULL, NULL },
  };

  assert_machine (nothing, INFINITY, 8000);
  assert_machine (unlimited, INFINITY, 8000);
}

/* Of this process's group and of those that it is in, the least counts. */
TEST (test_version_2, "/machine/version-2")
{
  const File own[] = {
    { "proc/self/cgroup", V2_GROUP },
    { "sys/fs/cgroup/job/step/memory.max", "2097152000\n" },
    { "sys/fs/cgroup/job/step/cpu.max", "150000 100000\n" },
    { "sys/fs/cgroup/job/memory.max", "4194304000\n" },
    { "sys/fs/cgroup/job/cpu.max", "max 100000\n" },
    { NULL, NULL },
  };
  const File above[] = {
    { "proc/self/cgroup", V2_GROUP },
    { "sys/fs/cgroup/job/step/memory.max", "max\n" },
    { "sys/fs/cgroup/job/step/cpu.max", "max 100000\n" },
    { "sys/fs/cgroup/job/memory.high", "1048576000\n" },
    { "sys/fs/cgroup/job/cpu.max", "400000 100000\n" },
    { NULL, NULL },
  };

  assert_machine (own, 1.5, 2000);
  assert_machine (above, 4.0, 1000);
}

TEST (test_version_1, "/machine/version-1")
{
  const File own[] = {
    { "proc/self/cgroup", V1_GROUP },
    { "sys/fs/cgroup/memory/job/step/memory.limit_in_bytes", "2097152000\n" },
    { "sys/fs/cgroup/cpu/job/step/cpu.cfs_quota_us", "50000\n" },
    { "sys/fs/cgroup/cpu/job/step/cpu.cfs_period_us", "100000\n" },
    { NULL, NULL },
  };
  const File above[] = {
    { "proc/self/cgroup", V1_GROUP },
    { "sys/fs/cgroup/memory/job/step/memory.limit_in_bytes", V1_NONE },
    { "sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1048576000\n" },
    { "sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "300000\n" },
    { "sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n" },
    { NULL, NULL },
  };

  assert_machine (own, 0.5, 2000);
  assert_machine (above, 3.0, 1000);
}

/* A container sees its own group where the others see the top. */
TEST (test_container, "/machine/container")
{
  const File version_1[] = {
    { "proc/self/cgroup", V1_GROUP },
    { "sys/fs/cgroup/memory/memory.limit_in_bytes", "1048576000\n" },
    { "sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n" },
    { "sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n" },
    { NULL, NULL },
  };
  const File version_2[] = {
    { "proc/self/cgroup", "0::/\n" },
    { "sys/fs/cgroup/memory.max", "1048576000\n" },
    { "sys/fs/cgroup/cpu.max", "200000 100000\n" },
    { NULL, NULL },
  };

  assert_machine (version_1, 2.0, 1000);
  assert_machine (version_2, 2.0, 1000);
}

/* What others in the group use is not free, but for files that nobody reads. */
TEST (test_used, "/machine/used")
{
  const File version_1[] = {
    { "proc/self/cgroup", V1_GROUP },
    { "sys/fs/cgroup/memory/job/step/memory.limit_in_bytes", "2097152000\n" },
    { "sys/fs/cgroup/memory/job/step/memory.usage_in_bytes", "1572864000\n" },
    { "sys/fs/cgroup/memory/job/step/memory.stat",
      "inactive_file 1\ntotal_inactive_file 104857600\n" },
    { NULL, NULL },
  };
  const File version_2[] = {
    { "proc/self/cgroup", V2_GROUP },
    { "sys/fs/cgroup/job/memory.max", "2097152000\n" },
    { "sys/fs/cgroup/job/memory.current", "1572864000\n" },
    { "sys/fs/cgroup/job/memory.stat", "active_file 1\ninactive_file 104857600\n" },
    { NULL, NULL },
  };
  const File full[] = {
    { "proc/self/cgroup", V2_GROUP },
    { "sys/fs/cgroup/job/memory.max", "2097152000\n" },
    { "sys/fs/cgroup/job/memory.current", "3097152000\n" },
    { NULL, NULL },
  };

  assert_machine (version_1, INFINITY, 600);
  assert_machine (version_2, INFINITY, 600);
  assert_machine (full, INFINITY, 0);
}

static void
assert_slurm (const char *variable, const char *value, double cores, guint megabytes)
{
  const File nothing[] = { { NULL, NULL } };

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
