#!/bin/bash
# Test gpuoa report and gpuoa plot: numbers against those of --csv, pictures by their pixels, pages
# in Chromium. Prints TAP.
set -u
. "$(dirname "$0")/host.sh"
BIN=$BUILD/tools

for kind in clocks game long calm calm_again busier one contexts markup; do
	"$BIN/tests/recordings" $kind "$DIR/$kind.data" || exit 1
done
cd "$DIR" || exit 1

# ---- summary ---------------------------------------------------------------------------------------

# Print the minimum, mean, 99th percentile and maximum of the last column of --csv. Intervals have
# equal lengths.
of_rows() { # recording, metric
	"$GPUOA" report -q --csv -m "$2" "$1" | sed 1d | cut -d, -f2 | sort -g | awk -v OFMT=%.12g '
		{ value[NR] = $1; sum += $1 }
		END { rank = int(NR * 0.99); if (rank < NR * 0.99) rank++; print value[1], sum / NR, value[rank], value[NR] }'
}
summary() { # recording, metric, keys
	"$GPUOA" report -q --summary --json -m "$2" "$1" | jq -r "[$3]|@tsv"
}
near() { # relative error, numbers, numbers; compares pairwise
	awk -v share="$1" -v left="$2" -v right="$3" 'BEGIN {
		n = split(left, l, /[ \t]+/); m = split(right, r, /[ \t]+/)
		for (i = 1; i <= n; i++) {
			size = r[i] < 0 ? -r[i] : r[i]
			off = l[i] > r[i] ? l[i] - r[i] : r[i] - l[i]
			bad += off > share * size + 1e-12
		}
		if (n != m || bad) print left, "is not", right
		exit n != m || bad > 0
	}'
}
check "summary equals rows" near 1e-6 "$(summary game.data GpuBusy .min,.mean,.p99,.max)" "$(of_rows game.data GpuBusy)"
per_second() { # numbers per interval of 5.12 us
	awk '{ for (i = 1; i <= NF; i++) printf "%.10g ", $i / 5.12e-6 }' <<<"$1" | sed 's/ $//'
}
check "counts are summarized as rates" near 1e-6 "$(summary game.data VsThreads .min,.mean,.p99,.max)" \
	"$(per_second "$(of_rows game.data VsThreads)")"
check "sum equals that of --total" near 1e-9 "$(summary game.data VsThreads .sum)" \
	"$("$GPUOA" report -q --json --total -m VsThreads game.data | jq .VsThreads)"
check "ratios have no sum" [ "$(summary game.data GpuBusy .sum,.level_units)" = $'\t%' ]
check "99th percentile of few rows is exact" [ "$(summary game.data GpuBusy .p99_error)" = 0 ]
check "99th percentile of many rows is within the stated error" near "$(summary long.data GpuBusy .p99_error)" \
	"$(summary long.data GpuBusy .p99)" "$(of_rows long.data GpuBusy | cut -d' ' -f3)"
check "other values are exact" near 1e-6 "$(summary long.data GpuBusy .min,.mean,.max)" "$(of_rows long.data GpuBusy | cut -d' ' -f1,2,4)"
check "summary states the error" says 'P99 is right to within 0.4 %' "$GPUOA" report long.data
# The clock of this recording is four times as fast when the GPU is busy.
mean_by() { # column of the weight, column of the ratio: 2 is time, 3 clocks, 4 GpuBusy, 5 EuActive
	"$GPUOA" report -q --csv -m GpuTime,GpuCoreClocks,GpuBusy,EuActive clocks.data |
		awk -F, -v w="$1" -v s="$2" 'NR > 1 { sum += $w * $s; all += $w } END { printf "%.12g", sum / all }'
}
check "mean is weighted by clocks, over_time by time" near 1e-6 "$(summary clocks.data GpuBusy .mean,.over_time)" \
	"$(mean_by 3 4) $(mean_by 2 4)"
check "over_time of EuActive equals the mean of its rows" near 1e-6 "$(summary clocks.data EuActive .over_time)" "$(mean_by 2 5)"
check "over_time exists for ratios only" [ "$(summary clocks.data GpuCoreClocks .over_time)" = '' ]
check "table prints means over time below" says "^Mean over time: GpuBusy $(printf '%.1f' "$(mean_by 2 4)") %, EuActive [0-9.]+ %" \
	"$GPUOA" report -q clocks.data
