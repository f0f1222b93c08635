/* The floor of any plug-in that blurs: a copy in place of the blur, called as the blur is
 * called. A resident process holds it, and a permanent procedure, a new process each time,
 * forwards to that. */
#pragma once

#include <libgimp/gimp.h>

/* The permanent procedures: by raw tiles, and by GEGL buffers. */
#define COPY_RAW  "plug-in-cuda-blur-bench-raw"
#define COPY_GEGL "plug-in-cuda-blur-bench-gegl"

/* Makes these procedures and the extension known to GIMP. */
void copy_query (void);

/* Runs one of them and sets status; or the extension, for as long as GIMP lives. FALSE: name is
 * none of them. */
gboolean copy_run (const char *name, const GimpParam *param, GimpPDBStatusType *status);
