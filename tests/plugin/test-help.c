/* The help pages: GIMP's index of each language leads to pages that are there, are well-formed, and
 * have the same parts, links, pictures and code in one language as in another; the English ones say
 * what the filters' descriptions say. */
#include "filters.h" /* the help ID is the procedure's name */

#include <float.h>
#include <gio/gio.h>
#include <string.h>

typedef struct {
  char *folder;       /* of the file */
  GString *structure; /* elements, what they lead to, and code, each with a space after it */
  GString *text;      /* all of it */
  char *chapter;      /* the headline that was read last */
  GString *settings;  /* what the chapter Settings describes, each with a line's end after it */
  char *language;     /* of a page; NULL if it does not say */
  GHashTable *pages;  /* that an index has, by their help IDs */
  char *fallback;     /* that an index has for other IDs */
} Document;

static char *help_folder;

static void
document_free (Document *document)
{
  g_free (document->folder);
  g_string_free (document->structure, TRUE);
  g_string_free (document->text, TRUE);
  g_free (document->chapter);
  g_string_free (document->settings, TRUE);
  g_free (document->language);
  g_hash_table_unref (document->pages);
  g_free (document->fallback);
  g_free (document);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Document, document_free)

static const char *
get_attribute (const char **names, const char **values, const char *name)
{
  for (; *names; names++, values++)
    if (strcmp (*names, name) == 0)
      return *values;
  return NULL;
}

/* A file beside the document, relative to its folder. */
static void
assert_file (const Document *document, const char *name)
{
  g_autofree char *path = g_build_filename (document->folder, name, NULL);

  g_test_message ("%s", path);
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
}

static void
start_element (GMarkupParseContext *context, const char *element, const char **names,
               const char **values, gpointer data, GError **error)
{
  Document *document = data;
  const char *ref = get_attribute (names, values, "ref");
  const char *id = get_attribute (names, values, "id");
  const char *links[] = { ref, get_attribute (names, values, "href"),
                          get_attribute (names, values, "src") };

  g_string_append_printf (document->structure, "%s %s ", element, id ? id : "");
  for (guint i = 0; i < G_N_ELEMENTS (links); i++)
    if (links[i])
      {
        assert_file (document, links[i]);
        g_string_append_printf (document->structure, "%s ", links[i]);
      }
  if (strcmp (element, "html") == 0)
    document->language = g_strdup (get_attribute (names, values, "lang"));
  else if (strcmp (element, "help-missing") == 0)
    document->fallback = g_strdup (ref);
  else if (strcmp (element, "help-item") == 0)
    g_hash_table_insert (document->pages, g_strdup (id), g_strdup (ref));
  else if (strcmp (element, "img") == 0)
    g_assert_nonnull (get_attribute (names, values, "alt"));
}

static void
add_text (GMarkupParseContext *context, const char *text, gsize length, gpointer data,
          GError **error)
{
  Document *document = data;
  const char *element = g_markup_parse_context_get_element (context);

  g_string_append_len (document->text, text, (gssize) length);
  if (strcmp (element, "code") == 0)
    g_string_append_printf (document->structure, "%.*s ", (int) length, text);
  else if (strcmp (element, "h2") == 0)
    {
      g_free (document->chapter);
      document->chapter = g_strndup (text, length);
    }
  else if (strcmp (element, "dt") == 0 && g_strcmp0 (document->chapter, "Settings") == 0)
    g_string_append_printf (document->settings, "%.*s\n", (int) length, text);
}

static Document *
load (const char *language, const char *name)
{
  static const GMarkupParser parser = { .start_element = start_element, .text = add_text };
  Document *document = g_new0 (Document, 1);
  g_autoptr (GMarkupParseContext)
    context = g_markup_parse_context_new (&parser, (GMarkupParseFlags) 0, document, NULL);
  g_autofree char *path = g_build_filename (help_folder, language, name, NULL);
  g_autofree char *text = NULL;
  GError *error = NULL;

  document->folder = g_path_get_dirname (path);
  document->structure = g_string_new (NULL);
  document->text = g_string_new (NULL);
  document->settings = g_string_new (NULL);
  document->pages = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_test_message ("%s", path);
  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  g_markup_parse_context_parse (context, text, -1, &error);
  g_assert_no_error (error);
  g_markup_parse_context_end_parse (context, &error);
  g_assert_no_error (error);
  return document;
}

/* The page that an index has for a filter. */
static const char *
get_page (const Document *index, const FilterDescription *filter)
{
  const char *page = g_hash_table_lookup (index->pages, filter->procedure);

  g_assert_nonnull (page);
  return page;
}

