#include "icc.h"

/* ICC.1:2010. Numbers are big-endian; a tag begins at a multiple of 4. */

#define HEADER  128
#define VERSION 0x04200000

typedef struct {
  const char *signature;
  double xyz[3];
} Primary;

/* sRGB's, adapted to D50. */
static const Primary primaries[] = {
  { "rXYZ", { 0.43607, 0.22249, 0.01392 } },
  { "gXYZ", { 0.38515, 0.71687, 0.09708 } },
  { "bXYZ", { 0.14307, 0.06061, 0.71410 } },
  { "wtpt", { 0.96420, 1.00000, 0.82491 } },
};
static const char *const curves[] = { "rTRC", "gTRC", "bTRC" };

#define TAGS (G_N_ELEMENTS (primaries) + G_N_ELEMENTS (curves))

static void
add_number (GByteArray *bytes, guint32 number)
{
  const guint32 big = GUINT32_TO_BE (number);

  g_byte_array_append (bytes, (const guint8 *) &big, sizeof big);
}

static void
add_word (GByteArray *bytes, const char *word)
{
  g_byte_array_append (bytes, (const guint8 *) word, 4);
}

static void
add_header (GByteArray *bytes)
{
  static const struct {
    guint place;
    const char *word;
  } words[] = { { 12, "mntr" }, { 16, "RGB " }, { 20, "XYZ " }, { 36, "acsp" } };
  const guint32 version = GUINT32_TO_BE (VERSION);

  g_byte_array_set_size (bytes, HEADER);
  memset (bytes->data, 0, HEADER);
  memcpy (bytes->data + 8, &version, sizeof version);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    memcpy (bytes->data + words[i].place, words[i].word, 4);
}

static void
add_tags (GByteArray *bytes, guint curve_size)
{
  guint place = HEADER + 4 + 12 * TAGS;

  add_number (bytes, TAGS);
  for (guint i = 0; i < G_N_ELEMENTS (primaries); i++, place += 20)
    {
      add_word (bytes, primaries[i].signature);
      add_number (bytes, place);
      add_number (bytes, 20);
    }
  for (guint i = 0; i < G_N_ELEMENTS (curves); i++)
    {
      add_word (bytes, curves[i]);
      add_number (bytes, place);
      add_number (bytes, curve_size);
    }
}

static void
add_primary (GByteArray *bytes, const Primary *primary)
{
  add_word (bytes, "XYZ ");
  add_number (bytes, 0);
  for (int i = 0; i < 3; i++)
    add_number (bytes, (guint32) (primary->xyz[i] * 65536.0 + 0.5));
}

static void
add_curve (GByteArray *bytes, const guint16 *table, guint n)
{
  add_word (bytes, "curv");
  add_number (bytes, 0);
  add_number (bytes, n);
  for (guint i = 0; i < n; i++)
    {
      const guint16 big = GUINT16_TO_BE (table[i]);

      g_byte_array_append (bytes, (const guint8 *) &big, sizeof big);
    }
}

const Babl *
icc_make_space (const guint16 *table, guint n)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  const char *error = NULL;
  const Babl *space;
  guint32 size;

  g_assert_cmpuint (n % 2, ==, 0);
  add_header (bytes);
  add_tags (bytes, 12 + 2 * n);
  for (guint i = 0; i < G_N_ELEMENTS (primaries); i++)
    add_primary (bytes, &primaries[i]);
  add_curve (bytes, table, n);
  size = GUINT32_TO_BE (bytes->len);
  memcpy (bytes->data, &size, sizeof size);
  space = babl_space_from_icc ((const char *) bytes->data, (int) bytes->len,
                               BABL_ICC_INTENT_RELATIVE_COLORIMETRIC, &error);
  g_assert_cmpstr (error, ==, NULL);
  g_assert_nonnull (space);
  return space;
}
