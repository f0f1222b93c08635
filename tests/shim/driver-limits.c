#include "driver-limits.h"

#include <elf.h>
#include <string.h>

/* The technical specifications per compute capability in the CUDA C++ Programming Guide, in
 * bytes. */
typedef struct {
  int arch;
  int shared_block; /* for kernels that request it */
  int shared_processor;
  int shared_reserved; /* reserved by the driver in each block */
  int shared_unit;     /* a block's is rounded up to a multiple of this */
  int threads, blocks; /* per multiprocessor */
} Capability;

#define KB(n) ((n) *1024)

static const Capability capabilities[] = {
  { 52, KB (48), KB (96), 0, 256, 2048, 32 },
  { 61, KB (48), KB (96), 0, 256, 2048, 32 },
  { 75, KB (64), KB (64), 0, 256, 1024, 16 },
  { 86, KB (99), KB (100), KB (1), 128, 1536, 16 },
  { 89, KB (99), KB (100), KB (1), 128, 1536, 24 },
  { 90, KB (227), KB (228), KB (1), 128, 2048, 32 },
  { 120, KB (99), KB (100), KB (1), 128, 1536, 24 },
};

/* The same for all of them. */
#define SHARED_UNASKED KB (48)
#define REGISTERS      KB (64) /* per multiprocessor, and per block */
#define REGISTERS_UNIT 256     /* a warp's are rounded up to a multiple of this */
#define WARPS_UNIT     4       /* warps are rounded down to a multiple of this */
#define WARP           32
#define THREADS_X      1024
#define THREADS_Y      1024
#define THREADS_Z      64
#define THREADS_BLOCK  1024
#define GRID_X         0x7fffffff
#define GRID_Y         65535
#define GRID_Z         65535

static const Capability *
find (int arch)
{
  const Capability *capability = &capabilities[0];

  for (gsize i = 1; i < G_N_ELEMENTS (capabilities) && capabilities[i].arch <= arch; i++)
    capability = &capabilities[i];
  return capability;
}

gboolean
limits_get_device (int arch, CUdevice_attribute attribute, int *value)
{
  const Capability *capability = find (arch);

  if (attribute == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)
    *value = SHARED_UNASKED;
  else if (attribute == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)
    *value = capability->shared_block;
  else if (attribute == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)
    *value = capability->shared_processor;
  else
    return FALSE;
  return TRUE;
}

/* Kernels. */

static gsize
round_up (gsize n, gsize unit)
{
  return (n + unit - 1) / unit * unit;
}

/* Returns for how many warps the registers suffice. */
static int
count_warps (const LimitsKernel *kernel)
{
  gsize warp = round_up ((gsize) MAX (kernel->registers, 1) * WARP, REGISTERS_UNIT);

  return (int) (REGISTERS / warp) / WARPS_UNIT * WARPS_UNIT;
}

static int
get_threads (const LimitsKernel *kernel)
{
  int threads = MIN (count_warps (kernel) * WARP, THREADS_BLOCK);

  return kernel->threads > 0 ? MIN (kernel->threads, threads) : threads;
}

/* Returns the bytes of dynamic shared memory that a block may have. */
static int
get_allowed (const LimitsKernel *kernel)
{
  return kernel->asked > 0 ? kernel->asked : SHARED_UNASKED - kernel->shared;
}

