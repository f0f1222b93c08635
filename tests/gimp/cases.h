/* The common parts of the cases, whatever their subject. A problem is a newly allocated text that
 * says what is wrong, or NULL. */
#pragma once

#include "subject.h"

static const GimpImageType image_types[] = {
  GIMP_RGB_IMAGE,
  GIMP_RGBA_IMAGE,
  GIMP_GRAY_IMAGE,
  GIMP_GRAYA_IMAGE,
};
static const char *const type_names[] = { "RGB", "RGBA", "grey", "grey and alpha" };

static const Args plain = { 2.5, 1.3, 0, FX_ABYSS_CLAMP, FX_LIGHT_LINEAR, 0, 0 };

/* Ends a case: it failed if there is a problem, which is taken. */
void report (char *problem, const char *name, ...) G_GNUC_PRINTF (2, 3);
/* The same, and deletes the image of subject. */
#define report_on(subject, ...)            \
  do                                       \
    {                                      \
      report (__VA_ARGS__);                \
      gimp_image_delete ((subject).image); \
    }                                      \
  while (0)
void skip (const char *name, const char *reason);

/* Prints a measured value, for the reader. */
void note (const char *text, ...) G_GNUC_PRINTF (1, 2);

/* Each case has its own random numbers, so that one added does not change the others'. */
GRand *case_rand (const char *name);

/* Defines a function that changes the image or the layer of a Subject called subject. */
#define CHANGE(name, change)         \
  static void name (Subject subject) \
  {                                  \
    change;                          \
  }

/* An image with random pixels that depend on the case's name. */
Subject subject_for (const char *name, GimpPrecision precision, GimpImageType type, int width,
                     int height);

/* Checks the procedure's result for before: the CPU's bytes exactly, or the GPU's pixels within
 * twice the contract's bound, once for each engine. region: what may change, NULL for
 * everything. */
char *against_engine (const Raster *after, const Raster *before, gint32 drawable, const Args *args,
                      const FxRect *region);

/* Blurs the subject and compares with the engine. */
char *blur_problem (Subject subject, const Args *args, const FxRect *region);

/* Blurs under a selection and compares with the definition. */
char *selection_problem (Subject subject, const Args *args);

/* Calls the procedure from Script-Fu, with what follows the drawable. */
char *script_problem (Subject subject, const char *procedure, const char *arguments);

/* A failure is the procedure's own if it says something and GIMP has not had to say it for it. */
char *failure_problem (GimpPDBStatusType status, const char *message);

/* A call that must leave its subject as it is. */
typedef struct {
  Subject subject;
  Raster *before;
  GimpPDBStatusType status; /* the call's */
  char *message;            /* the call's, which is taken */
} Attempt;

Attempt attempt_begin (Subject subject);

/* After the call, which must have left the same bytes and no undo step; and have succeeded, or
 * failed with these words, of which bars separate alternatives. */
char *attempt_unchanged_problem (Attempt *attempt);
char *attempt_refused_problem (Attempt *attempt, const char *words);

/* Blurs and expects success, the same bytes and no undo step. */
char *unchanged_problem (Subject subject, const Args *args);

typedef enum {
  SELECT_RECTANGLE, /* within the layer */
  SELECT_CORNER,    /* partly beside the layer */
  SELECT_FEATHERED,
  SELECT_HOLE, /* everything but a rectangle */
  N_SELECTIONS,
} Selection;

/* A layer of 96 x 70 with an offset of 20, 10 under a selection. */
Subject subject_under (const char *name, GimpPrecision precision, GimpImageType type,
                       Selection selection);

/* A white mask for the subject's layer. */
gint32 add_mask (Subject subject);

/* An empty channel of the subject's image. */
gint32 add_channel (Subject subject);

/* The groups. */
void cases_registration (void);
void cases_pixels (void);   /* formats, parameters, sizes, places */
void cases_profiles (void); /* linear light by the curve of the image's profile */
void cases_coverage (void); /* selections, masks, channels */
void cases_grow (void);
void cases_calls (void); /* run modes, scripts, what is refused */
void cases_device_environment (void);
void cases_device_failing (void); /* with a plug-in whose GPU fails */
void cases_canvas (void);
void cases_canvas_user (void);
void cases_canvas_kill (void);
void cases_hand (void);
void cases_cancel (void);
void cases_copy (void); /* what the dialog reads */
void cases_resident (void);
void cases_resident_busy (void); /* a part of the one before */
void cases_swap (void);          /* with a swap that is full soon */
void cases_kill (void);
void cases_idle (void);
void cases_many (void);
void cases_convolve (void);
void cases_convolve_refusals (void);
void cases_lens (void);
void cases_soak (void); /* for CUDA_BLUR_TEST_SECONDS */
