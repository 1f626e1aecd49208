#!/bin/bash
# Test the gpuoa command on all units of all virtual GPUs: each has its sets, and can measure.
# Prints TAP.
set -u
. "$(dirname "$0")/guest.sh"
mapfile -t UNITS < <(cd /sys/class/gpuoa && printf '%s\n' * | sort -V)

every_unit_is_listed() {
	local unit line=2
	"$GPUOA" list >listed && cat listed || return
	for unit in "${UNITS[@]}"; do
		sed -n ${line}p listed | grep -E "^$unit +$(cat "/sys/class/gpuoa/$unit/unit") +$(cat "/sys/class/gpuoa/$unit/platform") " ||
			return
		line=$((line + 1))
	done
	[ "$(wc -l <listed)" = $((line - 1)) ]
}

# Print "domain set available" for each set, with a single program, because the guest is slow.
sets_of() { # options
	"$GPUOA" -q --json list sets "$@" |
		sed -n 's/.*"set": *"\([^"]*\)".*"domain": *"\([^"]*\)".*"available": *\([a-z]*\).*/\2 \1 \3/p'
}

# The unit has the sets of its platform and domain.
has_its_own_sets() { # domain; files own, all
	awk '{ print $1, $2 }' own >found
	awk -v domain="$1" '$1 == domain { print $1, $2 }' all >expected
	[ -s found ] && cmp found expected
}

# A set of another unit is rejected, if the platform has any.
refuses_others() { # unit domain; file all
	local other
	other=$(awk -v own="$2" '$1 != own { print $1 "/" $2; exit }' all)
	[ -n "$other" ] || return 0
	"$GPUOA" stat -d "$1" -s "$other" -- true 2>said
	cat said
	grep -q "is for unit ${other%/*}, not for unit $2" said && "$GPUOA" add-config -d "$1" -s "$other" 2>&1 |
		grep "not for unit $2"
}

measures() { # unit set
	"$GPUOA" stat -d "$1" -s "$2" --csv -m GpuTime -- sleep 0.1 | tee said
	awk -F, 'END { exit !(NR == 2 && $NF > 5e7) }' said
}

# With a workload, the values of busy, active, stall and occupancy are consistent.
is_plausible() { # unit
	"$GPUOA" stat -d "$1" -s RenderBasic --json -- sleep 0.2 | tee said
	jq -e '.GPU_BUSY > 20 and .GPU_BUSY <= 100 and .XVE_ACTIVE > 10 and .XVE_STALL > 3 and
		.XVE_ACTIVE + .XVE_STALL <= .GPU_BUSY and .XVE_THREADS_OCCUPANCY_ALL > 5 and .XVE_THREADS_OCCUPANCY_ALL <= 100 and
		.GPU_MEMORY_BYTE_READ > 1e8 and .GPU_MEMORY_BYTE_WRITE > 1e8 and .IA_VERTEX > 0' said
}

# Context switches add rows to those of the timer.
records() { # unit set
	"$GPUOA" record -d "$1" -s "$2" -F 2000 -o x.data -- sleep 0.1 || return
	"$GPUOA" report -q --csv -m GpuTime x.data >rows
	awk -F, 'NR > 1 { rows++; sum += $2 } END { print rows " rows, " sum " ns"; exit !(rows > 50 && sum > 5e7) }' rows
}

# Several units are measured simultaneously, each with another set, into one file.
one_file_has() { # unit@set...
	local asked options=()
	for asked in "$@"; do
		options+=(-s "${asked#*@}@${asked%@*}")
	done
	"$GPUOA" record "${options[@]}" -F 1000 -o all.data -- sleep 0.2 || return
	for asked in "$@"; do
		"$GPUOA" report -q --json --total -m GpuTime -d "${asked%@*}" all.data | tee said
		jq -e '.GpuTime > 1e8' said || return
	done
	"$GPUOA" report -q all.data >said || return
	for asked in "$@"; do
		grep -w "${asked%@*}" said && grep -w "${asked#*@}" said || return
	done
	"$GPUOA" export -q -f jsonl -o all.jsonl all.data || return
	for asked in "$@"; do
		grep -cw "${asked%@*}" all.jsonl || return
	done
	"$GPUOA" export -q -f perfetto -o all.pftrace all.data && "$GPUOA" plot -q -o all.svg all.data &&
		"$GPUOA" report -q --html -o all.html all.data
}

check "list devices prints every unit with its platform" every_unit_is_listed
# On a slow kernel, test only some units.
[ -z "${GPUS_SAMPLE-}" ] || UNITS=(gpuoa0 "${UNITS[@]: -1}")
for unit in "${UNITS[@]}"; do
	read -r platform <"/sys/class/gpuoa/$unit/platform"
	read -r domain <"/sys/class/gpuoa/$unit/unit"
	sets_of -d "$unit" >own
	sets_of -P "$platform" >all
	set=$(awk '$3 == "true" { print $2; exit }' own)
	name="$unit, $platform $domain"
	check "$name: it has its own sets" has_its_own_sets "$domain"
	check "$name: it refuses those of other units" refuses_others "$unit" "$domain"
	check "$name: stat measures $set" measures "$unit" "$set"
	check "$name: record records it, and report reads that" records "$unit" "$set"
	case $platform-$domain in
	lnl-OA | bmg-OA) check "$name: its load is plausible" is_plausible "$unit" ;;
	esac
	all+=("$unit@$set")
done
check "record writes several units to one file" one_file_has "${all[@]:0:4}"
check "record rejects an unknown device" exits 1 "no OA unit 'gpuoa99'" "$GPUOA" record -s "$set@gpuoa99" -- true
check "record rejects metrics of several sets" exits 2 'metrics needs a single -s' "$GPUOA" record -s "$set" -s "$set" -m GpuTime -- true
check "stat rejects several sets" exits 2 'stat measures one set' "$GPUOA" stat -s "$set" -s "$set" -- true
echo "1..$number"
