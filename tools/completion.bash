# Completion of the gpuoa command for bash

_gpuoa_names() { # list [options of gpuoa list]
	gpuoa -q --csv list "$@" 2>/dev/null | sed 1d
}

_gpuoa_option_value() { # option, beginning of the value, command
	local platform=() files=() i
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-P | --platform) platform=(-P "${COMP_WORDS[i + 1]}") ;;
		-D | --definitions) files+=(-D "${COMP_WORDS[i + 1]}") ;;
		esac
	done
	case $1 in
	-D | --definitions) compgen -f -- "$2" ;;
	-d | --device) _gpuoa_names devices | cut -d, -f1 ;;
	-P | --platform) _gpuoa_names platforms "${files[@]}" | cut -d, -f1 ;;
	-s | --set) _gpuoa_names sets "${files[@]}" "${platform[@]}" | cut -d, -f1 ;;
	-f | --format)
		case $3 in
		export) echo perfetto chrome jsonl csv i915 ;;
		decode) echo A13 A29 A13_B8_C8 B4_C8 A45_B8_C8 B4_C8_A16 C4_B8 ;;
		*) return 1 ;;
		esac
		;;
	--theme) echo light dark ;;
	--clock) echo gpu monotonic raw boottime realtime tai perf ;;
	*) return 1 ;;
	esac
}

_gpuoa_options() { # command
	local global="--device --definitions --json --csv --quiet --help"
	case $1 in
	list) echo "$global --platform --set" ;;
	upload) echo "$global --set" ;;
	mark) echo "$global" ;;
	top) echo "$global --set --interval --contexts --once" ;;
	stat) echo "$global --set --period --freq --poll-period --interval --metrics" ;;
	record) echo "--device --definitions --quiet --help --set --metrics --period --freq --poll-period --output --overwrite --aux" ;;
	report) echo "$global --set --metrics --output --summary --total --window --marks --contexts --diff --html --clock --begin-tick --end-tick" ;;
	exporter) echo "--device --definitions --quiet --help --set --period --listen --interval --once --text" ;;
	export) echo "--device --definitions --quiet --help --format --output --set --metrics --clock --begin-tick --end-tick" ;;
	plot) echo "--device --definitions --quiet --help --set --metrics --output --size --theme --begin-tick --end-tick" ;;
	decode) echo "$global --platform --set --constant --format --metrics --total --window" ;;
	doctor) echo "$global" ;;
	*) echo "$global --version" ;;
	esac
}

_gpuoa() {
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
	local command="" i values
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		list | upload | stat | record | mark | top | report | plot | decode | export | exporter | doctor) command=${COMP_WORDS[i]} && break ;;
		esac
	done
	COMPREPLY=()
	if values=$(_gpuoa_option_value "$previous" "$current" "$command"); then
		mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
	elif [[ $current == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_gpuoa_options "$command")" -- "$current")
	elif [[ -z $command ]]; then
		mapfile -t COMPREPLY < <(compgen -W "list upload stat record mark top report plot decode export exporter doctor" -- "$current")
	elif [[ $command == list ]]; then
		mapfile -t COMPREPLY < <(compgen -W "devices gpus platforms sets metrics registers constants" -- "$current")
	fi
}

complete -o default -F _gpuoa gpuoa
