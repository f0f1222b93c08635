/* One CUDA device, opened: errors, programs, memory, launches. Only gpu.c and device.c see this. */
#ifndef BLUR_DEVICE_H
#define BLUR_DEVICE_H

#include "gpu.h"
#include "program.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

G_BEGIN_DECLS

/* The driver's calls, found at run time: the binary starts without a driver. */
typedef struct {
  CUresult (*module_load) (CUmodule *, const void *);
  CUresult (*module_unload) (CUmodule);
  CUresult (*get_function) (CUfunction *, CUmodule, const char *);
  CUresult (*launch) (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                      unsigned, CUstream, void **, void **);
  CUresult (*get_error_string) (CUresult, const char **);
} BlurDriver;

/* A loaded program. */
typedef struct {
  char *name;
  CUmodule module;
} BlurProgram;

/* Memory that grows with the largest run so far and is kept for the next. */
typedef struct {
  void *data;
  gsize size;
  gboolean pinned; /* host memory, else the device's */
} BlurBuffer;

typedef enum {
  BLUR_BUFFER_SOURCE, /* a chunk as it is stored */
  BLUR_BUFFER_RESULT,
  BLUR_BUFFER_RING, /* rows of floats on their way from one axis to the other */
  BLUR_BUFFER_GRID_0,
  BLUR_BUFFER_GRID_1,
  BLUR_BUFFER_WEIGHTS,
  BLUR_BUFFER_SOURCE_STAGING, /* pinned */
  BLUR_BUFFER_RESULT_STAGING, /* pinned */
  BLUR_BUFFERS
} BlurBufferName;

struct BlurGpu {
  char name[96];
  int arch; /* compute capability, 90 for 9.0 */
  int driver_major;
  BlurDriver driver;
  BlurCompiler *compiler; /* NULL until the first program */
  BlurCache *cache;
  GQueue programs; /* of BlurProgram, the most recently used first */
  cudaStream_t stream;
  cudaEvent_t uploaded;
  BlurBuffer buffers[BLUR_BUFFERS];
};

/* TRUE for cudaSuccess, else FALSE with error. what: the verb phrase of "CUDA failed to ...". */
gboolean blur_gpu_check (cudaError_t result, const char *what, GError **error);

/* The loaded program for plan, compiled if it must be. Owned by gpu; stays loaded while fewer than 63
 * others are asked for. */
BlurProgram *blur_gpu_get_program (BlurGpu *gpu, const BlurPlan *plan, BlurProgramKind kind,
                                   GError **error);

/* Makes a buffer at least size bytes large; what it held is lost if it must grow. */
gboolean blur_gpu_grow (BlurGpu *gpu, BlurBufferName name, gsize size, GError **error);

/* Starts a kernel of program on gpu's stream: x * y * z blocks of threads threads. args: a pointer to
 * each of its arguments. */
gboolean blur_gpu_launch (BlurGpu *gpu, BlurProgram *program, const char *kernel, unsigned x,
                          unsigned y, unsigned z, unsigned threads, void **args, GError **error);

G_END_DECLS

#endif
