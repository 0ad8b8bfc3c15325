package org.cabrank.handover;

import java.util.Objects;

/**
 * A listener that a process hands to its successor.
 *
 * @param address {@code HOST:PORT} with brackets around an IPv6 address, or the path of a Unix socket. It is used only in messages.
 * @param descriptors listening sockets. There is one socket, or there is one for each shard of the old process.
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
