package org.cabrank.iouring.ring;

/** Faults of features that flags report as present. Distributions fix or keep a fault in any version, so a trial finds out. */
public enum KnownFault {
    /**
     * A bundle may continue in the next buffer although the buffer before is not full. The completion reports only the sum of the bytes, so
     * its reader takes stale bytes of the gap, perhaps of another connection, for received bytes. Since April 2025 (7c71a0af81ba: Linux
     * 6.15, and 6.13.11 and 6.14.2), until July 2025 (3a08988123c8 and 178b8ff66ff8: Linux 6.16, and 6.15.5). Bundles are used only if
     * {@code BundleTrial} shows the receives of Linux 6.17.
     */
    BUNDLE_GAPS("bundles are not used: some kernels before Linux 6.17 leave gaps in them"),

    /**
     * If bytes and the end of the stream (a reset, or the close of a Unix socket) both arrive before a waiting multishot receive runs, it
     * brings the bytes without the end. Since Linux 6.0, until March 2026 (a68ed2df7213: Linux 7.0, and stable kernels of that time). Where
     * {@code LostEndTrial} finds the fault, receives are not multishot.
     */
    END_LOST_BEHIND_BYTES(
            "each receive is asked for by itself: multishot receives of this kernel lose the end of a stream"),

    /**
     * A multishot receive polls the socket once when it is armed. If bytes and the end of the stream (a reset, or the close of a Unix
     * socket) arrive between its first attempt and that poll, it brings the bytes, and nothing wakes it for the end. In all kernels since
     * 6.0: with 6.18.44 it hits one of 3,500 connections whose peer sends and resets in that moment. {@code ReceiveRequest} looks for the
     * end itself.
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
