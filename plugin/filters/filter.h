/* The description of a filter: its names, its texts, its properties, and how to make the engine's
 * plan. The procedure's arguments, the last values, the presets' files and the dialog's controls
 * are all derived from it.
 *
 * Texts marked "translated" are gettext's msgids. This needs neither libgimp nor GTK. */
#pragma once

#include "engine.h"
#include "filter-map.h"
#include "filter-matrix.h"

typedef struct FilterDescription FilterDescription;

/* A value for each property of one filter: the index of a choice, TRUE or FALSE for a switch, a
 * FilterMatrix for a matrix, and a number otherwise. With them goes the map of a filter that has
 * one, which no file holds. */
typedef struct FilterSettings FilterSettings;

typedef enum {
  FILTER_NUMBER,
  FILTER_WHOLE_NUMBER,
  FILTER_CHOICE,
  FILTER_SWITCH,
  FILTER_MATRIX, /* a filter has at most one */
} FilterPropertyType;

/* The meaning of a property that several filters may have. */
typedef enum {
  FILTER_ROLE_NONE,
  FILTER_ROLE_LIGHT,      /* does not apply to coverage */
  FILTER_ROLE_HIGHLIGHTS, /* the same, for what belongs to highlights */
  FILTER_ROLE_ABYSS,      /* a choice whose values are FxAbyss */
  FILTER_ROLE_GROW,       /* a switch: whether to enlarge the layer, if that is possible */
  FILTER_ROLE_DEVICE,     /* a choice whose values are FxDevice */
  FILTER_ROLE_LINEAR_MAP, /* a switch: the map's values are linear light, not perceptual */
  FILTER_ROLE_POINT, /* with the next number, a place in parts of the drawable's width and height,
                        which can be dragged in the dialog's preview */
} FilterRole;

typedef struct {
  const char *name;  /* used in files */
  const char *label; /* translated */
} FilterChoice;

/* Settings that come with a filter. */
typedef struct {
  const char *name;  /* translated */
  const char *words; /* what it sets, in the words of filter-words.h, separated by blanks; other
                        properties stay as they are */
} FilterPreset;

/* A place in the pixels of the plane in which FxGeometry is. */
typedef struct {
  double x, y;
} FilterPoint;

/* A property of an operation of GEGL's that the filter's operation has, too, with the same type. */
typedef struct {
  const char *gegl_name;
  const char *name; /* NULL: the same */

  /* Returns the value for that of GEGL's operation, a FILTER_NUMBER, with an input in box. NULL:
   * the same, as always in a graph without a choice. */
  double (*convert) (double value, const FxGeometry *box);
} TakeOverProperty;

/* An operation of GEGL's whose place the filter's can take. */
typedef struct {
  const char *name;                   /* with "gegl:" */
  const TakeOverProperty *properties; /* ends with a NULL gegl_name; others have no effect */
  const char *words; /* settings that stay as they are, like a preset's; NULL: none, as always in a
                        graph without a choice */

  /* In a graph: a choice of GEGL's operation, by its name, and the one with which ours takes its
   * place. With the others GEGL's own graph computes. NULL: ours always does. */
  const char *choice, *chosen;

  /* In a graph: GEGL's own graph stays beside ours, as with a choice, because its code needs it. */
  gboolean beside;

  /* Makes the plan, or returns NULL, like the filter's own function. NULL: that does, as always in
   * a graph. */
  FxPlan *(*make_plan) (const FilterSettings *settings, const FxFormat *format);

  /* GEGL's operation leaves out what lies beyond the input, instead of taking it for transparent:
   * an opaque input is opaque afterwards. Within the input, the filter takes the nearest pixels for
   * that. */
  gboolean keeps_edges;

  /* For an operation that gives some of the samples of its input, which the filter then takes as
   * they are stored, as GEGL's does but for their type. Returns whether those in format are the
   * same by both; precise is what the operation's property of that name is, a switch. NULL: all
   * are, and the operation computes with floats as a part of a graph, as always if it is one. */
  gboolean (*has_same_samples) (const FilterSettings *settings, const FxFormat *format,
                                gboolean precise);
  const char *precise;
} TakeOver;

/* The member of the filter's parameters that has a property's value: a double or, if it is smaller,
 * an int or an enumeration. Its size is 0 if there is none. */
