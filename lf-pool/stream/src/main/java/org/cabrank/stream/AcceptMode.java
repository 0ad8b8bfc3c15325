package org.cabrank.stream;

import org.cabrank.lf.ShardPlacement;
import org.cabrank.lf.handle.Choice;

/**
 * The way in which the shards of a reactor share a listening address. With one shard all modes are alike, except that the REUSEPORT modes
 * set SO_REUSEPORT. A new process of the same user, such as the next version of the service, can then listen at the same port. When the
 * new process takes over, a connection whose handshake ends between the last accept and the close of the old process is reset, unless
 * net.ipv4.tcp_migrate_req is 1 (Linux 5.14). If the old process passes its socket on ({@link Listener#share}), no connection is reset.
 */
public enum AcceptMode implements Choice {
    /** One listening socket, in the handle set of every shard; the kernel wakes one shard (EPOLLEXCLUSIVE, Linux 4.5). */
    EXCLUSIVE("one queue"),
    /** A listening socket for each shard; the kernel spreads connections by a hash of their addresses (SO_REUSEPORT). TCP only. */
    REUSEPORT("a socket for each shard"),
    /**
     * As REUSEPORT, but a program in the kernel (SO_ATTACH_REUSEPORT_CBPF, Linux 4.5) chooses the shard whose threads run on the CPU that
     * receives the connection ({@link ShardPlacement#cpus}). If no shard has that CPU, or if no CPUs are known, the number of the shard is
     * the number of the CPU modulo the number of shards.
     *
     * <p>If the kernel refuses the program, if a CPU belongs to several shards, or if another server of the same user already listens at
     * the port, REUSEPORT is used, and a log line gives the reason. With a {@linkplain ShardPlacement#isStrict strict} placement, listening
     * fails in these cases. If another server joins the port later, this server does not notice. The other server then gets no connection
     * until this server closes sockets.
     */
    REUSEPORT_CPU("a socket for each shard, chosen by the CPU that receives"),
    /**
     * Chooses the shard with the fewest connections. In all DISPATCH modes, if too many connections wait for the chosen shard, the
     * accepting shard serves the connection ({@link ShardCounters#passedBy}).
     */
    DISPATCH("handed to the shard with the fewest connections"),
    /** Chooses the shard by a hash of the peer's host and port. A peer without an address (unix(7)) is served as in DISPATCH. */
    DISPATCH_HASH("handed over by the peer's address"),
    /**
     * As DISPATCH, but only among the shards whose threads run on the CPU that has received the connection (SO_INCOMING_CPU, Linux 3.19).
     * If no shard has that CPU, DISPATCH is used. If no CPUs are known, the number of the shard is the number of the CPU modulo the number
     * of shards. TCP only.
     */
    DISPATCH_CPU("handed over by the CPU that has received the connection");

    private final String description;

    AcceptMode(String description) {
        this.description = description;
    }

    @Override
    public String label() {
        return Choice.label(this);
    }

    @Override
    public String description() {
        return description;
    }
}
