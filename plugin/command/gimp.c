#include "gimp.h"

#include "image-file.h"
#include "options.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define ANSWER "cuda-blur-gimp: "
/* How long an exporter may wait in a virtual display for the answer of a user. */
#define SECONDS "180"

/* What loaders print if a file is damaged; they load what there is of it. */
#define DAMAGE                                                                                    \
  "premature end|truncated|corrupt|read error|error in reading|unexpected end|ends unexpectedly|" \
  "error loading|io error during"

struct Gimp {
  char *folder, *profile, *pipe; /* profile: a folder of this GIMP alone */
  char *program, *version;       /* version: as 2.10 or 3.0; NULL before the first start */
  gboolean display;              /* it needs a display; see answer */
  GSubprocess *process;          /* NULL: it does not run */
  GDataInputStream *output;
  int input;   /* the writing end of the pipe */
  guint files; /* that it has converted */
};

static GMutex all_lock;
static GPtrArray *all; /* GSubprocess: the leaders of process groups */

/* Which GIMP is used. GIMP 2.10 is preferred, since GIMP 3 takes longer to start. */

/* gimp-3 is a link to such as gimp-3.0, which is named as the folder of its profile. */
static char *
get_version (const char *program)
{
  g_autofree char *target = realpath (program, NULL);
  const char *version = target ? g_strrstr (target, "-3.") : NULL;

  return g_strdup (g_str_has_suffix (program, "-2.10") ? "2.10" : version ? version + 1 : "3.0");
}

/* Returns the kind of a GIMP that sees no files but its own and so cannot convert any, or NULL. */
static const char *
find_closed_gimp (void)
{
  const char *own = g_getenv ("FLATPAK_USER_DIR"), *shared = g_getenv ("FLATPAK_SYSTEM_DIR");
  g_autofree char *data = g_build_filename (g_get_user_data_dir (), "flatpak", NULL);
  g_autofree char *path = g_find_program_in_path ("gimp");
  g_autofree char *program = path ? realpath (path, NULL) : NULL;
  const char *const folders[] = { own ? own : data, shared ? shared : "/var/lib/flatpak" };

  for (gsize i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *folder = g_build_filename (folders[i], "app/org.gimp.GIMP/current", NULL);

      if (g_file_test (folder, G_FILE_TEST_EXISTS))
        return "Flatpak";
    }
  return program && g_str_has_suffix (program, "/snap") ? "snap" : NULL;
}

static void
set_no_gimp (GError **error)
{
  const char *closed = find_closed_gimp ();

  if (closed)
    g_set_error (error, IMAGE_ERROR, IMAGE_ERROR_NO_GIMP,
                 "GIMP's %s, the only GIMP here, cannot convert it; install the package gimp",
                 closed);
  else
    g_set_error (error, IMAGE_ERROR, IMAGE_ERROR_NO_GIMP, "GIMP is not installed");
}

static gboolean
find_program (Gimp *gimp, GError **error)
{
  static const char *const names[] = { "gimp-console-2.10", "gimp-2.10", "gimp-console-3",
                                       "gimp-3" };

  for (gsize i = 0; ! gimp->program && i < G_N_ELEMENTS (names); i++)
    gimp->program = g_find_program_in_path (names[i]);
  if (! gimp->program)
    {
      set_no_gimp (error);
      return FALSE;
    }
  if (! gimp->version)
    gimp->version = get_version (gimp->program);
  return TRUE;
}

static gboolean
is_gimp_3 (const Gimp *gimp)
{
  return *gimp->version == '3';
}

/* Profiles. A GIMP that is killed leaves in its profile what it was just writing, so each has one
 * of its own: copies of the user's files, and links to the folders that GIMP does not write to. */

static char *
get_user_profile (const Gimp *gimp)
{
  const char *folder = g_getenv (is_gimp_3 (gimp) ? "GIMP3_DIRECTORY" : "GIMP2_DIRECTORY");

  return folder ? g_canonicalize_filename (folder, g_get_home_dir ())
                : g_build_filename (g_get_user_config_dir (), "GIMP", gimp->version, NULL);
}

