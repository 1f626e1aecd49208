# completion.zsh DIRECTORY-OF-_gpuoa WORDS...: print zsh's completions of a command line, one per
# line
#
# An interactive zsh in a separate terminal receives the line and a tab; matches added by completion
# functions are printed.
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
# The terminal echoes the input; the sum distinguishes output from the echo.
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
