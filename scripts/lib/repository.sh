# A fresh local repository of Maven. Sourced by the scripts beside it; needs bash.

# use_fresh_repository DIRECTORY [RELEASES]: from now on "mvn" has the empty local repository DIRECTORY/local-repository, and a JDK in
# JDK. Plugins and libraries come from the former local repository, without the network; with RELEASES, Cabrank comes from that
# repository of releases.
use_fresh_repository() {
    local former=$HOME/.m2/repository releases=""
    [[ ${MAVEN_OPTS:-} =~ -Dmaven\.repo\.local=([^ ]+) ]] && former=${BASH_REMATCH[1]}
    (($# == 1)) || releases="<repository><id>cabrank</id><url>file://$2</url></repository>"
    settings=$1/settings.xml
    fresh=$1/local-repository
    rm -rf "$fresh"
    cat >"$settings" <<END_OF_SETTINGS
<settings>
  <profiles><profile><id>test</id><activation><activeByDefault>true</activeByDefault></activation>
    <repositories>$releases
      <repository><id>former</id><url>file://$former</url><snapshots><enabled>false</enabled></snapshots></repository>
    </repositories>
    <pluginRepositories>
      <pluginRepository><id>former</id><url>file://$former</url></pluginRepository>
    </pluginRepositories>
  </profile></profiles>
</settings>
END_OF_SETTINGS
    mvn() {
        MAVEN_OPTS="" JAVA_HOME=$JDK command mvn -B -ntp -s "$settings" -Dmaven.repo.local="$fresh" "$@"
    }
    export -f mvn
    export settings fresh JDK
}
