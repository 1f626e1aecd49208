#!/bin/bash
# run.sh: boot a kernel in QEMU with the host's file system as its root, and run a command there
#
# run.sh [COMMAND]    exit with COMMAND's status; 1 if the kernel reported an error; 124 on a
#                     timeout; 125 if the VM failed. Without COMMAND: run a shell.
#
# The root is the host's, read-only under an overlay that is discarded with the guest. /tmp is
# private to the guest. /mnt/out is the host's directory $OUT, for results. Standard output and
# error of the command both go to standard output; its standard input is empty. Environment
# variables:
#   KERNEL=6.12        6.1, 6.12, rt, trixie, 7.3, sid, debug, debug-xe or debug-7.3 (kernel.sh)
#   SIM=platform=...   parameters of gpuoa_sim
#   INTERACTIVE=       if set, and standard input and output are terminals: the command runs in a
#                      terminal of the same size in the guest, without a timeout
#   WORKLOADS=         if set: change the load of each virtual GPU every few seconds
#   NOMODULES=         if set: do not load gpuoa and gpuoa_sim
#   GPU=tgl[,WORKLOAD=frames][,TRACE=1]
#                      add a virtual GPU to the bus, to which the kernel's stock driver binds; the
#                      modules are not loaded. Not in virtual time, because the GPU is a separate
#                      process with its own clock
#   DRIVER=            that driver: i915 or xe, by default the one that binds to the GPU by itself
#   I915= XE=          parameters of the driver
#   FIRMWARE=          directory with the driver's firmware; by default, images without code that
#                      gpuoa-vgpu creates and accepts
#   OUT=build/vm/out   see above
#   TIMEOUT=900        timeout of the guest in seconds, times the timeout scale; in virtual time, in
#                      CPU seconds of the host; 0: none (an interactive shell never has one)
#   MEM=1536 CPUS=2    memory of the guest in MiB, number of CPUs
#   PARALLEL=          if set: run emulated CPUs in parallel, in one thread each; by default they
#                      take turns. With QEMU 7.2, a kernel that patches its code meanwhile
#                      sometimes crashes or hangs
#   CPU=max,-erms,-fsrm
#                      model of an emulated CPU: without instructions that copy byte by byte. With
#                      fsrm alone, Linux 6.1 crashes when it boots
#   ICOUNT=            if set: virtual time. The guest's clocks count instructions of its only CPU,
#                      1 ns each (always emulated); if the CPU is idle, they jump to the next timer
#   BOOT=              additional words for the kernel's command line
#   LOG=               file for the kernel's log (by default it is printed only after an error)
#   ROOT=/             root directory of the guest, if not the host's; must contain this tree and
#                      its build
#   NOKMEMLEAK=        if set: do not search for leaks (halves the run time of the debug kernel)
set -euo pipefail
. "$(dirname "$0")/common.sh"

KERNEL=${KERNEL:-6.12}
SIM=${SIM-platform=hsw_gt2}
WORKLOADS=${WORKLOADS-}
NOMODULES=${NOMODULES-}
NOKMEMLEAK=${NOKMEMLEAK-}
OUT=$(realpath -m "${OUT:-$BUILD/vm/out}")
TIMEOUT=${TIMEOUT:-900}
MEM=${MEM:-1536}
CPUS=${CPUS:-2}
PARALLEL=${PARALLEL-}
CPU=${CPU:-max,-erms,-fsrm}
ICOUNT=${ICOUNT-}
LOG=${LOG-}
GPU=${GPU-}
I915=${I915-}
XE=${XE-}
DRIVER=${DRIVER-}
FIRMWARE=${FIRMWARE-}
ROOT=${ROOT:-/}
INTERACTIVE=${INTERACTIVE-}
TIMED_OUT=

[ -z "$GPU" ] || [ -z "$ICOUNT" ] || die "GPU and ICOUNT exclude each other"
[ -z "$GPU" ] || NOMODULES=1

# The driver of the virtual GPU, and parameters that it needs: the GSC, another microcontroller with
# firmware, does not exist here, and xe only binds to some GPUs if forced.
driver_of() { # gpu
	case $1 in
	lnl | bmg | ptl) DRIVER=${DRIVER:-xe} ;;
	*) DRIVER=${DRIVER:-i915} ;;
	esac
	case $DRIVER-$1 in
	i915-dg2) I915="huc_firmware_path= $I915" ;;
	i915-mtl) I915="gsc_firmware_path= huc_firmware_path= $I915" ;;
	xe-lnl | xe-ptl) XE="gsc_firmware_path= $XE" ;;
	xe-mtl) XE="force_probe=* gsc_firmware_path= $XE" ;;
	xe-bmg) ;;
	xe-*) XE="force_probe=* $XE" ;;
	esac
}
for word in ${GPU//,/ }; do
	case $word in *=*) ;; *) driver_of "$word" ;; esac
