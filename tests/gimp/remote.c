/* A request is a line with a tuple as GVariant prints it: the name of a procedure of GIMP's and its
 * arguments; of an array of floats, their number, a uint64. The answer is a line with a list that
 * Python can read: the status, the error and the values. Pixels and floats follow their line as
 * they are stored. */
#include "remote.h"

#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "canvas-calls.h"
#include "copy-calls.h"
#include "progress.h"
#include "subject.h"
#include "wire.h"

typedef struct {
  FILE *in, *out;
} Stream;

static gboolean
stream_open (Stream *stream, const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("CUDA_BLUR_TEST_FOLDER"), name, NULL);
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int file = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

  g_strlcpy (address.sun_path, path, sizeof address.sun_path);
  if (connect (file, (struct sockaddr *) &address, sizeof address) != 0)
    {
      close (file);
      return FALSE;
    }
  *stream = (Stream) { fdopen (file, "r"), fdopen (dup (file), "w") };
  return TRUE;
}

static void
stream_close (Stream *stream)
{
  fclose (stream->in);
  fclose (stream->out);
}

/* Arguments */

static double
get_number (GVariant *value)
{
  return g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE) ? g_variant_get_double (value)
                                                             : g_variant_get_int32 (value);
}

static gpointer
read_bytes (Stream *stream, gsize size)
{
  gpointer bytes = g_malloc (size);

  if (fread (bytes, 1, size, stream->in) != size)
    g_error ("there are too few bytes");
  return bytes;
}

/* What it points to belongs to value, but for floats. */
static GimpParam
make_param (Stream *stream, GimpPDBArgType type, GVariant *value)
{
  GimpParam param = { .type = type };
  gsize n = 0;

  if (type == GIMP_PDB_COLOR)
    gimp_rgb_parse_name (&param.data.d_color, g_variant_get_string (value, NULL), -1);
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    param.data.d_string = (char *) g_variant_get_string (value, NULL);
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_UINT64))
    param.data.d_floatarray = read_bytes (stream, g_variant_get_uint64 (value) * sizeof (double));
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE ("ai")))
    param.data.d_int32array = (gint32 *) g_variant_get_fixed_array (value, &n, sizeof (gint32));
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_BYTESTRING))
    param.data.d_int8array = (guint8 *) g_variant_get_fixed_array (value, &n, 1);
  else if (type == GIMP_PDB_FLOAT)
    param.data.d_float = get_number (value);
  else
    param.data.d_int32 = (gint32) get_number (value);
  return param;
}

/* Returns the types of a procedure's arguments: none if there is no such procedure. GIMP is asked
 * about each of them, but only once. */
static GArray *
get_types (const char *procedure)
{
  static GHashTable *known;
  GArray *types = known ? g_hash_table_lookup (known, procedure) : NULL;
  gchar *texts[5];
  GimpPDBProcType type;
  gint n_args, n_values;
  GimpParamDef *args, *values;

  if (types)
    return types;
  types = g_array_new (FALSE, FALSE, sizeof (GimpPDBArgType));
  known = known ? known : g_hash_table_new (g_str_hash, g_str_equal);
  if (! gimp_procedural_db_proc_info (procedure, &texts[0], &texts[1], &texts[2], &texts[3],
                                      &texts[4], &type, &n_args, &n_values, &args, &values))
    return types;
  for (int i = 0; i < n_args; i++)
    g_array_append_val (types, args[i].type);
  gimp_destroy_paramdefs (args, n_args);
  gimp_destroy_paramdefs (values, n_values);
  g_hash_table_insert (known, g_strdup (procedure), types);
  return types;
}

/* Answers */

static void
print_string (GString *text, const char *string)
{
  g_autofree char *escaped = g_strescape (string ? string : "", NULL);

  g_string_append_printf (text, "\"%s\"", escaped);
}

/* length: of an array, the value before it. */
static void
print_value (GString *text, const GimpParam *value, int length)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (value->type == GIMP_PDB_FLOAT)
    g_string_append (text, g_ascii_dtostr (number, sizeof number, value->data.d_float));
  else if (value->type == GIMP_PDB_STRING)
    print_string (text, value->data.d_string);
  else if (value->type == GIMP_PDB_INT32ARRAY || value->type == GIMP_PDB_STRINGARRAY)
    {
      g_string_append_c (text, '[');
      for (int i = 0; i < length; i++, g_string_append (text, ", "))
        if (value->type == GIMP_PDB_INT32ARRAY)
          g_string_append_printf (text, "%d", value->data.d_int32array[i]);
        else
          print_string (text, value->data.d_stringarray[i]);
      g_string_append_c (text, ']');
    }
  else
    g_string_append_printf (text, "%d", value->data.d_int32);
}