static void
copy_entry (const Gimp *gimp, const char *from, const char *name)
{
  g_autofree char *old = g_build_filename (from, name, NULL);
  g_autofree char *new = g_build_filename (gimp->profile, name, NULL);
  g_autoptr (GFile) source = g_file_new_for_path (old), target = g_file_new_for_path (new);

  if (! g_file_test (old, G_FILE_TEST_IS_DIR))
    g_file_copy (source, target, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, NULL);
  else if (strcmp (name, "backups") != 0 && strcmp (name, "tmp") != 0 &&
           strcmp (name, "CrashLog") != 0)
    g_file_make_symbolic_link (target, old, NULL, NULL);
}

static void
make_profile (const Gimp *gimp)
{
  g_autofree char *from = get_user_profile (gimp);
  g_autofree char *temporary = g_build_filename (gimp->profile, "tmp", NULL);
  g_autoptr (GDir) dir = g_dir_open (from, 0, NULL);
  const char *name;

  g_mkdir_with_parents (temporary, 0700);
  while (dir && (name = g_dir_read_name (dir)))
    copy_entry (gimp, from, name);
}

/* Without its list of plug-ins, each start of GIMP takes seconds longer. */
static void
keep_plugin_list (const Gimp *gimp)
{
  g_autofree char *to = get_user_profile (gimp);
  g_autofree char *old = g_build_filename (to, "pluginrc", NULL);
  g_autofree char *new = g_build_filename (gimp->profile, "pluginrc", NULL);
  g_autofree char *list = NULL, *present = NULL;

  g_file_get_contents (old, &present, NULL, NULL);
  if (g_file_test (to, G_FILE_TEST_IS_DIR) && g_file_get_contents (new, &list, NULL, NULL) &&
      g_strcmp0 (list, present) != 0)
    g_file_set_contents (old, list, -1, NULL);
}

/* The process. */

Gimp *
gimp_new (const char *folder, int number)
{
  Gimp *gimp = g_new0 (Gimp, 1);

  gimp->folder = g_strdup (folder);
  gimp->profile = g_strdup_printf ("%s/gimp%d", folder, number);
  gimp->pipe = g_strdup_printf ("gimp%d/expressions", number);
  return gimp;
}

/* GIMP ends with this process, whatever ends that. */
static void
set_up_child (gpointer data)
{
  setpgid (0, 0);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

/* The locale decides what a decimal point is, and in which language GIMP reports errors. */
static GSubprocessLauncher *
make_launcher (const Gimp *gimp)
{
  static const char *const unwanted[] = { "LANGUAGE", "WAYLAND_DISPLAY", "DISPLAY" };
  static const char *const profiles[] = { "GIMP2_DIRECTORY", "GIMP3_DIRECTORY" };
  static const char *const temporaries[] = { "GIMP2_TEMPDIR", "GIMP3_TEMPDIR" };
  GSubprocessLauncher *launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                                             G_SUBPROCESS_FLAGS_STDERR_MERGE);
  g_autofree char *temporary = g_build_filename (gimp->profile, "tmp", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (unwanted); i++)
    g_subprocess_launcher_unsetenv (launcher, unwanted[i]);
  g_subprocess_launcher_setenv (launcher, "LC_ALL", "C.UTF-8", TRUE);
  g_subprocess_launcher_setenv (launcher, "GEGL_USE_OPENCL", "no", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (profiles); i++)
    g_subprocess_launcher_setenv (launcher, profiles[i], gimp->profile, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (temporaries); i++)
    g_subprocess_launcher_setenv (launcher, temporaries[i], temporary, TRUE);
  g_subprocess_launcher_set_cwd (launcher, gimp->folder);
  g_subprocess_launcher_set_child_setup (launcher, set_up_child, NULL, NULL);
  return launcher;
}

static gboolean
spawn (Gimp *gimp, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = make_launcher (gimp);
  g_autofree char *load = g_strdup_printf ("(load \"%s\")", gimp->pipe);
  const char *const words[] = { "timeout",
                                "-k",
                                "5",
                                SECONDS,
                                "xvfb-run",
                                "-a",
                                gimp->program,
                                "--no-interface",
                                "--no-data",
                                "--no-fonts",
                                "--console-messages",
                                "--batch-interpreter",
                                "plug-in-script-fu-eval",
                                "--batch",
                                load,
                                "--batch",
                                "(gimp-quit 0)",
                                NULL };

  g_mutex_lock (&all_lock);
  gimp->process = g_subprocess_launcher_spawnv (launcher, words + (gimp->display ? 0 : 6), error);
  if (gimp->process && ! all)
    all = g_ptr_array_new ();
  if (gimp->process)
    g_ptr_array_add (all, gimp->process);
  g_mutex_unlock (&all_lock);
  return gimp->process != NULL;
}

