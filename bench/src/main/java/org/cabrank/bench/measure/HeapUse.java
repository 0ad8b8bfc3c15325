package org.cabrank.bench.measure;

import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What lives on this JVM's heap, and where in its memory the heap is.
 *
 * @param bytes in use after a collection; 0 where the JVM does not tell where its heap is: there it cannot be told from its
 *     other memory
 * @param from the lowest address of the heap; 0 where the JVM does not tell
 * @param to behind its highest; 0 where the JVM does not tell
 */
public record HeapUse(long bytes, long from, long to) {

    /** A collection may leave what its own finding made unreachable. */
    private static final int COLLECTIONS = 2;

    private static final String DIAGNOSTICS = "com.sun.management:type=DiagnosticCommand";
    private static final Pattern ADDRESS = Pattern.compile("0x([0-9a-f]{8,16})");

    /** Collects garbage first. */
    public static HeapUse now() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        long bytes = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        long from = 0;
        long to = 0;
        Matcher addresses = ADDRESS.matcher(heapInfo());
        while (addresses.find()) {
            long address = Long.parseUnsignedLong(addresses.group(1), 16);
            from = from == 0 ? address : Math.min(from, address);
            to = Math.max(to, address);
        }
        return new HeapUse(to == 0 ? 0 : bytes, from, to);
    }

    /** What jcmd(1) GC.heap_info says: every collector names the bounds of its spaces. Empty where there is no such command. */
    private static String heapInfo() {
        try {
            Object info = ManagementFactory.getPlatformMBeanServer()
                    .invoke(new ObjectName(DIAGNOSTICS), "gcHeapInfo", new Object[] {new String[0]}, new String[] {
                        String[].class.getName()
                    });
            // Class space is outside the heap.
            return info.toString()
                    .lines()
                    .filter(line -> !line.contains("lass space") && !line.contains("Metaspace"))
                    .reduce("", (all, line) -> all + line + "\n");
        } catch (JMException notThisJvm) {
            return "";
        }
    }
}
