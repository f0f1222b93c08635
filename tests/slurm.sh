#!/bin/sh
# sh tests/slurm.sh [BUILD]
#
# By hand: runs plugin/blur-array.sbatch under the real Slurm of Debian, a controller and two nodes
# on this machine, with real pictures: arrays, a task that is requeued, a node that goes away. Takes
# root, ImageMagick, GIMP 2.10, a build with the command, and the network for Slurm's packages.
# These are installed in an overlay, so the machine's own files stay as they are. Slurm runs in
# namespaces that have no network but the loopback, and all of whose processes end with this script.
# Prints TAP.
# shellcheck source-path=SCRIPTDIR
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd -P)

leave() {
  echo "1..0 # SKIP $*"
  exit 0
}

# Runs this script's next part in fresh namespaces.
go_on() { # PART BUILD OPTION...: the options of unshare
  part=$1 build=$2
  shift 2
  SLURM_SH_PART=$part unshare "$@" sh "$root/tests/slurm.sh" "$build"
}

# Sets the folder up, and removes it when all has ended.
start() { # BUILD
  [ "$(id -u)" = 0 ] || leave 'it takes root'
  [ -x "$1/plugin/command/cuda-blur" ] || leave "the command is not built in $1"
  SLURM_SH_WORK=$(mktemp -d "${TMPDIR:-/tmp}/slurm.sh.XXXXXX") || exit 1
  export SLURM_SH_WORK
  trap 'rm -rf --one-file-system "$SLURM_SH_WORK"' EXIT
  trap 'exit 130' HUP INT TERM
  go_on machine "$1" --mount --propagation private --pid --fork --kill-child --mount-proc
}

# The packages' own services do not start: policy-rc.d forbids it.
install() { # BUILD
  mount -t tmpfs tmpfs "$SLURM_SH_WORK" || exit 1
  for name in usr etc var; do
    mkdir -p "$SLURM_SH_WORK/$name/upper" "$SLURM_SH_WORK/$name/work"
    mount -t overlay overlay "/$name" -o \
      "lowerdir=/$name,upperdir=$SLURM_SH_WORK/$name/upper,workdir=$SLURM_SH_WORK/$name/work" ||
      exit 1
  done
  printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
  chmod +x /usr/sbin/policy-rc.d
  { apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -q -y install \
    --no-install-recommends munge slurmctld slurmd slurm-client iproute2; } \
    >"$SLURM_SH_WORK/log" 2>&1 </dev/null ||
    { tail -n 20 "$SLURM_SH_WORK/log" | sed 's/^/# /'; leave 'the packages cannot be installed'; }
  go_on cluster "$1" --net --uts
}

# glibc resolves no name, not even a number, if the loopback's own is the only address.
configure() {
  hostname controller
  ip link set lo up
  ip address add 127.0.0.2/8 dev lo
  echo 127.0.0.1 controller n1 n2 >>/etc/hosts
  slurm=$SLURM_SH_WORK/slurm
  mkdir -p "$slurm/state"
  for gpu in 0 1; do mknod "$slurm/gpu$gpu" c 1 3; done # /dev/null's numbers
  cat >"$slurm/gres.conf" <<END
NodeName=n[1-2] Name=gpu File=$slurm/gpu[0-1]
END
  cat >"$slurm/slurm.conf" <<END
ClusterName=test
SlurmctldHost=controller(127.0.0.1)
SlurmUser=root
AuthInfo=socket=$slurm/munge.socket
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool-%n
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd-%n.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
GresTypes=gpu
SlurmdTimeout=5
KillWait=20
NodeName=n[1-2] NodeHostname=controller NodeAddr=127.0.0.1 Port=[17011-17012] CPUs=2 Gres=gpu:2
PartitionName=all Nodes=n[1-2] Default=YES
END
  export SLURM_CONF="$slurm/slurm.conf"
}

start_cluster() {
  (umask 077 && head -c 32 /dev/urandom >"$slurm/key")
  munged --force --key-file="$slurm/key" --socket="$slurm/munge.socket" --num-threads=1 \
    --pid-file="$slurm/munge.pid" --log-file="$slurm/munge.log" --seed-file="$slurm/munge.seed"
  slurmctld && slurmd -N n1 && slurmd -N n2 && await is_idle
}
is_idle() { [ "$(sinfo -h -N -o %t | sort -u)" = idle ]; }

await() { # COMMAND...: until it succeeds, in some minutes at the most
  tries=600
  until "$@" 2>/dev/null; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || { echo "# in vain: $*"; return 1; }
    sleep 0.5
  done
}
exists() { [ -e "$1" ]; }

# The command says which task it is, on which node, with which GPU, and the how-manieth start of
# that. One that a test holds stays until it is killed.
place_command() {
  mkdir -p "$programs"
  stand_in "$programs/cuda-blur" "task=\${SLURM_ARRAY_TASK_ID-}
echo \"\$task \${SLURMD_NODENAME-} \${CUDA_VISIBLE_DEVICES-} \${SLURM_RESTART_COUNT:-0}\" \
  >>'$top/tasks'
if [ -e '$top/hold-'\$task ]; then
  mv '$top/hold-'\$task '$top/held-'\$task
  exec sleep 1000
fi
exec '$build/plugin/command/cuda-blur' \"\$@\""
}