CUresult
limits_get_attribute (const LimitsKernel *kernel, CUfunction_attribute attribute, int *value)
{
  if (attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
    *value = get_threads (kernel);
  else if (attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)
    *value = kernel->shared;
  else if (attribute == CU_FUNC_ATTRIBUTE_NUM_REGS)
    *value = kernel->registers;
  else if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
    *value = get_allowed (kernel);
  else
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

CUresult
limits_set_attribute (LimitsKernel *kernel, int arch, CUfunction_attribute attribute, int value)
{
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 ||
      value > find (arch)->shared_block - kernel->shared)
    return CUDA_ERROR_INVALID_VALUE;
  kernel->asked = value;
  return CUDA_SUCCESS;
}

/* Computes what CUDA's occupancy calculator computes. */
int
limits_count_blocks (const LimitsKernel *kernel, int arch, int threads, gsize shared)
{
  const Capability *capability = find (arch);
  int warps = (threads + WARP - 1) / WARP, blocks;
  gsize bytes = round_up (kernel->shared + shared + capability->shared_reserved,
                          capability->shared_unit);

  if (threads <= 0 || threads > get_threads (kernel) || shared > (gsize) get_allowed (kernel))
    return 0;
  blocks = MIN (capability->blocks, capability->threads / (warps * WARP));
  blocks = MIN (blocks, count_warps (kernel) / warps);
  return bytes > 0 ? MIN (blocks, capability->shared_processor / (int) bytes) : blocks;
}

static gboolean
is_within (const unsigned size[3], unsigned x, unsigned y, unsigned z)
{
  return size[0] > 0 && size[1] > 0 && size[2] > 0 && size[0] <= x && size[1] <= y && size[2] <= z;
}

CUresult
limits_check_launch (const LimitsKernel *kernel, const unsigned grid[3], const unsigned block[3],
                     gsize shared)
{
  if (! is_within (grid, GRID_X, GRID_Y, GRID_Z) ||
      ! is_within (block, THREADS_X, THREADS_Y, THREADS_Z) ||
      block[0] * block[1] * block[2] > THREADS_BLOCK || shared > (gsize) get_allowed (kernel))
    return CUDA_ERROR_INVALID_VALUE;
  if (block[0] * block[1] * block[2] > (unsigned) get_threads (kernel))
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  return CUDA_SUCCESS;
}

/* CUBINs, which are ELF files. */

static const Elf64_Shdr *
find_section (const Elf64_Ehdr *elf, const char *name)
{
  const char *start = (const char *) elf;
  const Elf64_Shdr *sections = (const Elf64_Shdr *) (start + elf->e_shoff);
  const char *names = start + sections[elf->e_shstrndx].sh_offset;

  for (int i = 0; i < elf->e_shnum; i++)
    if (strcmp (names + sections[i].sh_name, name) == 0)
      return &sections[i];
  return NULL;
}

#define FORMAT_SIZED 4    /* a size and that many bytes follow */
#define MAX_THREADS  0x05 /* along each axis */
#define REGCOUNT     0x2f /* a function's number, then its registers */

/* Returns the words of an attribute in a section of attributes, or NULL if there is none. Each
 * entry begins with a byte for its format, a byte for the attribute, and two bytes for its value or
 * size. */
static const guint32 *
find_info (const Elf64_Ehdr *elf, const char *section, int attribute)
{
  const Elf64_Shdr *header = find_section (elf, section);
  const guint8 *place, *end;

  if (! header)
    return NULL;
  place = (const guint8 *) elf + header->sh_offset;
  for (end = place + header->sh_size; place < end;)
    {
      if (place[1] == attribute)
        return (const guint32 *) (place + 4);
      place += 4 + (place[0] == FORMAT_SIZED ? place[2] | place[3] << 8 : 0);
    }
  return NULL;
}

void
limits_read_cubin (gconstpointer cubin, LimitsKernel *kernel)
{
  const Elf64_Ehdr *elf = cubin;
  const Elf64_Shdr *shared;
  const guint32 *threads, *registers;

  g_assert (memcmp (elf->e_ident, ELFMAG, SELFMAG) == 0);
  g_assert (find_section (elf, ".text.kernel"));
  shared = find_section (elf, ".nv.shared.kernel");
  threads = find_info (elf, ".nv.info.kernel", MAX_THREADS);
  registers = find_info (elf, ".nv.info", REGCOUNT);
  g_assert (registers);
  *kernel = (LimitsKernel) {
    .shared = shared ? (int) shared->sh_size : 0,
    .registers = (int) registers[1],
    .threads = threads ? (int) (threads[0] * threads[1] * threads[2]) : 0,
  };
}
