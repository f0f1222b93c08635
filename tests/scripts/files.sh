# shellcheck shell=sh
# Sourced after common.sh by the tests of files that plugin/blur.sh does without GIMP, with the
# arguments SOURCE_FOLDER PLUGIN PROGRAM DESCRIBE [EXR_SAMPLES]: the samples, the program in its
# place, and the comparison of results.
. "$source_folder/tests/files/samples.sh"
case $3 in /*) program=$3 ;; *) program=$OLDPWD/$3 ;; esac
case $4 in /*) describe=$4 ;; *) describe=$OLDPWD/$4 ;; esac
case ${5-} in /* | "") exr_samples=${5-} ;; *) exr_samples=$OLDPWD/$5 ;; esac
placed=$profile/plug-ins/cuda-blur/cuda-blur-files

with_program() { cp "$program" "$placed"; }
same() { python3 "$source_folder/tests/files/same.py" "$describe" "$@"; } # A B [A B...]

# Whether a folder's results are those of the other.
are_same() { # FOLDER OTHER
  mine=$1
  other=$2
  set --
  for file in "$other"/*; do set -- "$@" "$mine/${file##*/}" "$file"; done
  same "$@" && has "$mine" "$(find "$other" -type f -printf x | wc -c)"
}

with_program
make_samples "$source_folder" "$program" "$exr_samples"
