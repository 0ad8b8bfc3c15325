package org.cabrank.lf.stream;

/** How the shards of a reactor share a listening address. */
public enum AcceptMode {
    /** One listening socket in every shard's handle set; the kernel wakes one of them (EPOLLEXCLUSIVE, Linux 4.5). */
    EXCLUSIVE,
    /** A listening socket per shard; the kernel spreads connections by their addresses' hash (SO_REUSEPORT). */
    REUSEPORT
}
