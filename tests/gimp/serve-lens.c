#include "serve-lens.h"

#include <stdio.h>

#include "lens-call.h"

char *
serve_lens_check (ServeImage *image, const char *what)
{
  g_autoptr (Raster) pixels = subject_read (image->subject.drawable);
  Lens lens = { 0 };
  char *problem;

  if (! what || sscanf (what, "%lf %d %lf %lf %lf %lf %lf %lf %d %d", &lens.radius, &lens.blades,
                        &lens.rotation, &lens.roundness, &lens.ring, &lens.squeeze,
                        &lens.highlights, &lens.threshold, &lens.abyss, &lens.light) < 10)
    return g_strdup ("blurred how?");
  problem = lens_differs (pixels, image->original, image->subject.drawable, &lens);
  return problem ? problem : g_strdup ("ok");
}
