/* Answers what the tests in Python ask of GIMP (session.py). */
#pragma once

/* Answers the requests that come through the socket of that name in the folder
 * CUDA_BLUR_TEST_FOLDER until it is closed. Returns at once if nobody listens there. */
void remote_run (const char *name);
