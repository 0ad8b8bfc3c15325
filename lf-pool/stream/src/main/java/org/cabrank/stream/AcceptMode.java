package org.cabrank.stream;

import org.cabrank.lf.ShardPlacement;
import org.cabrank.lf.handle.Choice;

/**
 * The way in which the shards of a reactor share a listening address. With one shard all modes are alike, except that the two REUSEPORT
 * modes set SO_REUSEPORT: another process of the same user, such as the service's next version, can listen at the port. The old process
 * accepts what waits on its sockets before it closes them. Connections whose handshake ends in between are reset, unless the kernel moves
 * them to sockets of the new process (net.ipv4.tcp_migrate_req=1, Linux 5.14). Sockets of systemd, or handed over, have no gap.
 */
public enum AcceptMode implements Choice {
    /** One listening socket, in the handle set of every shard; the kernel wakes one shard (EPOLLEXCLUSIVE, Linux 4.5). */
    EXCLUSIVE("one queue"),
    /** A listening socket per shard; the kernel spreads connections by their addresses' hash (SO_REUSEPORT). TCP only. */
    REUSEPORT("a socket for each shard"),
    /**
     * As REUSEPORT, with a program in the kernel that chooses the shard whose threads run on the CPU that receives ({@link
     * ShardPlacement#cpus}; SO_ATTACH_REUSEPORT_CBPF, Linux 4.5). Connections of a CPU without a shard go to the shard whose number is the
     * CPU's number modulo the number of shards; so do all if no CPUs are known. REUSEPORT serves, and the log says why, if the kernel
     * refuses the program, a CPU belongs to several shards, or another server of the same user listens at the port already (the kernel
     * counts its sockets first); a {@linkplain ShardPlacement#isStrict strict} placement refuses to listen. A server that joins later goes
     * unnoticed: it gets no connection until sockets of this server are closed. From then on its own program chooses.
     */
    REUSEPORT_CPU("a socket for each shard, chosen by the CPU that receives"),
    /** Picks the shard with the fewest connections. All DISPATCH modes: if too many wait there, the accepting shard serves (counted). */
    DISPATCH("handed to the shard with the fewest connections"),
    /** Chooses the shard by a hash of the peer's host and port: always the same shard. Peers without an address (unix(7)): as DISPATCH. */
    DISPATCH_HASH("handed over by the peer's address"),
    /**
     * As DISPATCH, but among the shards whose threads run on the CPU that has received the connection (SO_INCOMING_CPU, Linux 3.19).
     * Without such a shard DISPATCH serves; if no CPUs are known, the CPU's number modulo the number of shards decides. TCP only.
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
