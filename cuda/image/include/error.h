/* What can go wrong, in one domain. */
#ifndef FX_ERROR_H
#define FX_ERROR_H

#include "api.h"

FX_BEGIN_API

typedef enum {
  FX_ERROR_ARGUMENT,    /* the message names the argument, its value and what is allowed */
  FX_ERROR_CANCELLED,   /* progress returned FALSE */
  FX_ERROR_UNAVAILABLE, /* no GPU, or no driver, or no NVRTC for it: the message says which */
  FX_ERROR_MEMORY,      /* host or device memory ran out */
  FX_ERROR_DEVICE,      /* CUDA or NVRTC failed: the message has its words */
} FxError;

#define FX_ERROR (fx_error_quark ())
GQuark fx_error_quark (void);

FX_END_API

G_BEGIN_DECLS

/* These set error to what several places have to say, and return FALSE. */
gboolean fx_set_cancelled (GError **error);
gboolean fx_set_no_memory (GError **error);

/* needed, allowed: bytes of GPU memory. */
gboolean fx_set_no_gpu_memory (gsize needed, gsize allowed, GError **error);

G_END_DECLS

#endif