static void
print_answer (Stream *stream, const GimpParam *values, int n)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_printf (text, "[%d, ", values[0].data.d_status);
  print_string (text, gimp_get_pdb_error ());
  for (int i = 1; i < n; i++)
    {
      g_string_append (text, ", ");
      print_value (text, &values[i], i > 1 ? values[i - 1].data.d_int32 : 0);
    }
  fprintf (stream->out, "%s]\n", text->str);
}

/* Requests */

static void
call (Stream *stream, const char *procedure, GPtrArray *arguments)
{
  const GArray *types = get_types (procedure);
  g_autofree GimpParam *params = g_new0 (GimpParam, arguments->len + 1);
  GimpParam *values;
  gint n;

  for (guint i = 0; i < arguments->len; i++)
    params[i] = make_param (stream,
                            i < types->len ? g_array_index (types, GimpPDBArgType, i)
                                           : GIMP_PDB_INT32,
                            arguments->pdata[i]);
  values = gimp_run_procedure2 (procedure, &n, (gint) arguments->len, params);
  print_answer (stream, values, n);
  gimp_destroy_params (values, n);
  for (guint i = 0; i < arguments->len; i++)
    if (params[i].type == GIMP_PDB_FLOATARRAY)
      g_free (params[i].data.d_floatarray);
}

/* Arguments of what is no procedure of GIMP's. */

static int
get_int (const GPtrArray *arguments, guint i)
{
  return g_variant_get_int32 (arguments->pdata[i]);
}

static const char *
get_text (const GPtrArray *arguments, guint i)
{
  return g_variant_get_string (arguments->pdata[i], NULL);
}

static void
print_done (Stream *stream)
{
  fprintf (stream->out, "[%d, \"\"]\n", GIMP_PDB_SUCCESS);
}

static void
print_number (Stream *stream, int number)
{
  fprintf (stream->out, "[%d, \"\", %d]\n", GIMP_PDB_SUCCESS, number);
}

/* Takes text. */
static void
print_text (Stream *stream, char *text)
{
  g_autofree char *own = text;
  g_autoptr (GString) string = g_string_new (NULL);

  print_string (string, own);
  fprintf (stream->out, "[%d, \"\", %s]\n", GIMP_PDB_SUCCESS, string->str);
}

/* The pixels of a drawable: their width, height and size, and babl's name for how they are
 * encoded. */
static void
read_pixels (Stream *stream, gint32 drawable)
{
  g_auto (Pixels) pixels = { 0 };
  g_autoptr (GString) encoding = g_string_new (NULL);
  const Babl *format = gimp_drawable_get_format (drawable);

  pixels_read (&pixels, drawable);
  print_string (encoding, babl_format_get_encoding (format));
  fprintf (stream->out, "[%d, \"\", %d, %d, %d, %s]\n", GIMP_PDB_SUCCESS, pixels.width,
           pixels.height, (int) pixels.bytes, encoding->str);
  fwrite (pixels.data, 1, pixels.bytes, stream->out);
}

static void
write_pixels (Stream *stream, gint32 drawable)
{
  g_auto (Pixels) pixels = { 0 };

  pixels_read (&pixels, drawable);
  if (fread (pixels.data, 1, pixels.bytes, stream->in) == pixels.bytes)
    pixels_write (&pixels, drawable);
  print_done (stream);
}

/* What operations of GEGL's, in this process, make of a drawable's pixels; chain is as the gegl
 * command has it. */
