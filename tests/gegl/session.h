/* GEGL in a test's process, with the operations from the build, and without the user's files. */
#pragma once

#include <gegl.h>

/* Loads GEGL with the module that the environment's CUDA_BLUR_TEST_MODULE names, from a user's data
 * folder, where setup.sh puts it too. Fails the program if the operation is not there then. */
void session_start (void);

/* Ends GEGL; fails the test program where buffers are left. */
void session_end (void);

/* The same for a process that leaves without ending GEGL. */
void session_clean (void);
