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

# Prints the Python of the virtual environment .build/NAME, with what a file pins; made anew when that changes.
python_environment() {
    local folder=$root/.build/$1 wanted=$root/$2
    if ! cmp --silent "$wanted" "$folder/installed"; then
        printf 'Installing what %s names…\n' "$2" >&2
        mkdir -p "$folder"
        rm -f "$folder/installed"
        python3 -m venv --clear "$folder/venv" >&2
        "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$wanted" >&2
        cp -- "$wanted" "$folder/installed"
    fi
    printf '%s\n' "$folder/venv/bin/python"
}

# Prints a Python that has ruff, mypy and pytest.
acceptance_python() {
    python_environment acceptance Tests/Acceptance/requirements.txt
}

# Names of the files in folders that git has and whose first line says what runs them: files_of PROGRAM FOLDER…
files_of() {
    git ls-files -z --cached --others --exclude-standard -- "${@:2}" | while IFS= read -r -d '' file; do
        [[ -f $file && ! -L $file ]] || continue
        # Without a newline at its end, a line is read and called the end of the file.
        IFS= read -r first <"$file" || [[ -n $first ]] || continue
        [[ $first != '#!'*$1* ]] || printf '%s\n' "$file"
    done
}

# Prints the folders with modules of Python, and the programs without an extension.
python_sources() {
    printf '%s\n' Tests/Acceptance Benchmarks Fuzzing/seeds Python
    files_of python3 scripts tools Fixtures
}
