#!/bin/bash
# Test gpuoa stalls record without a GPU: fake_stalls.so is preloaded. Prints TAP.
set -u
. "$(dirname "$0")/host.sh"
needs stalls "libgpuoa-extra is"

"$BUILD/tools/tests/make_zebin" "$DIR" || exit

# Record a command: the samples of stalls.raw
record() { # options and command
	# The sanitizers must be the first libraries that are loaded.
	LD_PRELOAD="$(sanitizer) $BUILD/tools/tests/fake_stalls.so" FAKE_STALLS=$DIR/stalls.raw \
		FAKE_STALLS_LOG=$DIR/log "$GPUOA" stalls record -o "$DIR/data" "$@"
}
sanitizer() { ldd "$BUILD/tools/gpuoa-stalls" | awk '/lib(a|t)san/ { print $3 }'; }
prints() { # expected text, command...
	local expected=$1
	shift
	diff <(echo "$expected") <("$@")
}

counts() { "$GPUOA" -q --csv stalls stat -i "$DIR/data" | cut -d, -f 1,6,8 | sed 1d | sort; }
recorded() { record true && prints '0xfffe5040,0,100
0xfffe5338,30,0' counts; }
check "record writes the samples" recorded
check "record reports incomplete records" says '0000:00:02.0: 1 incomplete records were ignored' record true
is_silent() { fails grep . <(record -q true 2>&1); }
check "record prints no notes with -q" is_silent
reads_reports() { # while a window lasts
	rm -f "$DIR/log"
	record -w 1min sleep 0.2 || return
	[ "$(grep -c reports "$DIR/log")" -ge 5 ] && [ "$(grep -c window "$DIR/log")" = 1 ]
}
check "record writes reports of OA units several times per window" reads_reports
check "record exits with the status of the command" exits 7 '' record sh -c 'exit 7'
check "record needs a command that exists" exits 127 'cannot execute /no/such/program' record /no/such/program

# Kernels: given, or found in a program that loads them by a fake Level Zero
cat >"$DIR/kernels.csv" <<-'END'
	pid,address,size,kernel,file
	200,0x8001fffe5000,,scale,kernels.zebin
	200,0x8001fffe5300,64,copy,kernels.zebin
END
by_line() { # the recording needs no other file
	mkdir -p "$DIR/empty" && cd "$DIR/empty" && "$GPUOA" -q --csv stalls report "$DIR/data" |
		cut -d, -f 3-7 | sed 1d
}
lines='scale,scale,/src/kernels.cl,6,100
copy,copy,/src/kernels.cl,12,30'
has_elfutils() { # reason for a skip, if symbols cannot be read
	record -q -k "$DIR/placed.zebin" true 2>"$DIR/said" && return
	cat "$DIR/said"
	grep -q 'without elfutils' "$DIR/said" && echo "libgpuoa-extra was built without elfutils" && return $SKIPPED
}
given() { # file
	has_elfutils || return
	record -q -k "$1" true && prints "$lines" by_line
}
check "record -k records kernels of a list" given "$DIR/kernels.csv"
check "record -k records kernels of a placed file" given "$DIR/placed.zebin"
exports() {
	has_elfutils || return
	"$GPUOA" export -q -f folded "$DIR/data" | grep -x 'scale;kernels.cl:6;+0x40;scoreboard 100' &&
		"$GPUOA" -q stalls annotate "$DIR/data" --source "$DIR" | grep 'x\[i\] \*= a;'
}
check "export and annotate use the recorded kernels" exports
check "record checks kernels first" exits 1 'cannot read kernels: ' record -k "$GPUOA" true
printf 'address,size,kernel\n0x1000,0,other\n' >"$DIR/none.csv"
check "record refuses a kernel without a size" exits 1 'none.csv: cannot use its kernels: kernel other: invalid' \
	record -k "$DIR/none.csv" true

ZE=$BUILD/tools/tests/ze
PROGRAM=("$ZE/ze_program" "$DIR/kernels.zebin" scale copy)
with_ze() { # command: its kernels are found
	has_elfutils || return
	record "$@" 2>&1 | tee "$DIR/said"
	grep -q '; 2 kernels$' "$DIR/said" && prints "$lines" by_line
}
check "record finds the kernels of a program" with_ze "${PROGRAM[@]}"
process() { "$GPUOA" -q --csv stalls report --by process "$DIR/data" | sed 1d | cut -d, -f 3 | grep -x '[1-9][0-9]*'; }
check "record finds the process" process
check "record finds the kernels of a plugin" with_ze "$ZE/ze_host" "$ZE/ze_plugin.so" "$DIR/kernels.zebin" scale copy
check "record finds the kernels of a child process" with_ze sh -c '"$@"; exit 0' sh "${PROGRAM[@]}"
check "record translates handles of the loader" with_ze env FAKE_ZE_INTERCEPT=1 "${PROGRAM[@]}"
check "record prefers debug information" with_ze env FAKE_ZE_DEBUG="$DIR/placed.zebin" "$ZE/ze_program" /bin/true scale copy
without_file() { # the zebin is not readable
	has_elfutils || return
	record -q "$ZE/ze_program" /bin/true scale && by_kernel | grep -x scale,100
}
by_kernel() { "$GPUOA" -q --csv stalls report --by kernel "$DIR/data" | cut -d, -f 3,4; }
check "kernels without a readable file have a name" without_file
check "--no-hook leaves the program alone" says '; 0 kernels' record --no-hook "${PROGRAM[@]}"
check "the program runs without a recording" env LD_PRELOAD="$(sanitizer) $BUILD/tools/libgpuoa-ze.so" "${PROGRAM[@]}"
leaves_nothing() {
	mkdir -p "$DIR/tmp"
	TMPDIR=$DIR/tmp record "${PROGRAM[@]}" && rmdir "$DIR/tmp"
}
check "record removes its temporary files" leaves_nothing
# shellcheck disable=SC2016 # for the other shell
changes_directory() { (cd "$DIR" && TMPDIR=tmp with_ze sh -c 'cd / && "$@"; exit 0' sh "${PROGRAM[@]}"); }
mkdir -p "$DIR/tmp"
check "record ignores a relative TMPDIR" changes_directory

# The functions that launch kernels: of 210 thread groups, twice() launches 10 and once() 200.
launched() { # number of launches, how...
	has_elfutils || return
	record -g "$ZE/ze_launches" "$DIR/kernels.zebin" "$@" >"$DIR/said" 2>&1
	launched_status=$?
	cat "$DIR/said"
	"$GPUOA" -q export -f folded "$DIR/data" | tee "$DIR/folded"
}
tail='scale;kernels.cl:6;\+0x40;scoreboard'
stacks() {
	launched 21 || return
	grep -q ': kernels were launched from 2 places$' "$DIR/said" &&
		grep -qE "^process [0-9]+;(.*;)?main;twice;launch;$tail 4\$" "$DIR/folded" &&
		grep -qE "^process [0-9]+;(.*;)?main;once;launch;$tail 96\$" "$DIR/folded"
}
check "record -g divides samples among launches by thread groups" stacks
by_launches() {
	launched 9 indirect || return
	grep -qE ";main;twice;launch;$tail 81\$" "$DIR/folded" && grep -qE ";main;once;launch;$tail 9\$" "$DIR/folded" &&
		grep -qE ";main;(run;)?indirect;$tail 10\$" "$DIR/folded"
}
check "record -g divides samples by launches if thread groups are unknown" by_launches
stripped() {
	has_elfutils || return
	strip -o "$DIR/stripped" "$ZE/ze_launches" || return
	record -g env LD_LIBRARY_PATH="$ZE" "$DIR/stripped" "$DIR/kernels.zebin" 1 >"$DIR/said" 2>&1
	"$GPUOA" -q export -f folded "$DIR/data" | tee "$DIR/folded"
	grep -qE "^process [0-9]+;(.*;)?\[stripped\];$tail" "$DIR/folded"
}
check "record -g names the file of functions without symbols" stripped
in_thread() { launched 1 thread && grep -qE ";thread;once;launch;$tail" "$DIR/folded"; }
check "record -g follows the stack of a thread" in_thread
in_child() {
	launched 1 child && [ "$(sed -n 's/^process \([0-9]*\);.*;once;.*/\1/p' "$DIR/folded" | sort -u | wc -l)" = 2 ]
}
check "record -g records launches of a child process" in_child
if_killed() { launched 1 kill; [ "$launched_status" = 137 ] && grep -qE ";main;once;launch;$tail" "$DIR/folded"; }
check "record -g keeps the launches of a process that is killed" if_killed
generated() {
	[ "$(uname -m)" = x86_64 ] || { echo "frame pointers are followed on x86-64 only" && return "$SKIPPED"; }
	launched 1 generated
	grep -oE 'process [0-9]+;' "$DIR/folded" | grep -oE '[0-9]+' | sed 's|.*|/tmp/perf-&.map|' | sort -u | xargs rm -f
	grep -qE ';py::train:/src/train.py;once;launch;' "$DIR/folded"
}
check "record -g names generated code" generated
deep() { launched 1 deep && grep -E ';deep;deep;deep;launch;' "$DIR/folded" | grep -o ';deep' | wc -l | grep -qx 255; }
check "record -g cuts off deep stacks" deep
same_sums() { # all formats
	launched 3 || return
	"$GPUOA" -q export -f speedscope "$DIR/data" | jq -e '[.profiles[0].weights[]] | add == 130' &&
		"$GPUOA" -q export -f speedscope "$DIR/data" | jq -e '[.shared.frames[].name] | index("twice") != null' || return
	"$GPUOA" -q stalls report --html "$DIR/page.html" "$DIR/data" && grep -q '"main","twice","launch"' "$DIR/page.html"
}
check "speedscope and the HTML page have the stacks" same_sums
in_pprof() {
	command -v protoc >/dev/null || { echo "protoc is not installed" && return "$SKIPPED"; }
	launched 3 && "$GPUOA" -q export -f pprof -o "$DIR/stacks.pb" "$DIR/data" || return
	protoc --decode=perftools.profiles.Profile -I tools/tests pprof.proto <"$DIR/stacks.pb" >"$DIR/pprof" || return
	# Of each sample: the number of frames. Each location and function is defined once.
	awk '/^sample {/ { inside = 1; frames = 0 } inside && /location_id/ { frames++ }
		/^}/ && inside { print "frames " frames; inside = 0 }' "$DIR/pprof" | sort | uniq -c
	awk '/^location {/ { getline; print }' "$DIR/pprof" | sort | uniq -d | fails grep . &&
		awk '/^sample {/ { inside = 1; frames = 0 } inside && /location_id/ { frames++ }
		/^}/ && inside { if (frames >= 4) found++; inside = 0 } END { exit found != 2 }' "$DIR/pprof"
}
check "pprof has the stacks" in_pprof
no_command() { record -g; }
check "record -g needs a command" exits 2 '-g needs a command, without --no-hook' no_command
check "record without -g records no launches" fails grep -q ';main;' <(record -q "$ZE/ze_launches" "$DIR/kernels.zebin" 3; "$GPUOA" -q export -f folded "$DIR/data")

