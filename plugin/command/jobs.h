/* The files of a command line. */
#pragma once

#include "options.h"

typedef struct {
  char *input;    /* as the user named it */
  char *output;   /* the absolute path of the file to write, links resolved */
  char *shown;    /* the output as the user named it */
  char *problem;  /* why this file cannot be processed; NULL if no reason is known */
  gboolean given; /* named by the user; FALSE if it was found in a folder */
} Job;

/* Looks at the files of the options, and sets the jobs, of Job, but changes no file. Returns FALSE
 * with error if they are not to be processed. */
gboolean jobs_find (Options *options, GError **error);
