#!/bin/bash
# igt-guest.sh ROOT LIMIT TEST[:SUBTEST,...]...: in the guest, run tests of igt-gpu-tools in a root
# directory that has them; see check-igt.sh. Prints TAP; the tests' output is in $OUT/TEST.log.
#
# A process runs many subtests, since each takes seconds to start. It is ended if a subtest takes
# more than LIMIT seconds times the timeout scale, and after a failure, because streams and changed
# privileges remain. Another process then runs the rest.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
. scripts/vm/timeout-scale.sh
. selftests/tap.sh
root=$1 seconds=$2
shift 2
for dir in proc sys dev; do
	mount --rbind "/$dir" "$root/$dir"
done
mount -t tmpfs tmpfs "$root/tmp"

# QEMU's clock does not wake a suspended guest. In place of rtcwake, have the kernel suspend and
# resume the devices (pm_test), except for the virtio devices, which the root directory needs.
replace_rtcwake() {
	scripts/vm/modules.sh load gpuoa_guest || return
	rm -f "$root/usr/sbin/rtcwake"
	cat >"$root/usr/sbin/rtcwake" <<-'EOF'
	#!/bin/sh
	mode=mem
	while [ $# -gt 0 ]; do
		case $1 in
		-n) exit ;;
		-m) mode=$2 ;;
		esac
		shift
	done
	echo 1 >/sys/module/suspend/parameters/pm_test_delay
	echo platform >/sys/power/pm_test
	echo "$mode" >/sys/power/state
	status=$?
	echo none >/sys/power/pm_test
	exit $status
	EOF
	chmod 755 "$root/usr/sbin/rtcwake"
}

selected() { # subtest patterns
	local pattern status=1
	while read -r pattern; do
		# shellcheck disable=SC2053 # patterns
		case $pattern in
		!*) [[ $1 != ${pattern#!} ]] || status=1 ;;
		*) [[ $1 != $pattern ]] || status=0 ;;
		esac
	done <<<"${2//,/$'\n'}"
	return $status
}

# Run the subtests of `rest` in one process. `stuck` is the one that took too long.
run_rest() { # program log
	local pid list begun="" now since=$SECONDS
	stuck=
	timeout_scale
	# the subshell keeps bash from printing that the process was killed
	list=$(IFS=, && echo "${rest[*]}")
	pid=$(setsid chroot "$root" "$1" --run-subtest "$list" >"$2" 2>&1 & echo $!)
	while sleep 1 && kill -0 "$pid" 2>/dev/null; do
		now=$(grep '^Starting subtest: ' "$2" | tail -1)
		[ "$now" = "$begun" ] || since=$SECONDS
		begun=$now
		if [ $((SECONDS - since)) -gt $((seconds * GPUOA_TIMEOUT_SCALE)) ]; then
			stuck=${begun#*: }
		elif ! grep -q '^Subtest .*: FAIL' "$2"; then
			continue
		fi
		kill -9 -- "-$pid" 2>/dev/null
	done
	# Subtests may have begun between the failure and the kill; they belong to the rest.
	sed -i '/^Subtest .*: FAIL/q' "$2"
}

# Print the result of a subtest, with the first reason in the log. Returns 1 if there is none.
report() { # test subtest log
	local own state reason
	own=$(sed -n "/^Starting subtest: $2\$/,/^Subtest $2: /p" "$3")
	state=$(sed -n "s/^Subtest $2: \([A-Z]*\).*/\1/p" "$3" | tail -1)
	reason=$(sed -n 's/^Test requirement: //p; s/.*CRITICAL: Failed assertion: //p' <<<"$own")
	reason=${reason%%$'\n'*}
	case $state in
	SUCCESS) result ok "$1@$2" ;;
	SKIP) skip "$1@$2" "$reason" ;;
	"") return 1 ;;
	*) result "not ok" "$1@$2: $state $reason" ;;
	esac
}

run_test() { # test patterns
	local program=/usr/libexec/igt-gpu-tools/$1 log=$OUT/$1.log rest=() left subtest stuck
	for subtest in $(chroot "$root" "$program" --list-subtests 2>/dev/null); do
		! selected "$subtest" "$2" || rest+=("$subtest")
	done
	[ ${#rest[@]} -gt 0 ] || result "not ok" "$1: no such subtests"
	: >"$log"
	while [ ${#rest[@]} -gt 0 ]; do
		run_rest "$program" "$log.part"
		cat "$log.part" >>"$log"
		left=()
		for subtest in "${rest[@]}"; do
			if [ "$subtest" = "$stuck" ]; then
				result "not ok" "$1@$subtest: took over $((seconds * GPUOA_TIMEOUT_SCALE)) s"
			else
				report "$1" "$subtest" "$log.part" || left+=("$subtest")
			fi
		done
		if [ ${#left[@]} = ${#rest[@]} ]; then
			result "not ok" "$1@${left[0]}: the test ended without a result"
			left=("${left[@]:1}")
		fi
		rest=("${left[@]}")
	done
	rm -f "$log.part"
}

replace_rtcwake || exit
for item; do
	test=${item%%:*} patterns=${item#"$test"}
	patterns=${patterns#:}
	run_test "$test" "${patterns:-*}"
done
echo "1..$number"
