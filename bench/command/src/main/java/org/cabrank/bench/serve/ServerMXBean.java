package org.cabrank.bench.serve;

/** A server of {@code cabrank serve} as JMX shows it, beside its pools and shards: {@code org.cabrank:type=Server,name=...}. */
public interface ServerMXBean {
    String getProtocol();

    /** Since the start. Of HTTP as many as were sent; of echo, what is read at once counts as one. */
    long getRequests();
}