# Kernels of other processes, in memory that xe_vma_bind reports. The code of scale is at the offset
# 0x40 of the file; the first line is that of a process that has ended, the second one has no memory
# of a process.
bound() { # options
	local pid memory size
	has_elfutils || return
	mkdir -p "$DIR/tracefs/instances"
	rm -f "$DIR/in" && mkfifo "$DIR/in"
	"$BUILD/tools/tests/bound" "$DIR/kernels.zebin" <"$DIR/in" >"$DIR/bound" &
	exec 8>"$DIR/in"
	for _ in $(seq 100); do [ -s "$DIR/bound" ] && break; sleep 0.1; done
	read -r pid memory size <"$DIR/bound"
	{
		echo '           [0] x-4194999 [000] .....     0.1: xe_vma_bind: dev=0000:00:02.0, vma=ff28, vm=ff29, asid=0x00003, start=0x800300000000, end=0x80030000ffff, userptr=0x5574a2c83000'
		echo "             prog-$pid     [001] .....     0.2: xe_vma_bind: dev=0000:00:02.0, vma=ff28, vm=ff29, asid=0x00003, start=0x800100000000, end=0x80010000ffff, userptr=0x000000000000"
		echo 'CPU:1 [LOST 7 EVENTS]'
		printf '          a: [b] c-%d     [001] .....     0.3: xe_vma_bind: dev=0000:00:02.0, vma=ff28, vm=ff29, asid=0x00003, start=0x8001fffe4fc0, end=0x%x, userptr=%s\n' \
			"$pid" $((0x8001fffe4fc0 + size - 1)) "$memory"
	} >"$DIR/trace"
	[ -n "${FINDS-}" ] || FINDS=(--zebin "$DIR/kernels.zebin")
	GPUOA_TRACEFS=$DIR/tracefs FAKE_TRACE=$DIR/trace record "${FINDS[@]}" "$@" >"$DIR/recorded" 2>&1
	exec 8>&-
	wait
	cat "$DIR/recorded"
	echo "$pid" >"$DIR/pid"
}
finds_bound() { bound true && has_bound; }
has_bound() {
	grep -q '; 2 kernels$' "$DIR/recorded" && prints "scale,100
[unknown],30" by_kernel_of && [ "$("$GPUOA" -q --csv stalls report --by process "$DIR/data" | grep -c ",$(cat "$DIR/pid"),")" = 1 ]
}
by_kernel_of() { by_kernel | sed 1d; }
check "record --zebin finds kernels in memory of processes" finds_bound
check "record --zebin reports processes that ended" grep -q '1 buffers were not searched for kernels, because their processes had ended' "$DIR/recorded"
check "record --zebin reports lost events" grep -q '7 buffers were not searched for kernels, because the kernel.s trace buffer was full' "$DIR/recorded"
check "record --zebin enables the event" grep -qx 1 "$DIR"/tracefs/instances/gpuoa-*/events/xe/xe_vma_bind/enable
# A program that contains the file, and 3 other files that begin as an ELF file does
make_fat() {
	mkdir -p "$DIR/fat/0/a" && {
		cat "$BUILD/tools/tests/bound"
		printf '\177ELF\002\001'
		head -c 100 "$DIR/kernels.zebin"
		cat "$DIR/kernels.zebin"
		echo rest
	} >"$DIR/fat/0/a/program" && head -c 200 "$DIR/kernels.zebin" >"$DIR/fat/cut.l0_cache" && echo text >"$DIR/fat/config.file"
}
in_fat() { # options
	local FINDS=("$@")
	make_fat && bound true && has_bound
}
check "record --zebin finds kernels in a program that contains them" in_fat --zebin "$DIR/fat/0/a/program"
check "record --zebin reads a directory" in_fat --zebin "$DIR/fat"
cached() { NEO_CACHE_DIR=$DIR/fat in_fat --cache; }
check "record --cache reads the cache of the compute runtime" cached
xdg() { mkdir -p "$DIR/xdg" && cp -r "$DIR/fat" "$DIR/xdg/neo_compiler_cache" && XDG_CACHE_HOME=$DIR/xdg in_fat --cache; }
check "record --cache finds the cache" xdg
no_cache() { NEO_CACHE_DIR=$DIR/nothing record --cache true; }
check "record --cache needs the cache" exits 1 '--cache: cannot read .*/nothing' no_cache
untraced() { GPUOA_TRACEFS=$DIR/nothing record --zebin "$DIR/kernels.zebin" true; }
check "record --zebin needs tracefs" exits 1 'nothing/instances/gpuoa-[0-9]+: cannot trace: No such file or directory; run as root, with tracefs mounted' untraced
check "record --zebin checks the file first" exits 1 'cannot read kernels: it contains no ELF file for GPUs' record --zebin "$GPUOA" true

