package org.cabrank.stream;

import org.cabrank.lf.ShardPlacement;
import org.cabrank.lf.handle.Choice;

/**
 * The way in which the shards of a reactor share a listening address. With one shard all modes are alike, except that the two
 * REUSEPORT modes set SO_REUSEPORT: then another process of the same user can listen at the port at the same time, for instance
 * the next version of the service before the former one ends. The former one accepts what waits on its sockets before it closes
 * them. Connections whose handshake ends in between are reset, unless the kernel moves them to the sockets of the next one
 * (net.ipv4.tcp_migrate_req=1, Linux 5.14). Sockets that are handed over or belong to systemd have no such gap.
 */
public enum AcceptMode implements Choice {
    /** One listening socket in every shard's handle set; the kernel wakes one of them (EPOLLEXCLUSIVE, Linux 4.5). */
    EXCLUSIVE("one queue"),
    /** A listening socket per shard; the kernel spreads connections by their addresses' hash (SO_REUSEPORT). TCP only. */
    REUSEPORT("a socket for each shard"),
    /**
     * As REUSEPORT, but the kernel is given a program that chooses the shard whose threads run on the CPU that receives
     * ({@link ShardPlacement#cpus}; SO_ATTACH_REUSEPORT_CBPF, Linux 4.5). What comes by another CPU goes to the shard of that
     * CPU's number modulo the number of shards; so does everything if no CPUs are known. Where the kernel refuses the program,
     * or a CPU is that of several shards, REUSEPORT serves, and the log says why; a {@linkplain ShardPlacement#isStrict
     * strict} placement refuses to listen. So it is where another server of the same user listens at the port already, since
     * the kernel counts its sockets first. One that joins later is not found out: it gets no connection until sockets of this
     * one are closed, and if it brings a program of its own, that chooses from then on.
     */
    REUSEPORT_CPU("a socket for each shard, chosen by the CPU that receives"),
    /**
     * Whichever shard accepts hands the connection to the one that has the fewest. As in all DISPATCH modes, one that has been
     * too many connections that it has not opened yet is skipped: the accepting shard serves the connection itself, which is
     * counted.
     */
    DISPATCH("handed to the shard with the fewest connections"),
    /**
     * Whichever shard accepts hands the connection to the shard that a hash of the peer's address (host and port) says: the same
     * address goes to the same shard again. Peers without an address (unix(7)) are spread as by DISPATCH.
     */
    DISPATCH_HASH("handed over by the peer's address"),
    /**
     * Whichever shard accepts hands the connection to a shard whose threads run on the CPU that has received it
     * (SO_INCOMING_CPU, Linux 3.19), of several to the one that has the fewest. What comes by no shard's CPU is spread as by
     * DISPATCH; if no CPUs are known, the CPU's number modulo the number of shards says. TCP only.
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
