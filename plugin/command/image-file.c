#include "image-file.h"

#include "colour.h"
#include "heif.h"
#include "image-error.h"
#include "jpeg.h"
#include "metadata.h"
#include "png.h"
#include "tiff.h"

#include <string.h>

/* In bytes of samples. LARGE: a saver that need not hold the whole image holds none that is larger.
 * EXIV2_TIFF: Exiv2 holds a TIFF file twice. BIG_TIFF: a plain file ends at 4 GB. */
#define LARGE      (G_GUINT64_CONSTANT (512) << 20)
#define EXIV2_TIFF (G_GUINT64_CONSTANT (384) << 20)
#define BIG_TIFF   (G_GUINT64_CONSTANT (3) << 30)

/* Resolutions in pixels per mm: the one that libvips gives to a file without any, and the one that
 * is then saved. */
#define NO_RESOLUTION  1.0
#define THE_RESOLUTION (72 / 25.4)

struct ImageKind {
  const char *extensions;    /* in lower case, each between spaces */
  const char *saver;         /* of libvips */
  const char *options;       /* for the saver */
  const char *large_options; /* with these it holds only some rows; NULL: it cannot */
  int copies;                /* how many copies of the image the saver holds otherwise, about */
  FxSample deepest;          /* the sample type with the most bits that it supports */
  gboolean has_alpha, has_metadata;
};

/* JPEG as GIMP saves it, except for the metadata. PNG takes five times as long at level 9. */
static const ImageKind kinds[] = {
  { " jpg jpeg jpe jfif ", "jpegsave",
    "Q=90,optimize_coding=true,interlace=true,subsample_mode=off", "Q=90,subsample_mode=off", 2,
    FX_SAMPLE_U8, FALSE, TRUE },
  { " png ", "pngsave", "compression=6,filter=all", "compression=6,filter=all", 0, FX_SAMPLE_U16,
    TRUE, TRUE },
  { " tif tiff ", "tiffsave", "", "", 0, FX_SAMPLE_DOUBLE, TRUE, TRUE },
  { " webp ", "webpsave", "Q=90,effort=6", NULL, 4, FX_SAMPLE_U8, TRUE, TRUE },
  { " avif ", "heifsave", "Q=90,compression=av1,effort=1", NULL, 4, FX_SAMPLE_U16, TRUE, FALSE },
  { " heic heif ", "heifsave", "Q=90,compression=hevc", NULL, 4, FX_SAMPLE_U16, TRUE, FALSE },
  { " jxl ", "jxlsave", "Q=90", NULL, 12, FX_SAMPLE_U16, TRUE, FALSE },
};

static gboolean
is_tiff (const ImageKind *kind)
{
  return strcmp (kind->saver, "tiffsave") == 0;
}

/* Returns whether the saver must not hold the image. */
static gboolean
is_large (const ImageKind *kind, VipsImage *image)
{
  return kind->large_options && VIPS_IMAGE_SIZEOF_IMAGE (image) > LARGE;
}

guint64
image_kind_get_need (const ImageKind *kind, VipsImage *image)
{
  return is_large (kind, image) ? 0 : VIPS_IMAGE_SIZEOF_IMAGE (image) * kind->copies;
}

const ImageKind *
image_kind_find (const char *path)
{
  const char *dot = strrchr (path, '.');
  g_autofree char *lower = g_ascii_strdown (dot ? dot + 1 : "", -1);
  g_autofree char *word = g_strdup_printf (" %s ", lower);

  if (! dot || dot == path || dot[-1] == '/')
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strstr (kinds[i].extensions, word) && vips_type_find ("VipsOperation", kinds[i].saver))
      return &kinds[i];
  return NULL;
}

gboolean
image_kind_takes_metadata (const ImageKind *kind, VipsImage *image)
{
  return kind->has_metadata && (! is_tiff (kind) || VIPS_IMAGE_SIZEOF_IMAGE (image) <= EXIV2_TIFF);
}

/* Loading. */

/* Returns libvips' own loader for the file, never one of ImageMagick's, or NULL. */
static const char *
find_loader (const char *path)
{
  static const char *const natives[] = { "Jpeg", "Png", "Tiff", "Webp", "Heif", "Jxl" };
  g_autofree char *name = g_strconcat (path, "[]", NULL); /* brackets at the end are options */
  const char *loader = vips_foreign_find_load (name);

  for (guint i = 0; loader && i < G_N_ELEMENTS (natives); i++)
    if (g_str_has_prefix (loader + strlen ("VipsForeignLoad"), natives[i]))
      return loader;
  vips_error_clear ();
  return NULL;
}