typedef struct {
  gsize offset, size;
} FilterPlace;

#define FILTER_PLACE(params, member)                                         \
  {                                                                          \
    G_STRUCT_OFFSET (params, member), sizeof (((const params *) 0)->member), \
  }

/* Initialises the type of a property, and its place, by the member of params: a number if that is a
 * double, a whole number if it is an int, a choice if it is an enumeration. */
/* clang-format off */
#define FILTER_TYPE_OF(params, member)                                                   \
  _Generic (((const params *) 0)->member,                                                \
            double: FILTER_NUMBER, int: FILTER_WHOLE_NUMBER, unsigned: FILTER_CHOICE),   \
  .place = FILTER_PLACE (params, member)
/* clang-format on */

typedef struct {
  const char *name;           /* used for the procedure's argument, and in files */
  const char *operation_name; /* of GEGL's property; NULL: the same name. FILTER_ROLE_GROW has its
                                 opposite there, clip-extent */
  FilterPropertyType type;
  FilterPlace place;
  FilterRole role;
  gboolean pair; /* the control is for this number and the next one, in pixels, which may be chained
                    and have sliders */
  gboolean last; /* dialogs show it after the others */
  double minimum, maximum, initial; /* a choice or a switch has only initial; for a matrix, the
                                       range of its rows and columns, which are odd */
  const FilterMatrix *matrix;       /* the initial matrix */
  const FilterChoice *choices;      /* ends with a NULL name */
  const FilterChoice *bits; /* for a whole number that is a sum of bits; ends with a NULL name */
  const char *label;        /* translated, with a mnemonic */
  const char *tooltip;      /* translated */
  const char *traced;       /* precedes the value in the trace; NULL: the trace omits it */
  guint kinds; /* the values of the filter's first property, a choice, with which this one has an
                  effect, as bits; 0: all */

  /* For a whole number that is automatic if it is 0. get returns the number that 0 stands for with
   * these settings; it is NULL for bits, and if 0 is not automatic. label and tooltip are
   * translated. */
  struct {
    int (*get) (const FilterSettings *settings);
    const char *label, *tooltip;
    int step; /* between valid values */
  } automatic;

  /* For a whole number that is 0 or at least this one; 0: it has all values of its range. */
  int least;

  struct {
    int digits;  /* after the point */
    double step; /* of an arrow key; 0: no slider, but for a pair, whose step is 1 in its unit */
    double start, end; /* the shares of the range at which the slider begins and ends, beyond which
                          numbers are typed; an end of 0: that of the range */
    double bend;       /* the share of what it has up to which the slider is nearly linear; it is
                          logarithmic above that. 0: it is linear */
  } slider;

  /* How GIMP's own dialog shows the operation's property, in GEGL's terms. */
  struct {
    double ui_minimum, ui_maximum; /* the slider's range; 0 and 0: the property's */
    double ui_gamma;               /* the slider's; 0: 1, which is linear */
    const char *keys;              /* such as "unit=degree direction=cw"; NULL: none */
    const char *nick;              /* translated; NULL: the label */
  } gegl;
} FilterProperty;

/* Initialises the names of a filter; own is what follows "cuda-". */
#define FILTER_NAMES(own) \
  .name = "cuda-" own, .procedure = "plug-in-cuda-" own, .operation = "cuda:" own

struct FilterDescription {
  const char *name;       /* names the presets' file, and each preset in it */
  const char *procedure;  /* also the help ID, and the name of the last values */
  const char *operation;  /* GEGL's name */
  const char *title;      /* translated */
  const char *menu_label; /* translated; also names the undo step */
  const char *menu_path;  /* its last part names GEGL's category */
  const char *blurb;      /* translated */
  const char *help;
  const FilterProperty *properties;
  guint n_properties;
  const FilterPreset *presets; /* ends with a NULL name; NULL: none come with the filter */

  /* For a filter that takes the brightness of a second picture, the map. Without it, the plan is
   * the one that reaches furthest, and it is not for pictures. translated; NULL: there is none */
  struct {
    const char *label, *tooltip;
  } map;

  /* Checks the ranges of settings, for filter_settings_check. Switches are checked already, and so
   * is the number of a matrix's values if its rows and columns are in range. */
  gboolean (*check) (const FilterSettings *settings, GError **error);

  /* The settings passed to the functions below have passed the check. */

