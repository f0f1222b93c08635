/* What is set from outside: by the environment, or by the caller of an engine. */
#ifndef FX_CONFIG_H
#define FX_CONFIG_H

#include "api.h"

FX_BEGIN_API

typedef enum {
  FX_DEVICE_AUTO, /* what the configuration says, else what is done sooner: the GPU or, for few
                     pixels or while the GPU is not open, the CPU; and the CPU where the GPU fails
                   */
  FX_DEVICE_GPU,  /* the GPU or an error */
  FX_DEVICE_CPU,
} FxDevice;

/* Which programs run, where one kernel has a generic version, which takes its numbers at run time,
 * and a specialised one, into which they are compiled. */
typedef enum {
  FX_VERSIONS_BOTH, /* the generic one at once, the specialised one when it is compiled */
  FX_VERSIONS_GENERIC,
  FX_VERSIONS_SPECIALISED, /* for which every run waits */
} FxVersions;

typedef struct {
  FxDevice device;    /* that FX_DEVICE_AUTO stands for; AUTO: it is chosen */
  gsize memory_limit; /* bytes of memory that a run may take on a device, 1 or more */
  int threads;        /* that the CPU works with; 0: as fx_threads_get_default */
  gboolean ptx;       /* programs are compiled to PTX, which the driver compiles, not to a CUBIN */
  FxVersions versions;
  int patience;    /* milliseconds that a run waits for a compiler; 0: ten seconds */
  char *cache_dir; /* of compiled programs; NULL: gimp-cuda-blur in the user's cache folder */
} FxConfig;

/* Reads the environment: CUDA_BLUR_DEVICE (auto, gpu, cpu), CUDA_BLUR_MEMORY_LIMIT (bytes, or with
 * K, M or G), CUDA_BLUR_CODE (ptx), CUDA_BLUR_PROGRAM (generic, specialised) and
 * CUDA_BLUR_CACHE_DIR. What is unset or empty is AUTO, no limit, or as its member says. asked: the
 * device that a run asks for; CUDA_BLUR_DEVICE counts for AUTO alone. A privileged process keeps no
 * programs: the environment would say where. FALSE and FX_ERROR_ARGUMENT where one says what it may
 * not; config is then to be cleared all the same. */
gboolean fx_config_init (FxConfig *config, FxDevice asked, GError **error);

void fx_config_copy (FxConfig *config, const FxConfig *from);
void fx_config_clear (FxConfig *config);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FxConfig, fx_config_clear)

/* Whether this process has rights that its caller lacks: what the environment names is then not to
 * be used. */
gboolean fx_config_is_privileged (void);

/* How long a process that keeps an engine keeps it without a run: CUDA_BLUR_IDLE_SECONDS, or 60
 * where that is no number over 0. */
int fx_config_get_idle_seconds (void);

/* Whether CUDA_BLUR_TRACE is set, neither empty nor 0: standard error is the process's, not an
 * engine's. */
gboolean fx_config_wants_trace (void);

FX_END_API

#endif
