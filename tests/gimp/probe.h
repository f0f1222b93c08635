/* The test plug-in: what its procedures run. */
#pragma once

#include <libgimp/gimp.h>

/* Extensions that do what Python asks them to, beside the batch interpreter (remote.h). */
#define HELPER_CALLER  "extension-cuda-blur-test-caller"
#define HELPER_STARTER "extension-cuda-blur-test-starter"

/* A process with a canvas, to be killed. */
#define VICTIM "plug-in-cuda-blur-test-victim"
/* A process that blurs, with another hand in it. */
#define HAND "plug-in-cuda-blur-test-hand"
/* In the place of GIMP's procedure for its help pages, which is not in the profile: puts the
 * address that it is given into the file BROWSED of the folder CUDA_BLUR_TEST_FOLDER. */
#define BROWSER "plug-in-web-browser"
#define BROWSED "browsed"

/* Shows a preview of drawable on the canvas and takes it away again; kills itself instead of
 * sending GIMP the message of that number. */
void victim_run (gint32 drawable, int message);

/* Blurs drawable. Before the message of that number it answers what comes through the socket
 * "hand"; or if it kills, it kills itself instead of sending the message, if it is not 0. If the
 * number is below 0, there is no room for files. Puts into values, after the status, what the error
 * says, or nothing. Returns how many values there are. */
int hand_run (gint32 drawable, gboolean kills, int message, gboolean grow, GimpParam *values);
