package org.cabrank.handover;

import org.cabrank.kernel.Errno;

/** Messages between the two processes of a handover, each a line of text; the version is part of the first. */
final class HandoverMessages {
    static final String TAKE = "TAKE 1";

    /** From the old process: prefix of a listener's address, whose descriptors are in the message. */
    static final String LISTENER = "LISTENER ";

    /** From the old process: it has passed the last listener. */
    static final String END = "END";

    /** From the new process: it accepts connections. */
    static final String READY = "READY";

    /** From the old process: the path is free, and the drain begins. */
    static final String LEFT = "LEFT";

    /** From the old process: prefix of the reason for a refusal. */
    static final String REFUSED = "REFUSED ";

    private HandoverMessages() {}

    static String reason(String text) {
        return text.startsWith(REFUSED) ? text.substring(REFUSED.length()) : "unexpected message '" + text + "'";
    }

    /** Returns true for an errno that means that the other process has ended. */
    static boolean isGone(int errno) {
        return errno == Errno.EPIPE || errno == Errno.ECONNRESET;
    }
}
