package org.cabrank.handover;

import org.cabrank.kernel.Errno;

/** Messages between the two processes of a handover. Each is a line of text. The first message is TAKE with the version. */
final class HandoverMessages {
    static final String TAKE = "TAKE 1";

    /** Sent by the old process, with a listener's address and its descriptors. */
    static final String LISTENER = "LISTENER ";

    static final String END = "END";

    /** Sent by the new process when it accepts connections. */
    static final String READY = "READY";

    /** Sent by the old process when the path is free. The old process then drains. */
    static final String LEFT = "LEFT";

    /** Sent by the old process if it refuses the request. The reason follows. */
    static final String REFUSED = "REFUSED ";

    private HandoverMessages() {}

    static String reason(String text) {
        return text.startsWith(REFUSED) ? text.substring(REFUSED.length()) : "unexpected message '" + text + "'";
    }

    static boolean isGone(int errno) {
        return errno == Errno.EPIPE || errno == Errno.ECONNRESET;
    }
}
