#!/bin/bash
# check.sh: build, run the tests and print `N passed, N failed, N skipped` (`make check`)
#
# check.sh static|lib|kunit|vm|i915|vm-long|JOB... runs these parts (vm includes i915) or a single
# job listed below, such as vm-6.12. KERNELS="6.1 6.12 rt trixie 7.3 sid debug" limits the kernels for vm,
# i915 and vm-long. JOBS is the number of concurrent jobs, by default the number of CPUs plus one,
# since guests sometimes wait for timers. The output of jobs is kept in $BUILD/check.
set -uo pipefail
. "$(dirname "$0")/vm/common.sh"
cd "$TOP" || exit

CHECK=$BUILD/check
KERNELS=${KERNELS-6.1 6.12 rt trixie 7.3 sid debug}
JOBS=${JOBS:-$(($(nproc) + 1))}
export BUILD

build() { # targets and variables of make
	make --no-print-directory -s -j"$(nproc)" "$@"
}

list() { # variable of the Makefile, make arguments
	make --no-print-directory -s "print-$1" "${@:2}"
}

in_guest() { # kernel seconds job command
	KERNEL=$1 TIMEOUT=$2 LOG=$CHECK/$3.dmesg OUT=$CHECK/$3 scripts/vm.sh "$4"
}

in_virtual_time() { # command...
	local -x ICOUNT=1
	"$@"
}

# Run emulated CPUs in parallel, which finds races sooner but also triggers bugs of QEMU
# (vm/run.sh).
in_parallel() { # command...
	local -x PARALLEL=1
	"$@"
}

# Jobs: each writes TAP to a separate directory, and fails only for reasons that TAP does not
# report. Status 77: the suite does not have the kernel of the job (vm/kernel.sh).
job_static() { scripts/check-static.sh >"$CHECK/static/static.tap"; }

job_lib() {
	local tests
	build tests || return
	read -ra tests < <(list LIB_TESTS)
	scripts/run-tests.sh "$CHECK/lib" "${tests[@]}"
}

job_lib-sanitized() {
	local tests
	build SANITIZE=1 BUILD="$BUILD/asan" tests || return
	read -ra tests < <(list LIB_TESTS SANITIZE=1 BUILD="$BUILD/asan")
	scripts/run-tests.sh "$CHECK/lib-sanitized" "${tests[@]}"
}

# Run the tests with the race detector of the compiler (TSan).
job_lib-threads() {
	local test=$BUILD/tsan/lib/tests/threads_test
	build SANITIZE=thread CFLAGS='-O1 -g' BUILD="$BUILD/tsan" "$test" || return
	scripts/run-tests.sh "$CHECK/lib-threads" "$test"
}

# Fuzz for a few seconds only; `make fuzz` runs for longer.
job_fuzz() { scripts/fuzz.sh 3 >"$CHECK/fuzz/fuzz.tap"; }

KUNIT="scripts/vm/kunit.sh /mnt/out"
job_kunit() { in_guest debug 900 kunit "$KUNIT"; }

# The selftests: on one kernel with two CPUs, and otherwise in virtual time, where their time limits
# are strict because a busy host causes no delays. GPUs without interrupts are tested once. Commands
# are tested once, since they start hundreds of programs and do not depend on the kernel.
job_vm-7.3() { SIM="platform=hsw_gt2 interrupts=N" selftests 7.3 vm-7.3 SELFTESTS; }
job_vm-6.12() { in_virtual_time selftests 6.12 vm-6.12 SELFTESTS COMMAND_TESTS; }
# On the debug kernel, which takes a minute to boot, the selftests run after the KUnit suites.
# kmemleak takes a quarter of the time: it is enabled in the jobs that use every feature of the
# modules once. In the host's time, a debug kernel on a busy host is too slow for a GPU that writes
# reports in real time.
job_vm-debug() { FIRST=$KUNIT in_virtual_time selftests debug vm-debug SELFTESTS; }

