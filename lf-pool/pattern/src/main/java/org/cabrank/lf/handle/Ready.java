package org.cabrank.lf.handle;

import org.cabrank.lf.dispatch.ReadyBits;

/** Ready bits of a handle, which an {@link EventHandler} receives. An interest in kernel events combines some of these bits. */
public final class Ready {
    /** There are bytes, a connection to accept, or the end of the input. May be part of an interest. */
    public static final int READ = ReadyBits.READ;
    /** There is room to write, or a connect has ended. May be part of an interest. */
    public static final int WRITE = ReadyBits.WRITE;
    /** The peer has closed its sending side. */
    public static final int INPUT_CLOSED = ReadyBits.INPUT_CLOSED;
    /** Both sides are closed. */
    public static final int HANGUP = ReadyBits.HANGUP;
    /** The descriptor has an error pending. */
    public static final int ERROR = ReadyBits.ERROR;
    /** The handle's timer ({@link Handle#scheduleTimer}) has expired. */
    public static final int TIMER = ReadyBits.TIMER;
    /** A thread has posted ({@link Handle#post}). */
    public static final int POSTED = ReadyBits.POSTED;
    /** Like {@link #POSTED}, for a second purpose that the handler defines. */
    public static final int POSTED_2 = ReadyBits.POSTED_2;
    /** Like {@link #POSTED}, for a third purpose that the handler defines. */
    public static final int POSTED_3 = ReadyBits.POSTED_3;

    /** Like {@link #POSTED}, for a fourth purpose that the handler defines. */
    public static final int POSTED_4 = ReadyBits.POSTED_4;

    private Ready() {}

    public static String describe(int ready) {
        return ReadyBits.describe(ready);
    }
}
