/* The command line: the filter with its settings, and the files. */
#pragma once

#include "filter.h"

typedef struct {
  char *input;    /* as the user named it */
  char *output;   /* the absolute path of the file to write, links resolved */
  char *shown;    /* the output as the user named it */
  char *problem;  /* why this file cannot be processed; NULL if no reason is known */
  gboolean given; /* named by the user; FALSE if it was found in a folder */
} Job;

typedef struct {
  FilterSettings *settings;
  char *summary;   /* the settings in short, such as "sigma 3" */
  char *out_dir;   /* NULL for one file */
  GPtrArray *jobs; /* of Job */
  int workers;     /* files to process at a time; 0: as many as there are cores */
  gboolean keep_date, verbose, version, devices;
} Options;

/* Reads the command line. Reads the matrix, and looks at the files, but changes nothing. Clear
 * options with options_clear in either case. Returns FALSE with error set on failure:
 * G_OPTION_ERROR if the command line makes no sense. --help prints the help and ends the process;
 * with --version or --devices, there are no settings and no jobs. */
gboolean options_read (Options *options, int argc, char **argv, GError **error);
void options_clear (Options *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)