check "table prints means over time of -m" says '^Mean over time: EuStall [0-9.]+ %$' "$GPUOA" report -q -m EuStall,GpuTime clocks.data
"$BIN/tests/recordings" bmg bmg.data || exit 1
units() { # arguments of report; prints the units of a bandwidth
	"$GPUOA" report -q --json "$@" | jq -r 'select(.symbol == "GPU_MEMORY_BYTE_READ_RATE").units'
}
check "summary prints bandwidth in GB/s" [ "$(units --summary bmg.data)" = GB/s ]
check "comparison prints bandwidth in GB/s" [ "$(units --diff bmg.data bmg.data)" = GB/s ]
check "totals print bandwidth in GB/s" says '^ +[0-9.]+ +GB/s +GPU_MEMORY_BYTE_READ_RATE ' "$GPUOA" report -q --total bmg.data
check "no output contains gbps" bash -c "! { '$GPUOA' report -q --summary --csv bmg.data; '$GPUOA' report -q --total bmg.data; } | grep gbps"
check "table prints the measured time" says '^15.3 ms of GPU time, 2998 intervals of 5.12 us on average$' "$GPUOA" report -q game.data
check "table prints the missing time" says '^1 gap of 1.03 ms altogether, 200 reports lost$' "$GPUOA" report -q game.data
check "table fits the terminal" bash -c "
	for columns in 80 100 132 200; do
		widest=\$(LC_ALL=C.UTF-8 COLUMNS=\$columns '$GPUOA' report -q game.data | LC_ALL=C.UTF-8 wc -L)
		[ \$widest -le \$columns ] && [ \$widest -gt \$((columns * 3 / 4)) ] || { echo \$widest of \$columns; exit 1; }
	done"
check "bars are relative to the maximum" says '^GpuBusy .* 49.5 .* % +██████░░░░░░$' env LC_ALL=C.UTF-8 COLUMNS=80 "$GPUOA" report -q game.data
check "bars are ASCII in the C locale" says '^GpuBusy .* 49.5 .* % +######------$' env LC_ALL=C COLUMNS=80 "$GPUOA" report -q game.data
check "file output has no color" bash -c "'$GPUOA' report -q game.data | { ! grep -q $'\\033'; }"
check "metrics that are always 0 are listed together" says '^Always 0: HsThreads' "$GPUOA" report -q game.data
check "metric selected by -m is printed even if always 0" says '^HsThreads +0 +0' "$GPUOA" report -q -m HsThreads game.data
check "recording of one report has no interval" says 'no interval' "$GPUOA" report one.data
check "-m pattern selects metrics of a report" [ "$("$GPUOA" report -q --csv -m 'Eu*' game.data | head -1)" = timestamp_ns,EuActive,EuStall,EuIdle ]
check "-m pattern without a match is an error of report" exits 1 "cannot use -m 'Nothing\*': no metric matches" \
	"$GPUOA" report -m 'Nothing*' game.data
check "kinds exclude each other" exits 2 'more than one kind of report' "$GPUOA" report --marks --summary game.data
check "--time in ticks selects a part" [ "$("$GPUOA" report -q --csv -m GpuTime --time 2000t,4000t \
	game.data | wc -l)" = 31 ]

# ---- damage ------------------------------------------------------------------------------------------

# Overwrite 4 KiB of reports within a sample with random data.
damage() { # recording, copy
	local at
	at=$(grep -obUa GOA1 "$1" | sed -n 20p | cut -d: -f1)
	cp "$1" "$2"
	seq 20000 | gzip -n | head -c 4096 | dd of="$2" bs=4096 seek=$((at + 8000)) oflag=seek_bytes conv=notrunc status=none
}
damage game.data damaged.data
DAMAGED='the recording is damaged: reports contradict those around them; they are left out'
# The summary is printed after the messages about the damage.
"$GPUOA" report damaged.data >out 2>&1
check "damaged recording returns 1" [ $? = 1 ]
check "damage is printed before the summary" grep -q "$DAMAGED" <(head -n 1 out)
check "number of damaged reports is printed" grep -q '17 damaged reports were left out$' out
check "summary excludes damaged reports" grep -q '^15.3 ms of GPU time, 2980 intervals' out
fails_with_damage() { # command...
	"$@" >out 2>err
	[ $? = 1 ] && grep -q "$DAMAGED" err && [ -s out ]
}
check "rows exclude damaged reports" fails_with_damage "$GPUOA" report --csv damaged.data
check "export excludes damaged reports" fails_with_damage "$GPUOA" export -f csv damaged.data
# shellcheck disable=SC2016 # the fields are awk's
check "rows have no values of damaged reports" awk -F, 'NR > 1 && ($1 > 100 || $1 < 0) { bad = 1 } END { exit bad || NR < 2000 }' \
	<("$GPUOA" report -q --csv -m GpuBusy damaged.data 2>/dev/null | cut -d, -f2)
