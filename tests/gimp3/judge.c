/* Judges blurred pictures by the reference: judge FILE...; prints TAP without a plan, a result a
 * record. Files are made of records: in one line
 *
 *   SAMPLE CHANNELS CURVE WIDTH HEIGHT X Y WIDTH HEIGHT
 *   SIGMA-X SIGMA-Y KERNEL-SIZE ABYSS LIGHT NAME
 *
 * then the picture's pixels, then the result's, which is the second rectangle. CURVE is linear,
 * srgb, or the exponent of another curve; ABYSS and LIGHT are the engine's numbers. */
#include "compare.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  Case base;
  char name[128];
  guint8 *before, *after;
} Record;

/* Reading. */

static gboolean
read_sample (const char *name, FxSample *sample)
{
  for (int i = FX_SAMPLE_U8; i <= FX_SAMPLE_DOUBLE; i++)
    if (strcmp (case_sample_names[i], name) == 0)
      {
        *sample = (FxSample) i;
        return TRUE;
      }
  return FALSE;
}

static gboolean
read_head (const char *line, Record *record)
{
  Case *c = &record->base;
  BlurParams *p = &c->params;
  char sample[16], curve[16];
  int abyss, light;

  if (sscanf (line, "%15s %d %15s %d %d %d %d %d %d %lf %lf %d %d %d %127[^\n]", sample,
              &c->format.channels, curve, &c->width, &c->height, &c->region.x, &c->region.y,
              &c->region.width, &c->region.height, &p->sigma_x, &p->sigma_y, &p->kernel_size,
              &abyss, &light, record->name) != 15)
    return FALSE;
  p->abyss = (FxAbyss) abyss;
  p->light = (FxLight) light;
  c->format.gamma = strcmp (curve, "linear") != 0;
  if (c->format.gamma && strcmp (curve, "srgb") != 0)
    c->format.trc = (FxTrc) { .g = (float) g_ascii_strtod (curve, NULL), .a = 1.0f };
  return read_sample (sample, &c->format.sample);
}

static guint8 *
read_pixels (FILE *file, const FxFormat *format, int width, int height)
{
  const gsize size = (gsize) width * height * fx_format_size (format);
  guint8 *pixels = g_malloc (size);

  if (fread (pixels, 1, size, file) == size)
    return pixels;
  g_free (pixels);
  return NULL;
}

static void
clear_record (Record *record)
{
  g_clear_pointer (&record->before, g_free);
  g_clear_pointer (&record->after, g_free);
}

static gboolean
read_record (FILE *file, Record *record)
{
  const Case *c = &record->base;
  char line[512];

  *record = (Record) { .before = NULL };
  if (! fgets (line, sizeof line, file))
    return FALSE;
  if (read_head (line, record))
    {
      record->before = read_pixels (file, &c->format, c->width, c->height);
      record->after = read_pixels (file, &c->format, c->region.width, c->region.height);
    }
  if (record->before && record->after)
    return TRUE;
  clear_record (record);
  printf ("not ok - a record is whole\n# %s", line);
  return FALSE;
}

/* Judging. */

static gboolean
judge (const Record *record)
{
  const Case *c = &record->base;
  const Verdict v = compare (c, record->before, record->after);
  const gsize pixel = v.place / c->format.channels;
  const gboolean right = v.worst <= 1.0;

  printf ("%sok - %s\n", right ? "" : "not ", record->name);
  printf ("# %.3f times the bound; %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " samples equal\n",
          v.worst, v.equal, v.compared);
  if (! right)
    printf ("# at %d,%d channel %d: expected %.9g, got %.9g\n", (int) (pixel % c->region.width),
            (int) (pixel / c->region.width), (int) (v.place % c->format.channels), v.expected,
            v.got);
  return right;
}

static gboolean
judge_file (const char *path)
{
  FILE *file = fopen (path, "rb");
  gboolean right = TRUE;
  Record record;

  if (! file)
    {
      printf ("not ok - %s can be read\n", path);
      return FALSE;
    }
  while (read_record (file, &record))
    {
      right = judge (&record) && right;
      clear_record (&record);
    }
  right = right && feof (file);
  fclose (file);
  return right;
}

int
main (int argc, char **argv)
{
  gboolean right = TRUE;

  for (int i = 1; i < argc; i++)
    right = judge_file (argv[i]) && right;
  return ! right;
}
