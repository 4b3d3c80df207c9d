# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Runs tests under a sanitizer, in a build of its own. Sourced by the steps `threads` and `addresses`.

# sanitized NAME FILTER OPTIONS: suites whose name matches FILTER, under `--sanitize=NAME`. Reports go to files, so that
# those of the daemons that a test starts are seen as well.
sanitized() {
    local status=0 output reports=$PWD/.build/check/sanitizer-$1 report
    mkdir -p .build/check
    rm -f "$reports".*
    # A crash report must not wait for a debugger that nobody attached.
    export SWIFT_BACKTRACE=enable=no
    export TSAN_OPTIONS=$3:log_path=$reports ASAN_OPTIONS=$3:log_path=$reports
    output=$(scripts/test --sanitize="$1" --scratch-path ".build/$1" --filter "$2" 2>&1) || status=$?
    printf '%s\n' "$output" >&2
    for report in "$reports".*; do
        [ -s "$report" ] || continue
        head -n 60 "$report" >&2
        finding "the $1 sanitizer reported: $(grep -h -m1 SUMMARY "$report" || head -n 1 "$report")"
    done
    [ "$status" = 0 ] || finding "failed under the $1 sanitizer"
    # Counted by `tests` already: these are the same tests.
    result "$(tail -n 1 <<<"$output") ($2)"
}
