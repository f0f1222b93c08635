/* A picture and one of GEGL's operations behind it, with GEGL's own blur or with ours inside. */
#pragma once

#include <gegl.h>

typedef struct {
  GeglNode *graph, *source, *node;
} Chain;

/* The picture, which begins at x, y, is noise, of which a part is transparent where babl's format
 * has room for that. */
void chain_init (Chain *chain, const char *operation, const char *format, int x, int y);
void chain_clear (Chain *chain);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Chain, chain_clear)

/* Returns what comes out, as "RaGaBaA float" in box, the node's own size. Free it with g_free. */
float *chain_get_result (const Chain *chain, GeglRectangle *box);

/* Fails the test unless both have the same size. */
void chain_check_same_size (const Chain *a, const Chain *b);

/* Fails the test unless both have the same size, and no sample differs by more than tolerance. */
void chain_check_same (const Chain *a, const Chain *b, double tolerance);

/* The same for what is in rect. */
void chain_check_part (const Chain *a, const Chain *b, const GeglRectangle *rect, double tolerance);
