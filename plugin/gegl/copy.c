#include "copy.h"

#include "rect.h"

#include <gegl-parallel.h>

#define CELL_TILES 2 /* tiles beside each other that a thread copies at a time */

typedef struct {
  const Copied *copied;
  GeglRectangle rect;
  char *pixels;
  gsize stride, pixel;
  gboolean to_buffer;
  GeglRectangle grid;   /* the cells that rect touches, counted in cells */
  int width, height;    /* of a cell, in pixels */
  int shift_x, shift_y; /* from a pixel of the buffer to one of the grid */
  gint next;            /* the next cell to copy; atomic */
} Copy;

/* Cells consist of whole tiles of the buffer: two threads in one tile would wait for each other. */
static void
set_grid (Copy *copy)
{
  const GeglRectangle *rect = &copy->rect;
  int x, y;

  g_object_get (copy->copied->buffer, "tile-width", &copy->width, "tile-height", &copy->height,
                "shift-x", &copy->shift_x, "shift-y", &copy->shift_y, NULL);
  copy->width *= CELL_TILES;
  x = rect->x + copy->shift_x;
  y = rect->y + copy->shift_y;
  copy->grid.x = fx_floor_div (x, copy->width);
  copy->grid.y = fx_floor_div (y, copy->height);
  copy->grid.width = fx_floor_div (x + rect->width - 1, copy->width) - copy->grid.x + 1;
  copy->grid.height = fx_floor_div (y + rect->height - 1, copy->height) - copy->grid.y + 1;
}

static void
copy_cell (const Copy *copy, int cell)
{
  const Copied *copied = copy->copied;
  GeglRectangle part = {
    (copy->grid.x + cell % copy->grid.width) * copy->width - copy->shift_x,
    (copy->grid.y + cell / copy->grid.width) * copy->height - copy->shift_y,
    copy->width,
    copy->height,
  };
  char *pixels;

  gegl_rectangle_intersect (&part, &part, &copy->rect);
  pixels = copy->pixels + (gsize) (part.y - copy->rect.y) * copy->stride +
           (gsize) (part.x - copy->rect.x) * copy->pixel;
  if (copy->to_buffer)
    gegl_buffer_set (copied->buffer, &part, copied->level, copied->format, pixels,
                     (int) copy->stride);
  else
    gegl_buffer_get (copied->buffer, &part, 1.0 / (1 << copied->level), copied->format, pixels,
                     (int) copy->stride, copied->abyss);
}

/* Runs on each thread. */
static void
copy_cells (gint thread, gint threads, gpointer data)
{
  Copy *copy = data;
  int cells = copy->grid.width * copy->grid.height, cell;

  while ((cell = g_atomic_int_add (&copy->next, 1)) < cells)
    copy_cell (copy, cell);
}

static void
gegl_copy_run (const Copied *copied, const GeglRectangle *rect, gpointer pixels, gsize stride,
               gboolean to_buffer)
{
  Copy copy = { .copied = copied,
                .rect = *rect,
                .pixels = pixels,
                .stride = stride,
                .pixel = babl_format_get_bytes_per_pixel (copied->format),
                .to_buffer = to_buffer };

  set_grid (&copy);
  gegl_parallel_distribute (copy.grid.width * copy.grid.height, copy_cells, &copy);
  /* The threads are done with copy. ThreadSanitizer, which does not see GEGL wait, sees this. */
  (void) g_atomic_int_get (&copy.next);
}

void
copy_from_buffer (const Copied *from, const GeglRectangle *rect, gpointer pixels, gsize stride)
{
  gegl_copy_run (from, rect, pixels, stride, FALSE);
}

void
copy_to_buffer (const Copied *to, const GeglRectangle *rect, gconstpointer pixels, gsize stride)
{
  gegl_copy_run (to, rect, (gpointer) pixels, stride, TRUE);
}
