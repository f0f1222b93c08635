# shellcheck shell=sh
# Sourced by the tests of what documents show.

# block LANGUAGE WORD FILE...: the first block of code in that language that has the word.
block() {
  language=$1 word=$2
  shift 2
  awk -v start="^\`\`\`$language\$" -v word="$word" '
    $0 ~ start { inside = 1; text = ""; next }
    /^```$/ && inside { inside = 0; if (index (text, word)) { printf "%s", text; exit } }
    inside { text = text $0 "\n" }' "$@"
}