# Test one GPU of each kind. The debug kernel tests one per backend only, without tests that start
# commands or clear much memory. The tests mostly wait for reports, which takes no time in virtual
# time.
job_gpus-6.12() { in_virtual_time gpus_tests 6.12 gpus-6.12; }
job_gpus-debug() {
	local -x IRQS_OFF_LIMIT_US=20000 IRQS_OFF_PROGRAMS="gpus_streams gpus_recorder gpus_query"
	WITHOUT="gpus_test.sh gpus_buffers" GPUS=hsw_gt2,skl_gt2,tgl_gt2,lnl GPUS_SAMPLE=15 NOKMEMLEAK=1 in_virtual_time gpus_tests debug gpus-debug
}

# The stock i915 on a virtual GPU of each kind, with one of the two kernels. Tests that depend on
# the kernel, and tests of the tools, run on the first GPUs only.
i915_jobs() { # kernel job lists gpu gpu...
	local status=0
	# shellcheck disable=SC2086 # lists
	stock_tests "$1" "$2" "$(programs $3)" "$4" || status=$?
	stock_tests "$1" "$2" "$(programs I915_TESTS)" "${@:5}" || status=$?
	return $status
}
job_i915-6.12() { i915_jobs 6.12 i915-6.12 "I915_TESTS I915_KERNEL_TESTS I915_TOOL_TESTS" tgl bdw icl rkl; }
job_i915-6.1() { with_sanitized_gpu i915-6.1 i915_jobs 6.1 i915-6.1 "I915_TESTS I915_KERNEL_TESTS" skl hsw; }

# The virtual GPU under ASan and UBSan: their reports go to files, since the exit status of its
# process is not checked.
with_sanitized_gpu() { # job command...
	local log=$CHECK/$1/sanitizers status=0
	shift
	local -x VGPU=$BUILD/asan-vgpu/tools/gpuoa-vgpu
	local -x ASAN_OPTIONS=log_path=$log UBSAN_OPTIONS=log_path=$log:print_stacktrace=1
	build SANITIZE=1 BUILD="$BUILD/asan-vgpu" "$VGPU" || return
	"$@" || status=$?
	if compgen -G "$log.*" >/dev/null; then
		cat "$log".*
		return 1
	fi
	return $status
}

# Test the stock xe on Lunar Lake: batches, streams of a sample of the metric sets, and gpuoa through
# its exclusive stream.
job_xe-lnl-6.12() {
	local WITHOUT="stalls_test.sh stock_xe_stalls"
	GPUS_SAMPLE=9 stock_tests 6.12 xe-lnl-6.12 "$(programs XE_STOCK_TESTS)" lnl
}

# EU stall sampling, which xe has since 6.15. xe-stalls-tools-7.3 tests the command, and both on
# Panther Lake.
job_xe-stalls-7.3() { NOMODULES=1 stock_tests 7.3 xe-stalls-7.3 "$BUILD/lib/tests/stock_xe_stalls" lnl bmg; }

