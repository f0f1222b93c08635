# shellcheck shell=sh
# One of the workers that gimp.sh starts, in its folder and with its variables: one GIMP. What GIMP
# says goes on in whole lines, each after the worker's NUMBER; one more tells how it ended, since a
# process that it left behind may hold the pipe open.

number=$1
trap : HUP TERM # GIMP ends by these, and then this does

# The GPUs are dealt out in turn.
# shellcheck disable=SC2154,SC2086 # words
set -- $gpus
if [ $# -gt 0 ]; then
  shift $(((number - 1) % $#))
  export CUDA_VISIBLE_DEVICES="$1"
fi
[ -z "$threads" ] || export OMP_NUM_THREADS="$threads"

# shellcheck disable=SC2154 # gimp.sh exports it
mkfifo "said$number"
LC_ALL=C sed -u "s/^/$number /; /$mark: ended /q" <"said$number" &
exec >"said$number" 2>&1

# shellcheck disable=SC2154 # the same
${display:-} env CUDA_BLUR_TRACE=1 "$gimp" --no-interface --no-data --no-fonts \
  --console-messages --batch "$program" --batch '(gimp-quit 0)' &
gimp_id=$!
echo $gimp_id >"gimp$number"
[ ! -e stopped ] || kill $gimp_id # it came too late to be on stop_gimp's list
status=0
wait $gimp_id || status=$?
while kill -0 $gimp_id 2>/dev/null; do wait $gimp_id || status=$?; done
rm "gimp$number" "said$number"
printf '\n%s: ended %s\n' "$mark" "$status"
wait
