/* The command line: the filter with its settings, and the files. */
#pragma once

#include "filter.h"

typedef struct {
  FilterSettings *settings;
  char *summary;   /* the settings in short, such as "sigma 3" */
  char *map;       /* the image file of a filter that takes a map; NULL for others */
  char *out_dir;   /* NULL for one file */
  char **files;    /* as they are on the line: all inputs, or one and its output */
  char *share;     /* NULL, or K/N */
  GPtrArray *jobs; /* for the files; NULL until they are found */
  int workers;     /* files to process at a time; 0: as many as there are cores */
  gboolean missing, overwrite, keep_date, verbose, version, devices;
} Options;

/* Reads the command line, and the matrix. Clear options with options_clear in either case. Returns
 * FALSE with error set on failure: G_OPTION_ERROR if the command line makes no sense. --help prints
 * the help and ends the process; with --version or --devices, there are no settings. */
gboolean options_read (Options *options, int argc, char **argv, GError **error);
void options_clear (Options *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)
