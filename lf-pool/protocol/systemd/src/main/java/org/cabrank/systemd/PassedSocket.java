package org.cabrank.systemd;

import java.util.Objects;

/**
 * A socket that systemd has opened and passed to this process.
 *
 * @param fd descriptor, from {@link Systemd#FIRST_FD}; {@link org.cabrank.stream.StreamReactor#listen(int,
 *     org.cabrank.stream.ListenOptions, java.util.function.Supplier)} takes it
 * @param name {@code FileDescriptorName=} of the socket unit, by default the name of the unit; {@value #NAME_UNKNOWN} if systemd
 *     has passed no names. All sockets of one unit have the same name
 */
public record PassedSocket(int fd, String name) {
    /** Name of a socket that was passed without a name. */
    public static final String NAME_UNKNOWN = "unknown";

    public PassedSocket {
        Objects.requireNonNull(name, "name");
    }
}
