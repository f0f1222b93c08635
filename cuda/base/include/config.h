/* The engine's configuration, from the environment or from the caller. */
#pragma once

#include "api.h"

FX_BEGIN_API

typedef enum {
  FX_DEVICE_AUTO, /* the configured device; otherwise the faster of the GPU and the CPU, including
                     the time to open the GPU, and the CPU if the GPU fails */
  FX_DEVICE_GPU,  /* the GPU or an error */
  FX_DEVICE_CPU,
} FxDevice;

/* Selects programs, if a kernel has both a generic variant, which takes its parameters at run time,
 * and a specialised variant, which has them compiled in. */
typedef enum {
  FX_VARIANTS_BOTH, /* the generic one until the specialised one is compiled */
  FX_VARIANTS_GENERIC,
  FX_VARIANTS_SPECIALISED, /* every run waits for its compilation */
} FxVariants;

typedef struct {
  FxDevice device;    /* used for FX_DEVICE_AUTO; AUTO: the engine chooses */
  gsize memory_limit; /* bytes that a run may allocate on a device, 1 or more */
  int threads;        /* CPU threads; 0: fx_threads_get_default */
  gboolean ptx; /* compile programs to PTX, which the driver then compiles, instead of CUBIN */
  FxVariants variants;
  int timeout;     /* milliseconds that a run waits for compilation; 0: ten seconds */
  char *cache_dir; /* for compiled programs; NULL: gimp-cuda-blur in the user's cache folder */
} FxConfig;

/* Fills config from the environment: CUDA_BLUR_DEVICE (auto, gpu, cpu), CUDA_BLUR_MEMORY_LIMIT
 * (bytes, optionally with K, M or G), CUDA_BLUR_CODE (ptx), CUDA_BLUR_PROGRAM (generic,
 * specialised) and CUDA_BLUR_CACHE_DIR. An unset or empty variable means automatic, no limit, or
 * the member's default. asked is the device that the run requests; CUDA_BLUR_DEVICE is read only if
 * that is FX_DEVICE_AUTO. A privileged process caches no programs on disk, because the environment
 * would choose the folder. Returns FALSE with FX_ERROR_ARGUMENT if CUDA_BLUR_DEVICE or
 * CUDA_BLUR_MEMORY_LIMIT is invalid; other unknown values are ignored. Clear config with
 * fx_config_clear in either case. */
gboolean fx_config_init (FxConfig *config, FxDevice asked, GError **error);

/* Sets config to a copy of from, without freeing its former contents. fx_config_clear frees the
 * contents of config. */
void fx_config_copy (FxConfig *config, const FxConfig *from);
void fx_config_clear (FxConfig *config);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FxConfig, fx_config_clear)

/* Returns whether this process has privileges that its caller lacks (setuid, for example). It must
 * then not use paths from the environment. */
gboolean fx_config_is_privileged (void);

/* Returns how long, in seconds, a process should hold an idle engine: CUDA_BLUR_IDLE_SECONDS, or 60
 * if that is not a positive number. */
int fx_config_get_idle_seconds (void);

/* Returns whether CUDA_BLUR_TRACE is set and neither empty nor 0. This is not a member of FxConfig
 * because standard error belongs to the process, not to one engine. */
gboolean fx_config_wants_trace (void);

/* The same of CUDA_BLUR_WARN. */
gboolean fx_config_wants_warnings (void);

FX_END_API
