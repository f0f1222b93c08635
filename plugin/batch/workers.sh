# shellcheck shell=sh
# Sourced after user.sh and gimp.sh: how many workers there are, and what each has for itself.

WORKER_KB=1000000

workers_max= # as -j says; empty until it is known

# Sets $free to the memory that is, in kB: of the machine, or what a container may have of it.
set_free() {
  while read -r key free _; do
    [ "$key" != MemAvailable: ] || break
  done </proc/meminfo
  for file in /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes; do
    limit=
    [ ! -r "$file" ] || read -r limit <"$file" || :
    case $limit in '' | *[!0-9]*) continue ;; esac
    [ $((limit / 1024)) -ge "$free" ] || free=$((limit / 1024))
  done
}

# A worker keeps one core busy. It takes 0.5 GB, and 0.7 with a picture of 24 megapixels. So there
# is one for each core, but no more than one for each GB of memory that is free.
set_workers_max() {
  set_free
  workers_max=$((cores * WORKER_KB < free ? cores : free / WORKER_KB))
  [ "$workers_max" -gt 0 ] || workers_max=1
}

# There is another parallel, of moreutils.
has_parallel() {
  case $(parallel --version 2>/dev/null </dev/null) in 'GNU parallel '*) return 0 ;; esac
  return 1
}

# Sets $gpus to the GPUs that may be used, as CUDA_VISIBLE_DEVICES names them, if they are many.
# Of a list CUDA takes what comes before the first that it does not know.
set_gpus() {
  gpus=
  set_devices_program && n=$("$devices_program" --count 2>/dev/null </dev/null) || return 0
  case $n in '' | 0 | 1 | *[!0-9]*) return 0 ;; esac
  list=${CUDA_VISIBLE_DEVICES:-$(seq -s , 0 $((n - 1)))},
  while [ "$n" -gt 0 ] && [ -n "$list" ]; do
    gpus="$gpus${list%%,*} "
    list=${list#*,}
    n=$((n - 1))
  done
}

# Sets $workers, for so many files, and what they share.
set_workers() { # FILES
  workers=1
  gpus=
  threads=
  [ "$1" -gt 1 ] || return 0
  cores=$(OMP_NUM_THREADS='' nproc)
  [ -n "$workers_max" ] || set_workers_max
  workers=$((workers_max < $1 ? workers_max : $1))
  [ "$workers" -gt 1 ] || return 0
  if has_parallel; then
    set_gpus
    [ -n "${OMP_NUM_THREADS:-}" ] || threads=$((cores > workers ? cores / workers : 1))
  else
    say "one worker does all, not $workers: GNU parallel is not installed (package parallel)"
    workers_max=1
    workers=1
  fi
}
