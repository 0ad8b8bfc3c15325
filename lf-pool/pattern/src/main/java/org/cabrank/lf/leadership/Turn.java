package org.cabrank.lf.leadership;

import java.io.IOException;

/** The work of a leader: one implementation for each promotion policy. */
public interface Turn {

    /** Outcome of a turn or of the wait for a turn. */
    enum Outcome {
        /** Outcome of a wait: the thread leads. */
        LEADS,
        /** Leadership went to another thread; this thread may wait for it again. */
        PASSED_ON,
        /** The member's time is up, and leadership has been passed on. */
        TIMED_OUT,
        /** Outcome of a wait: the pool needs fewer followers. */
        DISMISSED,
        /** The pool stops, and leadership has been passed on. */
        STOPPED,
        /** The member's reply has arrived, and leadership has been passed on. */
        REPLIED
    }

    Outcome lead(Candidate me, long deadlineNs) throws IOException;
}
