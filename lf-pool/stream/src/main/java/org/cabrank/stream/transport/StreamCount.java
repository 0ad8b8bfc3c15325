package org.cabrank.stream.transport;

/** Events that a shard counts ({@link StreamContext#count}). */
public enum StreamCount {
    OPENED,
    CLOSED,

    /** A connection that another transport serves in this shard, such as a Netty channel. No list of connections has it. */
    GUEST_OPENED,
    GUEST_CLOSED,
    MOVED_IN,
    MOVED_OUT,

    /** A connection was assigned to this shard, but another shard serves it, because too many connections wait here. */
    PASSED_BY,

    /** A call or a request to accept has failed, or accepting has thrown. */
    ACCEPT_FAILED,

    REFUSED,

    OVER_LIMIT,

    RATE_PAUSED,

    DESCRIPTOR_DROPPED,

    READING_PAUSED,

    IDLE,
    DEADLINE_PASSED,
    CLOSING_GIVEN_UP,
    UNREAD_LIMIT,
    NO_MEMORY,
    CONNECT_TIMED_OUT
}
