# shellcheck shell=bash
# What the scripts in this folder have in common. Sourced, never run.

# The root of the repository, whatever the caller's working directory.
# shellcheck disable=SC2034  # for the scripts that source this
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)

# Prints the comment at the head of a script, the line with `#!` left out.
print_usage() {
    awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$1"
}

# Stops with directions where there is no Swift toolchain.
require_swift() {
    command -v swift >/dev/null && return
    cat >&2 <<'MESSAGE'
There is no `swift` command here. avtool needs Swift 6.2 or later (6.3 is what it is tested with):
get the toolchain for Debian 12 from https://www.swift.org/install/linux/ (a .tar.gz), unpack it, and
put its usr/bin folder on your PATH, for example: export PATH="/opt/swift/usr/bin:$PATH"
MESSAGE
    exit 69
}
