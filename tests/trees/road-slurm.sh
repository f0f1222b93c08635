#!/bin/sh
# Many machines: the README's line for Slurm, by Debian's own, whose one node says that it has as
# many processors and GPUs as the line asks for. It is interrupted, and run again.
. /tmp/steps.sh
. tests/lib/block.sh

get_slurm() {
  sudo apt-get install -y --no-install-recommends slurmctld slurmd slurm-client munge \
    mount procps
}
# With nothing that takes control groups or an init.
configure() {
  node=$(hostname -s)
  echo "127.0.0.1 $node" | sudo tee -a /etc/hosts
  sudo tee /etc/slurm/slurm.conf <<END
ClusterName=one
SlurmctldHost=$node(127.0.0.1)
SlurmUser=slurm
StateSaveLocation=/var/lib/slurm/slurmctld
SlurmdSpoolDir=/var/lib/slurm/slurmd
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
GresTypes=gpu
NodeName=$node NodeAddr=127.0.0.1 CPUs=256 Gres=gpu:32
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
  # Slurm counts the files of GPUs, whatever they are.
  # shellcheck disable=SC2046 # words
  sudo mkdir /srv/gpus && sudo touch $(seq -f /srv/gpus/%.0f 32) &&
    echo 'Name=gpu File=/srv/gpus/[1-32]' | sudo tee /etc/slurm/gres.conf &&
    echo CgroupPlugin=cgroup/v1 | sudo tee /etc/slurm/cgroup.conf # which asks for nothing
}
is_up() { sinfo --noheader --format=%t | grep -qx 'idle'; }
start() {
  sudo mkdir -p /run/munge /var/lib/slurm/slurmctld /var/lib/slurm/slurmd &&
    sudo chown munge: /run/munge && sudo chown slurm: /var/lib/slurm/slurmctld &&
    sudo mount -t sysfs sysfs /sys && sudo -u munge munged && sudo slurmctld && sudo slurmd ||
    return 1
  until is_up; do
    pgrep slurmctld && pgrep slurmd || return 1
    sleep 1
  done
}

make_photos() {
  mkdir photos && for i in $(seq "$n"); do cp photo.jpg "photos/$i.jpg" || return 1; done
}
count() { find blurred -maxdepth 1 -name '*.jpg' | wc -l; }
# When some results are there.
interrupt() {
  sh -c "$line" &
  until [ -d blurred ] && [ "$(count)" -gt 40 ]; do kill -0 $! && sleep 0.1 || return 1; done
  scancel --name=sh --user="$(id -un)" || return 1
  wait $!
  [ "$(count)" -gt 40 ] && [ "$(count)" -lt "$n" ]
}
again() {
  find blurred -name '*.jpg' -printf '%f %i\n' | sort >/tmp/done
  sh -c "$line" || return 1
  [ "$(grep -c ' written to blurred, sigma 8' /tmp/step.log)" = 32 ] && [ "$(count)" = "$n" ] &&
    find blurred -name '*.jpg' -printf '%f %i\n' | sort | comm -13 - /tmp/done >/tmp/repeated &&
    [ ! -s /tmp/repeated ] && cp "blurred/$n.jpg" /results/slurm.jpg
}
is_clean() { [ -z "$(find blurred /tmp -maxdepth 1 -name '.cuda-blur.*')" ]; }

n=3000
line=$(block sh srun plugin/SCRIPTS.md)
step 'sh plugin/setup.sh' sh plugin/setup.sh
step 'Slurm is installed' get_slurm
step 'and configured' configure
step 'and started' start
[ "${bad:?}" = 0 ] || finish
step 'photos are made' make_photos
step 'srun, and scancel when some results are there' interrupt
step 'srun again, which does the rest and nothing twice' again
step 'no temporary file is left' is_clean
finish
