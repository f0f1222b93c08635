/* One call of a soak test: all that it is about, drawn at random. */
#pragma once

#include "cases.h"
#include "convolution.h"

typedef enum {
  SOAK_BLUR, /* GIMP's procedures */
  SOAK_CONVOLVE,
  SOAK_CORE_BLUR, /* GIMP's own blur, which the operation has taken over: in GIMP's process */
  SOAK_NODE_BLUR, /* the operations, in a graph of this process */
  SOAK_NODE_CONVOLVE,
  N_SOAK_WAYS,
} SoakWay;

typedef enum {
  SOAK_LAYER,
  SOAK_MASK,
  SOAK_CHANNEL,
  N_SOAK_KINDS,
} SoakKind;

typedef struct {
  SoakWay way;
  SoakKind kind;
  int precision, type; /* of precisions[], image_types[] */
  int width, height, left, top;
  int selection;   /* a Selection, or N_SELECTIONS: none */
  gboolean wild;   /* floats leave 0 to 1 */
  Args args;       /* of the blur */
  Convolution own; /* of the convolution */
  double *values;  /* of its matrix */
} SoakCall;

/* The reference for the pixels. */
typedef enum {
  SOAK_ANY,       /* nothing: everything is drawn that there is */
  SOAK_ENGINE,    /* the engine on the CPU */
  SOAK_REFERENCE, /* the definition, for which images are small */
} SoakJudge;

/* For a judge there is only what the contract's bounds hold for. Free it with soak_call_free. */
SoakCall *soak_call_draw (GRand *rand, SoakJudge judge);
void soak_call_free (SoakCall *call);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SoakCall, soak_call_free)

gboolean soak_call_blurs (const SoakCall *call);
gboolean soak_call_is_node (const SoakCall *call);
gboolean soak_call_is_operation (const SoakCall *call); /* in GIMP's process or in this one */
int soak_call_get_device (const SoakCall *call);
void soak_call_set_device (SoakCall *call, int device);

/* Its image, with random pixels in the drawable, which is a layer, a mask or a channel. */
Subject soak_call_make (const SoakCall *call, GRand *rand);

/* Returns the parameters of its Gaussian, on a layer that has grown or not. */
BlurParams soak_call_get_params (const SoakCall *call, Subject subject);

/* Returns the plan for pixels of that format, or NULL with error if the engine refuses. */
FxPlan *soak_call_plan (const SoakCall *call, Subject subject, const FxFormat *format,
                        GError **error);

/* How far the drawable grows on each side. */
void soak_call_get_growth (const SoakCall *call, Subject subject, int *x, int *y);

/* Calls GIMP's procedure, as subject_blur. */
gboolean soak_call_run (const SoakCall *call, Subject subject, GimpPDBStatusType *status,
                        char **message);

/* One line, for people; g_free it. */
char *soak_call_describe (const SoakCall *call);
