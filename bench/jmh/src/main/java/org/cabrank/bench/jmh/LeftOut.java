package org.cabrank.bench.jmh;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.iouring.RingBenchmark;

/** Benchmarks that cannot run here. {@code benchmarks} is a regular expression for their names. */
record LeftOut(String benchmarks, String what, String reason) {
    private static final int FFM_FEATURE = 22;

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
        return all;
    }

    @Override
    public String toString() {
        return what + ": " + reason.strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