static void
run_chain (Stream *stream, gint32 drawable, const char *chain)
{
  g_auto (Pixels) pixels = { 0 };
  const Babl *format = gimp_drawable_get_format (drawable);
  g_autoptr (GeglBuffer) buffer = NULL;
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *source, *end = gegl_node_new_child (graph, "operation", "gegl:nop", NULL);
  g_autoptr (GError) error = NULL;
  GeglRectangle extent;

  pixels_read (&pixels, drawable);
  extent = (GeglRectangle) { 0, 0, pixels.width, pixels.height };
  buffer = gegl_buffer_new (&extent, format);
  source = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer", buffer, NULL);
  gegl_buffer_set (buffer, &extent, 0, format, pixels.data, GEGL_AUTO_ROWSTRIDE);
  gegl_create_chain (chain, source, end, 0.0, 0, NULL, &error);
  if (error)
    g_error ("%s: %s", chain, error->message);
  gegl_node_blit (end, 1.0, &extent, format, pixels.data, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  print_number (stream, (int) pixels.bytes);
  fwrite (pixels.data, 1, pixels.bytes, stream->out);
}

/* Each returns FALSE if the name is none of its calls. */

static gboolean
answer_pixels (Stream *stream, const char *name, const GPtrArray *arguments)
{
  if (g_str_equal (name, "read-pixels"))
    read_pixels (stream, get_int (arguments, 0));
  else if (g_str_equal (name, "write-pixels"))
    write_pixels (stream, get_int (arguments, 0));
  else if (g_str_equal (name, "run-chain"))
    run_chain (stream, get_int (arguments, 0), get_text (arguments, 1));
  else
    return FALSE;
  return TRUE;
}

/* canvas-set: both sigmas, how it grows, the part that has changed, and how many bytes follow. */
static gboolean
answer_canvas (Stream *stream, const char *name, const GPtrArray *arguments)
{
  if (g_str_equal (name, "canvas-show"))
    print_text (stream, canvas_calls_show (get_int (arguments, 0)));
  else if (g_str_equal (name, "canvas-hide"))
    print_text (stream, canvas_calls_hide ());
  else if (g_str_equal (name, "canvas-get-refusal"))
    print_text (stream, canvas_calls_get_refusal (get_int (arguments, 0)));
  else if (g_str_equal (name, "canvas-set"))
    print_text (stream,
                canvas_calls_set (get_number (arguments->pdata[0]),
                                  get_number (arguments->pdata[1]), get_int (arguments, 2),
                                  &(FxRect) { get_int (arguments, 3), get_int (arguments, 4),
                                              get_int (arguments, 5), get_int (arguments, 6) },
                                  read_bytes (stream, get_int (arguments, 7))));
  else if (g_str_equal (name, "canvas-write"))
    print_text (stream, canvas_calls_write (get_int (arguments, 0), get_int (arguments, 1)));
  else
    return FALSE;
  return TRUE;
}

static gboolean
answer_copy (Stream *stream, const char *name, const GPtrArray *arguments)
{
  if (g_str_equal (name, "copy-open"))
    {
      copy_calls_open (get_int (arguments, 0));
      print_done (stream);
    }
  else if (g_str_equal (name, "copy-close"))
    {
      copy_calls_close ();
      print_done (stream);
    }
  else if (g_str_equal (name, "copy-begin"))
    print_number (stream, copy_calls_begin (get_int (arguments, 0)));
  else if (g_str_equal (name, "copy-read"))
    print_number (stream, copy_calls_read (get_int (arguments, 0)));
  else if (g_str_equal (name, "copy-has-mask"))
    print_number (stream, copy_calls_has_mask ());
  else if (g_str_equal (name, "copy-tell"))
    print_text (stream, copy_calls_tell ());
  else
    return FALSE;
  return TRUE;
}

/* What goes over the wire, and progress, since a call that began to watch it. */
static gboolean
answer_watch (Stream *stream, const char *name, const GPtrArray *arguments)
{
  if (g_str_equal (name, "wire-count"))
    print_number (stream, wire_count (get_text (arguments, 0)));
  else if (g_str_equal (name, "wire-count-tiles"))
    print_number (stream, wire_count_tiles (get_int (arguments, 0)));
  else if (g_str_equal (name, "watch-progress"))
    {
      progress_begin ();
      print_done (stream);
    }
  else if (g_str_equal (name, "tell-progress"))
    {
      const Progress progress = progress_end ();

      fprintf (stream->out, "[%d, \"\", %d, %d]\n", GIMP_PDB_SUCCESS, progress.texts,
               progress.values);
    }
  else
    return FALSE;
  return TRUE;
}

static void
answer (Stream *stream, const char *line)
{
  g_autoptr (GVariant) request = g_variant_parse (G_VARIANT_TYPE ("(sav)"), line, NULL, NULL, NULL);
  g_autoptr (GPtrArray)
    arguments = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  g_autoptr (GVariantIter) iter = NULL;
  const char *name;
  GVariant *value;

  if (! request)
    g_error ("a request that cannot be read: %s", line);
  g_variant_get (request, "(&sav)", &name, &iter);
  while (g_variant_iter_next (iter, "v", &value))
    g_ptr_array_add (arguments, value);
  if (! answer_pixels (stream, name, arguments) && ! answer_canvas (stream, name, arguments) &&
      ! answer_copy (stream, name, arguments) && ! answer_watch (stream, name, arguments))
    call (stream, name, arguments);
  fflush (stream->out);
}

void
remote_run (const char *name)
{
  g_autofree char *line = NULL;
  Stream stream;
  gsize size = 0;

  if (! g_getenv ("CUDA_BLUR_TEST_FOLDER") || ! stream_open (&stream, name))
    return;
  while (getline (&line, &size, stream.in) > 0)
    answer (&stream, line);
  stream_close (&stream);
}
