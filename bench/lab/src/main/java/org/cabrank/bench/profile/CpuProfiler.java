package org.cabrank.bench.profile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import one.profiler.AsyncProfiler;

/**
 * Samples the stacks of this process with async-profiler, which is loaded at the first use. Answers the bench, which speaks in
 * lines: {@code start EVENT} and {@code stop FILE}. One thread.
 */
public final class CpuProfiler {

    /** Samples CPU time by perf events, with stacks of the kernel. */
    public static final String WITH_KERNEL = "cpu";

    /** Samples CPU time by timers of the threads, which needs no permission. Stacks end at the border of the kernel. */
    public static final String USER_ONLY = "ctimer";

    /** CPU time in ns between two samples: no multiple of the kernel's tick, so that samples do not follow the tick. */
    public static final long INTERVAL_NS = 997_000;

    /** Answer if all went well. */
    public static final String DONE = "done";

    /** Beginning of the answer otherwise; the reason follows. */
    public static final String REFUSED = "refused ";

    /** JVM flags of a process whose stacks are sampled: otherwise compiled code knows its position at safepoints only. */
    public static final String[] JVM_FLAGS = {"-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"};

    private static final String START = "start ";
    private static final String STOP = "stop ";

    private CpuProfiler() {}

    /** Command that starts sampling. */
    public static String start(String event) {
        return START + event;
    }

    /** Command that ends sampling, and writes the stacks to {@code file}. */
    public static String stop(Path file) {
        return STOP + file;
    }

    /** Does what {@code command} says. Returns {@link #DONE}, or {@link #REFUSED} with the reason in one line. */
    public static String obey(String command) {
        try {
            if (command.startsWith(START)) {
                String event = command.substring(START.length());
                // Stacks begin with the name of their thread; the log would be in the way on standard output.
                AsyncProfiler.getInstance()
                        .execute("start,event=" + event + ",interval=" + INTERVAL_NS + ",threads,loglevel=none");
                return DONE;
            }
            if (command.startsWith(STOP)) {
                String stacks = AsyncProfiler.getInstance().execute("stop,collapsed,threads,ann,loglevel=none");
                Files.writeString(Path.of(command.substring(STOP.length())), stacks, StandardCharsets.UTF_8);
                return DONE;
            }
            return REFUSED + "unknown command of the bench: " + command;
        } catch (NoClassDefFoundError absent) {
            return REFUSED + "async-profiler is not on the class path; build with scripts/cabrank, or mvn package";
        } catch (UnsatisfiedLinkError notLoaded) {
            return REFUSED + "the native library of async-profiler was not loaded: " + notLoaded.getMessage()
                    + "; it needs glibc or musl on x86-64 or arm64, and a directory for temporary files without noexec"
                    + " (-Djava.io.tmpdir)";
        } catch (IllegalArgumentException | IllegalStateException | IOException refused) {
            return REFUSED + "async-profiler: " + refused.getMessage() + "; bench without --profile";
        }
    }
}
