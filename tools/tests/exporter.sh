# Functions to start gpuoa exporter and query it over HTTP; to be sourced after tap.sh and wait.sh
# shellcheck shell=bash

exporter=''
AS=() # command that runs it as another user
URL=''

# Start the exporter at a port that the kernel selects. Its redirection may truncate the log only
# later, so remove that of the previous exporter, which also says that it listens.
serve() { # arguments
	rm -f "$DIR/log"
	"${AS[@]}" "$GPUOA" exporter --listen 127.0.0.1:0 "$@" 2>"$DIR/log" &
	exporter=$!
	wait_until is_listening || { cat "$DIR/log"; return 1; }
	URL=$(grep -oE 'http://127.0.0.1:[0-9]+' "$DIR/log" | head -1)
}
is_listening() { grep -qs 'metrics are at http' "$DIR/log"; }

fetch() { curl -sS --noproxy '*' --max-time 60 "$@"; }

has_values() { fetch "$URL/metrics" | grep -q '^gpuoa_gpu_time_seconds_total'; }

answers() { # status, path, arguments of curl
	local status
	status=$(fetch -o "$DIR/body" -D "$DIR/head" -w '%{http_code}' "${@:3}" "$URL$2")
	cat "$DIR/head" "$DIR/body"
	[ "$status" = "$1" ]
}

# Frequent requests are rejected with status 429 after a few responses.
refuses_a_flood() {
	fetch -f --fail-early -o /dev/null -w '%{http_code}\n' "$URL/metrics?[1-2000]" >"$DIR/codes" 2>/dev/null
	sort "$DIR/codes" | uniq -c
	grep -qx 200 "$DIR/codes" && [ "$(tail -1 "$DIR/codes")" = 429 ]
}

check_methods() {
	check "/ links to the metrics" answers 200 /
	check "/ has a link to /metrics" grep -q 'href="/metrics"' "$DIR/body"
	check "HEAD returns no body" answers 200 /metrics -I
	check "unknown path returns 404" answers 404 /etc/passwd
	check "POST is rejected" answers 405 /metrics -X POST -d x
	check "rejected POST names the allowed methods" grep -qi '^Allow: GET, HEAD' "$DIR/head"
	check "DELETE is rejected" answers 405 /metrics -X DELETE
	check "number of requests is limited" refuses_a_flood
	check "server recovers after the limit" wait_until has_values
}

ends() {
	kill -TERM "$exporter" && wait "$exporter" && exporter=''
}
