/* The parts of bench-device. Each prints its figures as it goes (bench.h) and begins nothing new
 * once the time is up. */
#pragma once

#include "bench.h"
#include "blur-plan.h"
#include "card.h"
#include "gpu.h"
#include "program.h"

/* The devices and compilers to measure. */
typedef struct {
  Card *card;           /* NULL without a GPU */
  FxGpu *gpu;           /* likewise */
  FxCompiler *compiler; /* NULL without NVRTC */
  FxTarget target; /* a CUBIN for the card or, without one, for the machine that is asked for */
  int repeats;
} Machine;

/* The plan of sigma on both axes, a clamped edge, and a kernel_size of 0 or an odd one. */
FxPlan *machine_new_plan (const FxFormat *format, FxLight light, double sigma, int kernel_size);

/* Times the engine on machine's GPU, data resident, after two runs to warm up; prints the
   figure. */
gboolean machine_time_blur (const Machine *machine, FxGpu *gpu, const BenchCase *about,
                            const FxPlan *plan, gconstpointer pixels, GError **error);

/* RGB 8-bit, five picture sizes with 7x7 taps, sigma 1.5, and one with 61x61, sigma 10:
 *     naive-cpu                   naive_blur, one thread (7x7 alone)
 *     naive-ptx, naive-cubin      naive.cu, compiled to each
 *     blur                        the engine with that kernel, on samples as stored, as the naive
 * ones blur-linear                 the same in linear light */
gboolean sizes_measure (const Machine *machine, GError **error);

/* For the naive kernel and programs of the engine, named in the format's column:
 *     compile-ptx, compile-cubin  NVRTC, which is loaded already
 *     cache-read                  what was compiled, from the cache on disk, held in memory
 *     load-ptx, load-cubin        the driver, its own cache switched off
 *     launch-ptx, launch-cubin    the host's time for a launch of the naive kernel, warm */
gboolean programs_measure (const Machine *machine, GError **error);

/* Each sigma, 3840x2160 RGBA or what width and height say, float in linear light, and 8-bit by way
 * of linear light, data resident:
 *     blur                              the engine as it is
 *     blur-generic, blur-specialised    one version of its programs alone, where a FIR does the
 * work copy                              the bare copy of as many bytes (sigma 0) npp NVIDIA's, on
 * samples as stored */
gboolean sweep_measure (const Machine *machine, int width, int height, const double *sigmas, int n,
                        GError **error);
