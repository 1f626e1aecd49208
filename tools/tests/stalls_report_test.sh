#!/bin/bash
# Test gpuoa stalls report and annotate, and the exports of EU stall samples, with kernels and
# samples made here; other programs (protoc, jq, flamegraph.pl, go) read the exports. Prints TAP.
set -u
. "$(dirname "$0")/host.sh"
needs stalls "libgpuoa-extra is"
needs export "libgpuoa-extra is"

"$BUILD/tools/tests/make_zebin" "$DIR" || exit
if "$GPUOA" stalls report -k "$DIR/placed.zebin" /dev/null 2>&1 | grep -q 'without elfutils'; then
	echo "1..0 # SKIP libgpuoa-extra was built without elfutils"
	exit
fi

# scale at 0x8001fffe5000, copy at +0x300. 1000 samples, of which 50 are in no kernel.
cat >"$DIR/samples.csv" <<-'END'
	# by hand
	address,active,send,scoreboard,sync,other,comment
	0xfffe5000,10,0,0,0,0,line 3
	0xfffe5028,40,20,40,0,0,line 5
	0xfffe5040,100,0,300,0,0,line 6
	0xfffe5068,0,0,200,0,0,"line 6, function multiply"
	0xfffe5300,20,0,0,10,0,line 10
	0xfffe5338,10,200,0,0,0,line 12
	0x1000,0,0,0,0,50,no kernel
	0x2000,0,0,0,0,0,no samples
END
cat >"$DIR/kernels.csv" <<-'END'
	pid,address,size,kernel,file
	200,0x8001fffe5000,,scale,kernels.zebin
	200,0x8001fffe5300,64,copy,kernels.zebin
END
report() { # arguments
	"$GPUOA" -q --csv stalls report "$@" "$DIR/samples.csv"
}
# Print the columns of a CSV file that are named.
columns() { # name...
	awk -F, -v names="$*" '
		NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? " " : "\n" }'
}
prints() { # expected text, command...
	local expected=$1
	shift
	diff <(echo "$expected") <("$@")
}
by_line() { report --by line "$@" | columns kernel function line samples scoreboard; }
by_kernel() { report --by kernel "$@" | columns kernel samples active; }

lines='scale scale 6 400 300
copy copy 12 210 0
scale multiply 6 200 200
scale scale 5 100 40
[unknown]   50 0
copy copy 10 30 0
scale scale 3 10 0'
check "report adds up samples by line" prints "$lines" by_line -k "$DIR/kernels.csv"
check "report finds the lines of a placed file" prints "$lines" by_line -k "$DIR/placed.zebin"
check "report adds up samples by kernel" prints 'scale 710 150
copy 240 30
[unknown] 50 0' by_kernel -k "$DIR/kernels.csv"

by_address() { report --by address -k "$DIR/kernels.csv" | columns address kernel offset samples | head -2; }
check "report lists addresses" prints '0xfffe5040 scale 64 400
0xfffe5338 copy 56 210' by_address
by_process() { report --by process -k "$DIR/kernels.csv" | columns pid samples; }
check "report adds up samples by process" prints '200 950
 50' by_process
by_reason() { report --by reason | columns reason samples | head -4; }
check "report adds up samples by reason" prints 'scoreboard 540
send 220
active 180
other 50' by_reason
by_sync() { by_line -k "$DIR/kernels.csv" --reason sync | head -1; }
check "--reason sorts by a reason" prints 'copy copy 10 30 0' by_sync
only_copy() { by_line -k "$DIR/kernels.csv" --kernel copy; }
check "--kernel selects a kernel" prints 'copy copy 12 210 0
copy copy 10 30 0' only_copy
without_kernels() { by_kernel; }
check "samples without kernels are unknown" prints '[unknown] 1000 180' without_kernels
check "JSON has the same samples" \
	says '^990 820$' jq -nr '[inputs] | "\(map(.samples) | add - 10) \(map(.samples - .active) | add)"' \
	<("$GPUOA" -q --json stalls report -k "$DIR/kernels.csv" "$DIR/samples.csv")
