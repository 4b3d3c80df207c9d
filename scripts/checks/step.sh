# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced first by each step in bash: strict mode, the repository's root, and the words a step speaks with.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

findings=0

# Says what is wrong and goes on: a step shows all its findings.
finding() { printf '%s\n' "$*" >&2; findings=$((findings + 1)); }

# Ends the step: its result in one line, failed if there were findings.
result() {
    if [ "$findings" -gt 0 ]; then echo "$findings findings; $*"; exit 1; fi
    echo "$*"
}

# Stops at once: the step cannot be done at all.
cannot() { printf '%s\n' "$*" >&2; echo "cannot run: $*"; exit 1; }

# Tracked and new files, without ignored ones: what a commit of the tree as it is would hold.
tree_files() { git ls-files --cached --others --exclude-standard --deduplicate -- "$@" | while read -r file; do
    if [ -f "$file" ]; then printf '%s\n' "$file"; fi
done; }

# The tools that come with Swift; Debian's llvm of the same name is often older and first in PATH.
swift_tool() { printf '%s/%s\n' "$(dirname "$(readlink -f "$(command -v swift)")")" "$1"; }
