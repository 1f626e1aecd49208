#!/bin/bash
# check-documents.sh: check that documents have at most 100 columns, that the files, functions and
# other identifiers of gpuoa that they name exist, and that the first comment of a source has the
# name of its file
#
# A function, written name(), must be defined or declared; any other word that starts with gpuoa_ or
# GPUOA_ must occur in a source, except for names of Prometheus metrics, which are computed. Paths
# with a placeholder (NAME, <platform>) are not checked.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

mapfile -t documents < <(git ls-files -co --exclude-standard '*.md' MAINTAINERS 'Documentation/*.rst' 'lib/*.rst' 'tools/*.rst')
bad=0

# A line that contains a link, an image, a table or a command may be longer.
awk 'length > 100 && !/https?:|^ *!\[|^\||^ *[|=+]/ { print FILENAME ":" FNR ": " length " columns"; bad = 1 }
	END { exit bad }' "${documents[@]}" || bad=1

# Check that README's table of GPUs is the one generated from platforms.txt.
awk -f platforms/readme.awk platforms/platforms.txt | diff - <(sed -n '/^| GPU /,/^$/p' README.md | sed '$d') || {
	echo "README.md: the table of GPUs is not that of platforms/readme.awk"
	bad=1
}

# Print FILE:NAME for each match of an expression in the documents, once per file.
named() { # expression
	grep -HoP "$1" "${documents[@]}" | sort -u
}

# Print the matches of an expression in the sources.
known() { # expression
	grep -rhoP --include='*.[ch]' --include='*.map' --include='*.mk' --include='*.sh' --include=Makefile --include=Kbuild \
		"$1" frontend kernel lib platforms scripts selftests tools uapi vgpu examples Makefile
}

# Print the lines FILE:NAME of standard input with a name that is not in a list.
unknown() { # list
	awk -F: 'NR == FNR { known[$0] = 1; next } !($2 in known)' "$1" -
}
report() { # format with FILE and NAME, lines
	local file name
	while IFS=: read -r file name; do
		# shellcheck disable=SC2059
		printf "$1\n" "$file" "$name"
		bad=1
	done
}

# Remove names of files that belong to Linux or igt-gpu-tools, and of one installed file.
foreign='^(Documentation/userspace-api|tools/perf|lib/i915/perf-configs|lib/xe/oa-configs|lib/systemd)'
while IFS=: read -r file path; do
	path=${path%%[.,]}
	[[ $path =~ NAME|FILE|$foreign ]] || compgen -G "$path" >/dev/null || compgen -G "$path.*" >/dev/null ||
		report "%s: there is no %s" <<<"$file:$path"
done < <(named '(?<![\w/.<>$}-])(lib|kernel|tools|scripts|vgpu|selftests|examples|uapi|debian|platforms|frontend|Documentation|third_party)/[\w.*/-]*(?![\w<])')

# Definitions and declarations begin at the start of a line; a map exports names, each with a
# semicolon.
report "%s: there is no %s()" < <(named '\bgpuoa_\w+(?=(\*\*)?(\\ )?\(\))' | unknown <(
	known '^[A-Za-z_][\w *()",]*?\bgpuoa_\w+(?=\()|^\s+gpuoa_\w+(?=;$)' | grep -oE 'gpuoa_\w+$'))
report "%s: %s is in no source" < <(named '\b(gpuoa|GPUOA)_\w+\w(?!\w*[*<])' | grep -vE '_(total|ratio|hertz)$' | unknown <(
	known '\b(gpuoa|GPUOA)_\w+'
	git ls-files -co --exclude-standard | grep -oE '\bgpuoa_\w+'))

# shellcheck disable=SC2016
while IFS=: read -r file name; do
	[ "$name" = "${file##*/}" ] || report "%s: its first comment names %s" <<<"$file:$name"
done < <(git ls-files -co --exclude-standard '*.[ch]' '*.sh' '*.mk' '*.js' |
	xargs awk 'FNR > 5 { nextfile } match($0, /^[^a-zA-Z0-9]*[A-Za-z0-9_-]+\.(c|h|sh|mk|js)( - |: )/) {
		name = substr($0, RSTART, RLENGTH); gsub(/[^A-Za-z0-9_.-]| - /, "", name); print FILENAME ":" name; nextfile }')
exit $bad
