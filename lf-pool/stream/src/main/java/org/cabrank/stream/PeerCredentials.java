package org.cabrank.stream;

import java.util.List;
import java.util.Objects;

/**
 * Credentials of the peer process of a Unix socket ({@code SO_PEERCRED}, {@code SO_PEERGROUPS}, unix(7)), at the moment when the peer
 * connected, or called listen(2) if this side has connected. Since then the process may have changed its credentials, ended, or given its
 * socket to another process. {@link UnixSocket#peerPidfd} refers to the process itself.
 *
 * @param pid number of the peer process as this process sees it. 0 if the peer is in a PID namespace that this process does not see
 * @param uid effective user, from 0 to 4,294,967,295
 * @param gid effective group, from 0 to 4,294,967,295
 * @param groups supplementary groups, in no order; empty before Linux 4.13
 */
public record PeerCredentials(int pid, long uid, long gid, List<Long> groups) {
    public PeerCredentials {
        groups = List.copyOf(Objects.requireNonNull(groups, "groups"));
    }
}
