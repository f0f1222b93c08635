/* The inside of the window's test: what window.sh cannot see from outside, it asks for here.
 *
 * A request is a line in the file "request" of the folder, its answer a line in "answer". */
#include <libgimp/gimp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mailbox.h"
#include "probe.h"
#include "processes.h"
#include "render.h" /* the last values are kept as this header lays them out */
#include "subject.h"

#define WIDTH  360
#define HEIGHT 300
#define LARGE  5 /* times that, for a blur of some length */
#define STRIPE 24

typedef struct {
  const char *folder;
  Subject subject; /* image -1 before the first one */
  gint32 display;
  Raster *original;
  Args args; /* of the last "settings" */
} Server;

/* Pure red and pure blue, which no widget is painted with, in stripes both ways: whatever part of
 * the image is looked at has hard edges. Alpha falls in steps. */
static void
paint_stripes (Raster *raster)
{
  int channels = raster->format.channels;

  for (int y = 0; y < raster->height; y++)
    for (int x = 0; x < raster->width; x++)
      {
        guint8 *pixel = raster->pixels + ((gsize) y * raster->width + x) * channels;
        gboolean red = (x / STRIPE + y / STRIPE) % 2 == 0;

        pixel[0] = red ? 255 : 0;
        pixel[1] = 0;
        pixel[2] = red ? 0 : 255;
        if (channels == 4)
          pixel[3] = 255 - y / 40 * 30;
      }
}

/* image rgb | image rgba | image large: a new image in the window; the latter two have a
 * layer mask and an offset. */
static char *
new_image (Server *server, const char *type)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  gboolean large = g_strcmp0 (type, "large") == 0;
  gboolean alpha = large || g_strcmp0 (type, "rgba") == 0;
  gint32 old_display = server->display;

  server->subject = subject_new (GIMP_PRECISION_U8_GAMMA, alpha ? GIMP_RGBA_IMAGE : GIMP_RGB_IMAGE,
                                 large ? LARGE * WIDTH : WIDTH, large ? LARGE * HEIGHT : HEIGHT,
                                 rand, FALSE);
  raster_free (server->original);
  server->original = subject_read (server->subject.drawable);
  paint_stripes (server->original);
  subject_write (server->subject.drawable, server->original);
  if (alpha)
    {
      gint32 mask = gimp_layer_create_mask (server->subject.drawable, GIMP_ADD_MASK_WHITE);

      gimp_layer_add_mask (server->subject.drawable, mask);
      subject_fill (mask, rand, FALSE);
      gimp_layer_set_edit_mask (server->subject.drawable, FALSE);
      gimp_layer_set_offsets (server->subject.drawable, 10, -15);
    }
  gimp_image_undo_disable (server->subject.image); /* drops the steps made so far */
  gimp_image_undo_enable (server->subject.image);
  gimp_image_clean_all (server->subject.image);
  server->display = gimp_display_new (server->subject.image);
  if (old_display != -1)
    gimp_display_delete (old_display);
  gimp_displays_flush ();
  return g_strdup ("ok");
}

/* settings SIGMA GROW [KERNEL-SIZE]: the values that the dialog begins with. */
static char *
set_settings (Server *server, const char *text)
{
  RenderSettings settings;

  memset (&settings, 0, sizeof settings);
  server->args = (Args) { 0 };
  if (! text || sscanf (text, "%lf %d %d", &server->args.sigma_x, &server->args.grow,
                       &server->args.kernel_size) < 2)
    return g_strdup ("what settings?");
  server->args.sigma_y = server->args.sigma_x;
  settings.params = subject_params (server->subject.drawable, &server->args);
  settings.params.device = BLUR_DEVICE_AUTO;
  settings.grow = server->args.grow;
  gimp_set_data (PROCEDURE, &settings, sizeof settings);
  return g_strdup ("ok");
}

/* The layer's place, and sums over every byte of it and of its mask. */
static char *
get_state (Server *server)
{
  gint32 mask = gimp_layer_get_mask (server->subject.drawable);
  g_autoptr (Raster) pixels = subject_read (server->subject.drawable);
  g_autoptr (Raster) coverage = mask == -1 ? NULL : subject_read (mask);
  g_autofree char *sum = g_compute_checksum_for_data (G_CHECKSUM_MD5, pixels->pixels,
                                                      raster_bytes (pixels));
  g_autofree char *mask_sum = NULL;
  gint x, y;

  if (coverage)
    mask_sum = g_compute_checksum_for_data (G_CHECKSUM_MD5, coverage->pixels,
                                            raster_bytes (coverage));
  gimp_drawable_offsets (server->subject.drawable, &x, &y);
  return g_strdup_printf ("%dx%d%+d%+d %s %s", pixels->width, pixels->height, x, y, sum,
                          mask_sum ? mask_sum : "-");
}

