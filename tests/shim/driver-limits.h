/* The limits by which the CUDA driver refuses launches, as documented for each compute capability.
 * The driver's stand-ins call these functions before they run a kernel. */
#pragma once

#include <cuda.h>
#include <glib.h>

/* Sets value to what the driver reports for a device of compute capability arch, or of the last
 * documented one below it. Returns FALSE if the attribute is not a limit. */
gboolean limits_get_device (int arch, CUdevice_attribute attribute, int *value);

/* A kernel's properties: from its compiler, and requested from the driver. */
typedef struct {
  int shared;    /* bytes of static shared memory */
  int registers; /* per thread */
  int threads;   /* per block, by its launch bounds; 0: it has none */
  int asked;     /* bytes of dynamic shared memory that were requested for it; 0: none were */
} LimitsKernel;

/* Fills kernel from a CUBIN, whose only kernel is named FX_PROGRAM_KERNEL. */
void limits_read_cubin (gconstpointer cubin, LimitsKernel *kernel);

/* Like cuFuncGetAttribute, cuFuncSetAttribute and cuOccupancyMaxActiveBlocksPerMultiprocessor.
 * threads is per block; shared is the bytes of dynamic shared memory per block. */
CUresult limits_get_attribute (const LimitsKernel *kernel, CUfunction_attribute attribute,
                               int *value);
CUresult limits_set_attribute (LimitsKernel *kernel, int arch, CUfunction_attribute attribute,
                               int value);
int limits_count_blocks (const LimitsKernel *kernel, int arch, int threads, gsize shared);

/* Returns the error of cuLaunchKernel, or CUDA_SUCCESS if the kernel starts. */
CUresult limits_check_launch (const LimitsKernel *kernel, const unsigned grid[3],
                              const unsigned block[3], gsize shared);