check "summary has no values of damaged reports" bash -c "'$GPUOA' report -q --summary --json -m GpuBusy damaged.data 2>/dev/null | jq -e '.max <= 100'"

# ---- contexts --------------------------------------------------------------------------------------

contexts() { # jq filter over all rows
	"$GPUOA" report -q --contexts --json -m GpuTime,GpuBusy contexts.data | jq -rs "$1"
}
check "--contexts prints a row per context" [ "$(contexts 'map(.context_id) | sort | @csv')" = 0,256,257 ]
check "each interval belongs to one context" [ "$(contexts 'map(.intervals) | add')" = 999 ]
check "time of contexts equals that of their intervals" [ "$(contexts 'map(.GpuTime) | add')" = "$("$GPUOA" report -q --json --total -m GpuTime contexts.data | jq .GpuTime)" ]
# Reports 3n to 3n+2 have the ID of the context that runs in the interval after each.
check "counts of a context equal those of its intervals" near 1e-6 "$(contexts '.[] | select(.context_id == 256) | .GpuBusy')" \
	"$("$GPUOA" report -q --csv -m GpuBusy contexts.data | sed 1d | awk -F, '{ from = NR - 1 } from && int(from / 3) % 2 == 1 { sum += $2; n++ } END { print sum / n }')"
check "table has a column per context" says '^CONTEXT +0x101 +0x100 +0x0$' "$GPUOA" report -q --contexts contexts.data
check "context has the name of its process" [ "$(contexts 'map(select(.context_id == 256))[0] | "\(.program) \(.process)"')" = "painter 4321" ]
check "unknown context has no name" [ "$(contexts 'map(select(.context_id != 256)) | all(.program == null and .process == null)')" = true ]
check "table prints process names above the values" says '^program +painter' "$GPUOA" report -q --contexts contexts.data
check "--contexts of Haswell is an error" says 'have no contexts' "$GPUOA" report --contexts game.data

# ---- diff ------------------------------------------------------------------------------------------

difference() { # recording, recording, jq filter of GpuBusy
	"$GPUOA" report -q --diff --json -m GpuBusy,GpuTime "$1" "$2" | jq -rs ".[0] | $3"
}
check "--diff of a recording with itself has no difference" [ "$(difference calm.data calm.data '.p_corrected, .significant' | xargs)" = "1 false" ]
check "--diff ignores random differences" [ "$(difference calm.data calm_again.data .significant)" = false ]
check "--diff detects a busier recording" [ "$(difference calm.data busier.data '.significant, .p_corrected < 1e-6' | xargs)" = "true true" ]
check "--diff prints the size of the difference" near 0.02 "$(difference calm.data busier.data .difference)" 5
check "difference is within its margin" [ "$(difference calm.data busier.data '(.difference - 5 | fabs) < .margin')" = true ]
check "--diff means equal those of the summary" near 1e-6 "$(difference calm.data busier.data .a,.b | xargs)" \
	"$(summary calm.data GpuBusy .mean) $(summary busier.data GpuBusy .mean)"
check "table marks differences" says '^GpuBusy .*\+10.1 % .* <0.001 \* %$' "$GPUOA" report --diff calm.data busier.data
check "--diff takes two recordings" exits 2 'compares two' "$GPUOA" report --diff calm.data
check "--diff requires intervals in both recordings" exits 1 'no interval' "$GPUOA" report --diff calm.data one.data
check "--diff compares common metrics" says 'GpuBusy' "$GPUOA" report -q --diff calm.data contexts.data

check "table prints the recordings" says '^A: calm.data \(RenderBasic of gpuoa0, Haswell, every 5.12 us\)$' \
	"$GPUOA" report --diff calm.data busier.data
no_warning_for_equal_gpus() { ! "$GPUOA" report --diff calm.data busier.data 2>&1 >/dev/null | grep -E 'differ|different'; }
check "--diff of equal GPUs prints no warning" no_warning_for_equal_gpus
check "--diff of different GPUs prints a warning" says 'GPUs differ' "$GPUOA" report --diff calm.data contexts.data
compute() { "$GPUOA" report -q -s ComputeBasic --total -m GpuTime calm.data; }
check "-s selects another set" compute
check "-s with another set prints a warning" says 'recorded with RenderBasic and evaluated as ComputeBasic' "$GPUOA" report -s ComputeBasic calm.data
no_warning() { ! "$GPUOA" report -s RenderBasic calm.data 2>&1 >/dev/null | grep 'evaluated as'; }
check "-s with the same set prints no warning" no_warning