/* What the layer must be after a blur with the settings; NULL if the engine refuses. */
static Raster *
get_blurred (Server *server)
{
  BlurParams params = subject_params (server->subject.drawable, &server->args);
  g_autoptr (Raster) large = NULL;
  int x = 0, y = 0;

  if (server->args.grow)
    blur_params_get_growth (&params, &x, &y);
  large = raster_enlarge (server->original, x, y, FALSE);
  return raster_blur (large, &params, NULL, NULL);
}

/* Whether the layer is its original blurred with the settings. */
static char *
check_blurred (Server *server)
{
  g_autoptr (Raster) blurred = get_blurred (server);
  g_autoptr (Raster) pixels = subject_read (server->subject.drawable);
  g_autofree double *values = NULL;
  char *problem;

  if (! blurred || raster_bytes (blurred) != raster_bytes (pixels))
    return g_strdup ("the layer has another size");
  values = raster_values (blurred);
  problem = raster_compare (pixels, values, 1.0, 2.0);
  return problem ? problem : g_strdup ("ok");
}

/* The processes */

/* The plug-in's processes: how many they are, and one of them. While no call is under way that is
 * the resident one. */
static char *
get_processes (void)
{
  pid_t one = process_find (getppid (), "cuda-blur", 0);
  pid_t other = one ? process_find (getppid (), "cuda-blur", one) : 0;

  return g_strdup_printf ("%d %d", (one != 0) + (other != 0), (int) one);
}

/* Whether one of them has loaded GEGL's operations, which this process has. */
static char *
check_modules (void)
{
  static const char modules[] = "/gegl-0.4/";
  pid_t one = process_find (getppid (), "cuda-blur", 0);
  pid_t other = one ? process_find (getppid (), "cuda-blur", one) : 0;
  g_autofree char *own = process_find_file (getpid (), modules);
  char *path = process_find_file (one, modules);

  if (! path)
    path = process_find_file (other, modules);
  if (path)
    return path;
  return g_strdup (one && other && own ? "ok" : "there are too few processes to look at");
}

/* The layer's ID and width. */
static char *
get_layer (Server *server)
{
  return g_strdup_printf ("%d %d", server->subject.drawable,
                          gimp_drawable_width (server->subject.drawable));
}

/* Screenshots */

typedef struct {
  int width, height;
  guint8 *pixels; /* RGB */
} Shot;

/* A binary PPM as ImageMagick writes it; pixels are NULL if it is none. */
static Shot
shot_load (const char *path)
{
  Shot shot = { 0 };
  FILE *file = fopen (path, "rb");
  gsize bytes;

  if (file && fscanf (file, "P6 %d %d 255", &shot.width, &shot.height) == 2
      && fgetc (file) != EOF && shot.width > 0 && shot.height > 0)
    {
      bytes = (gsize) shot.width * shot.height * 3;
      shot.pixels = g_malloc (bytes);
      if (fread (shot.pixels, 1, bytes, file) != bytes)
        g_clear_pointer (&shot.pixels, g_free);
    }
  if (file)
    fclose (file);
  return shot;
}

/* The pairs of red and blue that the raster's pixels have, and those that a display profile's
 * rounding makes of them. */
typedef guint8 Palette[256][256];

static void
palette_fill (Palette palette, const Raster *raster)
{
  gsize size = blur_format_size (&raster->format);

  memset (palette, 0, sizeof (Palette));
  for (gsize i = 0; i < (gsize) raster->width * raster->height; i++)
    {
      const guint8 *pixel = raster->pixels + i * size;

      for (int r = MAX (0, pixel[0] - 2); r <= MIN (255, pixel[0] + 2); r++)
        for (int b = MAX (0, pixel[2] - 2); b <= MIN (255, pixel[2] + 2); b++)
          palette[r][b] = 1;
    }
}

/* colours FILE: how many pixels of a screenshot are pure red or blue, how many are a mixture of the
 * two, and how many of these no blur with the settings has. */
