/* test-query PLUG_IN: queries it as GIMP does, but answers nothing. It must ask GIMP something and
 * wait. GIMP 2.10 looks once whether the process that it started is there (app/core/gimp-spawn.c):
 * if all of the query was done by then, and the process ended well, GIMP says that it cannot be
 * executed, "Success", and does without the plug-in. */
#include <glib.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* The messages of libgimpbase's protocol, which has no public header. */
typedef struct {
  guint32 type;
  gpointer data;
} Message;

enum { QUIT, PROC_RUN = 5 }; /* types */

void gp_init (void);
gboolean gimp_wire_read_msg (GIOChannel *channel, Message *message, gpointer data);

/* Never returns. */
static void
execute (const char *program, int from_gimp, int to_gimp)
{
  g_autofree char *read_fd = g_strdup_printf ("%d", from_gimp);
  g_autofree char *write_fd = g_strdup_printf ("%d", to_gimp);

  execl (program, program, "-gimp", read_fd, write_fd, "-query", "0", NULL);
  _exit (127);
}

/* Returns whether it asks before it ends. */
static gboolean
asks (int fd)
{
  g_autoptr (GIOChannel) channel = g_io_channel_unix_new (fd);
  Message message = { QUIT };

  g_io_channel_set_encoding (channel, NULL, NULL);
  g_io_channel_set_buffered (channel, FALSE);
  while (gimp_wire_read_msg (channel, &message, NULL) && message.type != QUIT)
    if (message.type == PROC_RUN)
      return TRUE;
  return FALSE;
}

int
main (int argc, char **argv)
{
  int to_gimp[2], from_gimp[2], status;
  gboolean asked;
  pid_t child;

  if (argc != 2 || pipe (to_gimp) != 0 || pipe (from_gimp) != 0)
    return 2;
  child = fork ();
  if (child == 0)
    {
      close (to_gimp[0]);
      close (from_gimp[1]);
      execute (argv[1], from_gimp[0], to_gimp[1]);
    }
  close (to_gimp[1]);
  close (from_gimp[0]);
  gp_init ();
  asked = asks (to_gimp[0]);
  close (from_gimp[1]); /* which ends it */
  close (to_gimp[0]);
  waitpid (child, &status, 0);
  printf ("1..1\n%s 1 - a query waits for an answer of GIMP's\n", asked ? "ok" : "not ok");
  return asked ? 0 : 1;
}