from_stdin() { "$GPUOA" -q --csv stalls report --by kernel - <"$DIR/samples.csv" | columns samples; }
check "report reads standard input" prints 1000 from_stdin

table() { "$GPUOA" stalls report -n 2 -k "$DIR/kernels.csv" "$DIR/samples.csv" 2>&1; }
check "a table shows percentages and reasons" says '^ *40\.0 +75\.0 +scoreboard 75% +scale +scale +kernels\.cl:6' table
functions() { "$GPUOA" stalls report -n 3 -k "$DIR/kernels.csv" "$DIR/samples.csv" 2>&1; }
check "a table distinguishes the functions of a line" says 'scoreboard 100% +scale +multiply +kernels\.cl:6' functions
check "a table begins with the totals" says '^1000 samples at 7 addresses, 95\.0 % in known kernels; 82\.0 % stalled' table
check "a table reports the rows left out" says '5 more rows; -n 0 prints all' table
check "a note counts samples in no kernel" says '50 of 1000 samples are in no known kernel' table

# Two processes at the same addresses: the same kernels, then different ones
{ cat "$DIR/kernels.csv"; sed -n 's/^200,/201,/p' "$DIR/kernels.csv"; } >"$DIR/two.csv"
check "report finds the lines of several processes" prints "$lines" by_line -k "$DIR/two.csv"
check "a note counts samples of several processes" \
	says '950 of 1000 samples are in kernels that several processes have' \
	"$GPUOA" stalls report -k "$DIR/two.csv" "$DIR/samples.csv"
echo 202,0x7001fffe5000,32,other, >>"$DIR/two.csv"
ambiguous() { by_kernel -k "$DIR/two.csv" | grep ambiguous; }
check "an address of different kernels is ambiguous" prints '[ambiguous: scale or other] 10 10' ambiguous
# Kernels without files, in 100,000 processes: the last one has another name.
processes() { # name of the last kernel
	awk -v last="$1" 'BEGIN {
		print "pid,address,size,kernel"
		for (i = 1; i <= 100000; i++) print i ",0xfffe5000,64," (i < 100000 ? "scale" : last) }' >"$DIR/processes.csv"
	timeout 20 "$GPUOA" -q --csv stalls report --by kernel -k "$DIR/processes.csv" "$DIR/samples.csv" |
		columns kernel samples | grep -v unknown
}
check "kernels of the same name and without files are one" prints 'scale 110' processes scale
check "an ambiguous address of many processes takes little time" prints '[ambiguous: scale or other] 110' processes other

# The process may be unknown.
sed 's/^200,/,/' "$DIR/kernels.csv" >"$DIR/no_pid.csv"
check "a process can be empty" prints "$lines" by_line -k "$DIR/no_pid.csv"

# A recording
# shellcheck disable=SC2120 # prints passes the arguments
from_recording() { "$GPUOA" -q --csv stalls report -k "$DIR/kernels.csv" "$@" | columns kernel line samples send scoreboard; }
recorded='scale 6 100 0 100
copy 12 30 30 0'
check "report reads a recording" prints "$recorded" from_recording "$DIR/stalls.data"
# shellcheck disable=SC2119 # no argument: the default
by_default() { cd "$DIR" && cp stalls.data gpuoa-stalls.data && from_recording; }
check "report reads gpuoa-stalls.data by default" prints "$recorded" by_default
export_recording() { "$GPUOA" export -q -f folded -k "$DIR/kernels.csv" "$DIR/stalls.data" | awk '{ sum += $NF } END { print sum }'; }
check "export reads a recording" prints 130 export_recording

