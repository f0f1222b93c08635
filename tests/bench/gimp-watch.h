/* Observes the plug-in from outside. */
#pragma once

#include <glib.h>

/* The device of the last blur that the plug-in's trace tells of since the last call: gpu, cpu; - if
 * it tells of none. log: the file where the trace goes. */
const char *watch_device (const char *log);

/* The resident memory, in KiB, of the oldest process that runs this executable; 0 if there
   is none. */
long watch_host_memory (const char *executable);

/* Returns the GPU memory that all processes use, in MiB; -1 if nvidia-smi does not say. */
long watch_gpu_memory (void);
