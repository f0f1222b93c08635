/* A level of a pyramid and a view, which several threads compute together. Builds with
 * ThreadSanitizer find races here; test_pyramid.py and test_preview.py judge the pixels. */
#include "noise.h"
#include "preview.h"
#include "pyramid.h"
#include "run.h"
#include "test.h"

#define WIDTH  600
#define HEIGHT 400
#define LEVEL  3

TEST (test_pyramid, "/preview-threads/pyramid")
{
  g_autoptr (FxTeam) team = fx_team_new (3), alone = fx_team_new (1);
  g_autoptr (Noise) noise = noise_new (WIDTH, HEIGHT);
  const FxFormat *format = &noise->memory.format;
  FxPyramid *shared = fx_pyramid_new (format, WIDTH, HEIGHT, noise->source, team);
  FxPyramid *own = fx_pyramid_new (format, WIDTH, HEIGHT, noise->source, alone);
  const gsize size = (gsize) (WIDTH >> LEVEL) * (HEIGHT >> LEVEL) * 4;

  g_assert_cmpmem (fx_pyramid_get (shared, LEVEL, 0, HEIGHT >> LEVEL, NULL, NULL, NULL), size,
                   fx_pyramid_get (own, LEVEL, 0, HEIGHT >> LEVEL, NULL, NULL, NULL), size);
  fx_pyramid_free (shared);
  fx_pyramid_free (own);
}

TEST (test_view, "/preview-threads/view")
{
  static guint8 views[2][HEIGHT / 2][WIDTH / 2][4];
  const BlurParams params = { .sigma_x = 3.0, .sigma_y = 30.0 };
  const FxView view = { .scale = 0.5, .rect = { 0, 0, WIDTH / 2, HEIGHT / 2 } };
  g_autoptr (Noise) noise = noise_new (WIDTH, HEIGHT);

  for (int i = 0; i < 2; i++)
    {
      FxConfig config = { .device = FX_DEVICE_CPU,
                          .memory_limit = G_MAXSIZE,
                          .threads = 1 + 3 * i };
      g_autoptr (FxEngine) engine = fx_engine_new ();
      g_autoptr (FxPreview) preview = NULL;
      g_autoptr (GError) error = NULL;

      fx_engine_set_config (engine, &config);
      preview = fx_preview_new (engine, &noise->memory.format, FALSE, WIDTH, HEIGHT, noise->source);
      run_view (preview, &params, FX_DEVICE_CPU, &view, **views[i], NULL, NULL, NULL, &error);
      g_assert_no_error (error);
    }
  g_assert_cmpmem (views[0], sizeof views[0], views[1], sizeof views[1]);
}
