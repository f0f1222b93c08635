/* What the CUDA driver refuses to start, by the documented limits of a compute capability. A
 * stand-in for the driver asks here before it runs a kernel. */
#ifndef DRIVER_LIMITS_H
#define DRIVER_LIMITS_H

#include <cuda.h>
#include <glib.h>

G_BEGIN_DECLS

/* What the driver says of a device of that capability; of one that is not documented, the last
 * before it. FALSE where the attribute is no limit. */
gboolean limits_get_device (int arch, CUdevice_attribute attribute, int *value);

/* A kernel, as its compiler made it and as the driver was told. */
typedef struct {
  int shared;    /* bytes of shared memory that it has of its own */
  int registers; /* a thread */
  int threads;   /* a block, by its launch bounds; 0: it has none */
  int asked;     /* bytes of dynamic shared memory that it was allowed; 0: nobody asked */
} LimitsKernel;

/* Reads the kernel of a CUBIN, which has no other. */
void limits_read_cubin (gconstpointer cubin, LimitsKernel *kernel);

/* As the driver's calls of these names. */
CUresult limits_get_attribute (const LimitsKernel *kernel, CUfunction_attribute attribute,
                               int *value);
CUresult limits_set_attribute (LimitsKernel *kernel, int arch, CUfunction_attribute attribute,
                               int value);
int limits_count_blocks (const LimitsKernel *kernel, int arch, int threads, gsize shared);

/* Whether it starts. */
CUresult limits_check_launch (const LimitsKernel *kernel, const unsigned grid[3],
                              const unsigned block[3], gsize shared);

G_END_DECLS

#endif
