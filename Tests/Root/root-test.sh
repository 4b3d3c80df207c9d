# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests in this folder: arguments, daemons, and waiting for a condition with a deadline.
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck disable=SC2034  # the tests use them
built=$1 folder=$2
# shellcheck disable=SC2034
samples=$repository/Tests/Samples

fail() { printf 'failed: %s\n' "$*" >&2; exit 1; }

# await SECONDS WHAT COMMAND...: until the command succeeds.
await() {
    local deadline=$((SECONDS + $1)) what=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $deadline ] || fail "waited in vain for $what"
        sleep 0.05
    done
}

declare -A daemon_pid

# start_daemon NAME ARGUMENTS...: state and socket are below $folder/NAME.
start_daemon() {
    local name=$1
    shift
    mkdir -p "$folder/$name"
    "$built/navsyncd" --state-dir "$folder/$name/state" --socket "$folder/$name/socket" "$@" 2>>"$folder/$name/log" &
    daemon_pid[$name]=$!
    await 10 "$name to answer" ctl "$name" status
}

ctl() {
    local name=$1
    shift
    "$built/navsyncctl" --socket "$folder/$name/socket" "$@"
}

stop_daemons() {
    local pid
    for pid in "${daemon_pid[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait
    daemon_pid=()
}

show_logs() {
    local status=$? log
    stop_daemons
    if [ "$status" != 0 ]; then for log in "$folder"/*/log; do echo "--- $log"; tail -n 30 "$log"; done; fi
    return "$status"
}
trap show_logs EXIT
