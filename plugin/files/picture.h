/* A picture between its two files, with all that GIMP would take from the one to the other. */
#ifndef PICTURE_H
#define PICTURE_H

#include "budget.h"
#include "format.h"

#include <libgimp/gimp.h>

G_BEGIN_DECLS

typedef struct {
  int width, height;
  FxFormat format;
  guint8 *pixels;            /* rows without padding */
  double xres, yres;         /* pixels per inch */
  gboolean metric;           /* the resolution is told by the centimetre */
  gboolean has_resolution;   /* the file has one outside its metadata */
  gboolean is_bare;          /* GIMP takes no metadata from the file, and adds none */
  char *comment;             /* or NULL */
  GBytes *icc;               /* the profile that the file has, or NULL */
  char *profile_name;        /* or NULL */
  char *layer;               /* its name in GIMP; NULL: the usual one */
  GimpColorProfile *profile; /* that GIMP takes it for; NULL: sRGB */
  GimpMetadata *metadata;    /* NULL where it is bare */
  gboolean has_thumbnail;    /* GIMP would write one */
  int frames;                /* or pages that the file has, this the first; 0: not counted */
  Budget *budget;
  int codec_bytes; /* that a codec takes for each pixel, beside its samples */
  gsize taken;     /* of the budget */
} Picture;

typedef enum {
  PICTURE_ERROR_DECLINED,   /* not for this road, but for GIMP's */
  PICTURE_ERROR_UNREADABLE, /* the same; if GIMP cannot load it either, this is why */
  PICTURE_ERROR_REFUSED,    /* for no road: GIMP would go wrong without a word, or take too long */
  PICTURE_ERROR_UNWRITTEN,  /* there is no room for it, say, which GIMP might not notice */
} PictureError;

/* The message says why. */
#define PICTURE_ERROR (picture_error_quark ())
GQuark picture_error_quark (void);
gboolean picture_decline (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);
gboolean picture_refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* budget: must outlive the picture, whose size and format are to be set before its pixels.
 * codec_bytes: what reading or writing takes beside them, for each of them. */
Picture *picture_new (Budget *budget, int codec_bytes);
void picture_free (Picture *picture); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Picture, picture_free)

/* What a library says of the file that it reads the picture from. Once the pixels have begun it is
 * damage: GIMP would make up the rest. Before that GIMP may know the file by another name. */
gboolean picture_fail_to_read (const Picture *picture, const char *library, const char *words,
                               GError **error);

gsize picture_get_stride (const Picture *picture);
gsize picture_get_size (const Picture *picture); /* bytes */

/* Whether its size and what is known of its format fit into GIMP and the whole budget; else it is
 * refused. */
gboolean picture_check_size (const Picture *picture, GError **error);

/* Gives the picture its pixels, which are not set, once the budget has enough for two of its size
 * and for what a codec takes. */
gboolean picture_allocate (Picture *picture, GError **error);

/* Takes the alpha from it, which has 8 bits, where all is opaque. Else changes nothing, and returns
 * FALSE. */
gboolean picture_drop_alpha (Picture *picture);

/* Leaves the resolution as it is where GIMP does. */
void picture_set_resolution (Picture *picture, double xres, double yres);

/* Turns and mirrors it so that it stands upright. orientation: as EXIF has it, 1 to 8; any other
 * changes nothing. */
gboolean picture_turn (Picture *picture, int orientation, GError **error);

G_END_DECLS

#endif
