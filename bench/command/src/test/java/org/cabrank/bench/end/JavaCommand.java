package org.cabrank.bench.end;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.bench.Cabrank;

/** A user's command line, up to the name of the main class. */
public final class JavaCommand {
    private static final String IGNORED_SIGNALS = "SigIgn:";
    private static final int SIGHUP = 1;
    private static final int SIGINT = 2;

    /** Flags that {@code scripts/test} gives to the JVMs of tests. */
    private static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    /** The first JVM that needs no JNA. */
    static final int FFM_SINCE = 22;

    private JavaCommand() {}

    /** Returns the command of Cabrank in a JVM of the same JDK, with the flags by which this process starts quickly, and with {@code flags}. */
    static List<String> cabrank(String... flags) throws IOException {
        return quickly(Cabrank.class.getName(), flags);
    }

    /** As {@link #cabrank}, of another main class in the class path. */
    public static List<String> quickly(String mainClass, String... flags) throws IOException {
        QuickStart start = QuickStart.prepare(java(), started());
        List<String> all = new ArrayList<>(start.flags());
        all.addAll(List.of(flags));
        return from(start.classPath(), mainClass, all.toArray(String[]::new));
    }

    /** As {@link #cabrank}, from another class path than this JVM's. */
    static List<String> cabrankFrom(String classPath, String... flags) throws IOException {
        return from(classPath, Cabrank.class.getName(), flags);
    }

    private static List<String> from(String classPath, String mainClass, String... flags) throws IOException {
        List<String> command = new ArrayList<>();
        if (signalIsIgnored()) {
            command.addAll(List.of("env", "--default-signal=INT,HUP"));
        }
        command.add(java());
        command.addAll(started());
        command.addAll(List.of(flags));
        command.addAll(List.of("-cp", classPath, mainClass));
        return command;
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Returns the flags of every process: those of this JVM by which it starts quickly, and access to native code. */
    private static List<String> started() {
        List<String> flags =
                new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
        flags.retainAll(QUICK_START);
        if (Runtime.version().feature() >= FFM_SINCE) {
            flags.add("--enable-native-access=ALL-UNNAMED");
        }
        return flags;
    }

    /**
     * Returns true if this process ignores SIGINT, as a background process of a script does, or SIGHUP, as one under nohup(1) does. A
     * JVM inherits that and leaves the signal ignored, so a server that the test starts would not end by the signal.
     */
    private static boolean signalIsIgnored() throws IOException {
        String ignored = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith(IGNORED_SIGNALS))
                .findFirst()
                .orElseThrow(() -> new IOException("/proc/self/status does not say which signals are ignored"));
        long mask = Long.parseUnsignedLong(
                ignored.substring(IGNORED_SIGNALS.length()).trim(), 16);
        return (mask & (1L << SIGINT - 1 | 1L << SIGHUP - 1)) != 0;
    }
}
