package org.cabrank.stream;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;

final class DirectMemory {
    private static final String DIAGNOSTICS = "com.sun.management:type=HotSpotDiagnostic";

    private static final long MAX_BYTES = find();

    private DirectMemory() {}

    static long maxBytes() {
        return MAX_BYTES;
    }

    private static long find() {
        long set = 0;
        try {
            Object option = ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName(DIAGNOSTICS),
                            "getVMOption",
                            new Object[] {"MaxDirectMemorySize"},
                            new String[] {String.class.getName()});
            set = Long.parseLong((String) ((CompositeData) option).get("value"));
        } catch (JMException | RuntimeException | LinkageError unknown) {
            // The JVM is not HotSpot, or has no such module. Its default limit is used.
        }
        return set > 0 ? set : Runtime.getRuntime().maxMemory();
    }
}
