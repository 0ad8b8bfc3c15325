package org.cabrank.pinning.doctor;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * Flags of a JVM that affect latency.
 *
 * @param feature feature release, such as 17 or 25
 * @param collector garbage collector, such as {@code G1}. Empty if it is unknown
 * @param preTouch true if the JVM touches its heap at start (AlwaysPreTouch)
 * @param numa true if the heap is NUMA-aware (UseNUMA)
 * @param hugePages true if the heap uses huge pages, transparent or not
 * @param nativeAccess true if a flag allows native access. It is not used for a JDK before 22
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

    /** Flags of this JVM. The launcher starts servers and the doctor with the same flags. */
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
            return false; // JVM built without this flag, for instance without a collector
        }
    }
}
