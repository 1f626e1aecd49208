# sequence.awk: extract register writes that start and stop a stream from a log of the OA unit; -v
# gpu= is the GPU
#
# The start sequence ends with the write that switches the unit on, the stop sequence begins with
# the one that switches it off. Omitted: writes of the head pointer, acknowledgements of status
# bits, and registers that only context images load. Of buffer registers, only bits 15:0 are shown,
# since the addresses differ. Per-context registers are written once or more for each context: only
# the final change is shown, at the end. Only the first TLB invalidation of the unit is shown; later
# ones are those of all TLBs when memory is freed.
BEGIN {
	flexible = " 0xe458 0xe558 0xe658 0xe758 0xe45c 0xe55c 0xe65c"
	if (gpu == "hsw")
		unit("0x2360", "0x2368 0x2364 0x23b0", "", "")
	else if (gpu ~ /^(bdw|skl|icl)$/)
		unit("0x2b00", "0x2b0c 0x2b10 0x2b14", "0x2b08", "0x2360" flexible)
	else
		unit("0xdaf4", "0xdb00 0xdb04 0xdb08", "0xdafc", "0x2360 0x2960" flexible)
	set(is_image, "0x2358 0x235c 0xe180")
	when = "start"
}

function set(words, list, word, i) {
	for (i = split(list, word); i; i--)
		words[word[i]] = 1
}

# on: control register; buffer: buffer registers; state: status register; contexts: per-context
# registers
function unit(on, buffer, states, contexts) {
	control = on
	state = states
	set(is_pointer, buffer)
	set(is_own, contexts)
	n = split(contexts, own)
}

# The stop sequence is printed at the end, since a stream with a late reader is stopped and
# restarted.
function show(register, value) {
	if (when == "stop")
		stop[++stops] = when " " register " " value
	else
		print when, register, value
}

function changed(i) {
	for (i = 1; i <= n; i++) {
		if (value[own[i]] "" != shown[own[i]] "")
			show(own[i], value[own[i]])
		shown[own[i]] = value[own[i]]
	}
}

$2 == "0x0" { $2 = "0" }
is_image[$1] { next }
is_own[$1] {
	value[$1] = $2 == "0" && value[$1] == "" ? "" : $2
	next
}
when == "run" && $1 == control && $2 == "0" { when = "stop" }
when == "stop" && $1 == control && $2 != "0" {
	when = "run"
	stops = 0
}
when == "run" || (when == "stop" && (is_pointer[$1] || $1 == state)) { next }
is_pointer[$1] { show($1, "...." substr("0000" substr($2, 3), length($2) - 1)); next }
$1 == "0xceec" && invalidated { next }
$1 == "0xceec" { invalidated = 1 }
{ show($1, $2) }
$1 == control && when == "start" { changed(); when = "run" }
END {
	changed()
	for (i = 1; i <= stops; i++)
		print stop[i]
}
