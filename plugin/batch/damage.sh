# shellcheck shell=sh
# Sourced: what the user is to hear of a file that was loaded: that it is damaged, or has more
# frames or pages than the one that is done.

# What GIMP's loaders say of damage, and of what may be none.
DAMAGE='premature end|truncated|corrupt|read error|error in reading|unexpected end'
DAMAGE="$DAMAGE|ends unexpectedly|error loading png|io error during|idat: incorrect data check"
DOUBT='Corrupt JPEG data: [0-9]+ extraneous bytes before marker 0x([^d]|d[^0-7])'

# The program for files counts them better than GIMP, and comes first.
note_frames() { # HOW_MANY frames or pages the file at hand has
  eval "number=\${at_$worker:-0}"
  eval "frames_$number=\${frames_$number:-\$1}"
}

# GIMP loads what there is of a damaged file. Sets $damage to what it said of the damage, and $doubt
# to what it said of bytes in a JPEG that belong to nothing: many cameras leave some at the end.
set_damage() {
  damage=
  doubt=
  [ -s "$log" ] || return 0
  sed -e "s|$link||g" -e '/incorrectly truncated/d' "$log" | grep -Ei "$DAMAGE" \
    >"$work/damage" || return 0
  damage=$(sed -E -e "/$DOUBT/d" -e 's/^[A-Za-z].*-Warning: *//; s/[ .]*$//; q' "$work/damage")
  doubt=$(sed -E -n -e "/$DOUBT/{s/^.*-Warning: *//; p; q}" "$work/damage")
}

# What the user might not expect of a file that is done.
warn() {
  [ -z "$doubt" ] || say "$input: the file may be damaged: $doubt"
  frames=
  eval "frames=\${frames_$number:-1}"
  [ "$frames" -gt 1 ] || return 0
  case $link in
    *.tif | *.tiff) say "$input: has $frames pages; only the first was $past" ;;
    *) say "$input: has $frames frames; only the first was $past" ;;
  esac
}