# libgpuoa-ze.so without gpuoa stalls record
alone() { # command: it is executed by the same process, $$
	rm -rf "$DIR/alone" && mkdir "$DIR/alone" || return
	echo precious >"$DIR/victim"
	GPUOA_ZE_DIR=$DIR/alone LD_PRELOAD="$(sanitizer) $BUILD/tools/libgpuoa-ze.so" timeout 20 \
		sh -c "cd '$DIR/alone' && $1"'; exec "$@"' sh "${PROGRAM[@]}" && [ "$(cat "$DIR/victim")" = precious ]
}
threads() {
	FAKE_ZE_THREADS=1 alone true && cat "$DIR"/alone/*.csv && [ "$(grep -c ^pid, "$DIR"/alone/*.csv)" = 1 ] &&
		[ "$(grep -c zebin "$DIR"/alone/*.csv)" = 2 ]
}
check "threads write one header" threads
# shellcheck disable=SC2016 # for the other shell
link_of_zebin() { alone 'ln -s ../victim $$-1.zebin' && cmp "$DIR"/alone/*-2.zebin "$DIR/kernels.zebin" && grep -e '-2.zebin$' "$DIR"/alone/*.csv; }
check "a link is not followed to write a zebin" link_of_zebin
# shellcheck disable=SC2016 # for the other shell
check "a symbolic link is not followed to write the list" alone 'ln -s ../victim $$.csv'
# shellcheck disable=SC2016 # for the other shell
check "a hard link is not followed to write the list" alone 'ln ../victim $$.csv'
# shellcheck disable=SC2016 # for the other shell
check "a list that is a FIFO is not waited for" alone 'mkfifo $$.csv'

# Many kernels of one large file: its hash is computed once.
many_kernels() {
	has_elfutils || return
	cp "$DIR/kernels.zebin" "$DIR/large.zebin" && truncate -s 16M "$DIR/large.zebin" || return
	awk 'BEGIN { print "pid,address,size,kernel,file"; for (i = 1; i <= 5000; i++) print i ",0x8001fffe5000,,scale,large.zebin" }' \
		>"$DIR/many.csv"
	timeout 40 "$BASH" -c "$(declare -f record sanitizer); BUILD='$BUILD' DIR='$DIR' GPUOA='$GPUOA'; record -q -k '$DIR/many.csv' true"
}
check "record reads a file of many kernels once" many_kernels
in_data() { grep -ao "$1" "$DIR/data" | wc -l; } # text
repeated() {
	printf 'address,size,kernel\n0x1000,64,first\n0x2000,64,other_kernel\n0x1000,64,first\n0x2000,64,other_kernel\n' >"$DIR/repeated.csv"
	record -q -k "$DIR/repeated.csv" true && prints 1 in_data other_kernel && prints 1 in_data first
}
check "record writes equal kernels once" repeated
without_name() { # set the length of the name, which precedes it, to 0
	local at
	at=$(grep -abo other_kernel "$DIR/data" | head -1 | cut -d: -f 1) && [ -n "$at" ] || return
	printf '\0' | dd of="$DIR/data" bs=1 seek=$((at - 8)) conv=notrunc status=none || return
	"$GPUOA" -q stalls report "$DIR/data" && prints 1 in_data first
}
check "a kernel that has neither a name nor a file is skipped" without_name
printf 'address,size,kernel\n0x1000,64,first\n0x2000,64,\n' >"$DIR/unnamed.csv"
check "record refuses a kernel with an empty name" exits 1 'unnamed.csv:3: kernel: the name is empty$' record -k "$DIR/unnamed.csv" true
printf 'address,size,kernel\n0x1000,64,%016385d\n0x2000,64,other_kernel\n' 0 >"$DIR/long.csv"
long_name() {
	says 'long.csv: cannot record a kernel: its name is longer than 16384 bytes' record -k "$DIR/long.csv" true && prints 1 in_data other_kernel
}
check "record leaves out a kernel with a name that is too long" long_name

# check, and doctor, which runs it
faked() { LD_PRELOAD="$(sanitizer) $BUILD/tools/tests/fake_stalls.so" "$GPUOA" "$@"; }
check "stalls check finds EU stalls" says '^ok       0000:00:02\.0 \(Lunar Lake\): EU stalls can be sampled$' faked stalls check
in_doctor() { # pattern, options of gpuoa
	local pattern=$1
	shift
	"$@" >"$DIR/doctor" # the exit status is that of the other checks
	cat "$DIR/doctor"
	grep -qE -e "$pattern" "$DIR/doctor"
}
check "doctor finds EU stalls" in_doctor '^ok +0000:00:02\.0 \(Lunar Lake\): EU stalls can be sampled$' faked doctor
check "doctor --json has EU stalls" in_doctor '"topic":"eu_stalls","verdict":"ok"' faked --json doctor
busy() { FAKE_STALLS_ERROR=16 faked "$@"; }
check "stalls check prints a remedy" exits 1 '^         -> stop it$' busy stalls check
check "doctor prints the remedy" in_doctor '^limited  the GPU is in use$' busy doctor
check "doctor -q prints the remedy" in_doctor '^         -> stop it$' busy -q doctor
absent() { FAKE_STALLS_ERROR=95 faked "$@"; }
check "doctor says that there are none" in_doctor '^absent   the GPU is in use$' absent doctor
is_quiet() { fails in_doctor absent absent -q doctor; }
check "doctor -q does not mention that there are none" is_quiet
echo "1..$number"
