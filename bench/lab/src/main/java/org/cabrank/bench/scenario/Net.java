package org.cabrank.bench.scenario;

import java.util.Locale;

/** Network between the load and the servers. */
public enum Net {
    /** The loopback device of one network namespace. */
    LOOPBACK,

    /** A pair of virtual Ethernet devices between two network namespaces: the packets take a driver's path, with NAPI. */
    VETH;

    /** The name in reports and on the command line. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