static gboolean
send_text (const Gimp *gimp, const char *text)
{
  gsize length = strlen (text), sent = 0;

  while (sent < length)
    {
      gssize n = write (gimp->input, text + sent, length - sent);

      if (n <= 0)
        return FALSE;
      sent += (gsize) n;
    }
  return TRUE;
}

static gboolean
send_script (const Gimp *gimp, const char *name)
{
  g_autofree char *path = g_strconcat ("/org/gimp/cuda-blur/", name, NULL);
  g_autoptr (GBytes) text = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  return send_text (gimp, g_bytes_get_data (text, NULL));
}

/* Opened for reading too, the pipe can be written to before GIMP opens it. */
static gboolean
start (Gimp *gimp, GError **error)
{
  g_autofree char *path = g_build_filename (gimp->folder, gimp->pipe, NULL);

  if (! find_program (gimp, error))
    return FALSE;
  make_profile (gimp);
  unlink (path);
  gimp->input = mkfifo (path, 0600) == 0 ? g_open (path, O_RDWR | O_CLOEXEC) : -1;
  if (gimp->input < 0 || ! spawn (gimp, error))
    {
      if (error && ! *error)
        g_set_error (error, IMAGE_ERROR, IMAGE_ERROR_NO_GIMP, "GIMP cannot be started");
      return FALSE;
    }
  gimp->output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (gimp->process));
  gimp->files = 0;
  return send_script (gimp, is_gimp_3 (gimp) ? "gimp3.scm" : "gimp2.scm") &&
         send_script (gimp, "gimp.scm");
}

/* Closing the pipe makes GIMP quit. */
static void
stop (Gimp *gimp)
{
  if (! gimp->process)
    return;
  close (gimp->input);
  g_subprocess_wait (gimp->process, NULL, NULL);
  g_mutex_lock (&all_lock);
  g_ptr_array_remove_fast (all, gimp->process);
  g_mutex_unlock (&all_lock);
  g_clear_object (&gimp->process);
  g_clear_object (&gimp->output);
  keep_plugin_list (gimp);
}

void
gimp_free (Gimp *gimp)
{
  if (! gimp)
    return;
  stop (gimp);
  g_free (gimp->program);
  g_free (gimp->version);
  g_free (gimp->folder);
  g_free (gimp->profile);
  g_free (gimp->pipe);
  g_free (gimp);
}

void
gimp_kill_all (void)
{
  g_mutex_lock (&all_lock); /* for good: none is started any more */
  for (guint i = 0; all && i < all->len; i++)
    {
      const char *id = g_subprocess_get_identifier (all->pdata[i]);
      pid_t group = id ? (pid_t) g_ascii_strtoll (id, NULL, 10) : 0;

      for (int tries = 0; group > 0 && tries < 100 && kill (-group, SIGKILL) == 0; tries++)
        g_usleep (10000);
    }
}

/* Conversions. */

/* Returns the part of a message of GIMP's that a user understands; free it. */
static char *
clean (const char *message)
{
  g_autoptr (GRegex)
    noise = g_regex_new ("^[A-Za-z].*-Warning: *"
                         "|^(failed )?(Error: )?(\\([^()]* : [0-9]+\\) )?"
                         "(Procedure execution of \\S* failed( on invalid input arguments)?:* *)?"
                         "|( \\([^()]* : [0-9]+\\))?[ .]+$",
                         0, 0, NULL);

  return g_regex_replace_literal (noise, message, -1, 0, "", 0, NULL);
}

typedef struct {
  char *reason, *warning, *damage;
  gboolean wants_display, ended;
} Answer;

static void
answer_clear (Answer *answer)
{
  g_free (answer->reason);
  g_free (answer->warning);
  g_free (answer->damage);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Answer, answer_clear)

static void
note_line (const Gimp *gimp, Answer *answer, const char *line)
{
  /* GIMP 3 says so when it starts, and its exporters need none. */
  answer->wants_display |= ! is_gimp_3 (gimp) && strstr (line, "cannot open display");
  if (strstr (line, "-Warning: ") && ! g_str_has_prefix (line, "GIMP-Warning") && ! answer->warning)
    answer->warning = clean (line);
  if (! answer->damage && g_regex_match_simple (DAMAGE, line, G_REGEX_CASELESS, 0))
    answer->damage = clean (line);
}