done

QEMU="qemu-system-x86_64"
# q35: a debug kernel needs half a minute per device to determine the interrupt routing of the
# default machine.
QEMU_BASE=(-machine q35 -nodefaults -no-user-config -display none -no-reboot)

[ $# -gt 0 ] || INTERACTIVE=1
[ -t 0 ] && [ -t 1 ] || INTERACTIVE=
[ -z "$INTERACTIVE" ] || TIMEOUT=0
[ $# -gt 0 ] || [ -n "$INTERACTIVE" ] || die "nothing to run: give a command (make vm CMD='...'), or use a terminal"
command -v $QEMU >/dev/null || die "$QEMU is missing: run scripts/deps.sh"

RELEASE='' IMAGE='' MODULES=''
settings=$("$TOP/scripts/vm/kernel.sh" "$KERNEL")
eval "$settings"

# Modules of the stock kernels that gpuoa's modules depend on
GUEST_MODULES=(drm drm_kms_helper drm_shmem_helper)
[ -z "$GPU" ] || GUEST_MODULES+=("$DRIVER")

# Print the files of kernel modules and their dependencies, dependencies first; nothing for built-in
# ones.
module_files() { # module...
	local m
	for m in "$@"; do
		/sbin/modprobe -d "${MODULES%/lib/modules/*}/" -S "$RELEASE" --show-depends "$m" 2>/dev/null || :
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}

# Unpack modules on the host: an emulated CPU takes four seconds for i915.ko alone.
unpack() { # module
	case $1 in
	*.xz) xz -dc "$1" ;;
	*) cat "$1" ;;
	esac
}

# The initramfs contains a shell, the modules needed to mount the root, and gpuoa's dependencies.
# The whole tree of modules would be accessible below the host's root, but perf walks all of it at
# each start, which takes half a minute over 9p.
make_initrd() { # file
	local dir m n=0
	dir=$(mktemp -d "$1.XXXXXX")
	mkdir -p "$dir"/{bin,proc,sys,dev,mnt,newroot,mod} "$dir/tree/lib/modules/$RELEASE"
	cp /bin/busybox "$dir/bin/"
	for m in sh mount mkdir insmod switch_root grep poweroff cp ln hostname dmesg chmod ifconfig; do
		ln -s busybox "$dir/bin/$m"
	done
	while read -r m; do
		n=$((n + 1))
		unpack "$m" >"$dir/mod/$(printf %02d $n).ko"
	done < <(module_files virtio_pci virtio_console 9pnet_virtio 9p overlay)
	while read -r m; do
		unpack "$m" >"$dir/tree/lib/modules/$RELEASE/$(basename "$m" .xz)"
	done < <(module_files "${GUEST_MODULES[@]}")
	/sbin/depmod -b "$dir/tree" "$RELEASE" 2>/dev/null
	install -m 755 "$TOP/scripts/vm/init" "$dir/init"
	(cd "$dir" && find . | cpio -o -H newc --quiet | gzip -1) >"$dir.gz"
	mv "$dir.gz" "$1"
	find "$CACHE" -maxdepth 1 -name 'initrd-*' -mtime +7 -delete
	rm -rf "$dir"
}

# /dev/kvm may exist without being able to run a guest, so start one to find out. The result is
# valid until the machine reboots.
accelerator() { # initrd
	local found log ok=tcg
	found=$CACHE/accelerator-$(cat /proc/sys/kernel/random/boot_id)
	if [ ! -e "$found" ] && [ -r /dev/kvm ] && [ -w /dev/kvm ]; then
		log=$(mktemp "$CACHE/probe.XXXXXX")
		timeout -k 1 15 $QEMU "${QEMU_BASE[@]}" -accel kvm -cpu host -m 256 -kernel "$IMAGE" -initrd "$1" \
			-serial "file:$log" -append "console=ttyS0 quiet panic=-1 gpuoa.probe" >/dev/null 2>&1 </dev/null || :
		grep -q gpuoa-probe-ok "$log" && ok=kvm
		rm -f "$log" "$CACHE"/accelerator-*
		echo $ok >"$found"
	fi
	cat "$found" 2>/dev/null || echo tcg
}

# Frequency of the TSC of an emulated CPU, in kHz; see tsc.c
tsc_khz() {
	local program
	program=$CACHE/tsc-$(sha256sum <"$TOP/scripts/vm/tsc.c" | cut -c1-12)
	[ -x "$program" ] || { cc -O2 -o "$program.new" "$TOP/scripts/vm/tsc.c" && mv "$program.new" "$program"; }
	"$program"
}

