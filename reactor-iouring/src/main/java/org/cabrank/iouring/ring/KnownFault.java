package org.cabrank.iouring.ring;

/** Faults of features that the kernel reports as present. The version does not show them, because distributions backport fixes. */
public enum KnownFault {
    /**
     * A bundle may continue in the next buffer although the buffer before it is not full. The completion reports only the total number of
     * bytes. So the reader takes old bytes in the gap for received bytes, and they may belong to another connection. The fault began in
     * April 2025 (7c71a0af81ba: Linux 6.15, 6.13.11 and 6.14.2), and ended in July 2025 (3a08988123c8 and 178b8ff66ff8: Linux 6.16 and
     * 6.15.5). Bundles are used only if {@code BundleTrial} finds the receives of Linux 6.17.
     */
    BUNDLE_GAPS("bundles are not used: some kernels before Linux 6.17 leave gaps in them"),

    /**
     * If bytes and the end of the stream both arrive before a waiting multishot receive runs, the receive brings the bytes without the end.
     * The end is a reset, or the close of a Unix socket. The fault began with Linux 6.0, and ended in March 2026 (a68ed2df7213: Linux 7.0,
     * and stable kernels of that time). If {@code LostEndTrial} finds the fault, receives are not multishot.
     */
    END_LOST_BEHIND_BYTES(
            "each receive is asked for by itself: multishot receives of this kernel lose the end of a stream"),

    /**
     * The kernel first tries to receive, and then polls the socket. If bytes and the end of the stream arrive between these two steps, the
     * receive brings the bytes, and nothing wakes it for the end. The end is a reset, or the close of a Unix socket. All kernels since 6.0
     * have the fault. With 6.18.44 it hits one of 3,500 connections whose peer sends and then resets. So {@code ReceiveRequest} looks for
     * the end.
     */
    END_LOST_WHEN_ARMED("an end that came while a receive was armed is looked for");

    private final String remedy;

    KnownFault(String remedy) {
        this.remedy = remedy;
    }

    public String remedy() {
        return remedy;
    }
}
