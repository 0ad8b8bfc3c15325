package org.cabrank.lf.leadership;

import java.io.IOException;

/** The work of a leader while it leads: one implementation for each promotion policy. */
public interface Turn {

    /** Outcome of a turn, or of the wait for one. */
    enum Outcome {
        /** The thread leads; outcome of a wait for leadership. */
        LEADS,
        /** Leadership went to another thread; this thread may wait for leadership again. */
        PASSED_ON,
        /** The member's time is up, and leadership has been passed on. */
        TIMED_OUT,
        /** The pool needs fewer followers: outcome of a wait for leadership. */
        DISMISSED,
        /** The pool stops, and leadership has been passed on. */
        STOPPED,
        /** The reply that the member waits for is there, and leadership has been passed on. */
        REPLIED
    }

    Outcome lead(Candidate me, long deadlineNs) throws IOException;
}