submit() { # OPTION... FILE...: sets $job; what the tasks say comes to $top/said
  rm -rf "$top/said"
  mkdir "$top/said"
  : >"$top/tasks"
  job=$(cd "$tree" && sbatch --parsable -o "$top/said/%a" "$@" 2>"$top/err")
  status=$?
}
is_over() { [ -z "$(squeue -h -j "$job" 2>&1 | grep -v 'Invalid job id')" ]; }
# Slurm waits two minutes before it starts again what was requeued.
start_again() { # TASK
  await is_pending "$1" && await scontrol update "jobid=${job}_$1" starttime=now
}
is_pending() { [ "$(squeue -h -j "${job}_$1" -o %t)" = PD ]; } # TASK
finish_job() {
  await is_over
  cat "$top"/said/* >"$top/out"
}
column() { cut -d ' ' -f "$1" "$top/tasks" | LC_ALL=C sort "${2:--n}" | paste -sd ,; } # N [-u]
started() { sed -n "s/^$1 //p" "$top/tasks"; } # TASK
has_all() { # FOLDER: all eight, blurred, and nothing else
  for i in 1 2 3 4 5 6 7 8; do edge "$tree/$1/$i.jpg" || return 1; done
  has "$tree/$1" 8
}

test_arrays() {
  submit --array=0-7 plugin/blur-array.sbatch -o blurred -s 2 photos
  finish_job
  has_all blurred && is_clean && [ "$(column 1)" = 0,1,2,3,4,5,6,7 ] &&
    [ "$(grep -c '^1 of 1 written to blurred, sigma 2, on ' "$top/out")" = 8 ]
  ok $? 'eight tasks, a file each'
  [ "$(column 2 -u)" = n1,n2 ] && [ "$(column 3 -u)" = 0,1 ]
  ok $? 'on both nodes, each with a GPU'

  submit --array=2-8:3 plugin/blur-array.sbatch -o embossed -m emboss.csv --divisor 2 --offset 0.5 \
    photos
  finish_job
  (cd "$tree" && CUDA_BLUR_SETUP=no sh plugin/blur.sh -o directly -m emboss.csv --divisor 2 \
    --offset 0.5 photos) >"$top/out" 2>&1 </dev/null
  has "$tree/embossed" 8 && (cd "$tree" && for i in 1 2 3 4 5 6 7 8; do
    [ "$(compare -quiet -metric AE embossed/$i.jpg directly/$i.jpg null: 2>&1)" = 0 ] || exit 1
  done) && [ "$(started 2 | wc -l),$(started 5 | wc -l),$(started 8 | wc -l)" = 1,1,1 ]
  ok $? 'a matrix with its options, three tasks, numbers with a step'

  submit --array=3,5 plugin/blur-array.sbatch -o gaps -s 2 photos
  finish_job
  [ ! -e "$tree/gaps" ] && [ "$(grep -c 'the array has gaps' "$top/out")" = 2 ]
  ok $? 'numbers with gaps are refused'
}

test_requeue() {
  touch "$top/hold-3"
  submit --array=0-7 plugin/blur-array.sbatch -o requeued -s 2 photos
  await exists "$top/held-3" && scontrol requeue "${job}_3"
  requeued=$?
  start_again 3
  finish_job
  [ "$requeued" -eq 0 ] && has_all requeued && is_clean &&
    [ "$(started 3 | cut -d ' ' -f 3 | paste -sd ,)" = 0,1 ] &&
    [ "$(column 1)" = 0,1,2,3,3,4,5,6,7 ]
  ok $? 'a task is killed and requeued: all is done, and nothing is left of the first time'
}

# The node's daemon, its tasks, and before these what would tell the controller how they ended.
kill_node() { # NODE
  kill -9 "$(cat "$slurm/slurmd-$1.pid")"
  tasks=
  tellers=
  for environment in $(grep -lz "^SLURMD_NODENAME=$1\$" /proc/[0-9]*/environ 2>/dev/null); do
    folder=${environment%/*}
    parent=$(sed -n 's/^PPid:[[:space:]]*//p' "$folder/status")
    tasks="$tasks ${folder##*/}"
    [ "$(cat "/proc/$parent/comm")" != slurmstepd ] || tellers="$tellers $parent"
  done
  # shellcheck disable=SC2086 # numbers
  kill -9 $tellers $tasks
}

test_node() {
  touch "$top/hold-1"
  submit --array=0-7 plugin/blur-array.sbatch -o moved -s 2 photos
  await exists "$top/held-1"
  node=$(started 1 | cut -d ' ' -f 1)
  kill_node "$node"
  start_again 1
  finish_job
  left=$(find "$tree/moved" -name '.cuda-blur.*' | wc -l)
  rm -rf "$tree"/moved/.cuda-blur.*
  has_all moved && [ "$left" -le 2 ]
  ok $? 'a node goes away: another does its share, and no result is half written'
  [ "$(started 1 | sed -n '1s/ .*//p')" = "$node" ] &&
    [ "$(started 1 | sed -n '2s/ .*//p')" != "$node" ] && [ "$(started 1 | wc -l)" = 2 ]
  ok $? 'the task ran on the one and then on the other'
}

run_cluster() { # BUILD
  build=$1
  set -- "$root"
  . "$root/tests/scripts/common.sh"
  configure
  place_command
  mkdir "$tree/photos"
  for i in 1 2 3 4 5 6 7 8; do cp photo.jpg "$tree/photos/$i.jpg"; done
  printf '%s\n' -2,-1,0 -1,0,1 0,1,2 >"$tree/emboss.csv"
  start_cluster
  ok $? 'Slurm: a controller and two nodes'
  test_arrays
  test_requeue
  test_node
  [ "$failures" -eq 0 ] || tail -n 30 "$slurm"/*.log | sed 's/^/# /'
  finish
}

build=$(readlink -f "${1:-$root/build-tests}")
case ${SLURM_SH_PART:-} in
  '') start "$build" ;;
  machine) install "$build" ;;
  cluster) run_cluster "$build" ;;
esac
