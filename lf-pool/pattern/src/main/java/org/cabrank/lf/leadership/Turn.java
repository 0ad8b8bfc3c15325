package org.cabrank.lf.leadership;

import java.io.IOException;

/** The work of a leader. Each promotion policy has its own implementation. */
public interface Turn {

    /** Outcome of a turn or of the wait for a turn. With each value except {@link #LEADS}, the thread no longer leads. */
    enum Outcome {
        LEADS,
        /** Another thread leads now. This thread may wait for leadership again. */
        PASSED_ON,
        TIMED_OUT,
        /** The pool needs fewer followers. */
        DISMISSED,
        STOPPED,
        REPLIED
    }

    Outcome lead(Candidate me, long deadlineNs) throws IOException;
}
