# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Runs tests under a sanitizer, in a build of its own. Sourced by the steps `threads` and `addresses`.

# sanitized NAME FILTER: suites whose name matches FILTER, under `--sanitize=NAME`.
sanitized() {
    local status=0 output
    # A crash report must not wait for a debugger that nobody attached.
    export SWIFT_BACKTRACE=enable=no
    output=$(scripts/test --sanitize="$1" --scratch-path ".build/$1" --filter "$2" 2>&1) || status=$?
    printf '%s\n' "$output" >&2
    if grep -qE '(WARNING|ERROR): (Thread|Address)Sanitizer' <<<"$output"; then finding "the sanitizer reported a fault"; fi
    [ "$status" = 0 ] || finding "failed under $1 sanitizer"
    # Counted by `tests` already: these are the same tests.
    result "$(tail -n 1 <<<"$output") ($2)"
}
