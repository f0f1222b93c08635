/* The start of a test program, its tests, and their seed: CUDA_BLUR_TEST_SEED in the environment, a
 * 32-bit number, otherwise always the same. Each test program prints its seed. */
#pragma once

#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Like g_test_init (), but adds the tests of TEST, and the random numbers of each test
 * start from the seed. Devices must not fail from now on (judge.h). A program that defines no main
 * calls this and runs the tests. */
void seed_test_init (int *argc, char ***argv);

/* Defines a test, which seed_test_init () adds: TEST (test_sizes, "/blur/sizes") { ... } */
#define TEST(func, path)                                           \
  static void func (void);                                         \
  static void __attribute__ ((constructor)) register_##func (void) \
  {                                                                \
    static SeedTest registered = { path, func, NULL };             \
                                                                   \
    seed_register (&registered);                                   \
  }                                                                \
  static void func (void)

typedef struct SeedTest {
  const char *path;
  void (*func) (void);
  struct SeedTest *next;
} SeedTest;

/* For the macro. Keeps the pointer. */
void seed_register (SeedTest *test);
