package org.cabrank.handover;

import java.util.Objects;

/**
 * A listener that one process hands to the process that replaces it.
 *
 * @param address for messages: {@code HOST:PORT} with brackets around an IPv6 address, or the path of a Unix socket
 * @param descriptors one listening socket, or one for each shard of the old process
 */
public record HandedListener(String address, int[] descriptors) {
    public HandedListener {
        Objects.requireNonNull(address, "address");
        descriptors = descriptors.clone();
    }

    @Override
    public int[] descriptors() {
        return descriptors.clone();
    }
}