# Raw records of Xe2: the address in units of 8 bytes, then counts
raw() { # address, send, scoreboard: at bits 61 and 77; end flag at bit 112
	local low high
	low=$((($1 >> 3) | ($2 & 7) << 61))
	high=$((($2 >> 3) | ($3 << 13) | 1 << 48))
	for word in $low $high 0 0 0 0 0 0; do
		for byte in 0 1 2 3 4 5 6 7; do
			# shellcheck disable=SC2059
			printf "\\x$(printf %x $((word >> 8 * byte & 255)))"
		done
	done
}
{ raw 0xfffe5040 7 100; raw 0xfffe5040 0 50; raw 0xfffe5300 200 0; } >"$DIR/raw"
from_raw() { "$GPUOA" -q --csv stalls report --raw xe2 -k "$DIR/kernels.csv" "$DIR/raw" | columns kernel line samples send scoreboard; }
check "--raw reads records" prints 'copy 10 200 200 0
scale 6 157 7 150' from_raw

raw_file() { "$GPUOA" --csv stalls report --by kernel --raw xe2 -k "$DIR/kernels.csv" "$1"; }
check "incomplete records are reported" says '1 records are incomplete' raw_file "$DIR/stalls.raw"
head -c 100 "$DIR/stalls.raw" >"$DIR/cut.raw"
check "a record that is cut off is reported" says 'cut.raw: the last record is cut off' raw_file "$DIR/cut.raw"

# A process substitution is a FIFO, which can be read once, and which may have no other end.
from_fifo() { "$GPUOA" -q --csv stalls report -k "$DIR/kernels.csv" <(cat "$DIR/samples.csv") | columns samples | paste -sd+ | bc; }
check "report reads a FIFO" prints 1000 from_fifo
mkfifo "$DIR/fifo.zebin"
printf 'address,kernel,file\n0x1000,scale,fifo.zebin\n' >"$DIR/fifo.csv"
fifo_source() {
	mkdir -p "$DIR/fifo" && mkfifo "$DIR/fifo/kernels.cl"
	timeout 20 "$GPUOA" stalls annotate --source "$DIR/fifo" -k "$DIR/kernels.csv" "$DIR/samples.csv"
}
check "a source that is a FIFO is not read" says 'cannot read the source: ' fifo_source
check "kernels that are a FIFO are not waited for" exits 1 'fifo.zebin: cannot read it: not a regular file' \
	timeout 20 "$GPUOA" stalls report -k "$DIR/fifo.csv" "$DIR/samples.csv"

# Errors
refuses() { # name, exit code, pattern, arguments
	check "$1" exits "$2" "$3" "$GPUOA" stalls "${@:4}"
}
echo 'address,send' >"$DIR/empty.csv"
check "a list that is empty is an error" exits 1 'cannot read it: the file is empty' "$GPUOA" stalls report <(true)
printf 'address,send\n0x10,1,2\n' >"$DIR/fields.csv"
printf 'address,send\n0x10,many\n' >"$DIR/number.csv"
printf 'time,send\n0x10,1\n' >"$DIR/columns.csv"
printf 'pid,address,kernel,file\n1,0x1000,other,kernels.zebin\n' >"$DIR/missing.csv"
printf 'pid,address,size,kernel\n4294967297,0x1000,64,other\n' >"$DIR/pid.csv"
printf 'PERFILE2 and nothing else' >"$DIR/damaged.data"
refuses "a file that does not exist is an error" 1 'nofile: No such file' report "$DIR/nofile"
refuses "a file without samples is an error" 1 'there are no samples' report "$DIR/empty.csv"
refuses "a line with too many fields is an error" 1 'fields.csv:2: the line does not have the 2 fields' report "$DIR/fields.csv"
refuses "a count that is no number is an error" 1 "number.csv:2: send: 'many' is not a number" report "$DIR/number.csv"
refuses "a process above 32 bits is an error" 1 "pid.csv:2: pid: '4294967297' is not a process" report -k "$DIR/pid.csv" "$DIR/samples.csv"
refuses "a damaged recording is an error" 1 "^gpuoa: $DIR/damaged.data: cannot read EU stalls: " report "$DIR/damaged.data"
refuses "a file without the columns is an error" 1 "no columns 'address' and" report "$DIR/columns.csv"
refuses "a kernel that the file lacks is an error" 1 'the file has no kernel other' report -k "$DIR/missing.csv" "$DIR/samples.csv"
refuses "an ELF file for CPUs is an error" 1 'for machine [0-9]+, not for Intel' report -k "$GPUOA" "$DIR/samples.csv"
refuses "a file that was not placed needs addresses" 1 'the name and the address of the kernel are missing' report -k "$DIR/kernels.zebin" "$DIR/samples.csv"
refuses "a kernel without samples is an error" 1 "no samples in the kernel 'x'" report --kernel x "$DIR/samples.csv"
refuses "an unknown reason is a wrong usage" 2 "unknown reason 'x'" report --reason x "$DIR/samples.csv"
refuses "an unknown key is a wrong usage" 2 "unknown key 'x'" report --by x "$DIR/samples.csv"
refuses "an unknown layout is a wrong usage" 2 "unknown layout 'x'" report --raw x "$DIR/samples.csv"
refuses "two files are a wrong usage" 2 'more than one FILE' report "$DIR/samples.csv" "$DIR/samples.csv"

