/*
 * Reads the installed POMs and manifests, and runs the consumer on each JDK, from the class path and from the module path, over
 * both backends. Expects Panama on a JDK of 22 or later and JNA before.
 */
import java.util.jar.JarFile
import groovy.xml.XmlSlurper

def classes = new File(basedir, 'target/classes')
def lib = new File(basedir, 'target/lib')

def feature = { File home ->
    def release = new File(home, 'release')
    def version = release.exists() ? (release.text =~ /JAVA_VERSION="(\d+)/) : null
    version ? version[0][1] as int : 0
}

def run = { File home, List<String> path, String backend ->
    def command = [new File(home, 'bin/java').path, '-XX:TieredStopAtLevel=1'] + path + [backend]
    def process = new ProcessBuilder(command).redirectErrorStream(true).start()
    def output = process.inputStream.text
    if (process.waitFor() != 0) {
        if (backend == 'iouring' && output.contains('BackendUnavailableException')) {
            println "left out, because io_uring is unavailable: $output"
            return "hello over iouring, unavailable"
        }
        throw new IllegalStateException("${command.join(' ')} ended with ${process.exitValue()}:\n$output")
    }
    output
}

def files = []
new File(localRepositoryPath, 'org/cabrank').eachFileRecurse { files << it }
// The parents are not for consumers.
def poms = files.findAll { it.name.endsWith('.pom') && !(it.name =~ /^cabrank-(parent|release)-/) }
assert poms.size() > 10 : poms
poms.each { pom ->
    def project = new XmlSlurper().parse(pom)
    assert project.licenses.license*.name*.text() == ['Apache-2.0'] : pom
    ['name', 'description', 'url'].each { assert !project[it].text().empty : "$pom: $it" }
    ['connection', 'developerConnection', 'url'].each { assert !project.scm[it].text().empty : "$pom: scm.$it" }
    assert !project.developers.developer.name.text().empty : pom
    // Neither the parent nor the BOMs that it imports: a consumer does not fetch them.
    assert project.parent.isEmpty() : pom
    project.dependencies.dependency.each { assert it.version.text() =~ /^\d/ && it.scope.text() != 'test' : "$pom: $it" }
}
def jars = files.findAll { it.name ==~ /cabrank.*(?<!-tests)\.jar/ }
assert jars.size() > 10 : jars
jars.each { jar ->
    new JarFile(jar).withCloseable {
        def attributes = it.manifest.mainAttributes
        assert attributes.getValue('Bundle-License') == 'Apache-2.0' : jar
        def version = attributes.getValue('Implementation-Version')
        assert ['', '-sources', '-javadoc'].any { jar.name.endsWith("-$version${it}.jar") } : jar
    }
}

def homes = jdks.tokenize(',').collect { new File(it.trim()) }.findAll { feature(it) >= 17 }
assert !homes.isEmpty() : "no JDK of 17 or later in '$jdks'"
homes.each { home ->
    def version = feature(home)
    def expected = version >= 22 ? 'PanamaKernel' : 'JnaKernel'
    def allow = { String module -> version >= 22 ? ["--enable-native-access=$module".toString()] : [] }
    def ways = [
        'class path' : allow('ALL-UNNAMED') + ['-cp', "$classes:$lib/*".toString(), 'consumer.EchoOnce'],
        'module path': allow('org.cabrank.kernel.panama') +
            ['-p', "$classes:$lib".toString(), '-m', 'consumer/consumer.EchoOnce'],
    ]
    ways.each { name, path ->
        ['epoll', 'iouring'].each { backend ->
            def output = run(home, path, backend)
            assert output.contains("hello over $backend through $expected") || output.endsWith('unavailable') :
                "JDK $version, $name, $backend:\n$output"
            println "JDK $version, $name: ${output.trim()}"
        }
    }
}
true
