package org.cabrank.socket.calls;

/** Datagrams of one socket that a reactor receives by itself. Used in the handler; if the handle is concurrent, by several threads. */
public interface DatagramInput {
    /** Returns true if the reactor receives, and false if it only reports readiness. A refusal of the first receive changes it to false. */
    boolean isActive();

    /**
     * Takes datagrams in the order of arrival into {@code into}, from index 0. If there are none, lets the reactor continue to receive.
     *
     * @return number of datagrams; 0 if an event will report the next one; {@code -errno}, once, for each failed receive, in its order
     */
    int take(DatagramSlot[] into);

    /** Gives back memory that {@link #take} has returned. Called once for each slot taken. */
    void giveBack(DatagramSlot slot);

    /** Ends the receiving. Any thread may call this after it has made the kernel drop arriving datagrams. The handler must run later. */
    void drain();

    /** Returns true if the receiving has ended after {@link #drain}, and all datagrams were taken. Any thread may call this. */
    boolean isDrained();
}
