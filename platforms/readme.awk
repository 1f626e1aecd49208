# SPDX-License-Identifier: MIT
# readme.awk: turn platforms.txt into README.md's table of GPUs
#
# awk -f platforms/readme.awk platforms/platforms.txt
#   scripts/check-documents.sh compares its output with the table.

/^platform / { name = $2; names[count++] = name; next }
/^\t/ {
	key = $1
	sub(/^\t[^\t ]+[\t ]*/, "")
	row[name, key] = $0
}

# The class of a platform, which is a line of the table
function class_of(name) {
	if ((name, "no-metrics") in row)
		return (row[name, "generation"] + 0) < 7.5 ? "old" : "none"
	if ((row[name, "generation"] + 0) >= 20)
		return "xe"
	if ((row[name, "generation"] + 0) >= 12.6 && !((name, "units") in row))
		return "forced"
	if ((row[name, "generation"] + 0) == 12.5)
		return "arc"
	return (name, "i915") in row ? "module" : "i915"
}

function print_class(class, driver, kernel, support, i, list) {
	for (i = 0; i < count; i++)
		if (class_of(names[i]) == class)
			list = list (list ? ", " : "") row[names[i], "title"]
	printf "| %s | %s | %s | %s |\n", list, driver, kernel, support
}

END {
	print "| GPU | driver | kernel | support |"
	print "|---|---|---|---|"
	print_class("module", "i915", "6.1 and 6.12 tested, 7.3 in parts; later ones should work", \
		"without a module: everything except perf events, sharing a unit between programs, " \
		"marks, AUX mode and the flight recorder. `gpuoa_i915.ko` adds them")
	print_class("i915", "i915", "6.12", "without a module: as above; never tested on hardware. " \
		"`gpuoa_i915.ko` does not support them")
	print_class("arc", "i915, xe", "6.12", "without a module: as above; tested with i915 on a " \
		"virtual Arc A770 only")
	print_class("xe", "xe", "6.12 and 7.3 tested; newer GPUs need a newer kernel", \
		"without a module: as above; tested on virtual GPUs only. `gpuoa_xe.ko` adds the same " \
		"to Lunar Lake, Battlemage and Panther Lake")
	print_class("forced", "xe", "6.12, with `force_probe`", "two metric sets; never tried")
	print_class("none", "i915", "", "no metric definitions: none were published")
	print_class("old", "i915", "", "none: their drivers provide no OA reports")
}
