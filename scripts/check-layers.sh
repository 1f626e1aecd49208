#!/bin/bash
# check-layers.sh: check the layers of the library and of gpuoa.ko, and the naming conventions of
# Documentation/dev/library.rst; needs $BUILD/lib
#
# LIB_LAYERS in lib/lib.mk lists the layers from the lowest up. A file may use its own layer and
# lower ones. A function can be declared by hand without an include, so symbols are checked as well.
# Everything in gpuoa.h that is defined in a lower layer may be used.
#
# Documentation/dev/kernel.rst lists the layers of gpuoa.ko, the directories of kernel/core. There,
# includes are checked.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
BUILD=$(realpath "${BUILD:-build}")

read -ra layers < <(make --no-print-directory -s print-LIB_LAYERS)

includes() {
	local layer
	for layer in "${layers[@]}"; do
		grep -HoE '^#include "[a-z_/]+/[a-z_]+\.h"' "lib/$layer"/*.[ch]
	done | awk -v layers="${layers[*]}" '
		BEGIN { n = split(layers, name, " "); for (i = 1; i <= n; i++) level[name[i]] = i }
		{
			split($0, part, ":#include ")
			from = part[1]; sub("^lib/", "", from); sub("/[^/]*$", "", from)
			to = part[2]; gsub("\"", "", to); sub("/[^/]*$", "", to)
			if (to == "uapi") next
			if (!(to in level)) print part[1] ": " part[2] " is in no layer listed in lib.mk"
			else if (level[to] > level[from]) print part[1] ": includes " part[2] ", which is above"
		}'
}

kernel_includes() {
	local layers=(oa unit stream pmu)
	grep -HoE '^#include "([a-z_0-9]+/)?[a-z_0-9]+\.[ch]"' kernel/core/*.[ch] kernel/core/*/*.[ch] |
		awk -v layers="${layers[*]}" '
		BEGIN { n = split(layers, name, " "); for (i = 1; i <= n; i++) level[name[i]] = i; level["."] = n + 1 }
		{
			split($0, part, ":#include ")
			from = part[1]; sub("^kernel/core/", "", from); if (!sub("/[^/]*$", "", from)) from = "."
			to = part[2]; gsub("\"", "", to); if (!sub("/[^/]*$", "", to)) to = from
			if (to == "uapi") next
			if (!(from in level)) print part[1] ": " from " is no layer of kernel/core"
			else if (!(to in level)) print part[1] ": " part[2] " is in no layer of kernel/core"
			else if (level[to] > level[from]) print part[1] ": includes " part[2] ", which is above"
		}'
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
		grep -qw "$name" lib/libgpuoa.map || echo "$name() begins with gpuoa_ and is not in lib/libgpuoa.map"
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
		sed -n 's/^< \(.*\)/\1() is not in debian\/libgpuoa0.1.symbols/p; s/^> \(.*\)/\1() is not in lib\/libgpuoa.map/p'
}

found=$(includes; kernel_includes; symbols; prefixes; guards; packaged)
[ -z "$found" ] || { echo "$found"; exit 1; }
