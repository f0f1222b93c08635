/* The test plug-in: what its procedures run. */
#ifndef PROBE_H
#define PROBE_H

#include <libgimp/gimp.h>

G_BEGIN_DECLS

/* Runs the group of cases that CUDA_BLUR_TEST_CASES names (all, device) and writes TAP to the file
 * CUDA_BLUR_TEST_OUTPUT. CUDA_BLUR_TEST_SEED replaces the seed of the random pixels. */
void cases_run (void);

/* Answers the requests of window.sh in the folder CUDA_BLUR_TEST_FOLDER until one says quit. */
void serve_run (void);

G_END_DECLS

#endif
