package org.cabrank.socket.calls;

/**
 * Datagrams of one socket that a reactor receives by itself, before the handler runs. Called by the socket inside the handler, by several
 * threads at once if the handle is concurrent.
 */
public interface DatagramInput {
    /**
     * True if the reactor receives; otherwise it watches the descriptor for readiness, and the handler receives by system calls. May change
     * to false once, when the kernel refuses the first receive.
     */
    boolean isActive();

    /**
     * Takes datagrams in the order of arrival, and lets the reactor continue to receive if there are none. Fills {@code into} from index 0.
     *
     * @return number of datagrams; 0: none at present, and an event follows the next datagram; {@code -errno}: once for each failed
     *     receive, after the datagrams received before it
     */
    int take(DatagramSlot[] into);

    /** Gives back memory that {@link #take} has returned. Called once for each slot taken. */
    void giveBack(DatagramSlot slot);

    /**
     * Ends the receiving: the next {@link #take} that finds no datagram asks the reactor for the end. The caller has made the kernel drop
     * arriving datagrams, and lets the handler run afterwards. Any thread.
     */
    void drain();

    /** True after {@link #drain} if the receiving has ended, and all datagrams were taken. Any thread. */
    boolean isDrained();
}
