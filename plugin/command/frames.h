/* The frames of animations of which libvips says nothing. */
#ifndef FRAMES_H
#define FRAMES_H

#include <glib.h>

G_BEGIN_DECLS

/* Returns the number of frames of a PNG file, of which libvips loads the first. */
int frames_count_png (const char *path);

/* Returns whether a file is an animation in JPEG XL and libvips would load its last frame, as it
 * does before 8.16. */
gboolean frames_is_lost_jxl (const char *path);

G_END_DECLS

#endif
