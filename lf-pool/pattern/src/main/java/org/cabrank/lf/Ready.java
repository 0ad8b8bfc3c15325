package org.cabrank.lf;

/**
 * Ready bits of a handle: those that an {@link EventHandler} receives and that an interest consists of.
 *
 * <p>Bits rather than an {@code EnumSet}, because they are merged by compare-and-set into a handle's state word.
 */
public final class Ready {
    /** Bytes, a connection to accept, or the end of the input. An interest. */
    public static final int READ = 1;
    /** Room to write, or a connect that has ended. An interest. */
    public static final int WRITE = 1 << 1;
    /** The peer has closed its sending side. */
    public static final int INPUT_CLOSED = 1 << 2;
    /** Both sides are closed. */
    public static final int HANGUP = 1 << 3;
    /** The descriptor has an error pending. */
    public static final int ERROR = 1 << 4;
    /** The handle's timer ({@link Handle#scheduleTimer}) has expired. */
    public static final int TIMER = 1 << 5;
    /** Another thread has posted ({@link Handle#post}) that there is something to do. */
    public static final int POSTED = 1 << 6;
    /** Like {@link #POSTED}, for a second purpose of the handler's own. */
    public static final int POSTED_2 = 1 << 7;
    /** Like {@link #POSTED}, for a third purpose of the handler's own. */
    public static final int POSTED_3 = 1 << 8;

    /** Like {@link #POSTED}, for a fourth purpose of the handler's own. */
    public static final int POSTED_4 = 1 << 9;

    /** The bits that a handler may see. */
    static final int PUBLIC = (1 << 10) - 1;

    /** Offloaded work of the handle has ended. For the pool. */
    static final int RESUMED = 1 << 13;
    /** The handle was reactivated and has to be armed again; the pool acts on it. */
    static final int REARM = 1 << 14;
    /** Asked for by {@link Handle#close}; the pool acts on it, a handler never sees it. */
    static final int CLOSE = 1 << 15;

    /** Ready bits that are dispatched while offloaded work is under way. */
    static final int WHEN_DETAINED = RESUMED | CLOSE;

    /** All bits that may be merged into a handle's state. */
    static final int MASK = 0xffff;

    private Ready() {}

    /** Names of the bits, for messages. */
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
