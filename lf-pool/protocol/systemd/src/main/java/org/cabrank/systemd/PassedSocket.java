package org.cabrank.systemd;

import java.util.Objects;

/**
 * A socket that systemd has opened and passed to this process. {@code name} is {@code FileDescriptorName=} of the socket unit, by default
 * the unit's name. It is {@value #NAME_UNKNOWN} if systemd has passed no names.
 */
public record PassedSocket(int fd, String name) {
    public static final String NAME_UNKNOWN = "unknown";

    public PassedSocket {
        Objects.requireNonNull(name, "name");
    }
}