# The jobs from here on take long. They test the combinations omitted above.
job_vm-6.1() { SIM="platform=hsw_gt2 interrupts=N" selftests 6.1 vm-6.1 SELFTESTS; }
job_tools-6.1() { selftests 6.1 tools-6.1 COMMAND_TESTS; }
job_tools-debug() { WITHOUT="guest_test.sh top_test.sh" NOKMEMLEAK=1 selftests debug tools-debug COMMAND_TESTS selftests/test_perf_tool.sh; }
job_gpus-6.1() { in_virtual_time gpus_tests 6.1 gpus-6.1; }
# Test the stock i915 of 6.12 on the GPUs that i915-6.12 omits. On all of them but the first, test
# gpuoa also, both with exclusive streams and with i915-perf.
job_i915-gpus-6.12() {
	local status=0 gpuoa
	gpuoa=$(printf ' selftests/i915/%s_test.sh' gpuoa gpuoa_life backend tools)
	stock_tests 6.12 i915-gpus-6.12 "$(programs I915_TESTS) $gpuoa" hsw skl || status=$?
	stock_tests 6.12 i915-gpus-6.12 "$gpuoa" bdw icl rkl || status=$?
	return $status
}
# Test the stock i915 of 6.1 on the GPUs that i915-6.1 omits, and gpuoa on the GPUs on which that
# job does not test it.
job_i915-gpus-6.1() {
	local status=0 gpuoa="selftests/i915/gpuoa_test.sh selftests/i915/backend_test.sh"
	stock_tests 6.1 i915-gpus-6.1 "$(programs I915_TESTS) $gpuoa" tgl icl bdw rkl || status=$?
	stock_tests 6.1 i915-gpus-6.1 "$gpuoa" hsw || status=$?
	return $status
}
# Test gpuoa with i915 on the debug kernel, which finds races and leaks. Its i915 is built when this
# job first runs.
job_i915-debug() {
	stock_tests debug i915-debug "$(printf ' selftests/i915/%s_test.sh' gpuoa gpuoa_life backend)" tgl hsw skl
}
# Test gpuoa with xe on a debug kernel, which is built when this job first runs.
job_xe-debug() {
	local TIMEOUT=1500
	stock_tests debug-xe xe-debug "$(printf ' selftests/xe/%s_test.sh' gpuoa life)" lnl bmg
}
# Test all metric sets with the stock xe on the GPUs that it binds to by itself, and with i915 on
# Meteor Lake and DG2, which i915 drives only by the GuC.
job_xe-gpus-6.12() { GPUS_SAMPLE=1 stock_tests 6.12 xe-gpus-6.12 "$(programs XE_STOCK_TESTS)" lnl bmg; }
# The xe of 7.3 selects the size of OABUFFERs and has other OA units. Resets of its GTs are tested
# with gpuoa, since its own streams do not survive them.
job_xe-gpus-7.3() {
	local WITHOUT="stalls_test.sh stock_xe_stalls"
	GPUS_SAMPLE=9 stock_tests 7.3 xe-gpus-7.3 "$(programs XE_STOCK_TESTS XE_LIFE_TESTS)" lnl bmg ptl
}
job_xe-stalls-tools-7.3() {
	local status=0
	NOMODULES=1 stock_tests 7.3 xe-stalls-tools-7.3 selftests/xe/stalls_test.sh lnl bmg || status=$?
	NOMODULES=1 stock_tests 7.3 xe-stalls-tools-7.3 "$BUILD/lib/tests/stock_xe_stalls selftests/xe/stalls_test.sh" ptl || status=$?
	return $status
}
job_i915-mtl-6.12() {
	GPUS_SAMPLE=1 stock_tests 6.12 i915-mtl-6.12 \
		"$BUILD/lib/tests/gpus_reference$(printf " $BUILD/selftests/test_i915_%s" exec perf)" mtl dg2
}
# Test i915 on Alder Lake S and N, on N by the GuC: streams of contexts, and all metric sets.
job_i915-adl-6.12() { GPUS_SAMPLE=1 stock_tests 6.12 i915-adl-6.12 "$BUILD/lib/tests/gpus_reference $BUILD/selftests/test_i915_perf" adls adln; }
# Test kernels of other Debian suites. From 6.15 on, slab_debug detects uses of freed memory; the
# debug kernel of 7.3 also has KASAN and lockdep.
job_new-7.3() { in_virtual_time selftests 7.3 new-7.3 SELFTESTS; }
job_kasan-7.3() { in_virtual_time selftests debug-7.3 kasan-7.3 SELFTESTS; }
job_vm-trixie() { in_virtual_time selftests trixie vm-trixie SELFTESTS; }
job_vm-sid() { in_virtual_time selftests sid vm-sid SELFTESTS; }
# Test Debian 13 as a host, and the newest compilers.
job_debian-trixie() { debian trixie test dkms; }
job_debian-7.3() { debian trixie-backports dkms; }
job_debian-sid() { debian sid compilers dkms; }
debian() { # suite test...
	local test
	for test in "${@:2}"; do
		scripts/debian.sh "--$test" "$1" >"$CHECK/debian-${1/trixie-backports/7.3}/$test.tap"
	done
}
# Test with PREEMPT_RT, where code that disables interrupts or preemption must not take a spinlock_t
# or allocate memory.
job_vm-rt() { WITHOUT=test_perf_tool.sh selftests rt vm-rt SELFTESTS; }
# Execute random system calls. The guest fails if the kernel reports an error.
job_fuzz-debug() { selftests debug fuzz-debug SELFTEST_FUZZERS; }
job_fuzz-rt() { selftests rt fuzz-rt SELFTEST_FUZZERS; }
job_smp-6.12() { in_parallel selftests 6.12 smp-6.12 SELFTESTS COMMAND_TESTS; }
job_smp-debug() { WITHOUT=test_perf_tool.sh in_parallel selftests debug smp-debug SELFTESTS; }
job_time-6.1() { in_virtual_time selftests 6.1 time-6.1 SELFTESTS COMMAND_TESTS; }
job_gpus-smp-debug() { in_parallel gpus_tests debug gpus-smp-debug; }

