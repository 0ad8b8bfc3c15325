package org.cabrank.systemd;

import java.util.Objects;

/**
 * A socket that systemd has opened and passed to this process.
 *
 * @param fd descriptor, from {@link Systemd#FIRST_FD}, for {@link org.cabrank.stream.StreamReactor#listen(int,
 *     org.cabrank.stream.ListenOptions, java.util.function.Supplier)}
 * @param name {@code FileDescriptorName=} of the socket unit, by default the name of the unit, shared by all its sockets; {@value
 *     #NAME_UNKNOWN} if systemd has passed no names
 */
public record PassedSocket(int fd, String name) {
    public static final String NAME_UNKNOWN = "unknown";

    public PassedSocket {
        Objects.requireNonNull(name, "name");
    }
}
