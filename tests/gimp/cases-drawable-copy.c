/* The dialog's copy of a drawable: the pixels that it reads, and the changes that it reports. */
#include "cases.h"

#include "drawable-copy.h"

#define TILE 128
#define SIDE 300 /* three tiles a row */

typedef struct {
  Subject subject;
  DrawableCopy *copy;
  gboolean told[SIDE]; /* of each row */
} Reader;

static void
note_rows (gpointer data, int y, int rows)
{
  Reader *reader = data;
  int row;

  for (row = y; row < y + rows; row++)
    reader->told[row] = TRUE;
}

static void
read_tile (Reader *reader)
{
  drawable_copy_read (reader->copy, &(FxRect) { 0, 0, SIDE, SIDE }, 0);
}

static void
read_all (Reader *reader)
{
  while (drawable_copy_read (reader->copy, &(FxRect) { 0, 0, SIDE, SIDE }, 0))
    ;
}

/* All of the subject is read, and nothing told of. */
static void
reader_init (Reader *reader, const char *name)
{
  RenderTarget target;

  *reader = (Reader) { .subject = subject_for (name, GIMP_PRECISION_U8_GAMMA, GIMP_RGB_IMAGE, SIDE,
                                               SIDE) };
  render_target_init (&target, reader->subject.drawable, NULL);
  reader->copy = drawable_copy_new (&target, NULL);
  drawable_copy_begin (reader->copy, NULL);
  read_all (reader);
  drawable_copy_set_changed (reader->copy, note_rows, reader);
}

static void
reader_clear (Reader *reader)
{
  drawable_copy_free (reader->copy);
  gimp_image_delete (reader->subject.image);
}

/* The rows to read first. */
static char *
told_problem (const Reader *reader, int rows)
{
  int row;

  for (row = 0; row < rows; row++)
    if (! reader->told[row])
      return g_strdup_printf ("row %d has changed and was not told of", row);
  return NULL;
}

/* In each case a row of tiles has changed within its first one alone, which is nothing new any more
 * to a pass that begins before the row's end. */

static void
fill_first_tile (Subject subject)
{
  g_autoptr (GRand) rand = case_rand ("source: other pixels");
  g_autoptr (Raster) pixels = subject_read (subject.drawable);
  g_autoptr (Raster) part = raster_new (&pixels->format, TILE, TILE);

  raster_fill (part, rand);
  raster_put (pixels, part, 0, 0);
  subject_write (subject.drawable, pixels);
}

static char *
pixels_problem (void)
{
  Reader reader;
  char *problem;

  reader_init (&reader, "source: pixels");
  fill_first_tile (reader.subject);
  drawable_copy_begin (reader.copy, NULL);
  read_tile (&reader);
  drawable_copy_begin (reader.copy, NULL);
  read_all (&reader);
  problem = told_problem (&reader, TILE);
  reader_clear (&reader);
  return problem;
}

static char *
selected_problem (void)
{
  Reader reader;
  char *problem;

  reader_init (&reader, "source: selection");
  gimp_image_select_rectangle (reader.subject.image, GIMP_CHANNEL_OP_REPLACE, 0, 0, SIDE, SIDE / 2);
  drawable_copy_begin (reader.copy, NULL);
  read_all (&reader);
  memset (reader.told, FALSE, sizeof reader.told);
  gimp_image_select_rectangle (reader.subject.image, GIMP_CHANNEL_OP_REPLACE, 8, 0, SIDE - 8, SIDE);
  drawable_copy_begin (reader.copy, NULL);
  read_tile (&reader);
  drawable_copy_begin (reader.copy, NULL);
  read_all (&reader);
  problem = told_problem (&reader, SIDE);
  reader_clear (&reader);
  return problem;
}

/* A layer that has another size in the middle of a pass is not read on; what was read is
   told of. */
static char *
resized_problem (void)
{
  Reader reader;
  char *problem = NULL;

  reader_init (&reader, "source: resized");
  fill_first_tile (reader.subject);
  drawable_copy_begin (reader.copy, NULL);
  read_tile (&reader);
  gimp_layer_resize (reader.subject.drawable, SIDE - 1, SIDE, 0, 0);
  if (drawable_copy_read (reader.copy, &(FxRect) { 0, 0, SIDE, SIDE }, 0))
    problem = g_strdup ("it is read on");
  else if (! reader.told[0])
    problem = g_strdup ("what was read is not told of");
  reader_clear (&reader);
  return problem;
}

/* The linker puts this in place of the call. */

static gboolean no_memory;

gpointer __wrap_g_try_malloc0_n (gsize n, gsize size);
gpointer __real_g_try_malloc0_n (gsize n, gsize size);

gpointer
__wrap_g_try_malloc0_n (gsize n, gsize size)
{
  return no_memory ? NULL : __real_g_try_malloc0_n (n, size);
}

/* Without memory for a selection nothing is read, until there is some. */
static char *
memory_problem (void)
{
  const FxRect all = { 0, 0, SIDE, SIDE };
  g_autoptr (GError) error = NULL;
  char *problem = NULL;
  Reader reader;

  reader_init (&reader, "source: memory");
  gimp_image_select_rectangle (reader.subject.image, GIMP_CHANNEL_OP_REPLACE, 0, 0, SIDE, SIDE / 2);
  no_memory = TRUE;
  if (drawable_copy_begin (reader.copy, &error) || ! error)
    problem = g_strdup ("it is read without memory");
  else if (drawable_copy_read (reader.copy, &all, 0) || drawable_copy_get_mask (reader.copy))
    problem = g_strdup ("it is read on");
  no_memory = FALSE;
  if (! problem && ! drawable_copy_begin (reader.copy, NULL))
    problem = g_strdup ("it is not read with memory");
  read_all (&reader);
  if (! problem && ! drawable_copy_get_mask (reader.copy))
    problem = g_strdup ("there is no mask");
  reader_clear (&reader);
  return problem;
}

void
cases_copy (void)
{
  report (pixels_problem (), "source: a new pass reports all pixels that have changed");
  report (selected_problem (), "source: and of all of the selection");
  report (resized_problem (), "source: a layer that is resized meanwhile");
  report (memory_problem (), "source: no memory for the selection");
}
