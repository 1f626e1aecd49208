# Prints what zsh offers for a command line, one a line: completion.zsh DIRECTORY-OF-_gpuoa WORDS...
#
# An interactive zsh in a terminal of its own gets the line and a tab; what completion functions add is printed.
zmodload zsh/zpty || exit 1
directory=$1
shift
zpty terminal zsh -f -i
send() { zpty -w terminal "$1" }
send "PROMPT= PS2=; stty -echo"
send "fpath=($directory \$fpath); autoload -U compinit; compinit -u -D"
send 'bindkey "^I" complete-word; zstyle ":completion:*" list-grouped false'
send 'compadd() {
	if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
	local -a hits; local hit
	builtin compadd -O hits "$@"
	for hit in $hits; do print -r - "<$hit>"; done
}'
send 'compprefuncs=(tell_begin) comppostfuncs=(tell_end)'
# What is sent comes back as an echo, which has no sum in it.
send 'tell_begin() { print -r - "begin $((6 * 7))" }; tell_end() { print -r - "end $((6 * 7))"; exit }'
zpty -n -w terminal "$*"$'\t'
begun=
while zpty -r terminal line; do
	line=${line//[$'\r\n']/}
	case $line in
	*'begin 42') begun=1 ;;
	*'end 42') break ;;
	*'<'*'>'*) [[ -z $begun ]] || { line=${line#*<}; print -r - "${line%>*}" } ;;
	esac
done
zpty -d terminal
