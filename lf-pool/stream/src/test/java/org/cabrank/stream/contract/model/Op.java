package org.cabrank.stream.contract.model;

/** An action of a program: a call on the connection, an end of a callback, or an action of the peer or of the test. */
enum Op {
    WRITE(true),
    WRITE_TWO(true),
    FLUSH(true),
    SEND_FILE(true),
    /** Writes more than a socket takes whose peer does not read. */
    FLOOD(true),
    /** Asks whether the connection is writable. */
    ASK(true),
    /** Requires room for a write that does not fit behind two floods. */
    ROOM(true),
    PAUSE(true),
    RESUME(true),
    SHUTDOWN(true),
    CLOSE(true),
    ABORT(true),
    EXECUTE(true),
    /** A timer that is due at once. */
    TIMER(true),
    /** A periodic timer: due at once, and then in an hour. */
    TIMER_EVERY(true),
    /** A timer of an hour. */
    TIMER_LATE(true),
    /** Cancels the timer that was scheduled last. */
    CANCEL(true),
    /** A deadline of 1 ms. */
    DEADLINE(true),
    NO_DEADLINE(true),
    WHEN_WRITTEN(true),
    MOVE(true),
    PROMOTE(true),
    OFFLOAD(true),
    REPLACE(true),
    /** Asks for the view with blocking calls; another thread reads from then on. */
    BLOCKING(true),
    /** Waits for a reply, which {@link #REPLY} or {@link #REPLY_FIRST} brings. */
    WAIT(true),
    /** In a data callback: leaves the other bytes of the message unread. Ends the callback. */
    LEAVE(true),
    /** Throws. Ends the callback. */
    THROW(true),

    /** The peer sends a message of three bytes. */
    SEND(false),
    /** The peer sends a message byte by byte. */
    SEND_SLOWLY(false),
    HALF_CLOSE(false),
    RESET(false),
    STOP_READING(false),
    READ_ON(false),
    /** Offloaded work ends. */
    WORK_DONE(false),
    /** The reply comes that was asked for last. */
    REPLY(false),
    /** The reply comes that was asked for first. */
    REPLY_FIRST(false),
    /** The reactor is closed. The last step. */
    DRAIN(false);

    /** Number of bytes of a message. */
    static final int MESSAGE = 3;

    private final boolean call;

    Op(boolean call) {
        this.call = call;
    }

    /** Returns true for what a callback does. */
    boolean isCall() {
        return call;
    }

    /** Returns true for calls that any thread may make. */
    boolean mayBeElsewhere() {
        return call && this != WAIT && this != LEAVE && this != THROW && this != BLOCKING;
    }
}
