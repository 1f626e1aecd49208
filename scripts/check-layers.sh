#!/bin/bash
# check-layers.sh: check the layers of the libraries, of gpuoa.ko and of the tools, and the naming
# conventions of Documentation/dev/library.rst; needs $BUILD/lib
#
# LIB_LAYERS in lib/lib.mk lists the layers of libgpuoa from the lowest up, EXTRA_LAYERS those of
# libgpuoa-extra, which are above them. A file may use its own layer and lower ones. A function can
# be declared by hand without an include, so symbols are checked as well. Every public function that
# is defined in a lower layer may be used.
#
# libgpuoa-extra may use functions of libgpuoa that are public, of a layer that both contain
# (EXTRA_SHARED), or declared with GPUOA_PRIVATE. Each of the latter must be used.
#
# Documentation/dev/kernel.rst lists the layers of gpuoa.ko, the directories of kernel/core. There,
# includes are checked.
#
# Commands may include tools/common and tools/profile, but no header of another command or of the library's internals.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
BUILD=$(realpath "${BUILD:-build}")

list() { make --no-print-directory -s "print-$1"; }
read -ra layers < <(echo "$(list LIB_LAYERS) $(list EXTRA_LAYERS)")
read -ra objects < <(echo "$(list LIB_OBJECTS) $(list EXTRA_OBJECTS)")

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
	find tools -mindepth 1 -maxdepth 1 -type d ! -name common ! -name profile ! -name man ! -name tests -printf '%f,'
}

symbols() {
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

# Print the functions of a version script, or those of one of its nodes, sorted.
mapped() { # version script, node
	awk -v node="${2-}" '
		/{$/ { on = !node || $1 == node }
		on && /^\tgpuoa_.*;$/ { sub(/^\t/, ""); sub(/;$/, ""); print }' "$1" | sort
}
core=lib/libgpuoa.map
extra=lib/extra/libgpuoa-extra.map

# Check that only public functions, and private functions for libgpuoa-extra, start with gpuoa_.
prefixes() {
	nm "${objects[@]}" | awk '$2 ~ /^[TDRB]$/ && $3 ~ /^gpuoa_/ { print $3 }' | sort |
		comm -23 - <(sort <(mapped $core) <(mapped $extra)) |
		sed 's/$/() begins with gpuoa_ and is in no version script/'
}

# Check that the private functions are exactly those that libgpuoa-extra uses.
private() {
	read -ra extra_objects < <(list EXTRA_OBJECTS)
	diff <(mapped $core LIBGPUOA_PRIVATE) \
		<(nm "${extra_objects[@]}" | awk '$1 == "U" && $2 ~ /^gpuoa_private_/ { print $2 }' |
			sort -u) |
		sed -n -e "s,^< \(.*\),$core: libgpuoa-extra does not use \1(),p" \
			-e "s,^> \(.*\),libgpuoa-extra: \1() is not in $core,p"
}

# Check the guard of each header: it is GPUOA_, the path, and _H.
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

# The symbols file of each package must contain exactly the public functions, each with its first
# version, and that of libgpuoa the private node of this version.
packaged() {
	local map file node
	grep -q "^ (symver)LIBGPUOA_PRIVATE_$(list VERSION) " debian/libgpuoa0.1.symbols ||
		echo "debian/libgpuoa0.1.symbols: not the private node of this version"
	while read -r map file node; do
		diff <(mapped "$map" "$node") \
			<(sed -n 's/^ \(gpuoa_[^@]*\)@.*/\1/p' "$file" | sort) |
			sed -n "s,^< \(.*\),\1() is not in $file,p; s,^> \(.*\),\1() is not in $map,p"
	done <<-END
		$core debian/libgpuoa0.1.symbols LIBGPUOA_0.1
		$extra debian/libgpuoa-extra0.1.symbols LIBGPUOA_EXTRA_0.1
	END
}

found=$(
	includes lib "${layers[@]}"
	includes kernel/core oa unit stream pmu .
	includes tools common profile "$(commands)."
	symbols
	prefixes
	private
	guards
	packaged
)
[ -z "$found" ] || { echo "$found"; exit 1; }
