# SPDX-License-Identifier: MIT
# generate.awk: turn platforms.txt into the table of one program
#
# awk -v table=TABLE -f generate.awk platforms.txt
#   lib     lib/gpu/platforms.c                 core   kernel/core/oa/platform.c
#   query   lib/extra/query/hardware.c          i915   kernel/i915/ids.c
#   pec     lib/extra/custom/prototypes_pec.c   lease_xe  kernel/xe/ids.c
#   model   vgpu/model/platforms.c              vgpu   vgpu/qemu/platforms.c
#   kunit   kernel/tests/test_platform.c        stalls lib/extra/stalls/layout.c
#   gpus    names of one virtual GPU of each model, for tests
# A mistake is reported as FILE:LINE, and the exit status is 1. Only POSIX awk is used.

function fail(text) {
	printf "%s:%d: %s\n", FILENAME, FNR, text >"/dev/stderr"
	failed = 1
	exit 1
}

function fail_in(name, text) {
	printf "%s: platform %s: %s\n", FILENAME, name, text >"/dev/stderr"
	failed = 1
	exit 1
}

# Number of words of each key, "+" for one or more, "*" for text; and a pattern of each word
function accept(name, words, pattern) {
	words_of[name] = words
	pattern_of[name] = pattern
}

BEGIN {
	count = id_count = 0
	NUMBER = "[0-9]+"
	MASK = "0x[0-9a-f]+"
	WORD = "[a-z0-9_]+"
	accept("title", "*")
	accept("discrete", 0)
	accept("generation", 1, "[0-9]+(\\.[0-9])?")
	accept("pci", "+", "[0-9a-f][0-9a-f][0-9a-f][0-9a-f](:[0-9])?")
	accept("no-metrics", "*")
	accept("oa-clock", 1, NUMBER)
	accept("part", "*")
	accept("gpu-clock", 2, NUMBER)
	accept("topology", 5, "(" MASK "|" NUMBER ")")
	accept("compute-engines", 1, NUMBER)
	accept("l3-banks", 1, MASK)
	accept("geometry-pipes", 1, NUMBER)
	accept("sqidis", 1, NUMBER)
	accept("query", 1, WORD)
	accept("pec-events", 1, "[A-Z0-9]+")
	accept("eu-stalls", 1, WORD)
	accept("mdapi", 1, NUMBER)
	accept("mdapi-subslices", 1, NUMBER)
	accept("version", 4, NUMBER)
	accept("units", "+", "OA(M[0-9G])?=" WORD)
	accept("test-set", 0)
	accept("i915", "+", "[a-z0-9_-]+")
	accept("virtual", 6, WORD)
	accept("vgpu", 2, WORD)
	accept("lease-xe", 0)
	split("lib query pec stalls core i915 lease_xe kunit model vgpu gpus", tables, " ")
	for (i in tables)
		known[tables[i]] = 1
	if (!(table in known)) {
		print "generate.awk: unknown table: " table >"/dev/stderr"
		failed = 1
		exit 1
	}
}

