package org.cabrank.handover;

import org.cabrank.kernel.Errno;

/** Messages between the two processes of a handover. Each is a line of text. TAKE, the first message, has the version. */
final class HandoverMessages {
    static final String TAKE = "TAKE 1";

    /** From the old process: prefix of the address of a listener. The message also carries the listener's descriptors. */
    static final String LISTENER = "LISTENER ";

    /** From the old process: the last listener was passed. */
    static final String END = "END";

    /** From the new process: the new process accepts connections. */
    static final String READY = "READY";

    /** From the old process: the path is free, and the drain begins. */
    static final String LEFT = "LEFT";

    /** From the old process: prefix of the reason why it refuses. */
    static final String REFUSED = "REFUSED ";

    private HandoverMessages() {}

    static String reason(String text) {
        return text.startsWith(REFUSED) ? text.substring(REFUSED.length()) : "unexpected message '" + text + "'";
    }

    /** Returns true if the errno means that the other process has ended. */
    static boolean isGone(int errno) {
        return errno == Errno.EPIPE || errno == Errno.ECONNRESET;
    }
}