# Expand names of programs and of Makefile lists; programs in WITHOUT are removed.
programs() { # program-or-list...
	local what program
	for what; do
		[[ $what = */* ]] || what=$(list "$what")
		for program in $what; do
			[[ " ${WITHOUT-} " = *" ${program##*/} "* ]] || echo -n " $program"
		done
	done
}

# The command in FIRST runs before the tests. The perf tool reads hundreds of host files, and
# virtual time advances fast while it waits for them.
selftests() { # kernel job program-or-list...
	local -x WITHOUT="${WITHOUT-} ${ICOUNT:+test_perf_tool.sh}"
	in_guest "$1" 1800 "$2" "${FIRST:+$FIRST && }scripts/run-tests.sh /mnt/out$(programs "${@:3}")"
}

# Tests with a stock driver, in TIMEOUT seconds per GPU. Each GPU has a separate guest; output files
# of its tests are prefixed with its name.
stock_tests() { # kernel job programs gpu...
	local kernel=$1 job=$2 programs=$3 gpu left status=0
	shift 3
	for gpu; do
		GPU=$gpu I915=error_capture=0 KERNEL=$kernel TIMEOUT=${TIMEOUT:-300} LOG=$CHECK/$job.$gpu.dmesg \
			OUT=$CHECK/$job/$gpu scripts/vm.sh "GPUS_SAMPLE=${GPUS_SAMPLE-8} scripts/run-tests.sh /mnt/out $programs" || status=$?
		for left in "$CHECK/$job/$gpu"/*.*; do
			[ ! -e "$left" ] || mv "$left" "$CHECK/$job/$gpu-${left##*/}"
		done
	done
	return $status
}

gpus_tests() { # kernel job
	SIM=platform=${GPUS-$(list GPUS)} in_guest "$1" 900 "$2" \
		"IRQS_OFF_LIMIT_US=${IRQS_OFF_LIMIT_US-} IRQS_OFF_PROGRAMS='${IRQS_OFF_PROGRAMS-}' \
		GPUS_SAMPLE=${GPUS_SAMPLE-} scripts/run-tests.sh /mnt/out$(programs GPUS_TESTS)"
}