# ---- pages -----------------------------------------------------------------------------------------

check "--html writes a page" says 'game.data.html: page written' "$GPUOA" report --html game.data
check "-o selects the page's file" "$GPUOA" report -q --html -o page.html long.data
check "page has no external resources" bash -c "! grep -aoE '(src|href)=|url\\(|@import|https?:' game.data.html"
check "page has a heading without its script" grep -q '<h1>[^<]' game.data.html
in_landmarks() { # children of the body, for screen readers
	sed -n '/<body>/,/<script/p' game.data.html | sed '/<header>/,/<\/header>/d; /<nav/,/<\/nav>/d; /<main>/d; /<noscript>/d' >rest
	! grep -E '<(div|span|p|button)' rest
}
check "text of the page is in landmarks" in_landmarks
check "size of the page is limited" [ "$(stat -c %s page.html)" -lt 4000000 ]
check "unwritable page is an error" exits 1 'No such file' "$GPUOA" report -q --html -o nowhere/page.html game.data
check "failed --html leaves no page" bash -c "! '$GPUOA' report -q --html -m Nothing -o none.html game.data && [ ! -e none.html ]"
name='<img src=x onerror=alert(1)>.data'
mv markup.data "$name"
check "names are escaped in the page" bash -c "'$GPUOA' report -q --html -o markup.html '$name' &&
	! grep -F '<img' markup.html && [ \$(grep -c '</script>' markup.html) = 2 ]"

chromium() { # arguments; prints the end of its stderr if it fails
	timeout 120 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$DIR/chromium" \
		--virtual-time-budget=10000 "$@" 2>"$DIR/chromium.log" || { tail -5 "$DIR/chromium.log"; false; }
}
# Print a metric's exact value from a page: the title attribute of its value.
shown() { # page, metric
	grep -o "data-symbol=\"$2\".*" "$1" | grep -oE 'class="value"[^>]*title="[^"]*"|title="[^"]*"[^>]*class="value"' | head -1 |
		sed 's/.*title="\([^" ]*\).*/\1/'
}
pixels() { # picture, colours
	"$BIN/tests/pixels" "$@"
}

if ! type -P chromium >/dev/null; then
	skip "pages in a browser" "chromium is not installed"
else
	# The middle of interval 1000, which ends 1000 intervals after the first report
	middle=0.00511744
	chromium --dump-dom "file://$DIR/game.data.html#metrics=GpuBusy,VsThreads&at=$middle" >dom
	row() { # metric
		"$GPUOA" report -q --csv -m "$1" game.data | sed -n 1001p | cut -d, -f2
	}
	check "page draws in a browser" grep -q 'data-ready="yes"' dom
	check "value at the cursor equals --csv" near 1e-6 "$(shown dom GpuBusy)" "$(row GpuBusy)"
	check "value at the cursor is a rate for counts" near 1e-6 "$(shown dom VsThreads)" "$(per_second "$(row VsThreads)")"
	check "page shows gaps, losses and marks" grep -qF '1 gap (hatched), 200 reports lost, 1 mark.' dom
	check "page allows selecting metrics" bash -c "[ \$(grep -o 'class=\"track\"' dom | wc -l) = 2 ]"
	# Report 1500 comes 200 periods late.
	chromium --dump-dom "file://$DIR/game.data.html#metrics=GpuBusy&at=0.008" >dom
	check "cursor in a gap shows no value" grep -qF '>no reports<' dom
	chromium --dump-dom "file://$DIR/markup.html" >dom
	check "page shows names unchanged" grep -qF '&lt;img src=x onerror=alert(1)&gt;.data</h1>' dom
	check "page shows the unit's name" grep -qF "&lt;/script&gt;&lt;i&gt;&amp;'\"" dom
	if [ ! -x "$BIN/tests/pixels" ]; then
		skip "pages look as they should" "cairo is not installed"
	else
		chromium --window-size=1000,700 --screenshot="$DIR/light.png" "file://$DIR/game.data.html" >/dev/null
		chromium --window-size=1000,700 --screenshot="$DIR/dark.png" --blink-settings=preferredColorScheme=0 \
			"file://$DIR/game.data.html" >/dev/null
		# paper, a line of the first track, a gap, a mark
		check "light page has a light background and all parts" bash -c "
			read -r w h colours paper track gap mark <<<\"\$('$BIN/tests/pixels' light.png ffffff 2563b8-ffffff c9ced6 c2410c)\"
			[ \$w = 1000 ] && [ \$h = 700 ] && [ \$colours -gt 50 ] && [ \$paper -gt 200000 ] && [ \$track -gt 200 ] && [ \$gap -gt 100 ] && [ \$mark -gt 20 ] ||
				{ '$BIN/tests/pixels' light.png ffffff 2563b8-ffffff c9ced6 c2410c; false; }"
		check "dark page has a dark background" bash -c "
			read -r w h colours paper track gap mark <<<\"\$('$BIN/tests/pixels' dark.png 14171b 6ba6f0-14171b 444c57 fb923c)\"
			[ \$paper -gt 200000 ] && [ \$track -gt 200 ] && [ \$gap -gt 100 ] && [ \$mark -gt 20 ] ||
				{ '$BIN/tests/pixels' dark.png 14171b 6ba6f0-14171b 444c57 fb923c; false; }"
	fi
