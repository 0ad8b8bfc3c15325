package org.cabrank.stream.transport;

/** Events that a shard counts ({@link StreamContext#count}). */
public enum StreamCount {
    OPENED,
    CLOSED,

    /** A connection that another transport serves in the shard, such as a Netty channel. It is in no list. */
    GUEST_OPENED,
    GUEST_CLOSED,
    MOVED_IN,
    MOVED_OUT,

    /** A connection was assigned to this shard and is served by another shard, because too many wait here to be opened. */
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