# Count the results in the files of a job.
count() { # job status time
	local tap name status result passed=0 failed=0 skipped=0
	for tap in "$CHECK/$1"/*.tap; do
		[ -e "$tap" ] || continue
		name=$(basename "$tap" .tap)
		status=$(cat "${tap%.tap}.status" 2>/dev/null || echo "$2")
		result=$(awk -v name="$1: $name" -v status="$status" -f scripts/tap.awk "$tap")
		grep -v '^count ' <<<"$result"
		case $result in
		*"not ok "*)
			{ grep -v '^ *ok ' "$tap"; cat "${tap%.tap}.err"; } 2>/dev/null | tail -30 | sed 's/^/    /'
			echo "    (all of it: $tap)"
			;;
		esac
		read -r _ p f s < <(grep '^count ' <<<"$result")
		passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	done
	if [ "$2" = 77 ]; then
		skipped=$((skipped + 1))
		echo "ok $1 # SKIP $(tail -1 "$CHECK/$1.log")"
	elif [ "$2" != 0 ]; then
		failed=$((failed + 1))
		echo "not ok $1: ended with status $2"
		tail -30 "$CHECK/$1.log" | sed 's/^/    /'
		echo "    (all of it: $CHECK/$1.log)"
	elif [ $((passed + failed + skipped)) = 0 ]; then
		failed=1
		echo "not ok $1: there were no tests"
	fi
	echo "$passed $failed $skipped" >"$CHECK/$1.count"
	echo "$1: $passed passed, $failed failed, $skipped skipped ($3)"
}

run_job() { # job
	local status=0 spent
	local TIMEFORMAT='%R s, of CPU %U s + %S s'
	mkdir -p "$CHECK/$1"
	{ time "job_$1" >"$CHECK/$1.log" 2>&1 || status=$?; } 2>"$CHECK/$1.time"
	read -r spent <"$CHECK/$1.time"
	count "$1" $status "$spent" >"$CHECK/$1.result"
	cat "$CHECK/$1.result"
}

# Long jobs first
jobs=()
for part in vm-long vm i915 kunit lib static; do
	case " $* " in
	*" $part "*) ;;
	*) continue ;;
	esac
	case $part in
	vm) for job in vm-debug gpus-debug vm-6.12 gpus-6.12 i915-6.12 xe-lnl-6.12 xe-stalls-7.3 vm-7.3 i915-6.1; do
		[[ " $KERNELS " = *" ${job##*-} "* ]] && jobs+=("$job")
	done ;;
	i915) for k in 6.12 6.1; do
		[[ " $KERNELS " = *" $k "* ]] && jobs+=("i915-$k")
	done ;;
	vm-long) for job in i915-gpus-6.12 i915-gpus-6.1 xe-gpus-6.12 xe-gpus-7.3 xe-stalls-tools-7.3 i915-mtl-6.12 i915-adl-6.12 i915-debug xe-debug new-7.3 kasan-7.3 vm-6.1 vm-trixie vm-sid vm-rt debian-trixie debian-7.3 debian-sid fuzz-debug fuzz-rt gpus-smp-debug smp-debug tools-debug smp-6.12 time-6.1 tools-6.1 gpus-6.1; do
		[[ " $KERNELS " = *" ${job##*-} "* ]] && jobs+=("$job")
	done ;;
	lib) jobs+=(lib lib-sanitized lib-threads fuzz) ;;
	kunit) [[ " ${jobs[*]} " = *" vm-debug "* ]] || jobs+=(kunit) ;;
	*) jobs+=("$part") ;;
	esac
done
for job; do
	[[ $job = @(static|lib|kunit) ]] || ! declare -F "job_$job" >/dev/null || jobs+=("$job")
done
[ ${#jobs[@]} -gt 0 ] || die "usage: check.sh static|lib|kunit|vm|i915|vm-long|JOB..."

mkdir -p "$BUILD"
exec 9>"$BUILD/check.lock"
flock -n 9 || { note "another check is running here; waiting"; flock 9; }
rm -rf "$CHECK"
mkdir -p "$CHECK"
# Each job is a separate process group, so that all of its processes can be killed.
set -m
trap 'for p in $(jobs -p); do kill -- "-$p"; done; exit 130' INT TERM

# Build everything that jobs share before they start; if a part fails to build, its job fails with
# that error.
case "${jobs[*]}" in
*kunit* | *debug*) scripts/vm/kernel.sh debug >/dev/null ;;
esac
build -k lib tools tests selftests >"$CHECK/build.log" 2>&1 || {
	note "the build failed; the end of $CHECK/build.log:"
	tail -20 "$CHECK/build.log" >&2
	echo "0 1 0" >"$CHECK/build.count"
}

running=0
for job in "${jobs[@]}"; do
	if [ $running -ge "$JOBS" ]; then
		wait -n
		running=$((running - 1))
	fi
	run_job "$job" 9>&- &
	running=$((running + 1))
done
wait

read -r passed failed skipped < <(cat "$CHECK"/*.count | awk '{ p += $1; f += $2; s += $3 } END { print p, f, s }')
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
