package org.cabrank.handover;

import java.util.Objects;

/**
 * A listener that a process hands to its successor.
 *
 * @param address text for messages: {@code HOST:PORT} with brackets around an IPv6 address, or the path of a Unix socket
 * @param descriptors one listening socket, or a listening socket for each shard of the old process
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
