package org.cabrank.lf.observe;

/** State of a thread of a pool (POSA2, Leader/Followers: the three states of a thread). */
public enum ThreadState {
    /** Watches the handle set, or picks the next event. */
    LEADER,
    /** Runs an event handler. */
    PROCESSING,
    /** Waits to become leader. */
    FOLLOWER
}