# annotate
annotate() { "$GPUOA" -q stalls annotate -k "$DIR/kernels.csv" "$@" "$DIR/samples.csv"; }
scale_only() { annotate --kernel scale --source "$DIR"; }
check "annotate prints the samples beside the source" says '^ *84\.5 +83\.3 +scoreboard 83% +6  +x\[i\] \*= a;' scale_only
check "annotate prints lines around the sampled ones" says '^ +4  \{' scale_only
not_far() { fails grep -E ' 10  __kernel void copy' <(scale_only); }
check "annotate omits lines of other kernels" not_far
printf 'address,size,kernel\n0x1000,64,a\033[31mb\n' >"$DIR/control.csv"
check "annotate escapes control characters" says '^a\\x1b\[31mb: 5\.0 % of all samples' \
	"$GPUOA" -q stalls annotate -k "$DIR/control.csv" "$DIR/samples.csv"
check "annotate -a prints instructions" says '^ *28\.2 +100\.0 +scoreboard 100% +\+0x68' annotate -a --source "$DIR"
check "annotate without source prints line numbers" says '^ *84\.5 .* 6 ' annotate --source "$DIR/nowhere"
check "a note names the missing source" says '/src/kernels.cl: cannot read the source: No such file or directory; give its directory with --source' \
	"$GPUOA" stalls annotate -k "$DIR/kernels.csv" "$DIR/samples.csv"
annotated() { "$GPUOA" -q --csv stalls annotate --source "$DIR" -k "$DIR/kernels.csv" "$DIR/samples.csv" | grep -c 'x\[i\] \*= a;'; }
check "annotate writes the source as CSV" prints 1 annotated

# Dependencies of instructions
{
	echo address,scoreboard
	for offset in 000 010 020 030 040 044 050 068 070 328 338; do echo "0xfffe5$offset,10"; done
} >"$DIR/waits.csv"
waits() {
	"$GPUOA" -q --json stalls annotate -a -k "$DIR/kernels.csv" "$DIR/waits.csv" |
		jq -r '"\(.kernel) \(.offset) \(.producer_offset) \(.waits_for)"' | sort -k 1,1r -k 2,2n
}
check "annotate finds what instructions wait for" prints 'scale 0 null null
scale 16 null null
scale 32 null instruction 1 before it (int pipe)
scale 48 null null
scale 64 0 result of send at +0x0, kernels.cl:3
scale 68 null null
scale 80 112 sources of send at +0x70 of an earlier iteration, kernels.cl:6
scale 104 null sources of token 7
scale 112 null instruction 1 before it (any pipe)
copy 40 null instruction 1 before it (int pipe)
copy 56 40 result of send at +0x28, kernels.cl:12; instruction 2 before it (same pipe)' waits
check "annotate -a prints what instructions wait for" says '\+0x40  waits for result of send at \+0x0, kernels.cl:3$' \
	"$GPUOA" -q stalls annotate -a -k "$DIR/kernels.csv" "$DIR/waits.csv"