  /* Sets x and y to the pixels by which to enlarge a layer on each side. geometry is the layer's
   * place before. Only for a filter with a property of FILTER_ROLE_GROW, if that is on. */
  void (*get_growth) (const FilterSettings *settings, const FxGeometry *geometry, int *x, int *y);

  /* Returns a translated line that sums up the settings and the plan that was made of them, to show
   * below the matrix; free it. The pointer may be NULL: the filter has no such line. */
  char *(*describe) (const FilterSettings *settings, const FxPlan *plan);

  /* A picture of the settings, such as the shape of an aperture. Fills size x size values, row by
   * row, from 0 (no light) to 1; size is odd. The pointer may be NULL: the filter has no such
   * picture. picture_label says what it shows; translated. */
  void (*draw_picture) (const FilterSettings *settings, int size, float *values);
  const char *picture_label;

  /* Lines over the dialog's preview, such as the edge of what stays sharp. Appends to points, an
   * array of FilterPoint, those of the line with that number, which is closed and may reach far out
   * of sight; between them it is off by at most error pixels. A line of no extent has none. Returns
   * FALSE if there is no such line. The pointer may be NULL: the filter has none. geometry is the
   * picture's place, before a layer grows. */
  gboolean (*get_line) (const FilterSettings *settings, const FxGeometry *geometry, guint number,
                        double error, GArray *points);
  const char *preview_hint; /* what the point and the lines are, and do; translated, or NULL */

  /* Makes the plan, for filter_settings_make_plan, which has dropped light for coverage. Returns
   * NULL if there is no memory for it. */
  FxPlan *(*make_plan) (const FilterSettings *settings, const FxFormat *format,
                        const FxGeometry *geometry, gboolean coverage);

  /* Like get_growth, which it replaces for the operation. NULL: get_growth is the operation's,
   * too. */
  void (*get_operation_growth) (const FilterSettings *settings, const FxGeometry *geometry, int *x,
                                int *y);

  const TakeOver *take_overs; /* ends with a NULL name; NULL: none */
};

/* Returns the name of the operation's property. */
const char *filter_property_get_operation_name (const FilterProperty *property);

/* Returns the translated tooltip, which also explains 0 if that is automatic, as there is no switch
 * for it elsewhere than in our own dialog; free it. */
char *filter_property_get_tooltip (const FilterProperty *property);

/* Returns a text in English for the procedure's argument: the tooltip, and each choice with its
 * number or the range; free it. */
char *filter_property_get_blurb (const FilterProperty *property);

/* Return the index of the property with that name, the first one with that role, and the one with a
 * matrix, or -1. */
int filter_find_property (const FilterDescription *filter, const char *name);
int filter_find_role (const FilterDescription *filter, FilterRole role);
int filter_find_matrix (const FilterDescription *filter);

/* Returns the index of the property that dialogs show at that place, from 0 on. */
guint filter_get_shown (const FilterDescription *filter, guint place);

/* Returns the choices of a choice or a switch, or NULL for other types. Those of a switch have no
 * labels. */
const FilterChoice *filter_property_get_choices (const FilterProperty *property);

/* Returns the names of the choices, "clamp, none, black, white"; free it. The same of property. */
char *filter_property_list_choices (const FilterProperty *property);

/* Creates the filter's initial settings. Never returns NULL; free them with
 * filter_settings_free. */
FilterSettings *filter_settings_new (const FilterDescription *filter);
FilterSettings *filter_settings_copy (const FilterSettings *settings);
void filter_settings_free (FilterSettings *settings); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilterSettings, filter_settings_free)

/* Copies all values. Both must be settings of the same filter. */
void filter_settings_assign (FilterSettings *settings, const FilterSettings *from);

/* Returns whether all values are the same. Both must be settings of the same filter. */
gboolean filter_settings_equal (const FilterSettings *a, const FilterSettings *b);

const FilterDescription *filter_settings_get_filter (const FilterSettings *settings);

/* Sets the members of the filter's parameters in which properties have a place. */
void filter_settings_get_params (const FilterSettings *settings, gpointer params);

/* Defines a function that returns such parameters, of which all other members are 0. */
#define FILTER_DEFINE_GET_PARAMS(Params, name)        \
  static Params name (const FilterSettings *settings) \
  {                                                   \
    Params params = { 0 };                            \
                                                      \
    filter_settings_get_params (settings, &params);   \
    return params;                                    \
  }

