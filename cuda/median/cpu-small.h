/* Small windows of bytes on the CPU, by each kind of vector unit: the bits of the result are found
 * one after the other, by counts over all of the window, for as many pixels as a vector has bytes.
 */
#pragma once

#include "cpu-window.h"

#define MEDIAN_SMALL_GAP 64 /* bytes behind the source that are read */

/* As median_slide_run, but the codes are bytes as they are stored, without weights. */
typedef void MedianSmall (const MedianSlide *slide);

MedianSmall median_small_plain, median_small_avx2, median_small_avx512;
