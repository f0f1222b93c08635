/* GIMP as a converter, for files that libvips cannot load or save. */
#ifndef GIMP_H
#define GIMP_H

#include <glib.h>

G_BEGIN_DECLS

/* One GIMP process. It serves one thread; several can run side by side. */
typedef struct Gimp Gimp;

/* Returns a GIMP that starts when it is first needed. folder is a temporary folder, in which GIMP
 * converts; it outlives the GIMP. number tells it from the others there. Free it with gimp_free. */
Gimp *gimp_new (const char *folder, int number);
void gimp_free (Gimp *gimp); /* NULL is legal; ends the process */

/* Loads the image file input and writes what it shows, as one layer with sRGB's curve, to the TIFF
 * file output, which is the name of a file in the folder. Returns FALSE with error set on failure:
 * IMAGE_ERROR_FORMAT if GIMP does not know the file's format either, or cannot be started. */
gboolean gimp_load (Gimp *gimp, const char *input, const char *output, GError **error);

/* Converts input to output, in the format of its extension. Both are names of files in the folder.
 * If the format has no alpha, puts white behind the image. Returns FALSE with error set on
 * failure. */
gboolean gimp_save (Gimp *gimp, const char *input, const char *output, GError **error);

/* Ends all GIMP processes and their children now. For a process that ends, from any thread. */
void gimp_kill_all (void);

G_END_DECLS

#endif
