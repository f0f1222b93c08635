/* Processes the files of a command line, several at a time. */
#ifndef BATCH_H
#define BATCH_H

#include "options.h"

G_BEGIN_DECLS

typedef struct Batch Batch;

/* Prints a line to standard error, which begins with the program's name. */
void batch_say (const char *format, ...) G_GNUC_PRINTF (1, 2);

/* options outlives the batch. Free it with batch_free. Returns NULL with error set if the outputs'
 * folder cannot be written to. */
Batch *batch_new (const Options *options, GError **error);
void batch_free (Batch *batch); /* NULL is legal; removes the temporary files */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Batch, batch_free)

/* Processes all files, and prints the summary. Returns whether none has failed, and one is done or
 * there is none. */
gboolean batch_run (Batch *batch);

/* Ends the process with this status, and leaves no temporary file and no GIMP behind. For another
 * thread, while batch_run runs. */
void batch_end (Batch *batch, int status) G_GNUC_NORETURN;

G_END_DECLS

#endif
