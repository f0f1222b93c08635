/* GIMP as a converter, for files that libvips cannot load or save. Any thread may call these
 * functions. */
#pragma once

#include <glib.h>

/* The folder in the temporary one which receives what GIMP saves. */
#define GIMP_RESULTS "results"

/* Returns the extension of the files that GIMP loads and libvips does not, by how this file begins:
 * xcf or psd, or NULL. Then sets pixels to how many it says that it has. */
const char *gimp_find_format (const char *path, guint64 *pixels);

/* Loads the image file input, which has the format of that extension, and writes what it shows, as
 * one layer with sRGB's curve, to the TIFF file output in the temporary folder. Returns FALSE with
 * error set on failure. */
gboolean gimp_load (const char *folder, const char *input, const char *extension,
                    const char *output, GError **error);

/* Converts input, a file in the temporary folder, to output, one in its GIMP_RESULTS, in the format
 * of its extension. Returns FALSE with error set on failure. */
gboolean gimp_save (const char *folder, const char *input, const char *output, GError **error);

/* Ends all GIMP processes and their children now. For a process that ends. */
void gimp_kill_all (void);