/* Warnings are no errors: what makes libtiff warn loses no pixels, and jpeg_check judges those of
 * libjpeg. */
static VipsImage *
load (const char *loader, const char *path, VipsAccess access)
{
  VipsOperation *operation = vips_operation_new (loader);
  VipsImage *image = NULL;

  g_object_set (operation, "filename", path, "access", access, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
  if (vips_cache_operation_buildp (&operation) == 0)
    g_object_get (operation, "out", &image, NULL);
  vips_object_unref_outputs (VIPS_OBJECT (operation));
  g_object_unref (operation);
  return image;
}

/* Replaces image by next, the result of an operation that returned status. */
static gboolean
replace (VipsImage **image, VipsImage **next, int status)
{
  if (status != 0)
    return FALSE;
  g_object_unref (*image);
  *image = *next;
  return TRUE;
}

/* libvips knows an orientation only where the format has a place for it. */
static gboolean
turn_upright (VipsImage **image, const char *loader, const char *path, GError **error)
{
  int orientation = vips_image_get_orientation (*image);
  guint64 size = VIPS_IMAGE_SIZEOF_IMAGE (*image);
  VipsImage *next = NULL;

  if (orientation == 1)
    orientation = metadata_get_orientation (path);
  if (orientation == 1)
    return TRUE;
  /* The rows are needed in another order, so libvips writes them to a temporary file. */
  if (size > vips_get_disc_threshold () && ! image_check_room (size, error))
    return FALSE;
  next = load (loader, path, VIPS_ACCESS_RANDOM);
  if (! replace (image, &next, next ? 0 : -1) ||
      ! replace (image, &next,
                 orientation >= 5 /* lies on its side, and libvips turns no resolution */
                   ? vips_copy (*image, &next, "xres", (*image)->Yres, "yres", (*image)->Xres, NULL)
                   : vips_copy (*image, &next, NULL)))
    return image_set_error (IMAGE_ERROR_DAMAGED, error);
  vips_image_set_int (*image, VIPS_META_ORIENTATION, orientation);
  return replace (image, &next, vips_autorot (*image, &next, NULL)) ||
         image_set_error (IMAGE_ERROR_DAMAGED, error);
}

/* Converts CMYK to sRGB, through the file's profile if it has one. */
static gboolean
leave_cmyk (VipsImage **image, GError **error)
{
  VipsImage *next = NULL;

  if (vips_image_get_interpretation (*image) != VIPS_INTERPRETATION_CMYK)
    return TRUE;
  return replace (image, &next,
                  vips_icc_transform (*image, &next, "srgb", "embedded", TRUE, "input_profile",
                                      "cmyk", "depth",
                                      vips_image_get_format (*image) == VIPS_FORMAT_UCHAR ? 8 : 16,
                                      NULL)) ||
         image_set_error (IMAGE_ERROR_KIND, error);
}

static gboolean
get_sample (VipsBandFormat format, FxSample *sample)
{
  switch (format)
    {
    case VIPS_FORMAT_UCHAR:
      *sample = FX_SAMPLE_U8;
      return TRUE;
    case VIPS_FORMAT_USHORT:
      *sample = FX_SAMPLE_U16;
      return TRUE;
    case VIPS_FORMAT_UINT:
      *sample = FX_SAMPLE_U32;
      return TRUE;
    case VIPS_FORMAT_FLOAT:
      *sample = FX_SAMPLE_FLOAT;
      return TRUE;
    default:
      return FALSE;
    }
}

/* The checks have left nothing but gray and RGB. */
static gboolean
get_format (VipsImage *image, FxFormat *format)
{
  *format = (FxFormat) { .channels = vips_image_get_bands (image), .gamma = TRUE };
  return format->channels <= FX_CHANNELS_MAX &&
         get_sample (vips_image_get_format (image), &format->sample);
}

static gboolean
is_format (const char *loader, const char *format)
{
  return g_str_has_prefix (loader + strlen ("VipsForeignLoad"), format);
}

/* Gray may have a profile for RGB. RGB that has one for gray, or for CMYK, as JPEG XL of CMYK has
 * when libvips has loaded it, may be anything, and PNG takes no such profile. */
static gboolean
check_profile (VipsImage *image, GError **error)
{
  const char *icc;
  size_t size;

  if (! vips_image_get_typeof (image, VIPS_META_ICC_NAME) ||
      vips_image_get_blob (image, VIPS_META_ICC_NAME, (const void **) &icc, &size) != 0 ||
      (size >= 20 && (memcmp (icc + 16, "RGB ", 4) == 0 ||
                      (vips_image_get_bands (image) <= 2 && memcmp (icc + 16, "GRAY", 4) == 0))))
    return TRUE;
  return image_set_kind ("a colour profile for other colours than the file has", error);
}

/* Checks what can be known of a file before libvips loads it. */
static gboolean
check_file (const char *loader, const char *path, guint64 memory, int *pictures, GError **error)
{
  if (is_format (loader, "Jpeg"))
    return jpeg_check (path, memory, error);
  if (is_format (loader, "Png"))
    *pictures = png_count_frames (path);
  if (is_format (loader, "Tiff"))
    return tiff_check (path, memory, pictures, error);
  return ! is_format (loader, "Heif") || heif_check (path, error);
}

/* Returns the image as the loader gives it, if it is the only one of its file. */
static VipsImage *
load_image (const char *loader, const char *path, guint64 memory, GError **error)
{
  int pictures = 1;
  VipsImage *image;

  if (! check_file (loader, path, memory, &pictures, error))
    return NULL;
  image = load (loader, path, VIPS_ACCESS_SEQUENTIAL);
  if (! image)
    image_set_error (IMAGE_ERROR_KIND, error);
  else if (pictures > 1 || (! is_format (loader, "Tiff") && vips_image_get_n_pages (image) > 1))
    image_fail (error, IMAGE_ERROR_KIND,
                "it has several pages or frames; save each as a file of its own, with "
                "GIMP for example");
  else if (is_format (loader, "Jxl") && vips_image_get_bands (image) % 2 == 0)
    image_set_kind ("JPEG XL with alpha",
                    error); /* may be multiplied by it, which it does not tell */
  else
    return image;
  g_clear_object (&image);
  return NULL;
}

VipsImage *
image_open (const char *path, guint64 memory, FxFormat *format, GError **error)
{
  const char *loader = find_loader (path);
  VipsImage *image = loader ? load_image (loader, path, memory, error) : NULL;

  if (! loader)
    image_fail (error, IMAGE_ERROR_FORMAT,
                "is not a " IMAGE_FORMATS "; GIMP opens many others, such as XCF and PSD, "
                "and exports them as PNG");
  if (! image)
    return NULL;
  if (turn_upright (&image, loader, path, error) && leave_cmyk (&image, error) &&
      check_profile (image, error) &&
      (colour_declare (&image, loader, path) || image_set_error (IMAGE_ERROR_KIND, error)))
    {
      if (get_format (image, format))
        return image;
      image_set_kind ("its kind of samples", error);
    }
  g_object_unref (image);
  return NULL;
}

/* Saving. */

static double
get_maximum (FxSample sample)
{
  return sample == FX_SAMPLE_U8    ? 255.0
         : sample == FX_SAMPLE_U16 ? 65535.0
         : sample == FX_SAMPLE_U32 ? 4294967295.0
                                   : 1.0;
}

static gboolean
drop_alpha (VipsImage **image, FxSample sample)
{
  double maximum = get_maximum (sample);
  VipsArrayDouble *white = vips_array_double_newv (1, maximum);
  VipsImage *next = NULL;
  int status = vips_flatten (*image, &next, "background", white, "max_alpha", maximum, NULL);

  vips_area_unref (VIPS_AREA (white));
  return replace (image, &next, status);
}

/* Casting clamps to the range and drops fractions. */
static gboolean
make_shallower (VipsImage **image, const FxFormat *format, FxSample sample)
{
  gboolean bytes = sample == FX_SAMPLE_U8, gray = format->channels <= 2;
  double scale = get_maximum (sample) / get_maximum (format->sample);
  VipsInterpretation interpretation = bytes ? (gray ? VIPS_INTERPRETATION_B_W
                                                    : VIPS_INTERPRETATION_sRGB)
                                            : (gray ? VIPS_INTERPRETATION_GREY16
                                                    : VIPS_INTERPRETATION_RGB16);
  VipsImage *next = NULL;

  return replace (image, &next, vips_linear1 (*image, &next, scale, 0.5, NULL)) &&
         replace (image, &next,
                  vips_cast (*image, &next, bytes ? VIPS_FORMAT_UCHAR : VIPS_FORMAT_USHORT,
                             NULL)) &&
         replace (image, &next, vips_copy (*image, &next, "interpretation", interpretation, NULL));
}

static void *
remove_field (VipsImage *image, const char *name, GValue *value, void *data)
{
  static const char *const kept[] = { VIPS_META_ICC_NAME, VIPS_META_RESOLUTION_UNIT, NULL };

  if (! g_strv_contains (kept, name))
    vips_image_remove (data, name); /* frees the name */
  return NULL;
}

/* The resolution of a TIFF file may have no unit, and is then only the shape of its pixels. */
static gboolean
has_unit (VipsImage *image)
{
  const char *loader;

  return vips_image_get_typeof (image, VIPS_META_RESOLUTION_UNIT) ||
         ! vips_image_get_typeof (image, VIPS_META_LOADER) ||
         vips_image_get_string (image, VIPS_META_LOADER, &loader) != 0 ||
         ! g_str_has_prefix (loader, "tiff");
}

/* Works on a copy, because other images may share the fields. */
static gboolean
mend_fields (VipsImage **image, GExiv2Metadata *metadata)
{
  double xres = (*image)->Xres, yres = (*image)->Yres;
  gboolean has_resolution = (xres != NO_RESOLUTION || yres != NO_RESOLUTION) && has_unit (*image);
  VipsImage *next = NULL;

  if (! replace (image, &next, vips_copy (*image, &next, NULL)))
    return FALSE;
  vips_image_map (*image, remove_field, *image);
  if (metadata)
    metadata_set_fields (metadata, *image);
  return replace (image, &next,
                  vips_copy (*image, &next, "xres", has_resolution ? xres : THE_RESOLUTION, "yres",
                             has_resolution ? yres : THE_RESOLUTION, NULL));
}

static gboolean
run_saver (VipsImage *image, const ImageKind *kind, const char *path)
{
  VipsOperation *operation = vips_operation_new (kind->saver);
  int status;

  g_object_set (operation, "in", image, "filename", path, NULL);
  if (is_tiff (kind) && VIPS_IMAGE_SIZEOF_IMAGE (image) > BIG_TIFF)
    g_object_set (operation, "bigtiff", TRUE, NULL);
  status = vips_object_set_from_string (VIPS_OBJECT (operation), is_large (kind, image)
                                                                   ? kind->large_options
                                                                   : kind->options);
  if (status == 0)
    status = vips_cache_operation_buildp (&operation);
  vips_object_unref_outputs (VIPS_OBJECT (operation));
  g_object_unref (operation);
  return status == 0;
}

/* Encoders of HEIC and AVIF write nothing of pictures that are too wide, and do not tell. */
static gboolean
check_saved (VipsImage *image, const ImageKind *kind, const char *path, GError **error)
{
  VipsImage *saved = NULL;

  if (strcmp (kind->saver, "heifsave") != 0)
    return TRUE;
  if (vips_heifload (path, &saved, NULL) == 0)
    {
      g_object_unref (saved);
      return TRUE;
    }
  vips_error_clear ();
  return image_fail (error, IMAGE_ERROR_UNWRITTEN,
                     "this format takes no picture of %d x %d pixels; PNG and TIFF do",
                     image->Xsize, image->Ysize);
}

gboolean
image_save (VipsImage *image, const FxFormat *format, const ImageKind *kind, const char *path,
            GExiv2Metadata *metadata, GError **error)
{
  gboolean done;

  g_object_ref (image);
  /* In this order, because libvips does not flatten 32-bit integers rightly. */
  done = (format->sample <= kind->deepest || make_shallower (&image, format, kind->deepest)) &&
         (kind->has_alpha || ! fx_format_has_alpha (format) ||
          drop_alpha (&image, MIN (format->sample, kind->deepest))) &&
         mend_fields (&image, metadata) && run_saver (image, kind, path);
  done = done ? check_saved (image, kind, path, error)
              : image_set_error (IMAGE_ERROR_UNWRITTEN, error);
  g_object_unref (image);
  return done;
}
