package org.cabrank.stream.transport;

/** Events that a shard counts ({@link StreamContext#count}). */
public enum StreamCount {
    OPENED,
    CLOSED,

    /** Counts a connection that another transport serves in the shard, such as a Netty channel. It is in no list. */
    GUEST_OPENED,
    GUEST_CLOSED,
    MOVED_IN,
    MOVED_OUT,

    /** A connection was assigned to this shard and is served by another shard, because this shard has not opened its own yet. */
    PASSED_BY,

    /** A call or a request to accept has failed, or the service's listener has. */
    ACCEPT_FAILED,

    /** A connection that was accepted is closed unserved. */
    REFUSED,

    /** A connection was accepted and reset, because its listener has as many as it may ({@link ConnectionQuota}). */
    OVER_LIMIT,

    /** A connection was accepted after a pause for the accept rate of its listener. */
    RATE_PAUSED,

    /** A received descriptor was closed, because no handler has taken it. */
    DESCRIPTOR_DROPPED,

    /** Reading has paused, because much is queued or memory is scarce. */
    READING_PAUSED,

    IDLE,
    DEADLINE_PASSED,
    CLOSING_GIVEN_UP,
    UNREAD_LIMIT,
    NO_MEMORY,
    CONNECT_TIMED_OUT
}