mkdir -p "$OUT" "$BUILD/vm"
initrd=$CACHE/initrd-$RELEASE-$({ cat "$TOP/scripts/vm/init" "$0"; echo "$IMAGE" "${GUEST_MODULES[@]}"; } | sha256sum | cut -c1-12).gz
exec 9>"$CACHE/lock.vm"
flock 9
[ -e "$initrd" ] || make_initrd "$initrd"
accel=$(accelerator "$initrd")
exec 9>&-

# Keep files of failed runs for a day.
find "$BUILD/vm" -maxdepth 1 -name 'run.*' -mmin +1440 -exec rm -rf {} +
RUN=$(mktemp -d "$BUILD/vm/run.XXXXXX")
mkdir "$RUN/ctl"
{
	for v in TOP BUILD KERNEL RELEASE MODULES SIM WORKLOADS NOMODULES NOKMEMLEAK INTERACTIVE ICOUNT GPU DRIVER I915 XE TERM; do
		printf '%s=%q\n' $v "${!v-}"
	done
	# A single word, so that the guest's simple shell can parse it: the directories below /tmp
	# that must remain visible
	printf "KEEP='%s'\n" "$TOP $BUILD $CACHE"
	if [ -n "$INTERACTIVE" ]; then
		stty size | { read -r rows cols; printf 'ROWS=%s COLUMNS=%s\n' "$rows" "$cols"; }
	fi
} >"$RUN/ctl/params"
[ $# = 0 ] || printf '%s\n' "$*" >"$RUN/ctl/cmd"

# Disable crypto's self-tests, the watchdog of the clock, and the check for timer interrupts, and
# report a lockup after 2 minutes: an emulated CPU on a busy machine fails them, although nothing is
# wrong. xe's initialization of the GGTT has taken more than 20 s there.
boot="cryptomgr.notests tsc=reliable no_timer_check watchdog_thresh=60 ${BOOT-}"
# Poison freed memory: since 6.15, nothing else reveals that a PMU is used after it was freed.
if [[ $KERNEL != debug* ]] && dpkg --compare-versions "${RELEASE%%-*}" ge 6.15; then
	boot+=" slab_debug=FZPU"
fi
[[ $KERNEL != debug* ]] || boot+=" kunit.autorun=1"
[ -z "$NOKMEMLEAK" ] || boot+=" kmemleak=off"
[ -z "$GPU" ] || boot+=" firmware_class.path=${FIRMWARE:-$RUN/firmware}"
# While one CPU accesses the virtual GPU, QEMU would drop concurrent accesses of another one.
threads=single
[ -z "$PARALLEL" ] || [ -n "$GPU" ] || threads=multi
[ -z "$ICOUNT" ] || accel=icount
case $accel in
icount)
	qemu=("$QEMU" "${QEMU_BASE[@]}" -accel "tcg,tb-size=512" -icount "shift=0,sleep=off" -cpu "$CPU")
	boot+=" tsc_early_khz=1000000"
	CPUS=1
	;;
kvm) qemu=("$QEMU" "${QEMU_BASE[@]}" -accel kvm -cpu host) ;;
tcg)
	qemu=("$QEMU" "${QEMU_BASE[@]}" -accel "tcg,thread=$threads,tb-size=512" -cpu "$CPU")
	boot+=" tsc_early_khz=$(tsc_khz)"
	;;
esac
qemu+=(
	-smp "$CPUS" -m "$MEM" -kernel "$IMAGE" -initrd "$initrd" -pidfile "$RUN/pid"
	-append "console=ttyS0 quiet panic=-1 oops=panic sysctl.kernel.hung_task_panic=1 softlockup_all_cpu_backtrace=1 log_buf_len=4M $boot"
	-serial "file:$RUN/console"
	-virtfs "local,path=$ROOT,mount_tag=root,security_model=none,readonly=on,multidevs=remap"
	-virtfs "local,path=$RUN/ctl,mount_tag=ctl,security_model=none"
	-virtfs "local,path=$OUT,mount_tag=out,security_model=none"
	-device virtio-serial-pci
)

