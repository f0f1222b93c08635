#define _GNU_SOURCE /* for dladdr */

#include "gaussian-blur-take-over.h"

#include "error.h"

#include <dlfcn.h>
#include <gegl-plugin.h>
#include <glib/gi18n-lib.h>

#define THEIRS "gegl:gaussian-blur"
#define OURS   "cuda:gaussian-blur"
#define MARK   "cuda-blur-take-over" /* the file that setup.sh makes */

/* Properties that both GEGL's operation and ours have. */
static const struct {
  const char *name;
  GType type;
} redirected[] = {
  { "std-dev-x", G_TYPE_DOUBLE },
  { "std-dev-y", G_TYPE_DOUBLE },
  { "abyss-policy", G_TYPE_ENUM },
  { "clip-extent", G_TYPE_BOOLEAN },
};

/* GEGL's policies in order: bindings between enums pass the number. */
static const char *const abysses[] = { "none", "clamp", "black", "white" };

/* The original attach: the class has no place to keep it. */
static void (*attach_original) (GeglOperation *operation);

/* Returns the path of this module, or NULL if the system does not know it. */
static const char *
get_own_path (void)
{
  Dl_info info;

  return dladdr ((gpointer) gegl_take_over_begin, &info) ? info.dli_fname : NULL;
}

static gboolean
is_marked (void)
{
  const char *path = get_own_path ();
  g_autofree char *folder = path ? g_path_get_dirname (path) : NULL;
  g_autofree char *mark = folder ? g_build_filename (folder, MARK, NULL) : NULL;

  return mark && g_file_test (mark, G_FILE_TEST_EXISTS);
}

static gboolean
read_wanted (gboolean *wanted, GError **error)
{
  const char *value = g_getenv ("CUDA_BLUR_TAKE_OVER");
  gboolean yes = g_strcmp0 (value, "yes") == 0;

  *wanted = value && *value ? yes : is_marked ();
  if (! value || ! *value || yes || g_strcmp0 (value, "no") == 0)
    return TRUE;
  return fx_refuse (error, _ ("CUDA_BLUR_TAKE_OVER is \"%s\", but must be yes or no"), value);
}

/* Returns whether the node is part of a graph, whose result is computed with, as in unsharp mask,
 * and must not be rounded to the format of a layer. GIMP makes the node of a filter alone. */
static gboolean
is_part (GeglNode *node)
{
  return gegl_node_get_parent (node) != NULL;
}

static void
take_over_attach (GeglOperation *operation)
{
  GeglNode *node = operation->node;
  gboolean wanted;
  GeglNode *blur;
  guint i;

  if (! read_wanted (&wanted, NULL) || ! wanted || ! gegl_has_operation (OURS))
    {
      attach_original (operation);
      return;
    }
  blur = gegl_node_new_child (node, "operation", OURS, "floats", is_part (node), NULL);
  gegl_node_link_many (gegl_node_get_input_proxy (node, "input"), blur,
                       gegl_node_get_output_proxy (node, "output"), NULL);
  for (i = 0; i < G_N_ELEMENTS (redirected); i++)
    gegl_operation_meta_redirect (operation, redirected[i].name, blur, redirected[i].name);
}

/* Returns GEGL's class, with a reference that keeps it, or NULL. The type's name depends on GEGL's
 * version. */
static GeglOperationClass *
ref_their_class (void)
{
  g_autofree GType *types = g_type_children (GEGL_TYPE_OPERATION_META, NULL);
  const GType *type;

  for (type = types; *type; type++)
    {
      GeglOperationClass *class = g_type_class_ref (*type);

      if (g_strcmp0 (class->name, THEIRS) == 0)
        return class;
      g_type_class_unref (class);
    }
  return NULL;
}

static gboolean
has_known_layout (void)
{
  GTypeQuery meta;

  g_type_query (GEGL_TYPE_OPERATION_META, &meta);
  return meta.class_size == sizeof (GeglOperationMetaClass) &&
         meta.instance_size == sizeof (GeglOperationMeta);
}

static gboolean
has_known_abysses (GParamSpec *spec)
{
  GEnumClass *policies = G_PARAM_SPEC_ENUM (spec)->enum_class;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (abysses); i++)
    {
      const GEnumValue *policy = g_enum_get_value (policies, (int) i);

      if (! policy || g_strcmp0 (policy->value_nick, abysses[i]) != 0)
        return FALSE;
    }
  return policies->n_values == G_N_ELEMENTS (abysses);
}

static gboolean
is_known (GeglOperationClass *class)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (redirected); i++)
    {
      GParamSpec *spec = g_object_class_find_property (G_OBJECT_CLASS (class), redirected[i].name);

      if (! spec || ! g_type_is_a (spec->value_type, redirected[i].type) ||
          (redirected[i].type == G_TYPE_ENUM && ! has_known_abysses (spec)))
        return FALSE;
    }
  return class->attach != NULL;
}

gboolean
gegl_take_over_begin (GError **error)
{
  GeglOperationClass *class;
  int major, minor, micro;
  gboolean wanted;

  if (! read_wanted (&wanted, error))
    return FALSE;
  if (! wanted || attach_original)
    return TRUE;
  class = has_known_layout () ? ref_their_class () : NULL;
  if (class && is_known (class))
    {
      attach_original = class->attach;
      g_atomic_pointer_set ((gpointer *) &class->attach, (gpointer) take_over_attach);
      return TRUE;
    }
  if (class)
    g_type_class_unref (class);
  gegl_get_version (&major, &minor, &micro);
  return fx_refuse (error,
                    _ ("The Gaussian blur of GEGL %d.%d.%d is not known, so it is not replaced"),
                    major, minor, micro);
}
