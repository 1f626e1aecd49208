#!/bin/bash
# run-tests.sh: run test programs one by one, on the host or in the guest, and store their output
# for check.sh
#
# run-tests.sh DIR PROGRAM...: writes DIR/<program>.tap (standard output), .err and .status
#
# The timeout of a program is TEST_TIMEOUT=600 seconds times the timeout scale, which is measured
# every minute and passed to the program as $GPUOA_TIMEOUT_SCALE.
set -u
. "$(dirname "$0")/vm/common.sh"
. "$(dirname "$0")/vm/timeout-scale.sh"
[ -z "${GPUOA_VM-}" ] || . "$(dirname "$0")/vm/modules.sh"

# Each test gets new GPUs, and after a failed test also a newly loaded gpuoa. A module that cannot
# be unloaded is a bug.
fresh_modules() {
	[ -z "${GPU-}" ] || return
	if [ "$status" != 0 ]; then
		unload_modules || echo "BUG: modules cannot be unloaded before $name" >/dev/kmsg
	fi
	renew_gpus || {
		echo "BUG: virtual GPUs cannot be made anew before $name" >/dev/kmsg
		exit 125
	}
}

# IRQS_OFF_LIMIT_US: limit of the time with interrupts off while a program of IRQS_OFF_PROGRAMS
# (default: any) runs. The debug kernel measures it, at a cost of a fifth of the time, and only in
# virtual time, because in real time the host would cause delays. An emulated CPU takes 1 ns per
# instruction, and a debug kernel executes several times as many.
TRACING=/sys/kernel/tracing
IRQS_OFF_LIMIT_US=${IRQS_OFF_LIMIT_US-}
irqs_off_begin() { # program
	traced=
	[ -n "$IRQS_OFF_LIMIT_US" ] && [[ " ${IRQS_OFF_PROGRAMS:-$1} " = *" $1 "* ]] || return
	[ -n "${GPUOA_VIRTUAL_TIME-}" ] && grep -qw irqsoff $TRACING/available_tracers 2>/dev/null || return
	traced=1
	echo nop >$TRACING/current_tracer
	echo 0 >$TRACING/tracing_max_latency
	echo irqsoff >$TRACING/current_tracer
}
irqs_off_end() { # program
	local us where
	[ -n "$traced" ] || return
	us=$(cat $TRACING/tracing_max_latency)
	where=$(sed -n 's/^# *=> \(started\|ended\) at: *//p' $TRACING/trace | paste -sd' ')
	echo "$1: interrupts off for $us us at most (${where/ / to })"
	irqs_off_tests=$((irqs_off_tests + 1))
	if [ "$us" -gt 0 ] && [ "$us" -le "$IRQS_OFF_LIMIT_US" ]; then
		echo "ok $irqs_off_tests - $1: $us us"
	else
		sed -n '1,60s/^/# /p' $TRACING/trace
		echo "not ok $irqs_off_tests - $1: $us us, not 1 to $IRQS_OFF_LIMIT_US"
	fi >>"$dir/irqs_off.tap"
	echo nop >$TRACING/current_tracer
}
irqs_off_tests=0

dir=$1
shift
mkdir -p "$dir"
twice=$(printf '%s\n' "${@##*/}" | sort | uniq -d)
[ -z "$twice" ] || die "two programs have one name, and would have one result: ${twice//$'\n'/ }"
status=0
measured=-60
for program in "$@"; do
	name=${program##*/}
	[ -z "${GPUOA_VM-}" ] || fresh_modules
	begin=$SECONDS
	case $program in
	*/*) ;;
	*) program=./$program ;;
	esac
	if [ $((SECONDS - measured)) -ge 60 ]; then
		timeout_scale
		measured=$SECONDS
	fi
	irqs_off_begin "$name"
	timeout -k 5 $((${TEST_TIMEOUT:-600} * GPUOA_TIMEOUT_SCALE)) "$program" >"$dir/$name.tap" 2>"$dir/$name.err" </dev/null
	status=$?
	echo $status >"$dir/$name.status"
	irqs_off_end "$name"
	echo "$name: status $status, $((SECONDS - begin)) s (timeout scale $GPUOA_TIMEOUT_SCALE)"
done
if [ $irqs_off_tests -gt 0 ]; then
	echo "1..$irqs_off_tests" >>"$dir/irqs_off.tap"
	echo 0 >"$dir/irqs_off.status"
fi
