# What a script needs that this machine may not have. Sourced by the scripts beside it, after jdks.sh; needs bash, the
# script's name in "me", and a function "fail" that takes words and ends the script.

# install PACKAGE...: installs with apt-get, where this machine has it and lets us.
lists_are_fresh=false
install() {
    [[ $EUID == 0 ]] && type -P apt-get >/dev/null || return 1
    echo "$me: installing $*" >&2
    if ! $lists_are_fresh; then
        apt-get update -qq </dev/null >&2 || return 1
        lists_are_fresh=true
    fi
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" </dev/null >&2
}

# need PACKAGE WHAT: installs it or says what is missing.
need() {
    install "$1" && return 0
    say_what_to_install "$1"
    fail "$2; $REMEDY"
}

# need_command COMMAND PACKAGE: unless it is there.
need_command() {
    type -P "$1" >/dev/null || need "$2" "$1 was not found"
}