without_code() {
	printf 'address,size,kernel\n0x8001fffe5000,12,short\n' >"$DIR/short.csv"
	"$GPUOA" -q stalls annotate -a -k "$DIR/short.csv" "$DIR/waits.csv"
}
check "annotate -a needs no code" without_code

# Verdict
verdict_is() { # pattern, reason
	printf 'address,active,%s\n0x10,20,80\n' "$2" >"$DIR/verdict.csv"
	says "$1" "$GPUOA" -q stalls report "$DIR/verdict.csv"
}
check "report says what to try against stage 1" verdict_is \
	'^80\.0 % stalled: 80\.0 % had nothing to issue \(stage 1\), 0\.0 % .*most often scoreboard, 80\.0 %.* Try: .*prefetch' scoreboard
check "report says what to try against stage 2" verdict_is ' 0\.0 % had nothing .* 80\.0 % waited .* Try: fewer and larger memory messages' send
printf 'address,active,send\n0x10,90,10\n' >"$DIR/busy.csv"
check "report says that EUs are busy" says '^10\.0 % stalled: .*Try: the EUs are busy' "$GPUOA" -q stalls report "$DIR/busy.csv"

# Occupancy from OA reports of the same recording, which gpuoa report prints as well
"$BUILD/tools/tests/recordings" stalls "$DIR/occupied" || exit
occupancy() { # all intervals have the same number of clocks
	"$GPUOA" -q --json report "$DIR/occupied" | jq -rs 'def one: . * 10 | round / 10;
		(map(.XVE_ACTIVE) | add / length) as $active | (map(.XVE_STALL) | add / length) as $stalled |
		(map(.XVE_THREADS_OCCUPANCY_ALL) | add / length) as $threads |
		"RenderBasic: EUs had threads \($active + $stalled | one) % of the time (active \($active | one) %, " +
		"stalled \($stalled | one) %), and then in \(100 * $threads / ($active + $stalled) | one) % of their " +
		"thread slots. More threads can hide these stalls"' >"$DIR/expected"
	cat "$DIR/expected"
	"$GPUOA" -q stalls report "$DIR/occupied" | tee "$DIR/said" | grep -F -f "$DIR/expected" || { cat "$DIR/said" && false; }
}
check "report says how many threads EUs had" occupancy
check "the page says how many threads EUs had" says 'EUs had threads' sh -c \
	"'$GPUOA' -q stalls report --html '$DIR/page.html' '$DIR/occupied' && grep RenderBasic '$DIR/page.html'"
without_reports() { ! says 'EUs had threads' "$GPUOA" -q stalls report "$DIR/verdict.csv"; }
check "report of CSV has no occupancy" without_reports

# compare: half of the samples of line 6 become samples of line 12
sed 's/^0xfffe5040,100,0,300/0xfffe5040,0,0,200/; s/^0xfffe5338,10,200/0xfffe5338,10,400/; s/^0xfffe5000,10/0xfffe5020,10/' \
	"$DIR/samples.csv" >"$DIR/after.csv"
