#include "header.h"

#include "image-error.h"

#include <string.h>

#define LOSSLESS "none LZW deflate PackBits"

/* What each loader is trusted with: of the words of a row any one of each column, in any
 * combination. tests/command/kinds.py makes a file for each, and files for what is not here. */
static const struct {
  const char *loader, *columns[N_HEADERS];
} trusted[] = {
  { "Jpeg", { "gray RGB YCbCr CMYK YCCK", "8-bit", "opaque", "Huffman", "plain scans" } },
  { "Png", { "gray", "1-bit 2-bit 4-bit 8-bit 16-bit", "opaque key", "deflate", "plain scans" } },
  { "Png", { "palette", "1-bit 2-bit 4-bit 8-bit", "opaque key", "deflate", "plain scans" } },
  { "Png", { "RGB", "8-bit 16-bit", "opaque key straight", "deflate", "plain scans" } },
  { "Png", { "gray", "8-bit 16-bit", "straight", "deflate", "plain scans" } },
  { "Tiff",
    { "gray white-is-0 palette", "1-bit 2-bit 4-bit 8-bit", "opaque", LOSSLESS, "strips tiles" } },
  { "Tiff",
    { "gray white-is-0 RGB", "8-bit 16-bit 32-bit", "opaque straight", LOSSLESS, "strips tiles" } },
  { "Tiff", { "gray RGB", "32-bit-float", "opaque straight", LOSSLESS, "strips tiles" } },
  { "Tiff", { "gray RGB", "8-bit 16-bit", "premultiplied", LOSSLESS, "strips tiles" } },
  { "Tiff", { "RGB", "8-bit 16-bit 32-bit 32-bit-float", "opaque straight", LOSSLESS, "planes" } },
  { "Tiff", { "CMYK", "8-bit 16-bit", "opaque", LOSSLESS, "strips tiles" } },
  { "Tiff", { "gray RGB", "8-bit 16-bit", "opaque", "zstd", "strips" } },
  { "Tiff", { "gray white-is-0", "1-bit", "opaque", "CCITT", "strips" } },
  { "Tiff", { "gray RGB YCbCr", "8-bit", "opaque", "JPEG", "strips tiles" } },
  { "Webp", { "RGB", "8-bit", "opaque straight", "any", "any" } },
  { "Heif", { "any", "8-bit 10-bit 12-bit", "opaque straight premultiplied", "any", "any" } },
  { "Jxl", { "gray RGB", "8-bit 16-bit 32-bit-float", "opaque", "any", "any" } },
};

static gboolean
has_word (const char *list, const char *word)
{
  const gsize length = strlen (word);
  const char *found = list;

  while ((found = strstr (found, word)) &&
         ((found > list && found[-1] != ' ') || (found[length] && found[length] != ' ')))
    found += length;
  return found != NULL;
}

gboolean
header_check (const char *loader, const char *const words[N_HEADERS], GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (trusted); i++)
    {
      int column = g_str_has_prefix (loader, trusted[i].loader) ? 0 : N_HEADERS + 1;

      while (column < N_HEADERS && has_word (trusted[i].columns[column], words[column]))
        column++;
      if (column == N_HEADERS)
        return TRUE;
    }
  g_set_error (error, IMAGE_ERROR, IMAGE_ERROR_KIND,
               "its pixels are %s, %s, %s, %s, %s" HEADER_ADVICE, words[0], words[1], words[2],
               words[3], words[4]);
  return FALSE;
}