# The virtual GPU needs access to the guest's memory. Its queries and answers use a port of the
# guest.
if [ -n "$GPU" ]; then
	vgpu=("${VGPU:-$BUILD/tools/gpuoa-vgpu}")
	if [ -z "$FIRMWARE" ]; then
		FIRMWARE=$RUN/firmware
		"${vgpu[@]}" --firmware "$FIRMWARE"
	fi
	vgpu+=(--log "$RUN/vgpu.log" --control "$RUN/vgpu")
	for word in ${GPU//,/ }; do
		case $word in
		WORKLOAD=* | SCENE=*) vgpu+=(--workload "${word#*=}") ;;
		TRACE=*) vgpu+=(--trace) ;;
		*) vgpu+=(--gpu "$word") ;;
		esac
	done
	qemu=("${vgpu[@]}" -- "${qemu[@]}"
		-machine memory-backend=vgpu-memory
		-object "memory-backend-memfd,id=vgpu-memory,size=${MEM}M,share=on"
		-chardev "socket,id=vgpu-control,path=$RUN/vgpu" -device "virtserialport,chardev=vgpu-control,name=gpuoa.vgpu")
fi

# Print the run time of the guest in seconds: in virtual time the CPU time of the host, since the
# guest is never idle; otherwise the host's time divided by the timeout scale that the guest has
# measured (timeout-scale.sh). Until it has, assume a slow guest.
age() {
	local timeout_scale=5 ticks
	if [ -n "$ICOUNT" ]; then
		ticks=$(awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$guest/stat" 2>/dev/null)
		echo $((${ticks:-0} / $(getconf CLK_TCK)))
	else
		[ ! -e "$RUN/ctl/timeout-scale" ] || read -r timeout_scale <"$RUN/ctl/timeout-scale"
		echo $((SECONDS / timeout_scale))
	fi
}

kill_guest() {
	[ -s "$RUN/pid" ] && kill "$(cat "$RUN/pid")" 2>/dev/null || :
}
# The guest cannot determine the size of the terminal of its console: guest.sh reads it here.
watch_size() {
	local size last=
	while sleep 1; do
		size=$(stty size) || return
		[ "$size" = "$last" ] || echo "$size" >"$RUN/ctl/size"
		last=$size
	done
}
trap 'kill_guest; rm -rf "$RUN"; exit 130' INT
trap 'kill_guest; rm -rf "$RUN"; exit 143' TERM HUP

if [ -n "$INTERACTIVE" ]; then
	[ $# = 0 ] || leave="Ctrl-A x ends it by force"
	note "Linux $RELEASE ($accel); ${leave:-leave with exit, or with Ctrl-A x by force}"
	tty=$(stty -g)
	watch_size <&0 &
	watcher=$!
	"${qemu[@]}" -chardev stdio,id=out,mux=on,signal=off -device virtconsole,chardev=out || :
	kill $watcher
	stty "$tty"
else
	# Put a cat between QEMU and standard output, since QEMU makes its output non-blocking.
	mkfifo "$RUN/output"
	cat "$RUN/output" &
	"${qemu[@]}" -chardev "file,id=out,path=$RUN/output" \
		-device virtserialport,chardev=out,name=gpuoa.out </dev/null &
	guest=$!
	SECONDS=0
	while kill -0 $guest 2>/dev/null; do
		if [ "$TIMEOUT" != 0 ] && [ "$(age)" -ge "$TIMEOUT" ]; then
			TIMED_OUT=${TIMED_OUT:-$SECONDS}
			[ $SECONDS -ge $((TIMED_OUT + 5)) ] && kill -9 $guest || kill $guest
		fi
		sleep 0.5
	done
	wait
fi

# Check the kernel's log.
dmesg=$RUN/ctl/dmesg
[ -s "$dmesg" ] || dmesg=$RUN/console
[ -z "$LOG" ] || cp "$dmesg" "$LOG"
[ -z "$LOG" ] || [ ! -e "$RUN/vgpu.log" ] || cp "$RUN/vgpu.log" "$LOG.vgpu"
complaints=0
awk -f "$TOP/scripts/vm/splats.awk" "$dmesg" >"$RUN/splats" || complaints=1
if [ -s "$RUN/ctl/kmemleak" ]; then
	cat "$RUN/ctl/kmemleak" >>"$RUN/splats"
	complaints=1
fi

if [ $complaints = 1 ]; then
	note "the kernel ($RELEASE) complained; its log: $dmesg"
	head -100 "$RUN/splats" >&2
	exit 1
elif [ -n "$TIMED_OUT" ]; then
	note "time ran out after $TIMED_OUT s; kernel log: $dmesg"
	exit 124
elif [ ! -s "$RUN/ctl/status" ]; then
	note "the guest ($RELEASE, $accel) ended before the command did; kernel log: $dmesg"
	tail -20 "$dmesg" >&2
	exit 125
fi
status=$(cat "$RUN/ctl/status")
rm -rf "$RUN"
exit "$status"
