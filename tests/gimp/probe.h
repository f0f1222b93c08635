/* The test plug-in: what its procedures run. */
#ifndef PROBE_H
#define PROBE_H

#include <libgimp/gimp.h>

G_BEGIN_DECLS

/* Extensions that wait for what a script or the cases ask of them. */
#define HELPER_CALLER  "extension-cuda-blur-test-caller"
#define HELPER_STARTER "extension-cuda-blur-test-starter"

/* Runs the group of cases that CUDA_BLUR_TEST_CASES names and writes TAP to the file
 * CUDA_BLUR_TEST_OUTPUT. CUDA_BLUR_TEST_SEED replaces the seed of the random pixels. */
void cases_run (void);

/* One of the helpers, by its name: answers requests in the folder CUDA_BLUR_TEST_FOLDER, if that is
 * set, for as long as GIMP runs. A request and its answer are lines of the helper's own name and
 * "-answer" after it. */
void helper_run (const char *name);

/* Answers the requests of window.sh in the folder CUDA_BLUR_TEST_FOLDER until one says quit. */
void serve_run (void);

G_END_DECLS

#endif