/^[ \t]*(#|$)/ { next }

/^platform / {
	if (NF != 2 || $2 !~ /^[a-z][a-z0-9]*$/ || length($2) > 7)
		fail("expected 'platform NAME', a name of at most 7 lower-case letters and digits")
	if ($2 in index_of)
		fail("platform " $2 " has a second row")
	names[count] = $2
	index_of[$2] = count++
	next
}

{
	if (!count || !/^\t/)
		fail("expected 'platform NAME', or a line that begins with a tab")
	if (!($1 in words_of))
		fail("unknown key '" $1 "'")
	name = names[count - 1]
	words = words_of[$1]
	if (words == "*" || words == "+" ? NF < 2 : NF != words + 1)
		fail("'" $1 "' takes " (words == "*" || words == "+" ? "at least 1 word" : words " words"))
	for (i = 2; i <= NF && words != "*"; i++)
		if (words && $i !~ "^" pattern_of[$1] "$")
			fail("'" $1 "': not expected: " $i)
	text = $0
	sub(/^[ \t]*[^ \t]+[ \t]*/, "", text)
	sub(/[ \t]+$/, "", text)
	if ($1 == "pci")
		add_ids(text)
	else if ((name, $1) in row)
		fail("platform " name " has a second line '" $1 "'")
	row[name, $1] = text
}

# An id is a string, even if it looks like a number: the concatenation makes it one.
function add_ids(text, n, i, id, list, part) {
	n = split(text, list, " ")
	for (i = 1; i <= n; i++) {
		split(list[i], part, ":")
		id = part[1] ""
		if (id in owner)
			fail("PCI id " id " is also listed for " owner[id])
		owner[id] = name
		version[id] = part[2]
		insert(id)
	}
}

# Keep the ids sorted. All have four digits, so that strings compare as numbers.
function insert(id, i) {
	for (i = id_count++; i && (ids[i - 1] "") > id; i--)
		ids[i] = ids[i - 1]
	ids[i] = id
}

function has(name, key) {
	return (name, key) in row
}

# A read of row[] itself would add the key.
function value(name, key) {
	return has(name, key) ? row[name, key] : ""
}

function need(name, key) {
	if (!has(name, key))
		fail_in(name, "no line '" key "'")
	return value(name, key)
}

function check(name) {
	need(name, "title")
	need(name, "generation")
	need(name, "pci")
	if (!has(name, "no-metrics"))
		need(name, "part")
	if (has(name, "part") || has(name, "virtual")) {
		need(name, "oa-clock")
		need(name, "gpu-clock")
		need(name, "topology")
	}
	if (has(name, "units") || has(name, "i915"))
		need(name, "oa-clock")
	if (has(name, "test-set") || has(name, "i915") || has(name, "lease-xe"))
		need(name, "units")
	if (has(name, "lease-xe"))
		need(name, "topology")
	if (has(name, "vgpu"))
		need(name, "virtual")
	if (length(value(name, "title")) > 23)
		fail_in(name, "title: longer than 23 characters")
	if (length(value(name, "part")) > 31)
		fail_in(name, "part: longer than 31 characters")
	if (length(value(name, "no-metrics")) > 63)
		fail_in(name, "no-metrics: longer than 63 characters")
}

function tenths(generation, part) {
	split(generation, part, ".")
	return part[1] * 10 + part[2]
}

function popcount(mask, bits, i) {
	for (i = 3; i <= length(mask); i++)
		bits += substr("0112122312232334", index("0123456789abcdef", substr(mask, i, 1)), 1)
	return bits
}

function fact(name, number, unit) {
	if (number != "")
		printf "\t\t\t[%s] = UINT64_C(%s%s),\n", name, number, unit
}

function print_enum(key, i) {
	print "enum {"
	for (i = 0; i < count; i++)
		if (!key || has(names[i], key))
			printf "\t%s,\n", toupper(names[i])
	print "};\n"
}

function print_ids(type, key, i, id, name) {
	printf "/* Sorted by id */\nstatic const %s gpus[] = {\n", type
	for (i = 0; i < id_count; i++) {
		id = ids[i] ""
		name = owner[id]
		if (!key)
			printf "\t{ 0x%s, %s, %d },\n", id, toupper(name), version[id]
		else if (has(name, key))
			printf "\t{ 0x%s, %s },\n", id, toupper(name)
	}
	print "};"
}

function print_lib(i, name, part) {
	print_enum()
	print "static const struct gpu_platform platforms[] = {"
	for (i = 0; i < count; i++) {
		name = names[i]
		printf "\t[%s] = {\n\t\t.name = \"%s\",\n", toupper(name), name
		printf "\t\t.title = \"%s\",\n", value(name, "title")
		printf "\t\t.no_metrics = \"%s\",\n", value(name, "no-metrics")
		printf "\t\t.generation = %d,\n", tenths(value(name, "generation"))
		printf "\t\t.discrete = %d,\n", has(name, "discrete")
		printf "\t\t.batches = %d,\n", has(name, "query")
		printf "\t\t.mdapi_index = %d,\n", value(name, "mdapi")
		printf "\t\t.mdapi_subslices = %d,\n",
			(has(name, "mdapi-subslices") ? value(name, "mdapi-subslices") : 1)
		if (has(name, "version")) {
			split(value(name, "version"), part, " ")
			printf "\t\t.variant = { %d, %d, %d, %d },\n", part[1], part[2], part[3], part[4]
		}
		if (has(name, "part")) {
			printf "\t\t.part = \"%s\",\n\t\t.facts = {\n", value(name, "part")
			fact("GPU_TIMESTAMP_FREQUENCY", value(name, "oa-clock"), "000")
			split(value(name, "gpu-clock"), part, " ")
			fact("GPU_MIN_FREQUENCY", part[1], "000000")
			fact("GPU_MAX_FREQUENCY", part[2], "000000")
			split(value(name, "topology"), part, " ")
			fact("GPU_SLICES", part[1])
			fact("GPU_SUBSLICES", part[2])
			fact("GPU_SUBSLICE_STRIDE", part[3])
			fact("GPU_EUS", part[4])
			fact("GPU_THREADS", part[5])
			fact("GPU_COMPUTE_ENGINES", value(name, "compute-engines"))
			fact("GPU_L3_BANKS", value(name, "l3-banks"))
			fact("GPU_GEOMETRY_PIPES", value(name, "geometry-pipes"))
			fact("GPU_SQIDIS", value(name, "sqidis"))
			print "\t\t\t[GPU_REVISION] = LAST_STEPPING,\n\t\t},"
		}
		print "\t},"
	}
	print "};\n"
	print_ids("struct pci_gpu")
}

function print_rows(key, format, i) {
	for (i = 0; i < count; i++)
		if (has(names[i], key))
			printf "{ \"%s\", " format " },\n", names[i], value(names[i], key)
}

function print_core(i, k, n, name, unit, part) {
	print "static const struct gpuoa_platform platforms[] = {"
	for (i = 0; i < count; i++) {
		name = names[i]
		if (!has(name, "units"))
			continue
		printf "\t{\n\t\t.name = \"%s\",\n", name
		printf "\t\t.timestamp_frequency = %s000,\n", value(name, "oa-clock")
		n = split(value(name, "units"), unit, " ")
		for (k = 1; k <= n; k++) {
			split(unit[k], part, "=")
			printf "\t\t.units[GPUOA_UNIT_%s] = &gpuoa_%s,\n", part[1], part[2]
		}
		if (has(name, "test-set"))
			printf "\t\t.test_set = &test_set_%s,\n", name
		print "\t},"
	}
	print "};"
}

function print_kunit(i) {
	print "static const char *const names[] = {"
	for (i = 0; i < count; i++)
		if (has(names[i], "units"))
			printf "\t\"%s\",\n", names[i]
	print "};"
}

function print_i915(i, name, part, topology) {
	print_enum("i915")
	print "static const struct platform platforms[] = {"
	for (i = 0; i < count; i++) {
		name = names[i]
		if (!has(name, "i915"))
			continue
		split(value(name, "i915"), part, " ")
		split(need(name, "topology"), topology, " ")
		printf "\t[%s] = { \"%s\", &%s, %s, %d },\n", toupper(name), name, part[1],
			part[2] == "low-power" ? "true" : "false", topology[5]
	}
	print "};\n"
	print_ids("struct known_gpu", "i915")
}

function print_lease_xe(i, name, topology) {
	print_enum("lease-xe")
	print "static const struct platform platforms[] = {"
	for (i = 0; i < count; i++) {
		name = names[i]
		if (!has(name, "lease-xe"))
			continue
		split(value(name, "topology"), topology, " ")
		printf "\t[%s] = { \"%s\", %d, %d },\n", toupper(name), name, topology[3], topology[5]
	}
	print "};\n"
	print_ids("struct known_gpu", "lease-xe")
}

function print_model(i, name, virtual, part) {
	print "static const struct sim_platform platforms[] = {"
	for (i = 0; i < count; i++) {
		name = names[i]
		if (!has(name, "virtual"))
			continue
		split(value(name, "virtual"), virtual, " ")
		split(value(name, "topology"), part, " ")
		printf "\tMODEL_%s(\"%s\",\n", toupper(virtual[2]), virtual[1]
		printf "\t\t.platform = \"%s\",\n", name
		printf "\t\t.timestamp_frequency = %s000,\n", value(name, "oa-clock")
		printf "\t\t.gt_min_frequency = %s000000,\n", virtual[5]
		printf "\t\t.gt_max_frequency = %s000000,\n", virtual[6]
		printf "\t\t.slice_mask = %s,\n\t\t.subslice_mask = { %s },\n", part[1], part[2]
		printf "\t\t.device_id = 0x%s,\n\t\t.revision = 0x%s,\n", virtual[3], virtual[4]
		printf "\t\t.n_slices = %d,\n\t\t.n_subslices = %d,\n", popcount(part[1]), popcount(part[2])
		printf "\t\t.n_eus = %d,\n\t\t.threads_per_eu = %d,\n", part[4], part[5]
		if (has(name, "l3-banks"))
			printf "\t\t.l3_bank_mask = %s,\n", value(name, "l3-banks")
		if (has(name, "compute-engines"))
			printf "\t\t.n_compute_engines = %d,\n", value(name, "compute-engines")
		printf "\t\t.subslice_stride = %d),\n", part[3]
	}
	print "};"
}

function print_vgpu(i, name, virtual, part) {
	print "static const struct vgpu_platform platforms[] = {"
	for (i = 0; i < count; i++) {
		name = names[i]
		if (!has(name, "vgpu"))
			continue
		split(value(name, "virtual"), virtual, " ")
		split(value(name, "vgpu"), part, " ")
		printf "\t{ .name = \"%s\", .model = \"%s\", .gen = %d, .version = %d, VGPU_%s },\n",
			part[1], virtual[1], value(name, "generation"), 100 * value(name, "generation") + 0.5,
			toupper(part[2])
	}
	print "};"
}

# A model is tested on the first virtual GPU that has it and a built-in configuration.
function print_gpus(i, virtual, list, seen) {
	for (i = 0; i < count; i++) {
		if (!has(names[i], "virtual") || !has(names[i], "test-set"))
			continue
		split(row[names[i], "virtual"], virtual, " ")
		if (!(virtual[2] in seen))
			list = list (list ? "," : "") virtual[1]
		seen[virtual[2]] = 1
	}
	print list
}

END {
	if (failed)
		exit 1
	for (i = 0; i < count; i++)
		check(names[i])
	if (table == "gpus") {
		print_gpus()
		exit
	}
	print "/* Generated from platforms/platforms.txt by platforms/generate.awk */"
	if (table == "lib")
		print_lib()
	else if (table == "query")
		print_rows("query", "&%s")
	else if (table == "pec")
		print_rows("pec-events", "%s")
	else if (table == "stalls")
		print_rows("eu-stalls", "&layout_%s")
	else if (table == "core")
		print_core()
	else if (table == "i915")
		print_i915()
	else if (table == "lease_xe")
		print_lease_xe()
	else if (table == "kunit")
		print_kunit()
	else if (table == "model")
		print_model()
	else if (table == "vgpu")
		print_vgpu()
}
