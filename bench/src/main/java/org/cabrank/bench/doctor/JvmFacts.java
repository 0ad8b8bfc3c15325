package org.cabrank.bench.doctor;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * What matters of a JVM.
 *
 * @param feature its release, such as 17 or 25
 * @param collector such as {@code G1}; empty: unknown
 * @param heapMaxBytes the most that its heap may take
 * @param preTouch whether it touches its heap when it starts (AlwaysPreTouch)
 * @param numa whether its heap is aware of memory nodes (UseNUMA)
 * @param hugePages whether its heap asks for huge pages, transparent or not
 * @param nativeAccess whether native calls were allowed by flag; without meaning before 22
 */
public record JvmFacts(
        int feature,
        String collector,
        long heapMaxBytes,
        boolean preTouch,
        boolean numa,
        boolean hugePages,
        boolean nativeAccess) {
    private static final List<String> COLLECTORS = List.of("G1", "Z", "Shenandoah", "Parallel", "Serial", "Epsilon");

    /** Those of this JVM, which the launcher starts as it starts a server. */
    public static JvmFacts ofThisOne() {
        HotSpotDiagnosticMXBean flags = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        return new JvmFacts(
                Runtime.version().feature(),
                COLLECTORS.stream()
                        .filter(name -> is(flags, "Use" + name + "GC"))
                        .findFirst()
                        .orElse(""),
                Runtime.getRuntime().maxMemory(),
                is(flags, "AlwaysPreTouch"),
                is(flags, "UseNUMA"),
                is(flags, "UseTransparentHugePages") || is(flags, "UseLargePages"),
                ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                        .anyMatch(flag -> flag.startsWith("--enable-native-access")));
    }

    private static boolean is(HotSpotDiagnosticMXBean flags, String name) {
        try {
            return flags != null && Boolean.parseBoolean(flags.getVMOption(name).getValue());
        } catch (IllegalArgumentException unknown) {
            return false; // this JVM was built without it, as some are without a collector
        }
    }
}
