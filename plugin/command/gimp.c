#include "gimp.h"

#include "image-file.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* What loaders print if they load only what there is of a damaged file. What is "possibly corrupt"
 * to them is no pixel. */
#define DAMAGE                                                                          \
  "(?<!possibly )corrupt|unexpected end|truncated|incomplete|read error|error loading|" \
  "failed to decompress|decoding failed|unsupported or invalid"

static GMutex lock;
static GPtrArray *running; /* GSubprocess: the leaders of process groups */

static gboolean
set_error (GError **error, ImageError code, const char *reason)
{
  g_set_error_literal (error, IMAGE_ERROR, (int) code, reason);
  return FALSE;
}

/* GIMP ends with this process, whatever ends that, and blocks no signals as its threads do. */
static void
set_up_child (gpointer data)
{
  sigset_t none;

  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  setpgid (0, 0);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

/* The user's profile is left alone: this one has nothing but GIMP's list of plug-ins, without which
 * each start takes seconds longer. The locale decides what a decimal point is, and in which
 * language GIMP reports errors. */
static GSubprocessLauncher *
make_launcher (const char *folder)
{
  static const char *const unwanted[] = { "LANGUAGE", "WAYLAND_DISPLAY", "DISPLAY" };
  GSubprocessLauncher *launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                                             G_SUBPROCESS_FLAGS_STDERR_MERGE);
  g_autofree char *kept = g_build_filename (g_get_user_cache_dir (), "gimp-cuda-blur-profile",
                                            NULL);
  const char *profile = g_mkdir_with_parents (kept, 0700) == 0 ? kept : folder;
  const char *const set[][2] = { { "LC_ALL", "C.UTF-8" },        { "GEGL_USE_OPENCL", "no" },
                                 { "GIMP2_DIRECTORY", profile }, { "GIMP3_DIRECTORY", profile },
                                 { "GIMP2_TEMPDIR", folder },    { "GIMP3_TEMPDIR", folder },
                                 { "GEGL_SWAP", folder } };

  for (guint i = 0; i < G_N_ELEMENTS (unwanted); i++)
    g_subprocess_launcher_unsetenv (launcher, unwanted[i]);
  for (guint i = 0; i < G_N_ELEMENTS (set); i++)
    g_subprocess_launcher_setenv (launcher, set[i][0], set[i][1], TRUE);
  g_subprocess_launcher_set_cwd (launcher, folder);
  g_subprocess_launcher_set_child_setup (launcher, set_up_child, NULL, NULL);
  return launcher;
}

/* GIMP 2.10 is preferred, since GIMP 3 takes longer to start. Sets is_3 to which one it is. */
static char *
find_program (gboolean *is_3)
{
  static const char *const names[] = { "gimp-console-2.10", "gimp-2.10", "gimp-console-3",
                                       "gimp-3" };
  char *program = NULL;

  for (guint i = 0; ! program && i < G_N_ELEMENTS (names); i++)
    {
      program = g_find_program_in_path (names[i]);
      *is_3 = i >= 2;
    }
  return program;
}

static const char *
get_script (const char *name)
{
  g_autofree char *path = g_strconcat ("/org/gimp/cuda-blur/", name, NULL);
  g_autoptr (GBytes) text = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  return g_bytes_get_data (text, NULL); /* it is part of the program */
}

/* Has a GIMP evaluate an expression. Returns what it printed; free it. Returns NULL with error set
 * if it cannot be started. */
static char *
run (const char *folder, const char *expression, GError **error)
{
  gboolean is_3 = FALSE;
  g_autofree char *program = find_program (&is_3);
  g_autofree char *text = g_strconcat (get_script (is_3 ? "gimp3.scm" : "gimp2.scm"),
                                       get_script ("gimp.scm"), expression, NULL);
  const char *const words[] = { program, "--no-interface", "--no-data", "--no-fonts",
                                "--console-messages", "--new-instance", "--batch-interpreter",
                                "plug-in-script-fu-eval", "--batch", text,
                                /* After a failure, GIMP 3 does not evaluate any more. */
                                is_3 ? "--quit" : "--batch", is_3 ? NULL : "(gimp-quit 0)", NULL };
  g_autoptr (GSubprocessLauncher) launcher = make_launcher (folder);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GBytes) printed = NULL;
  g_autoptr (GError) reason = NULL;

  if (! program)
    {
      set_error (error, IMAGE_ERROR_GIMP,
                 "it takes the package gimp, which is not installed; a Flatpak or a snap does not "
                 "see the file");
      return NULL;
    }
  g_mutex_lock (&lock);
  process = g_subprocess_launcher_spawnv (launcher, words, &reason);
  if (! running)
    running = g_ptr_array_new ();
  if (process)
    g_ptr_array_add (running, process);
  g_mutex_unlock (&lock);
  if (! process || ! g_subprocess_communicate (process, NULL, NULL, &printed, NULL, &reason))
    g_set_error (error, IMAGE_ERROR, IMAGE_ERROR_GIMP, "GIMP cannot be started: %s",
                 reason->message);
  g_mutex_lock (&lock);
  g_ptr_array_remove_fast (running, process);
  g_mutex_unlock (&lock);
  return printed ? g_strdup_printf ("%.*s", (int) g_bytes_get_size (printed),
                                    (const char *) g_bytes_get_data (printed, NULL))
                 : NULL;
}

