package org.cabrank.bench.measure;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.JMRuntimeException;
import javax.management.ObjectName;

final class NativeMemory {

    private static final String DIAGNOSTICS = "com.sun.management:type=DiagnosticCommand";
    private static final String OPERATION = "vmNativeMemory";
    private static final String[] SUMMARY_IN_BYTES = {"summary", "scale=b"};

    private static final String HEAP = "Java Heap";
    private static final String THREADS = "Thread";

    private static final List<String> ALWAYS_THERE = List.of(HEAP, THREADS);

    /** Categories of the JVM itself, in the releases 17 to 25. They are not counted here. */
    private static final Set<String> HOUSEKEEPING = Set.of(
            HEAP,
            "Class",
            "Metaspace",
            "Shared class space",
            "Symbol",
            "Module",
            "Code",
            "Compiler",
            "JVMCI",
            "Arena Chunk",
            "GC",
            "GCCardSet",
            "String Deduplication",
            "Native Memory Tracking",
            "Tracing",
            "Logging",
            "Statistics",
            "Arguments",
            "Safepoint",
            "Serviceability");

    private static final String CATEGORY_BEGINS = "-";
    private static final Pattern CATEGORY =
            Pattern.compile("- +(\\S.*) \\(reserved=\\d+, committed=(\\d{1,18})(?:, readonly=\\d+)?\\)");

    private NativeMemory() {}

    static long bytes() throws UnweighableException {
        return bytes(summary());
    }

    private static String summary() throws UnweighableException {
        try {
            Object summary = ManagementFactory.getPlatformMBeanServer()
                    .invoke(new ObjectName(DIAGNOSTICS), OPERATION, new Object[] {SUMMARY_IN_BYTES}, new String[] {
                        String[].class.getName()
                    });
            return summary.toString();
        } catch (JMException | JMRuntimeException notThisJvm) {
            throw new UnweighableException(
                    "its JVM tells nothing of its native memory (" + notThisJvm + ")", notThisJvm);
        }
    }

    /** @param summary output of jcmd(1) {@code VM.native_memory summary scale=b} */
    static long bytes(String summary) throws UnweighableException {
        Map<String, Long> committed = committed(summary);
        if (!committed.keySet().containsAll(ALWAYS_THERE)) {
            throw new UnweighableException("its JVM says of its native memory: "
                    + summary.strip().lines().findFirst().orElse("nothing"));
        }
        committed.keySet().removeAll(HOUSEKEEPING);
        return committed.values().stream().mapToLong(Long::longValue).sum();
    }

    private static Map<String, Long> committed(String summary) throws UnweighableException {
        Map<String, Long> committed = new HashMap<>();
        for (String line : summary.lines().toList()) {
            if (line.startsWith(CATEGORY_BEGINS)) {
                Matcher category = CATEGORY.matcher(line.stripTrailing());
                if (!category.matches() || committed.put(category.group(1), Long.valueOf(category.group(2))) != null) {
                    throw new UnweighableException("its JVM says of its native memory what cannot be read: " + line);
                }
            }
        }
        return committed;
    }
}