static char *
count_colours (Server *server, const char *path)
{
  Shot shot = shot_load (path ? path : "");
  g_autofree guint8 *pixels = shot.pixels;
  g_autoptr (Raster) blurred = get_blurred (server);
  Palette palette;
  int pure = 0, mixed = 0, strange = 0;

  if (! pixels || ! blurred)
    return g_strdup ("no screenshot");
  palette_fill (palette, blurred);
  for (gsize i = 0; i < (gsize) shot.width * shot.height; i++)
    {
      const guint8 *colour = pixels + 3 * i;

      if (colour[1] > 2 || colour[0] + colour[2] < 200)
        continue;
      if (MIN (colour[0], colour[2]) < 30)
        {
          pure++;
          continue;
        }
      mixed++;
      strange += ! palette[colour[0]][colour[2]];
    }
  return g_strdup_printf ("%d %d %d", pure, mixed, strange);
}

/* Requests */

static char *
call (Server *server, GimpRunMode mode, const Args *args)
{
  GimpPDBStatusType status;
  char *message;

  if (subject_blur (server->subject, mode, args, &status, &message))
    message = g_strdup ("ok");
  gimp_displays_flush ();
  return message;
}

/* Progress */

typedef struct {
  int texts, values;
} Progress;

static void
progress_start (const gchar *message, gboolean cancelable, gpointer data)
{
  ((Progress *) data)->texts += message && *message;
}

static void
progress_end (gpointer data)
{
}

static void
progress_text (const gchar *message, gpointer data)
{
  ((Progress *) data)->texts += message && *message;
}

static void
progress_value (gdouble fraction, gpointer data)
{
  ((Progress *) data)->values += fraction > 0.0 && fraction < 1.0;
}

/* Whether a blur of a large image names itself and tells how far it is: of an image whose tiles alone
 * take longer, on any machine, than the 40 ms between two such values. In batch mode GIMP drops all
 * progress. */
static char *
check_progress (Server *server)
{
  GimpProgressVtable vtable = {
    .start = progress_start,
    .end = progress_end,
    .set_text = progress_text,
    .set_value = progress_value,
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  Progress progress = { 0, 0 };
  Subject subject = subject_new (GIMP_PRECISION_U8_GAMMA, GIMP_RGBA_IMAGE, 5000, 4000, rand, FALSE);
  const gchar *command = gimp_progress_install_vtable (&vtable, &progress);
  GimpPDBStatusType status;
  char *message;

  if (subject_blur (subject, GIMP_RUN_NONINTERACTIVE, &server->args, &status, &message))
    message = progress.texts > 0 && progress.values > 0
                ? g_strdup ("ok")
                : g_strdup_printf ("%d texts, %d values", progress.texts, progress.values);
  gimp_progress_uninstall (command);
  gimp_image_delete (subject.image);
  return message;
}

static char *
answer (Server *server, const char *word, const char *rest)
{
  if (strcmp (word, "image") == 0)
    return new_image (server, rest);
  if (strcmp (word, "settings") == 0)
    return set_settings (server, rest);
  if (strcmp (word, "state") == 0)
    return get_state (server);
  if (strcmp (word, "blurred") == 0)
    return check_blurred (server);
  if (strcmp (word, "processes") == 0)
    return get_processes ();
  if (strcmp (word, "modules") == 0)
    return check_modules ();
  if (strcmp (word, "layer") == 0)
    return get_layer (server);
  if (strcmp (word, "colours") == 0)
    return count_colours (server, rest);
  if (strcmp (word, "progress") == 0)
    return check_progress (server);
  if (strcmp (word, "blur") == 0)
    return call (server, GIMP_RUN_NONINTERACTIVE, &server->args);
  if (strcmp (word, "interactive") == 0)
    return call (server, GIMP_RUN_INTERACTIVE, NULL);
  if (strcmp (word, "last") == 0)
    return call (server, GIMP_RUN_WITH_LAST_VALS, NULL);
  return g_strdup (strcmp (word, "quit") == 0 ? "ok" : "what?");
}

void
serve_run (void)
{
  Server server = { .folder = g_getenv ("CUDA_BLUR_TEST_FOLDER"), .subject = { -1, -1 },
                    .display = -1 };
  gboolean quit = FALSE;

  while (server.folder && ! quit)
    {
      g_autofree char *line = mailbox_take (server.folder, "request");
      g_auto (GStrv) words = g_strsplit (line, " ", 2);
      g_autofree char *text = words[0] ? answer (&server, words[0], words[1]) : g_strdup ("what?");

      mailbox_put (server.folder, "answer", text);
      quit = g_strcmp0 (words[0], "quit") == 0;
    }
  raster_free (server.original);
}