compared() { # arguments
	"$GPUOA" -q --csv stalls compare -k "$DIR/kernels.csv" "$@" "$DIR/samples.csv" "$DIR/after.csv"
}
compared_lines() { compared | columns difference kernel function line before_samples after_samples | sort -n; }
check "compare prints the difference of each line" prints '-20 scale scale 6 400 200
-1 scale scale 3 10 0
0 [unknown]   50 50
0 copy copy 10 30 30
0 scale multiply 6 200 200
1 scale scale 5 100 110
20 copy copy 12 210 410' compared_lines
compared_reasons() { compared --by reason | columns difference reason | head -3; }
check "compare prints the difference of each reason" prints '20 send
-10 active
-10 scoreboard' compared_reasons
check "compare prints a table" says '^ *40\.0 +20\.0 +-20\.0 +75\.0 +100\.0 +scale +scale +kernels.cl:6' \
	"$GPUOA" -q stalls compare -k "$DIR/kernels.csv" "$DIR/samples.csv" "$DIR/after.csv"
check "compare needs two recordings" exits 2 'two recordings are needed' "$GPUOA" stalls compare "$DIR/samples.csv"
check "compare refuses addresses" exits 2 'addresses cannot be compared' compared --by address

# The page, in a browser: it must draw the graph and the sources without any other file.
sed -i 's|^__kernel void copy|/* </script><b> */ __kernel void copy|; $a\\\n\n\n\n/* far away */' "$DIR/kernels.cl"
write_page() { "$GPUOA" -q stalls report --html "$DIR/page.html" --source "$DIR" -k "$DIR/kernels.csv" "$DIR/samples.csv"; }
check "report --html writes a page" write_page
check "the page has no lines far from samples" fails grep 'far away' "$DIR/page.html"
check "a note names a source that the page lacks" says '/src/kernels.cl: cannot read the source: No such file or directory; give its directory with --source' \
	"$GPUOA" stalls report --html "$DIR/none.html" -k "$DIR/kernels.csv" "$DIR/samples.csv"
cp "$DIR/stalls.data" "$DIR/kept.data"
check "a page does not replace a recording" exits 1 'kept.data: cannot write the page: the file is a recording' \
	"$GPUOA" stalls report --html "$DIR/kept.data" "$DIR/samples.csv"
check "the recording is not changed" cmp "$DIR/stalls.data" "$DIR/kept.data"
has_no_links() { fails grep -E '(src|href)=|https?:|url\(' "$DIR/page.html"; }
check "the page loads nothing" has_no_links
check "an unwritable page is an error" exits 1 'cannot write /no/such/page.html' "$GPUOA" stalls report --html /no/such/page.html "$DIR/samples.csv"
in_browser() { # page, pattern...
	local page=$1 pattern
	shift
	command -v chromium >/dev/null || { echo "chromium is not installed"; return $SKIPPED; }
	[ -s "$DIR/$page.dom" ] || timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$DIR/chromium" \
		--virtual-time-budget=5000 --dump-dom "file://$DIR/$page.html" >"$DIR/$page.dom" 2>"$DIR/chromium.log" || { tail -3 "$DIR/chromium.log" && return 1; }
	for pattern; do
		grep -qE -e "$pattern" "$DIR/$page.dom" || { echo "no $pattern" && return 1; }
	done
}
check "a browser draws the flame graph" in_browser page 'title="scale: 710 samples, 71\.0 %"' 'title="multiply: 200 samples, 20\.0 %"' \
	'title="scoreboard: 300 samples, 30\.0 %"' '1000 samples at 7 addresses, 82\.0 % stalled'
check "a browser shows the sources" in_browser page '60\.0 %</td><td class="number">83\.3 % stalled</td><td class="reasons">scoreboard 83 %' \
	'/\* &lt;/script&gt;&lt;b&gt; \*/ __kernel void copy'
# A line as in a damaged line table: the page must not have a row for each line up to it.
sed 's/"12":\[/"4294967295":[/' "$DIR/page.html" >"$DIR/damaged.html"
check "a browser shows a line that is far away" in_browser damaged '<td class="number line">4294967295</td>'

# Exports
export_as() { "$GPUOA" export -q -k "$DIR/kernels.csv" -f "$1" "$DIR/samples.csv"; }
for format in folded pprof speedscope; do
	export_as $format >"$DIR/$format" || exit
