#!/bin/bash
# The guest's process 1 once its root is up: loads the modules, runs the command, reports, powers off
#
# The host passes everything in /run/gpuoa, a directory shared with it: params (shell variables) and cmd (a script);
# back go status (the command's exit status), dmesg and kmemleak.
#
# Starting a program costs up to half a second on the debug kernel: what the shell can do, it does itself.
exec </dev/null >/dev/kmsg 2>&1
NOMODULES="" NOKMEMLEAK="" GPU="" I915="" SCENES="" INTERACTIVE="" ICOUNT="" ROWS="" COLUMNS=""
. /run/gpuoa/params
export PATH=$BUILD/tools:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 TERM
export TOP BUILD KERNEL RELEASE SIM GPU I915 OUT=/mnt/out GPUOA_VM=1 GPUOA_SIM_PARAMS=$SIM
export GPUOA_VIRTUAL_TIME=$ICOUNT

cd "$TOP" || cd /

. scripts/vm/slowness.sh
slowness

# The port on which the command's output leaves; the kernel's log has the serial line for itself. And the one to the
# virtual GPU.
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

# An object counts as leaked when it is five seconds old and has not changed between two scans.
leaks() {
	local k=/sys/kernel/debug/kmemleak
	[ -w $k ] && [ -z "$NOKMEMLEAK" ] || return
	SECONDS=0
	echo scan >$k
	[ $SECONDS -ge 6 ] || sleep $((6 - SECONDS))
	echo scan >$k
	cat $k >/run/gpuoa/kmemleak
}

# Everything passes through a pipe: a port can be opened only once, and programs do open /dev/stderr.
run() { # command...
	local pid status
	exec 8> >(exec cat >"$port")
	pid=$!
	setsid "$@" >&8 2>&1 </dev/null
	status=$?
	exec 8>&-
	# What the command left running in the background may hold the pipe open.
	for _ in {1..20}; do
		kill -0 $pid 2>/dev/null || break
		sleep 0.1
	done
	return $status
}

# The terminal's programs hear of a new size as they would at home: stty has SIGWINCH sent.
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

# leaks() asks for scans: each takes seconds.
[ ! -w /sys/kernel/debug/kmemleak ] || [ -n "$NOKMEMLEAK" ] || echo scan=off >/sys/kernel/debug/kmemleak

echo "gpuoa: guest is up"
if [ -n "$GPU" ]; then
	# shellcheck disable=SC2086 # a list of parameters
	modprobe i915 $I915 || echo "BUG: i915 does not load"
fi
if [ -n "$INTERACTIVE" ]; then
	tty=/dev/hvc0
	stty -F $tty sane
	[ -n "$NOMODULES" ] || scripts/vm/modules.sh load >$tty 2>&1
	stty -F $tty rows "$ROWS" cols "$COLUMNS"
	follow_size $tty &
	[ -z "$SCENES" ] || scripts/vm/scenes.sh &
	# shellcheck disable=SC2094 # a terminal is both read and written
	if [ -e /run/gpuoa/cmd ]; then
		setsid -c bash /run/gpuoa/cmd <$tty >$tty 2>&1
	else
		export PROMPT_COMMAND="stty rows $ROWS cols $COLUMNS; unset PROMPT_COMMAND"
		PS1="[$KERNEL vm] \\w# " setsid -c bash --norc -i <$tty >$tty 2>&1
	fi
	finish $?
fi

[ -z "$SCENES" ] || scripts/vm/scenes.sh &
if [ -n "$NOMODULES" ]; then
	run bash /run/gpuoa/cmd
else
	run bash -c 'scripts/vm/modules.sh load || exit 125; exec bash /run/gpuoa/cmd'
fi
finish $?
