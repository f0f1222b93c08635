/* The progress that other plug-ins show. */
#pragma once

typedef struct {
  int texts, values; /* shown, of values those between the first and the last */
} Progress;

/* From now on it is shown here, until progress_end. */
void progress_begin (void);
Progress progress_end (void);