void
gimp_kill_all (void)
{
  g_mutex_lock (&lock); /* for good: none is started any more */
  for (guint i = 0; running && i < running->len; i++)
    {
      const char *id = g_subprocess_get_identifier (running->pdata[i]);
      pid_t group = id ? (pid_t) g_ascii_strtoll (id, NULL, 10) : 0;

      for (int tries = 0; group > 0 && tries < 100 && kill (-group, SIGKILL) == 0; tries++)
        g_usleep (10000);
    }
}

/* Returns the part of a message of GIMP's that a user understands; free it. file: the name in the
 * folder that it may contain, which tells the user nothing. */
static char *
clean (const char *message, const char *file)
{
  g_autoptr (GRegex)
    noise = g_regex_new ("^[A-Za-z].*-Warning: *"
                         "|^Error: *(\\([^()]* : [0-9]+\\) )?"
                         "(Procedure execution of \\S* failed( on invalid input arguments)?:* *)?"
                         "|( \\([^()]* : [0-9]+\\))?[ .]+$",
                         0, 0, NULL);
  g_autofree char *rest = g_regex_replace_literal (noise, message, -1, 0, "", 0, NULL);
  GString *reason = g_string_new (rest);

  g_string_replace (reason, file, "the file", 0);
  return g_string_free (reason, FALSE);
}

/* Returns the first line of the text that the regular expression matches, cleaned; free it. Returns
 * NULL if there is none. */
static char *
find_line (const char *text, const char *pattern, const char *file)
{
  g_autofree char *lines = g_strdup_printf ("^.*?(%s).*$", pattern), *line = NULL;
  g_autoptr (GRegex)
    regex = g_regex_new (lines, G_REGEX_CASELESS | G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  if (! g_regex_match (regex, text, 0, &match))
    return NULL;
  line = g_match_info_fetch (match, 0);
  return clean (line, file);
}

static gboolean
convert (const char *folder, const char *expression, const char *verb, const char *file,
         GError **error)
{
  g_autofree char *text = run (folder, expression, error), *damage = NULL, *failure = NULL;
  g_autofree char *reason = NULL;

  if (! text)
    return FALSE;
  damage = find_line (text, DAMAGE, file);
  failure = find_line (text, "^(?-i:Error): ", file);
  if (! failure && ! damage && strstr (text, "cuda-blur-gimp: done"))
    return TRUE;
  if (damage && ! failure)
    return set_error (error, IMAGE_ERROR_DAMAGED, damage);
  reason = g_strconcat (verb, failure ? failure : "it ended before it was done", NULL);
  return set_error (error, IMAGE_ERROR_GIMP, reason);
}

const char *
gimp_find_format (const char *path, guint64 *pixels)
{
  FILE *file = g_fopen (path, "rb");
  char head[14] = "";
  guint32 size[2] = { 0 }; /* in both formats at the same place */

  if (file && fread (head, sizeof head, 1, file) == 1 && fread (size, sizeof size, 1, file) == 1)
    *pixels = (guint64) GUINT32_FROM_BE (size[0]) * GUINT32_FROM_BE (size[1]);
  if (file)
    fclose (file);
  return memcmp (head, "gimp xcf ", 9) == 0 ? "xcf" : memcmp (head, "8BPS", 4) == 0 ? "psd" : NULL;
}

/* GIMP knows the input by a link, whose name needs no quoting. */
gboolean
gimp_load (const char *folder, const char *input, const char *extension, const char *output,
           GError **error)
{
  g_autofree char *absolute = g_canonicalize_filename (input, NULL);
  g_autofree char *name = g_strdup_printf ("%s-input.%s", output, extension);
  g_autofree char *link = g_build_filename (folder, name, NULL);
  g_autofree char *expression = g_strdup_printf ("(cuda-blur-load \"%s\" \"%s\")", name, output);

  unlink (link);
  if (symlink (absolute, link) != 0)
    return set_error (error, IMAGE_ERROR_GIMP, "there is no room for temporary files");
  return convert (folder, expression, "GIMP cannot load it: ", name, error);
}

gboolean
gimp_save (const char *folder, const char *input, const char *output, GError **error)
{
  g_autofree char *expression = g_strdup_printf ("(cuda-blur-save \"%s\" \"" GIMP_RESULTS "/%s\")",
                                                 input, output);

  return convert (folder, expression, "GIMP cannot write it: ", output, error);
}
