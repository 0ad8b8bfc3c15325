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
     * Takes datagrams in the order of arrival, and makes the reactor continue if there are none. Fills {@code into} from index 0.
     *
     * @return number of datagrams; 0: none at present, and an event follows the next one; or {@code -errno}, once for each receive that has
     *     failed, behind the datagrams before
     */
    int take(DatagramSlot[] into);

    /** Gives memory back that {@link #take} has returned, once for each time that it was taken. */
    void giveBack(DatagramSlot slot);

    /**
     * Ends the receiving: the next {@link #take} that finds no datagram asks for the end. The caller makes the kernel drop arriving
     * datagrams, and calls the handler afterwards. Any thread.
     */
    void drain();

    /** True after {@link #drain} if the receiving has ended, and all datagrams were taken. Any thread. */
    boolean isDrained();
}
