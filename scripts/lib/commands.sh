# Commands that stand in a page of the documentation. Sourced by the scripts beside it; needs bash, and a function "fail" that takes
# words and ends the script.

# commands_of PAGE HEADING: prints the blocks of shell commands below a heading of a Markdown page, up to the next heading.
commands_of() {
    local found
    found=$(awk -v heading="$2" '
        /^```/ { inside = !inside && /^```sh$/ && below; next }
        inside { print; next }
        /^#+ / { text = $0; sub(/^#+ /, "", text); below = text == heading }' "$1")
    [[ -n $found ]] || fail "$1 has no commands below the heading '$2'"
    printf '%s\n' "$found"
}