done
folded() { sort "$DIR/folded" | head -3; sed 's/.* //' "$DIR/folded" | paste -sd+ | bc; }
check "folded stacks have all samples" prints '[unknown];0x1000;other 50
process 200;copy;kernels.cl:10;+0x0;active 20
process 200;copy;kernels.cl:10;+0x0;sync 10
1000' folded
in_function() { grep -xc 'process 200;scale;multiply;kernels.cl:6;+0x68;scoreboard 200' "$DIR/folded"; }
check "folded stacks have functions" prints 1 in_function
flame_graph() {
	command -v flamegraph.pl >/dev/null || { echo "flamegraph.pl is not installed"; return $SKIPPED; }
	flamegraph.pl "$DIR/folded" >"$DIR/flame.svg" && grep 'multiply (200 samples' "$DIR/flame.svg"
}
check "flamegraph.pl draws the stacks" flame_graph

# Sum up the samples of speedscope's stacks by the frames of lines, and check all indexes.
speedscope() {
	jq -r '.shared.frames as $frames | .profiles[0] as $profile |
		if (.["$schema"] != "https://www.speedscope.app/file-format-schema.json" or $profile.type != "sampled" or
			$profile.endValue != ($profile.weights | add) or ($profile.samples | length) != ($profile.weights | length) or
			([$profile.samples[][]] | max) != ($frames | length) - 1) then "invalid" else empty end,
		([range($profile.weights | length) | { weight: $profile.weights[.], stack: [$profile.samples[.][] | $frames[.]] }] |
			map({ weight, line: (.stack[] | select(.file == "/src/kernels.cl") | .line) }) | group_by(.line)[] |
			"\(.[0].line) \(map(.weight) | add)")' "$DIR/speedscope"
}
check "speedscope has the samples of each line" prints '3 10
5 100
6 600
10 30
12 210' speedscope
# Names of kernels of SYCL programs are mangled and long, and often differ at their end only.
long=$(printf '%0600d' 0)
printf 'address,size,kernel\n0x1000,64,%sone\n0x2000,64,%stwo\n' "$long" "$long" >"$DIR/long.csv"
printf 'address,send\n0x1000,1\n0x2000,2\n' >"$DIR/long_samples.csv"
long_names() { # format
	"$GPUOA" export -q -f "$1" -k "$DIR/long.csv" "$DIR/long_samples.csv" | grep -Eo '0(one|two)'
}
check "folded stacks have whole names of kernels" prints "0one
0two" long_names folded
check "speedscope has whole names of kernels" prints "0one
0two" long_names speedscope
names() { # the export with a suffix equals that of the format
	"$GPUOA" export -q -k "$DIR/kernels.csv" -o "$DIR/out.$1" "$DIR/samples.csv" && cmp "$DIR/out.$1" "$DIR/$2"
}
check "the suffix selects folded" names folded folded
check "the suffix selects pprof" names pb pprof
suffix_speedscope() { # its name is that of the input
	names speedscope.json speedscope
}
check "the suffix selects speedscope" suffix_speedscope

