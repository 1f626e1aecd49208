#!/bin/bash
# left-out.sh: print the parts that were not built and the packages that they need; nothing if all
# were built
#
# left-out.sh 'PART|DEBIAN|FEDORA|ARCH'...: package names for each distribution
set -euo pipefail

[ $# -gt 0 ] || exit 0
{
	echo 'Not built:|Debian, Ubuntu|Fedora|Arch'
	printf '%s\n' "$@"
} | awk -F'|' '
	{
		for (i = 1; i <= NF; i++) {
			cell[NR, i] = $i
			if (length($i) > width[i])
				width[i] = length($i)
		}
	}
	END {
		for (row = 1; row <= NR; row++) {
			line = ""
			for (i = 1; i <= 4; i++)
				line = line sprintf("%-*s  ", width[i], cell[row, i])
			sub(/ +$/, "", line)
			print (row == 1 ? "" : "  ") line
			if (row == 1)
				continue
		}
		print "Everything else is built. To have these too, install the packages and run make again."
	}' >&2
