#!/bin/bash
# guest.sh: process 1 of the guest after init: load the modules, run the command, store the results,
# power off
#
# The host shares the directory /run/gpuoa with the guest. It contains params (shell variables) and
# cmd (a script); the guest writes status (the command's exit status), dmesg and kmemleak.
#
# Starting a program takes up to half a second on the debug kernel, so this script uses shell
# builtins where possible.
exec </dev/null >/dev/kmsg 2>&1
NOMODULES="" NOKMEMLEAK="" GPU="" DRIVER="" I915="" XE="" WORKLOADS="" INTERACTIVE="" ICOUNT="" ROWS="" COLUMNS=""
. /run/gpuoa/params
export PATH=$BUILD/tools:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 TERM
export TOP BUILD KERNEL RELEASE SIM GPU DRIVER I915 XE OUT=/mnt/out GPUOA_VM=1 GPUOA_SIM_PARAMS=$SIM
export GPUOA_VIRTUAL_TIME=$ICOUNT

cd "$TOP" || cd /

. scripts/vm/timeout-scale.sh
timeout_scale

# The ports for the command's output (the kernel's log uses the serial line) and for the virtual GPU
for p in /sys/class/virtio-ports/*; do
	read -r name <"$p/name"
	[ "$name" = gpuoa.out ] && port=/dev/${p##*/}
	[ "$name" = gpuoa.vgpu ] && export GPUOA_VGPU=/dev/${p##*/}
done

finish() { # status
	echo "$1" >/run/gpuoa/status
	kill -9 -1
	if [ -z "$NOMODULES" ]; then
		scripts/vm/modules.sh unload >/run/gpuoa/unload 2>&1 || echo "BUG: gpuoa: $(cat /run/gpuoa/unload)"
	fi
	leaks
	dmesg >/run/gpuoa/dmesg
	echo o >/proc/sysrq-trigger
	sleep 10
	echo b >/proc/sysrq-trigger
}

# An object counts as leaked if it is at least five seconds old and unchanged between two scans.
leaks() {
	local k=/sys/kernel/debug/kmemleak
	[ -w $k ] && [ -z "$NOKMEMLEAK" ] || return
	SECONDS=0
	echo scan >$k
	[ $SECONDS -ge 6 ] || sleep $((6 - SECONDS))
	echo scan >$k
	cat $k >/run/gpuoa/kmemleak
}

# All output passes through a pipe: a port can be opened only once, and programs do open
# /dev/stderr.
run() { # command...
	local pid status
	exec 8> >(exec cat >"$port")
	pid=$!
	setsid "$@" >&8 2>&1 </dev/null
	status=$?
	exec 8>&-
	# Background processes of the command may keep the pipe open.
	for _ in {1..20}; do
		kill -0 $pid 2>/dev/null || break
		sleep 0.1
	done
	return $status
}

# Follow the size of the host's terminal: stty sends SIGWINCH to the programs on the terminal.
follow_size() { # tty
	local size last=
	while sleep 1; do
		read -r size </run/gpuoa/size || continue
		# shellcheck disable=SC2086 # rows and columns
		[ "$size" = "$last" ] || set_size "$1" $size
		last=$size
	done 2>/dev/null
}
set_size() { # tty rows columns
	stty -F "$1" rows "$2" cols "$3"
}

# leaks() requests scans, each of which takes seconds.
[ ! -w /sys/kernel/debug/kmemleak ] || [ -n "$NOKMEMLEAK" ] || echo scan=off >/sys/kernel/debug/kmemleak

echo "gpuoa: guest is up"
if [ -n "$GPU" ]; then
	case $DRIVER in i915) parameters=$I915 ;; *) parameters=$XE ;; esac
	# shellcheck disable=SC2086 # a list of parameters
	modprobe "$DRIVER" $parameters || echo "BUG: $DRIVER does not load"
fi
if [ -n "$INTERACTIVE" ]; then
	tty=/dev/hvc0
	stty -F $tty sane
	[ -n "$NOMODULES" ] || scripts/vm/modules.sh load >$tty 2>&1
	stty -F $tty rows "$ROWS" cols "$COLUMNS"
	follow_size $tty &
	[ -z "$WORKLOADS" ] || scripts/vm/workloads.sh &
	# shellcheck disable=SC2094 # a terminal is both read and written
	if [ -e /run/gpuoa/cmd ]; then
		setsid -c bash /run/gpuoa/cmd <$tty >$tty 2>&1
	else
		export PROMPT_COMMAND="stty rows $ROWS cols $COLUMNS; unset PROMPT_COMMAND"
		PS1="[$KERNEL vm] \\w# " setsid -c bash --norc -i <$tty >$tty 2>&1
	fi
	finish $?
fi

[ -z "$WORKLOADS" ] || scripts/vm/workloads.sh &
if [ -n "$NOMODULES" ]; then
	run bash /run/gpuoa/cmd
else
	run bash -c 'scripts/vm/modules.sh load || exit 125; exec bash /run/gpuoa/cmd'
fi
finish $?