/* Define a filter's check and get_growth by those of the engine for such parameters. */

#define FILTER_DEFINE_CHECK(Params, name, get_params, params_check)     \
  static gboolean name (const FilterSettings *settings, GError **error) \
  {                                                                     \
    const Params params = get_params (settings);                        \
                                                                        \
    return params_check (&params, error);                               \
  }

#define FILTER_DEFINE_GET_GROWTH(Params, name, get_params, params_get_growth)                   \
  static void name (const FilterSettings *settings, const FxGeometry *geometry, int *x, int *y) \
  {                                                                                             \
    const Params params = get_params (settings);                                                \
                                                                                                \
    params_get_growth (&params, x, y);                                                          \
  }

/* For properties that are not matrices. Values are not checked. The second is for integers. */
double filter_settings_get (const FilterSettings *settings, guint property);
int filter_settings_get_int (const FilterSettings *settings, guint property);
void filter_settings_set (FilterSettings *settings, guint property, double value);

/* Returns whether the property has an effect with the kind in settings. */
gboolean filter_settings_use (const FilterSettings *settings, guint property);

/* For matrices. The matrix returned belongs to the settings, and is valid until the property is set
 * again; the settings take a reference to the one passed. */
const FilterMatrix *filter_settings_get_matrix (const FilterSettings *settings, guint property);
void filter_settings_set_matrix (FilterSettings *settings, guint property,
                                 const FilterMatrix *matrix);

/* The map, or NULL. The settings take a reference; the one returned is theirs. */
FilterMap *filter_settings_get_map (const FilterSettings *settings);
void filter_settings_set_map (FilterSettings *settings, FilterMap *map);

/* Returns whether a map is to be made of linear light, not of what sRGB's curve makes of it. */
gboolean filter_settings_use_linear_map (const FilterSettings *settings);

/* Returns a value as text for files, independent of the locale; free it. settings must have passed
 * filter_settings_check. Returns NULL if memory for a matrix runs out. */
char *filter_settings_print (const FilterSettings *settings, guint property);

/* Sets a value to that of such a text. Returns FALSE with FX_ERROR_ARGUMENT, one sentence, and
 * changes nothing, if it is none; the range is not checked. Messages about numbers are not
 * translated. */
gboolean filter_settings_parse (FilterSettings *settings, guint property, const char *text,
                                GError **error);

/* Returns FALSE with FX_ERROR_ARGUMENT if a value is out of range: the message names the property,
 * its value and the range. */
gboolean filter_settings_check (const FilterSettings *settings, GError **error);

/* Makes the plan for pixels in format. coverage means that they are a mask's or a channel's, to
 * which light does not apply. geometry is the picture's place, before a layer grows. settings must
 * have passed filter_settings_check. Never returns NULL: without memory, the plan is
 * fx_plan_new_missing. Free it with fx_plan_free. */
FxPlan *filter_settings_make_plan (const FilterSettings *settings, const FxFormat *format,
                                   const FxGeometry *geometry, gboolean coverage);

/* Prepares settings for coverage, whose values are no light, and have no highlights. light is that
 * which converts nothing. */
void filter_settings_drop_light (FilterSettings *settings, FxLight light);

/* Sets x and y to the pixels by which to enlarge a layer on each side; 0 if it must not grow.
 * geometry is the layer's place before. settings must have passed filter_settings_check. */
void filter_settings_get_growth (const FilterSettings *settings, const FxGeometry *geometry, int *x,
                                 int *y);

/* Prepares settings for a layer that they enlarge: beyond it is nothing, whatever abyss they had. A
 * plan for such a layer must be made from settings that were prepared. */
void filter_settings_set_grown (FilterSettings *settings);

/* Returns the device in the settings, or the automatic one if the filter has no such property. */
FxDevice filter_settings_get_device (const FilterSettings *settings);

/* Returns the filter's translated line about settings, which have passed filter_settings_check, and
 * about the plan that was made of them; free it. NULL: the filter has no such line. Without a plan
 * one is made, for 8-bit RGB, which takes as long as each plan. */
char *filter_settings_describe (const FilterSettings *settings, const FxPlan *plan);

/* Returns the settings as text for the trace; free it. */
char *filter_settings_trace (const FilterSettings *settings);
