# compare.awk: compare metrics from `gpuoa report --total --json` with reference values; status 1
# unless they agree
#
# Input: the output of lib/tests/reference_metrics. Variable `totals`: the JSON object, one line of
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
	printf "%-24s %20s %20s  %s\n", "METRIC", "MEASURED", "REFERENCE", "AGREE"
}

$1 in value {
	reference = $2
	measured = value[$1]
	seen[$1] = 1
	compared++
	if (reference !~ /\./) {
		# Compare numbers as text, because they may need more digits than a double has.
		verdict = measured == reference "" ? "exactly" : "NO"
	} else {
		# Do not use an exponent for numbers below 10^12.
		reference = sprintf(reference < 1e8 ? "%.9g" : "%.12g", reference)
		off = measured - reference
		if (off < 0)
			off = -off
		if (reference == 0)
			verdict = off == 0 ? "exactly" : "NO"
		else
			verdict = off > reference * 0.001 ? "NO" : off ? sprintf("to %.1e", off / reference) : "to all digits"
	}
	if (verdict == "NO")
		wrong++
	if (compared <= rows || verdict == "NO")
		printf "%-24s %20s %20s  %s\n", $1, measured, reference, verdict
	else if (compared == rows + 1)
		print "..."
}

END {
	for (key in value)
		if (key !~ /_(ticks|ns)$/ && !(key in seen))
			missing = missing " " key
	printf "\n%d metrics compared, %d disagree\n", compared, wrong
	if (missing != "")
		printf "Without a reference:%s\n", missing
	exit wrong || !compared || missing != ""
}
