#!/bin/bash
# check-layers.sh: check the layers of the library, of gpuoa.ko and of the tools, and the naming
# conventions of Documentation/dev/library.rst; needs $BUILD/lib
#
# LIB_LAYERS in lib/lib.mk lists the layers from the lowest up. A file may use its own layer and
# lower ones. A function can be declared by hand without an include, so symbols are checked as well.
# Everything in gpuoa.h that is defined in a lower layer may be used.
#
# Documentation/dev/kernel.rst lists the layers of gpuoa.ko, the directories of kernel/core. There,
# includes are checked.
#
# Commands may include tools/common, but no header of another command or of the library's internals.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
BUILD=$(realpath "${BUILD:-build}")

read -ra layers < <(make --no-print-directory -s print-LIB_LAYERS)

# Report includes of a header above the layer of the file, or in no layer.
#
# BASE is the directory of all layers; includes are relative to it. A LEVEL is a directory, or
# several, separated by commas, that must not include one another; "." stands for BASE itself. The
# lowest level is first.
includes() { # BASE LEVEL...
	local base=$1 layers layer files=()
	shift
	IFS=', ' read -ra layers <<<"$*"
	for layer in "${layers[@]}"; do
		files+=("$base/$layer"/*.[ch])
	done
	grep -HoE '^#include "([a-z_0-9/]+/)?[a-z_0-9-]+\.[ch]"' "${files[@]}" | sed 's,/\./,/,' |
		awk -v base="$base/" -v levels="$*" '
		BEGIN {
			n = split(levels, list, " ")
			for (i = 1; i <= n; i++) {
				members = split(list[i], name, ",")
				for (k = 1; k <= members; k++) level[name[k]] = i
			}
		}
		{
			split($0, part, ":#include ")
			from = substr(part[1], length(base) + 1); if (!sub("/[^/]*$", "", from)) from = "."
			to = part[2]; gsub("\"", "", to); if (!sub("/[^/]*$", "", to)) to = from
			if (to == "uapi" || to == from) next
			if (!(to in level)) print part[1] ": " part[2] " is in no layer of " base
			else if (level[to] > level[from]) print part[1] ": includes " part[2] ", which is above"
			else if (level[to] == level[from]) print part[1] ": includes " part[2] ", which is alongside"
		}'
}

# Print the folders of commands, separated by commas.
commands() {
	find tools -mindepth 1 -maxdepth 1 -type d ! -name common ! -name man ! -name tests -printf '%f,'
}

symbols() {
	local objects
	read -ra objects < <(make --no-print-directory -s print-LIB_OBJECTS)
	nm -A "${objects[@]}" | awk -v layers="${layers[*]}" -v build="$BUILD/lib/" '
		BEGIN { n = split(layers, name, " "); for (i = 1; i <= n; i++) level[name[i]] = i }
		{
			object = $1; sub(":.*", "", object)
			layer = substr(object, length(build) + 1); sub("/[^/]*$", "", layer)
			if ($(NF - 1) ~ /[TDRB]/) home[$NF] = layer
			if ($(NF - 1) == "U") { object_of[++uses] = object; layer_of[uses] = layer; symbol[uses] = $NF }
		}
		END {
			for (i = 1; i <= uses; i++)
				if (symbol[i] in home && level[home[symbol[i]]] > level[layer_of[i]])
					print object_of[i] ": uses " symbol[i] "() of " home[symbol[i]] ", which is above"
		}'
}

# Only public names start with gpuoa_.
prefixes() {
	local objects
	read -ra objects < <(make --no-print-directory -s print-LIB_OBJECTS)
	nm "${objects[@]}" | awk '$2 ~ /^[TDRB]$/ && $3 ~ /^gpuoa_/ { print $3 }' | while read -r name; do
		grep -qw "$name" lib/libgpuoa.map ||
			echo "$name() begins with gpuoa_ and is not in lib/libgpuoa.map"
	done
}

# The guard of a header is GPUOA_, the path, _H.
guards() {
	local layer header guard
	for layer in "${layers[@]}"; do
		for header in "lib/$layer"/*.h; do
			[ -e "$header" ] || continue
			guard=GPUOA_$(tr 'a-z/.' 'A-Z__' <<<"$header")
			grep -q "^#ifndef $guard$" "$header" || echo "$header: its guard is not $guard"
		done
	done
}

# The package's symbols file must contain exactly the exported functions, each with its first
# version.
packaged() {
	diff <(sed -n '/^global:/,/^local:/s/^\t\(gpuoa_.*\);$/\1/p' lib/libgpuoa.map | sort) \
		<(sed -n 's/^ \(gpuoa_[^@]*\)@.*/\1/p' debian/libgpuoa0.1.symbols | sort) |
		sed -n -e 's,^< \(.*\),\1() is not in debian/libgpuoa0.1.symbols,p' \
			-e 's,^> \(.*\),\1() is not in lib/libgpuoa.map,p'
}

found=$(
	includes lib "${layers[@]}"
	includes kernel/core oa unit stream pmu .
	includes tools common "$(commands)."
	symbols
	prefixes
	guards
	packaged
)
[ -z "$found" ] || { echo "$found"; exit 1; }
