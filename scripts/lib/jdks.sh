# Finding JDKs. Sourced by the scripts beside it; needs bash alone, and starts next to no process:
# every start of the command waits for this.

readonly FFM_FEATURE=22    # the first with the final Foreign Function & Memory API
readonly LOWEST_FEATURE=17 # the language level

# jdk_feature HOME: sets FEATURE to the feature release (17, 25) of the JDK at HOME, and VERSION to all of its version;
# fails where there is none.
# Every JDK since 9 describes itself in the file "release".
jdk_feature() {
    local line version=""
    FEATURE=0 VERSION=""
    [[ -x $1/bin/javac && -x $1/bin/java && -r $1/release ]] || return 1
    while IFS= read -r line || [[ -n $line ]]; do
        [[ $line == JAVA_VERSION=* ]] && version=${line#JAVA_VERSION=}
    done <"$1/release"
    version=${version//\"/}
    VERSION=$version
    version=${version%%[!0-9]*}
    [[ -n $version ]] || return 1
    FEATURE=$version
}

# jdk_homes: sets HOMES to the places where a JDK may be; what the user points at comes first.
jdk_homes() {
    local java
    HOMES=()
    [[ -n ${JAVA_HOME:-} ]] && HOMES+=("$JAVA_HOME")
    if java=$(type -P javac); then
        java=$(readlink -f "$java") # Debian's is a link to a link
        HOMES+=("${java%/bin/javac}")
    fi
    for java in "${!JAVA@}"; do # JAVA21_HOME, JAVA_HOME_21_X64: what CI machines set
        [[ $java == JAVA?*HOME* && $java != JAVA_HOME ]] && HOMES+=("${!java}")
    done
    HOMES+=(/usr/lib/jvm/* /usr/java/* /opt/*jdk* /opt/java/* /usr/local/*jdk*)
    [[ -n ${HOME:-} ]] && HOMES+=("${SDKMAN_DIR:-$HOME/.sdkman}"/candidates/java/* "$HOME"/.jdks/* "$HOME"/.jenv/versions/*)
    return 0
}

# newest_jdk FROM TO: sets JDK and JDK_FEATURE to the newest JDK of these feature releases; fails where there is none.
# Among equals the first of HOMES wins.
newest_jdk() {
    local home
    JDK="" JDK_FEATURE=0
    jdk_homes
    for home in "${HOMES[@]}"; do
        jdk_feature "$home" || continue
        if ((FEATURE >= $1 && FEATURE <= $2 && FEATURE > JDK_FEATURE)); then
            JDK=$home JDK_FEATURE=$FEATURE
        fi
    done
    [[ -n $JDK ]]
}

# say_what_to_install PACKAGE: sets REMEDY to how this machine installs it.
say_what_to_install() {
    local package=$1
    if type -P apt-get >/dev/null; then
        REMEDY="apt-get install $package"
    elif type -P dnf >/dev/null; then
        [[ $package == openjdk-17-jdk ]] && package=java-21-openjdk-devel
        REMEDY="dnf install $package"
    else
        [[ $package == openjdk-17-jdk ]] && package="a JDK of 17 or later, best 25"
        REMEDY="install $package"
    fi
}
