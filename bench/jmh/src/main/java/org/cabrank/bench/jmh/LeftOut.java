package org.cabrank.bench.jmh;

import io.netty.channel.epoll.Epoll;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.iouring.RingBenchmark;

/**
 * Benchmarks that cannot run here.
 *
 * @param benchmarks a regular expression for their names; may match no benchmark
 * @param what description of their subject
 * @param reason the reason why they cannot run
 */
record LeftOut(String benchmarks, String what, String reason) {
    private static final int FFM_FEATURE = 22;

    /** On this machine, by this JVM. */
    static List<LeftOut> here() {
        List<LeftOut> all = new ArrayList<>();
        int feature = Runtime.version().feature();
        if (feature < FFM_FEATURE) {
            all.add(new LeftOut(
                    "Panama|kernel\\.panama",
                    "calls and memory through the FFM API (Panama)",
                    "they take a JDK of " + FFM_FEATURE + " or later, and this one is a " + feature));
        }
        String rings = RingBenchmark.refusal();
        if (rings != null) {
            all.add(new LeftOut("\\.iouring\\.", "io_uring", rings));
        }
        if (!Epoll.isAvailable()) {
            all.add(new LeftOut(
                    "\\.Jni", "calls through JNI", "Netty's library: " + rootOf(Epoll.unavailabilityCause())));
        }
        if (Runtime.getRuntime().availableProcessors() == 1) {
            all.add(new LeftOut("\\.Contended", "two threads that want the same word", "there is only one CPU"));
        }
        return all;
    }

    private static Throwable rootOf(Throwable failure) {
        return failure.getCause() == null ? failure : rootOf(failure.getCause());
    }

    @Override
    public String toString() {
        return what + ": " + reason.strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