fi

# ---- pictures --------------------------------------------------------------------------------------

if [ ! -x "$BIN/gpuoa-plot" ]; then
	skip "pictures are drawn" "gpuoa-plot is not built: libcairo2-dev is not installed"
else
	check "plot draws an SVG" "$GPUOA" plot -q game.data
	command -v python3 >/dev/null || skip "SVG is well-formed" "python3 is not installed"
	! command -v python3 >/dev/null || check "SVG is well-formed" python3 -c 'import sys, xml.etree.ElementTree as t
root = t.parse(sys.argv[1]).getroot()
assert root.tag == "{http://www.w3.org/2000/svg}svg", root.tag
assert root.get("width", "").startswith("1200"), root.get("width")
assert len(root.findall(".//{http://www.w3.org/2000/svg}path")) > 50' game.data.svg
	check "plot draws a PNG" "$GPUOA" plot -q -o game.png --size 900x500 game.data
	check "--size sets the size of the picture" bash -c "
		read -r w h colours paper track gap mark <<<\"\$('$BIN/tests/pixels' game.png ffffff 2563b8-ffffff c9ced6 c2410c)\"
		[ \$w = 900 ] && [ \$h = 500 ] && [ \$colours -gt 50 ] && [ \$paper -gt 100000 ] && [ \$track -gt 100 ] && [ \$gap -gt 100 ] && [ \$mark -gt 20 ] ||
			{ '$BIN/tests/pixels' game.png ffffff 2563b8-ffffff c9ced6 c2410c; false; }"
	check "--theme dark draws a dark picture" bash -c "'$GPUOA' plot -q -o dark.png --theme dark game.data &&
		read -r w h colours paper rest <<<\"\$('$BIN/tests/pixels' dark.png 14171b)\" && [ \$paper -gt 100000 ]"
	check "picture without gaps marks none" bash -c "'$GPUOA' plot -q -o calm.png calm.data &&
		[ \"\$('$BIN/tests/pixels' calm.png c9ced6 c2410c | cut -d' ' -f4-)\" = '0 0' ]"
	# Tracks share the remaining height; below a minimum height, the picture is rejected.
	check "omitted metrics are reported" exits 2 'do not fit; give a height of' "$GPUOA" plot -q --size 900x100 -o x.png game.data
	check "plot -m selects metrics" bash -c "'$GPUOA' plot -q -m GpuBusy -o one.png game.data &&
		read -r w h rest <<<\"\$('$BIN/tests/pixels' one.png)\" && [ \$h -lt 260 ]"
	check "-m pattern selects metrics of a picture" "$GPUOA" plot -q -m 'Eu*' -o pattern.svg game.data
	check "-m pattern without a match is an error of plot" exits 1 "cannot use -m 'Nothing\*': no metric matches" \
		"$GPUOA" plot -q -m 'Nothing*' -o none.svg game.data
	check "other picture formats are rejected" exits 2 'ends with .svg or .png' "$GPUOA" plot -o x.jpg game.data
	check "unknown theme is rejected" exits 2 'unknown theme' "$GPUOA" plot --theme pink game.data
	check "invalid size is rejected" exits 2 'size: cannot use' "$GPUOA" plot --size big game.data
	check "unwritable picture is an error" exits 1 'nowhere/x.svg' "$GPUOA" plot -q -o nowhere/x.svg game.data
	check "recording without intervals cannot be plotted" exits 1 'no interval' "$GPUOA" plot -o x.png one.data
	check "plot --help prints help" says '^Usage: gpuoa plot' "$GPUOA" plot --help
fi

echo "1..$number"
