package org.cabrank.lf.handle;

import org.cabrank.lf.dispatch.ReadyBits;

/** Ready bits of a handle: those that an {@link EventHandler} receives and that an interest consists of. */
public final class Ready {
    /** Bytes, a connection to accept, or the end of the input. An interest. */
    public static final int READ = ReadyBits.READ;
    /** Room to write, or a connect that has ended. An interest. */
    public static final int WRITE = ReadyBits.WRITE;
    /** The peer has closed its sending side. */
    public static final int INPUT_CLOSED = ReadyBits.INPUT_CLOSED;
    /** Both sides are closed. */
    public static final int HANGUP = ReadyBits.HANGUP;
    /** The descriptor has an error pending. */
    public static final int ERROR = ReadyBits.ERROR;
    /** The handle's timer ({@link Handle#scheduleTimer}) has expired. */
    public static final int TIMER = ReadyBits.TIMER;
    /** Another thread has posted ({@link Handle#post}). */
    public static final int POSTED = ReadyBits.POSTED;
    /** {@link #POSTED} for a second purpose of the handler's own. */
    public static final int POSTED_2 = ReadyBits.POSTED_2;
    /** {@link #POSTED} for a third purpose of the handler's own. */
    public static final int POSTED_3 = ReadyBits.POSTED_3;

    /** {@link #POSTED} for a fourth purpose of the handler's own. */
    public static final int POSTED_4 = ReadyBits.POSTED_4;

    private Ready() {}

    public static String describe(int ready) {
        return ReadyBits.describe(ready);
    }
}
