/* Processes the files of a command line, several at a time. */
#pragma once

#include "jobs.h"

typedef struct Batch Batch;

/* Prints a line to standard error, which begins with the program's name. */
void batch_say (const char *format, ...) G_GNUC_PRINTF (1, 2);

/* Creates a batch of the options' jobs, which changes no file yet. options must outlive it. Free it
 * with batch_free. Returns NULL with error if the outputs' folder cannot be written to. */
Batch *batch_new (const Options *options, GError **error);
void batch_free (Batch *batch); /* NULL is legal; removes the temporary files */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Batch, batch_free)

/* Processes all files, and prints the summary. Returns FALSE if a file failed, or if there are
 * files and none was processed. */
gboolean batch_run (Batch *batch);

/* Ends the process with this status, and leaves no temporary file behind. Call
 * this on another thread than batch_run, while that runs. */
void batch_end (Batch *batch, int status) G_GNUC_NORETURN;
