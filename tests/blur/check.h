/* Checks of a case, of a job and of a refusal; a violation fails the test. */
#pragma once

#include "job.h"

/* The main check: compares one case with the reference. */
void check_case (const Case *c);
void check_job (Job *job);

/* The pixels alone, of a job that has run. */
void check_pixels (const Job *job);

/* The error must be of an argument, and its message hold both words: the argument's name and its
 * value, which may be NULL. */
void check_refusal (const GError *error, const char *name, const char *value);
