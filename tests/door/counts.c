/* Counts the work of matrices on the CPU. The linker puts these functions in place of the engine's
 * own. */
#include "cpu-run.h"
#include "door.h"

gint door_transforms, door_sums;

void __real_convolve_fft_tile_convolve (const ConvolveFftTile *tile, const ConvolveFftPair *pair,
                                        const ConvolveFftPoint *spectrum, ConvolveFftPoint *points,
                                        ConvolveFftPoint *scratch);
void __wrap_convolve_fft_tile_convolve (const ConvolveFftTile *tile, const ConvolveFftPair *pair,
                                        const ConvolveFftPoint *spectrum, ConvolveFftPoint *points,
                                        ConvolveFftPoint *scratch);
void __real_convolve_cpu_run_sum_row (const ConvolveCpuRun *run, ConvolveCpuScratch *scratch, int y,
                                      float *sums);
void __wrap_convolve_cpu_run_sum_row (const ConvolveCpuRun *run, ConvolveCpuScratch *scratch, int y,
                                      float *sums);

void
__wrap_convolve_fft_tile_convolve (const ConvolveFftTile *tile, const ConvolveFftPair *pair,
                                   const ConvolveFftPoint *spectrum, ConvolveFftPoint *points,
                                   ConvolveFftPoint *scratch)
{
  g_atomic_int_inc (&door_transforms);
  __real_convolve_fft_tile_convolve (tile, pair, spectrum, points, scratch);
}

void
__wrap_convolve_cpu_run_sum_row (const ConvolveCpuRun *run, ConvolveCpuScratch *scratch, int y,
                                 float *sums)
{
  g_atomic_int_inc (&door_sums);
  __real_convolve_cpu_run_sum_row (run, scratch, y, sums);
}
