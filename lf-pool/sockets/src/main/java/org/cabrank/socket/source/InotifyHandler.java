package org.cabrank.socket.source;

/** Handler of the events that concern all watches of an {@link InotifySource}. Calls never overlap. */
@FunctionalInterface
public interface InotifyHandler {

    /**
     * The kernel's queue was full (fs.inotify.max_queued_events), and events are lost, nobody knows how many and of which
     * watches. What was watched is to be looked at anew.
     */
    void handleOverflow(InotifySource source) throws Exception;

    /** The source has been closed; the last call. {@code cause} is null unless a failure closed it. */
    default void handleClosed(InotifySource source, Throwable cause) {}
}
