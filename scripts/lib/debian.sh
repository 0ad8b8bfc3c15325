# Packages of a Debian release, whichever release and architecture this machine has. Sourced by the scripts beside it; needs
# a POSIX shell, and a function "fail" that takes words and ends the script.

debian_keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# debian_suite DIRECTORY SUITE [ARCHITECTURE]: from here on the packages are those of this suite. Package lists and cache
# go to DIRECTORY, which must be there and which the caller removes. The architecture is this machine's unless given.
#
# The package lists come from the Debian archive that this machine uses; apt checks them by Debian's keys.
debian_suite() {
    debian_directory=$1 debian_architecture=${3:-}
    command -v apt-get >/dev/null || fail "apt-get is missing: this takes packages from Debian's archive"
    debian_archive=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' |
        sort -u | head -n 1)
    [ -n "$debian_archive" ] ||
        fail "this machine knows no Debian archive; a fresh one needs 'apt-get update' first"
    [ -f "$debian_keyring" ] || fail "no $debian_keyring: install debian-archive-keyring"
    mkdir -p "$debian_directory/lists/partial" "$debian_directory/cache/archives/partial"
    : >"$debian_directory/status"
    echo "deb [signed-by=$debian_keyring] $debian_archive $2 main" >"$debian_directory/sources.list"
    of_suite apt-get -o APT::Update::Error-Mode=any update >&2 || fail "could not fetch the package lists of $2"
}

# of_suite TOOL ARGUMENT...: apt-get or apt-cache as they look when the suite is all there is.
# Unprivileged by choice: apt's own user cannot write to the directory.
of_suite() {
    debian_tool=$1
    shift
    "$debian_tool" -q -o Dir::Etc::SourceList="$debian_directory/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$debian_directory/lists" -o Dir::State::status="$debian_directory/status" \
        -o Dir::Cache="$debian_directory/cache" \
        -o Acquire::Languages=none -o APT::Sandbox::User="$(id -un)" \
        ${debian_architecture:+-o "APT::Architecture=$debian_architecture" -o "APT::Architectures::=$debian_architecture"} \
        "$@"
}

# debian_download DIRECTORY PACKAGE...: fetches these packages, as NAME or NAME=VERSION, and nothing that they depend on.
debian_download() {
    mkdir -p "$1"
    (cd "$1" && shift && of_suite apt-get download "$@" >&2)
}

# debian_newest_of PACKAGE [PREFIX]: prints the package, of those whose names begin so, that a package without contents stands
# for at present.
debian_newest_of() {
    of_suite apt-cache depends "$1" | sed -n "s/^ *Depends: \(${2:-}.*\)/\1/p" | head -n 1
}
