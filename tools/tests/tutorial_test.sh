#!/bin/bash
# Run the tutorial's commands: all lines that begin with "$ ", including here-documents. Prints TAP.
set -u
. "$(dirname "$0")/guest.sh"
tutorial=$OLDPWD/Documentation/user/tutorial.rst
PATH=${GPUOA%/*}:$PATH
export BUILD="${GPUOA%/tools/gpuoa}"

# Print one command per line; newlines of a here-document become \n.
mapfile -t commands < <(awk '
	/^    \$ / { command = substr($0, 7); if (command ~ /<<.END.$/) { inside = 1; next } print command; next }
	inside { line = substr($0, 5); command = command "\\n" line; if (line == "END") { print command; inside = 0 } }
	' "$tutorial")

for command in "${commands[@]}"; do
	printf '%b\n' "$command" >typed
	check "${command%%\\n*}" bash -e typed
done
check "tutorial has more than 12 commands" test "$number" -gt 12
echo "1..$number"
