package org.cabrank.lf;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** {@link BareRun} in a JVM of its own. */
final class BareProcess {
    private BareProcess() {}

    /** Returns the printed lines. The process must have ended with exit status 0. */
    static List<String> run(List<String> jvmFlags, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(jvmFlags);
        command.addAll(List.of("-cp", root(LeaderFollowersPool.class) + ":" + root(BareRun.class)));
        command.add(BareRun.class.getName());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(String.join(" ", command) + " ended with " + process.exitValue() + ":\n" + output);
        }
        return output.lines().toList();
    }

    /** The directory or jar that the class was loaded from; that of its module would not do for a patched one. */
    private static Path root(Class<?> type) {
        String file = type.getName().replace('.', '/') + ".class";
        String url = Objects.requireNonNull(type.getResource("/" + file), file).toString();
        if (url.startsWith("jar:")) {
            url = url.substring("jar:".length(), url.indexOf('!'));
            return Path.of(URI.create(url));
        }
        return Path.of(URI.create(url.substring(0, url.length() - file.length())));
    }
}
