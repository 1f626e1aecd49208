# compare.awk: compare metrics from `gpuoa report --total --json` with the simulator's reference;
# status 1 unless they agree
#
# Input: the simulator's debugfs file `truth`. Variable `totals`: the JSON object, one line of
# "key": value pairs. Prints the first $rows metrics and all that differ.

BEGIN {
	if (!rows)
		rows = 6
	n = split(substr(totals, 2, length(totals) - 2), pairs, /, */)
	for (i = 1; i <= n; i++) {
		split(pairs[i], pair, /: */)
		gsub(/["{} ]/, "", pair[1])
		value[pair[1]] = pair[2]
	}
	printf "%-24s %20s %20s  %s\n", "METRIC", "MEASURED", "TRUTH", "AGREE"
}

$1 == "metric" && $2 in value {
	split($3, fraction, "/")
	measured = value[$2]
	seen[$2] = 1
	compared++
	if (fraction[2] == "1") {
		truth = fraction[1]
		# Compare as text: numbers may need more digits than a double has.
		verdict = measured == truth "" ? "exactly" : "NO"
	} else {
		truth = fraction[2] == 0 ? 0 : fraction[1] / fraction[2]
		# No exponent for numbers below 10^12
		truth = sprintf(truth < 1e8 ? "%.9g" : "%.12g", truth)
		off = measured - truth
		if (off < 0)
			off = -off
		if (truth == 0)
			verdict = off == 0 ? "exactly" : "NO"
		else
			verdict = off > truth * 0.001 ? "NO" : off ? sprintf("to %.1e", off / truth) : "to all digits"
	}
	if (verdict == "NO")
		wrong++
	if (compared <= rows || verdict == "NO")
		printf "%-24s %20s %20s  %s\n", $2, measured, truth, verdict
	else if (compared == rows + 1)
		print "..."
}

END {
	for (key in value)
		if (key !~ /_(ticks|ns)$/ && !(key in seen))
			untold = untold " " key
	printf "\n%d metrics compared, %d disagree\n", compared, wrong
	if (untold != "")
		printf "Without a truth:%s\n", untold
	exit wrong || !compared || untold != ""
}