static void
check_page (const char *language, const char *name)
{
  g_autoptr (Document) page = load (language, name), english = load ("en", name);
  GString *tag = g_string_new (language); /* as HTML writes pt_BR */

  g_string_replace (tag, "_", "-", 0);
  g_assert_cmpstr (page->language, ==, tag->str);
  g_string_free (tag, TRUE);
  g_assert_cmpstr (page->structure->str, ==, english->structure->str);
}

static void
test_language (gconstpointer data)
{
  const char *language = data;
  g_autoptr (Document) index = load (language, "gimp-help.xml");
  g_autoptr (Document) english = load ("en", "gimp-help.xml");

  g_assert_cmpstr (index->structure->str, ==, english->structure->str);
  g_assert_cmpstr (index->fallback, ==, get_page (index, filters[0]));
  for (int f = 0; filters[f]; f++)
    check_page (language, get_page (index, filters[f]));
}

/* A text as it is read: without its mnemonic and its colon. */
static char *
get_plain (const char *text)
{
  GString *label = g_string_new (text);

  g_string_replace (label, "_", "", 0);
  g_string_replace (label, ":", "", 0);
  return g_string_free (label, FALSE);
}

/* The labels of the dialog, from its top down: pairs, the rest, switches. */
static char *
list_settings (const FilterDescription *filter)
{
  GString *labels[3] = { g_string_new (NULL), g_string_new (NULL), g_string_new (NULL) };

  for (guint i = 0; i < filter->n_properties; i++)
    {
      const FilterProperty *property = &filter->properties[i];
      gboolean pair = property->control == FILTER_CONTROL_PAIR;
      g_autofree char *label = get_plain (property->label);
      g_autofree char *second = pair ? get_plain (filter->properties[++i].label) : NULL;

      if (pair)
        g_string_append_printf (labels[0], "%s, %s\n", label, second);
      else
        g_string_append_printf (labels[property->type == FILTER_SWITCH ? 2 : 1], "%s\n", label);
    }
  for (guint i = 1; i < 3; i++)
    {
      g_string_append (labels[0], labels[i]->str);
      g_string_free (labels[i], TRUE);
    }
  return g_string_free (labels[0], FALSE);
}

static void
assert_said (const Document *page, const char *words)
{
  g_test_message ("%s", words);
  g_assert_nonnull (strstr (page->text->str, words));
}

static void
assert_choices_said (const Document *page, const FilterChoice *choices)
{
  for (; choices && choices->name; choices++)
    {
      g_autofree char *label = get_plain (choices->label);

      assert_said (page, label);
    }
}

static void
test_description (gconstpointer data)
{
  const FilterDescription *filter = data;
  g_autoptr (Document) index = load ("en", "gimp-help.xml");
  g_autoptr (Document) page = load ("en", get_page (index, filter));
  g_autofree char *settings = list_settings (filter);

  g_assert_cmpstr (page->settings->str, ==, settings);
  assert_said (page, filter->title);
  assert_said (page, filter->procedure);
  for (guint i = 0; i < filter->n_properties; i++)
    {
      const FilterProperty *property = &filter->properties[i];
      g_autofree char *maximum = g_strdup_printf ("%g", property->maximum);

      if (property->maximum > 0.0 && property->maximum < FLT_MAX && ! property->bits)
        assert_said (page, maximum);
      assert_choices_said (page, property->choices);
      assert_choices_said (page, property->bits);
    }
}

/* The languages that the interface is in besides English. */
static char **
read_languages (const char *path)
{
  g_autofree char *text = NULL;
  GError *error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return g_strsplit (g_strstrip (text), "\n", -1);
}

/* test-help FOLDER LINGUAS: of the pages, with one in it for each language; and po/LINGUAS. */
int
main (int argc, char **argv)
{
  g_auto (GStrv) languages = NULL;
  int f, i;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 3);
  help_folder = argv[1];
  languages = read_languages (argv[2]);
  g_test_add_data_func ("/help/en", "en", test_language); /* which GIMP falls back to */
  for (f = 0; filters[f]; f++)
    {
      g_autofree char *path = g_strconcat ("/help/description/", filters[f]->name, NULL);

      g_test_add_data_func (path, filters[f], test_description);
    }
  for (i = 0; languages[i]; i++)
    {
      g_autofree char *path = g_strconcat ("/help/", languages[i], NULL);

      g_test_add_data_func (path, languages[i], test_language);
    }
  return g_test_run ();
}
