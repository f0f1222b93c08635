/* What a filter is to all who offer it: its names, its texts, its properties, and what the engine
 * makes of them. The procedure's arguments, the last values, the presets' files and the dialog's
 * controls are made from this.
 *
 * Texts marked "translated" are gettext's msgids. Needs neither libgimp nor GTK. */
#ifndef FILTER_H
#define FILTER_H

#include "engine.h"
#include "filter-matrix.h"

G_BEGIN_DECLS

typedef struct Filter Filter;

/* A value for each property of one filter: that of a choice is its index, that of a switch TRUE or
 * FALSE, that of a matrix a FilterMatrix, any other a number. */
typedef struct FilterSettings FilterSettings;

typedef enum {
  FILTER_NUMBER,
  FILTER_WHOLE_NUMBER,
  FILTER_CHOICE,
  FILTER_SWITCH,
  FILTER_MATRIX, /* at most one of a filter's */
} FilterPropertyType;

/* What a property means to any filter that has it. */
typedef enum {
  FILTER_ROLE_NONE,
  FILTER_ROLE_LIGHT,  /* coverage knows none */
  FILTER_ROLE_GROW,   /* a switch: whether the layer is enlarged, where that applies */
  FILTER_ROLE_DEVICE, /* a choice: FxDevice */
} FilterRole;

/* Controls other than those that the type says. */
typedef enum {
  FILTER_CONTROL_PLAIN,
  FILTER_CONTROL_PAIR, /* of this number and the next one, in pixels, which may be chained */
} FilterControl;

typedef struct {
  const char *name;  /* in files */
  const char *label; /* translated */
} FilterChoice;

typedef struct {
  const char *name; /* of the procedure's argument, and in files */
  FilterPropertyType type;
  FilterRole role;
  FilterControl control;
  double minimum, maximum, initial; /* of a choice or a switch: initial alone; of a matrix: the
                                       range of its rows and columns, which are odd */
  const FilterMatrix *matrix;       /* of a matrix: the initial one */
  const FilterChoice *choices;      /* ends with a name of NULL */
  const FilterChoice *bits;         /* of a whole number that is a sum of them: what each one is,
                                       from 1 on; ends as choices do */
  const char *blurb;                /* of the procedure's argument */
  const char *label;                /* translated, with a mnemonic */
  const char *tooltip;              /* translated */
  const char *traced;               /* what precedes the value in the trace; NULL: it is left out */

  /* Of a whole number for which 0 stands for "automatic". get: what it stands for with these
   * settings; NULL: of bits, or there is no such thing. label, tooltip: translated. */
  struct {
    int (*get) (const FilterSettings *settings);
    const char *label, *tooltip;
    int step; /* between values that may be */
  } automatic;
} FilterProperty;

struct Filter {
  const char *name;       /* of presets in their file, and of that file */
  const char *procedure;  /* also the help's ID, and the name of the last values */
  const char *title;      /* translated */
  const char *menu_label; /* translated; also names the undo step */
  const char *menu_path;
  const char *blurb; /* translated */
  const char *help;
  const char *drawable_blurb; /* of the procedure's argument */
  guint version;              /* of the last values: to be raised with each change of properties */
  const FilterProperty *properties;
  guint n_properties;

  /* Whether the settings are in range, as filter_settings_check; switches are checked already, and
   * that a matrix has as many values as its size says, where that is in range. */
  gboolean (*check) (const FilterSettings *settings, GError **error);

  /* The rest take settings that have passed the check. */

  /* How many pixels a layer is to be enlarged by on each side; 0 where it is not to grow. */
  void (*get_growth) (const FilterSettings *settings, int *x, int *y);

  /* What there is to know of them at a glance, in a translated line below the matrix; free it.
   * NULL: the filter has nothing to say. */
  char *(*describe) (const FilterSettings *settings);

  /* format: of the pixels as the engine gets them. coverage: they are a mask's or a channel's,
   * which know no light. Never NULL; free it with fx_plan_free. */
  FxPlan *(*make_plan) (const FilterSettings *settings, const FxFormat *format, gboolean coverage);
};

/* The index of the property of that name; -1: there is none. */
int filter_find_property (const Filter *filter, const char *name);

/* The choices of a choice or a switch; NULL: it is neither. */
const FilterChoice *filter_property_get_choices (const FilterProperty *property);

/* The choice of that name; -1: there is none. */
int filter_property_find_choice (const FilterProperty *property, const char *name);

/* The filter's initial settings. Free them with filter_settings_free. */
FilterSettings *filter_settings_new (const Filter *filter);
FilterSettings *filter_settings_copy (const FilterSettings *settings);
void filter_settings_free (FilterSettings *settings); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilterSettings, filter_settings_free)

/* Both must be of one filter. */
void filter_settings_assign (FilterSettings *settings, const FilterSettings *from);

const Filter *filter_settings_get_filter (const FilterSettings *settings);
/* Of properties that are no matrices. */
double filter_settings_get (const FilterSettings *settings, guint property);
void filter_settings_set (FilterSettings *settings, guint property, double value);

/* Of those that are. The settings own what they return; what they are given is copied. */
const FilterMatrix *filter_settings_get_matrix (const FilterSettings *settings, guint property);
void filter_settings_set_matrix (FilterSettings *settings, guint property,
                                 const FilterMatrix *matrix);

/* A value as files have it, in no locale; free it. The settings must have passed the check. */
char *filter_settings_print (const FilterSettings *settings, guint property);

/* FALSE and FX_ERROR_ARGUMENT if a value is out of range: the message names the property, its value
 * and what is allowed. */
gboolean filter_settings_check (const FilterSettings *settings, GError **error);

/* The device that they ask for; automatic where the filter leaves no choice. */
FxDevice filter_settings_get_device (const FilterSettings *settings);

/* All values as one line of text, to be kept until GIMP ends; free it. */
char *filter_settings_to_text (const FilterSettings *settings);

/* The inverse. text: length bytes, not ended by 0. NULL if they are damaged, of another version of
 * the filter, or out of range. */
FilterSettings *filter_settings_from_text (const Filter *filter, const char *text, gsize length);

/* What the trace says of them; free it. */
char *filter_settings_trace (const FilterSettings *settings);

G_END_DECLS

#endif