/* Reads what GIMP prints until it has done what it was asked for. Returns whether it has. */
static gboolean
await_answer (const Gimp *gimp, Answer *answer)
{
  while (TRUE)
    {
      g_autofree char *line = g_data_input_stream_read_line (gimp->output, NULL, NULL, NULL);
      const char *told = line ? strstr (line, ANSWER) : NULL;

      answer->ended = ! line;
      if (told && g_str_has_suffix (told, "done"))
        return TRUE;
      if (told)
        answer->reason = clean (told + strlen (ANSWER));
      if (told || ! line)
        return FALSE;
      note_line (gimp, answer, line);
    }
}

/* Has GIMP evaluate an expression. One that ended may have been ended by others, or by a file
 * before; so it is tried again, but not with a GIMP that began with this file. */
static gboolean
evaluate (Gimp *gimp, const char *expression, Answer *answer, GError **error)
{
  gboolean first;

  do
    {
      answer_clear (answer);
      *answer = (Answer) { 0 };
      if (! gimp->process && ! start (gimp, error))
        return FALSE;
      first = gimp->files++ == 0;
      if (send_text (gimp, expression) && await_answer (gimp, answer))
        return TRUE;
      if (answer->ended || (answer->wants_display && ! gimp->display))
        stop (gimp);
      if (answer->wants_display && ! gimp->display)
        gimp->display = ! (first = FALSE);
      else if (! answer->ended)
        return FALSE;
    }
  while (! first);
  return FALSE;
}

/* file: the name in the folder that messages may contain, which tells the user nothing. */
static void
set_reason (const Answer *answer, const char *verb, const char *file, GError **error)
{
  const char *reason = answer->reason && *answer->reason ? answer->reason
                       : answer->warning                 ? answer->warning
                                                         : "it gave no reason";
  g_auto (GStrv) parts = g_strsplit (reason, file, -1);
  g_autofree char *text = g_strjoinv ("the file", parts);

  if (answer->ended)
    g_set_error (error, IMAGE_ERROR, IMAGE_ERROR_GIMP, "GIMP ended before it was done");
  else if (strcmp (text, "Unknown file type") == 0)
    g_set_error (error, IMAGE_ERROR, IMAGE_ERROR_FORMAT, "GIMP cannot %s it: unknown file type",
                 verb);
  else
    g_set_error (error, IMAGE_ERROR, IMAGE_ERROR_GIMP, "GIMP cannot %s it: %s", verb, text);
}

static gboolean
convert (Gimp *gimp, const char *expression, const char *verb, const char *file, GError **error)
{
  g_auto (Answer) answer = { 0 };
  GError *failure = NULL;

  if (evaluate (gimp, expression, &answer, &failure) && ! answer.damage)
    return TRUE;
  if (failure)
    g_propagate_error (error, failure);
  else if (answer.damage && ! answer.reason)
    g_set_error (error, IMAGE_ERROR, IMAGE_ERROR_DAMAGED, "%s", answer.damage);
  else
    set_reason (&answer, verb, file, error);
  return FALSE;
}

/* GIMP knows the input by a link, whose name needs no quoting. */
gboolean
gimp_load (Gimp *gimp, const char *input, const char *output, GError **error)
{
  g_autofree char *absolute = g_canonicalize_filename (input, NULL);
  g_autofree char *extension = options_get_extension (input);
  g_autofree char *name = g_strdup_printf ("%s-input.%s", output, extension ? extension : "");
  g_autofree char *link = g_build_filename (gimp->folder, name, NULL);
  g_autofree char *expression = g_strdup_printf ("(cuda-blur-load \"%s\" \"%s\")\n", name, output);

  unlink (link);
  if (symlink (absolute, link) == 0)
    return convert (gimp, expression, "load", name, error);
  g_set_error (error, IMAGE_ERROR, IMAGE_ERROR_GIMP, "there is no room for temporary files");
  return FALSE;
}

gboolean
gimp_save (Gimp *gimp, const char *input, const char *output, GError **error)
{
  g_autofree char *expression = g_strdup_printf ("(cuda-blur-save \"%s\" \"%s\")\n", input, output);

  return convert (gimp, expression, "write", output, error);
}