# Sum up the values of samples by the lines of their locations.
pprof_lines() {
	protoc -Itools/tests --decode=perftools.profiles.Profile pprof.proto <"$DIR/pprof" >"$DIR/pprof.txt" || return
	awk '
		/^[a-z_]+ \{/ { what = $1; delete value; values = 0; next }
		/^string_table:/ { text = $0; sub(/^string_table: "/, "", text); sub(/"$/, "", text); string[strings++] = text }
		what == "sample_type" && $1 == "type:" { type[types++] = $2 }
		what == "sample" && $1 == "value:" { value[values++] = $2 }
		what == "sample" && $1 == "location_id:" { place = $2 }
		what == "location" && /^  id:/ { place = $2 }
		what == "location" && $1 == "line:" { line[place] = $2 }
		what == "location" && $1 == "function_id:" { function_of[place] = $2 }
		what == "function" && $1 == "id:" { id = $2 }
		what == "function" && $1 == "name:" { name[id] = $2 }
		/^}/ && what == "sample" { for (i = 0; i < values; i++) samples[place, i] += value[i]; places[place] = 1 }
		END {
			for (i = 0; i < types; i++) if (string[type[i]] == "scoreboard") at = i
			for (place in places)
				print string[name[function_of[place]]], line[place] + 0, samples[place, 0] + 0, samples[place, 1] + 0, samples[place, at] + 0
		}' "$DIR/pprof.txt" | sort
}
check_pprof() {
	command -v protoc >/dev/null || { echo "protoc is not installed"; return $SKIPPED; }
	prints '[unknown] 0 50 50 0
copy 10 30 10 0
copy 12 210 200 0
multiply 6 200 200 200
scale 3 10 0 0
scale 5 100 60 40
scale 6 400 300 300' pprof_lines
}
check "pprof has the samples of each line" check_pprof
go_pprof() {
	command -v go >/dev/null || { echo "go is not installed"; return $SKIPPED; }
	go tool pprof -sample_index=scoreboard -top "$DIR/pprof" | grep -E '^ +340 .* scale$'
}
check "go tool pprof reads the profile" go_pprof

# Stalls over time: windows of 10 ms, at 10, 20 and 30 ms
over_time() {
	"$GPUOA" export -q -f chrome "$DIR/stalls.data" |
		jq -r '.traceEvents[] | select(.ph == "C") | "\(.pid) \(.ts + 0) \(.args.scoreboard) \(.args.send)"'
}
check "chrome has the stalls of each window" prints '1 10000 6 0
1 20000 4 0
1 30000 0 3
1 40000 0 0' over_time
perfetto_alone() { # CLOCK_MONOTONIC (3) is the clock of the trace and of each counter
	command -v protoc >/dev/null || { echo "protoc is not installed"; return $SKIPPED; }
	"$GPUOA" export -q -f perfetto -o "$DIR/stalls.pftrace" "$DIR/stalls.data" || {
		"$GPUOA" export -f perfetto "$DIR/stalls.data" 2>&1 | grep 'without protobuf-c' && return $SKIPPED
		return 1
	}
	protoc --decode_raw <"$DIR/stalls.pftrace" >"$DIR/raw" && grep -qx '    2: 3' "$DIR/raw" &&
		prints 10 grep -cx '      6: "samples/ms"' "$DIR/raw" && prints 40 grep -c '^    44: 0x' "$DIR/raw" &&
		prints 40 grep -cx '  58: 3' "$DIR/raw"
}
check "perfetto has the stalls of a recording without OA reports" perfetto_alone
check "chrome names the GPU" says '0000:00:02.0 \(Lunar Lake\): EU stalls' "$GPUOA" export -q -f chrome "$DIR/stalls.data"
check "--clock leaves the stalls out" says 'EU stalls are left out' "$GPUOA" export -f chrome --clock gpu "$DIR/stalls.data"

# More than fits in the buffer of stdio
awk 'BEGIN { print "address,send"; for (i = 1; i < 5000; i++) print 8 * i ",1" }' >"$DIR/many.csv"
ln -s /dev/full "$DIR/full.folded"
check "an output that cannot be written is an error" exits 1 'cannot write .*/full.folded: No space left' \
	"$GPUOA" export -q -o "$DIR/full.folded" "$DIR/many.csv"
check "metrics are refused in exports of stalls" exits 2 '-f folded writes EU stall samples' \
	"$GPUOA" export -f folded -s RenderBasic "$DIR/samples.csv"
check "kernels are refused in exports of metrics" exits 2 '-k and --raw are for EU stall samples' \
	"$GPUOA" export -f csv -k "$DIR/kernels.csv" "$DIR/samples.csv"
echo "1..$number"
