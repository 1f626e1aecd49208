# tap.awk: count the results in one TAP or KTAP output: print the failures, then `count PASSED
# FAILED SKIPPED`
#
# awk -v name=PROGRAM -v status=EXIT_STATUS -f tap.awk FILE
#
# A result that summarizes nested results is not counted again. An unfulfilled plan, a missing plan,
# and an exit status that does not match the results each count as one failure.

function fail(what) {
	failed++
	failed_below++
	print "not ok " name ": " what
}

function check_plan(depth, what) {
	if (plan[depth] != "" && plan[depth] != seen[depth])
		fail(what "planned " plan[depth] " results, gave " seen[depth])
	plan[depth] = ""
	seen[depth] = 0
}

{
	match($0, /^ */)
	depth = int(RLENGTH / 4)
	line = substr($0, RLENGTH + 1)
}

line ~ /^1\.\.[0-9]+/ {
	split(line, part, /\.\.| /)
	plan[depth] = part[2] + 0
	planned = planned || depth == 0
	if (part[2] == 0 && toupper(line) ~ /# *SKIP/)
		skipped++
}

line ~ /^Bail out!/ { fail(line) }

line ~ /^(not )?ok( |$)/ {
	text = line
	sub(/^(not )?ok *[0-9]* *-? */, "", text)
	seen[depth]++
	nested = seen[depth + 1] > 0 || plan[depth + 1] != ""
	check_plan(depth + 1, text ": ")
	if (nested) {
		if (line ~ /^not ok/ && !failed_below)
			fail(text)
	} else if (toupper(text) ~ /# *(SKIP|TODO|XFAIL)/) {
		skipped++
	} else if (line ~ /^not ok/) {
		fail(text)
	} else {
		passed++
	}
	if (depth == 0)
		failed_below = 0
}

END {
	check_plan(0, "")
	if (!planned)
		fail("printed no plan")
	if (status == 124 || status == 137)
		fail("ran out of time")
	else if (status != 0 && !failed && !(status == 4 && skipped))
		fail("exited with status " status)
	printf "count %d %d %d\n", passed, failed, skipped
}
