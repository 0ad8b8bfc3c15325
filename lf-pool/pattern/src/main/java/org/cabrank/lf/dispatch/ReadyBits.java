package org.cabrank.lf.dispatch;

/** Ready bits in a handle's state word, merged by compare-and-set. {@code Ready} documents the bits that a handler sees. */
public final class ReadyBits {
    public static final int READ = 1;
    public static final int WRITE = 1 << 1;
    public static final int INPUT_CLOSED = 1 << 2;
    public static final int HANGUP = 1 << 3;
    public static final int ERROR = 1 << 4;
    public static final int TIMER = 1 << 5;
    public static final int POSTED = 1 << 6;
    public static final int POSTED_2 = 1 << 7;
    public static final int POSTED_3 = 1 << 8;
    public static final int POSTED_4 = 1 << 9;

    static final int PUBLIC = (1 << 10) - 1;

    /** Offloaded work has ended. Not passed to the handler. */
    static final int RESUMED = 1 << 13;

    /** The handle was reactivated and has to be re-armed. Not passed to the handler. */
    static final int REARM = 1 << 14;

    static final int CLOSE = 1 << 15;

    /** Bits after which a disarmed handle is re-armed: REARM and the bits from the kernel. */
    static final int FROM_KERNEL = READ | WRITE | INPUT_CLOSED | HANGUP | ERROR | REARM;

    static final int WHEN_DETAINED = RESUMED | CLOSE;

    static final int MASK = 0xffff;

    private ReadyBits() {}

    public static String describe(int ready) {
        String[] names = {
            "READ", "WRITE", "INPUT_CLOSED", "HANGUP", "ERROR", "TIMER", "POSTED", "POSTED_2", "POSTED_3", "POSTED_4"
        };
        StringBuilder words = new StringBuilder();
        for (int bit = 0; bit < names.length; bit++) {
            if ((ready & 1 << bit) != 0) {
                words.append(words.isEmpty() ? "" : "|").append(names[bit]);
            }
        }
        return words.isEmpty() ? "nothing" : words.toString();
    }
}
