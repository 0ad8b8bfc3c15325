package org.cabrank.socket.source;

/** Handler of the events that concern all watches of an {@link InotifySource}. Calls never overlap. */
@FunctionalInterface
public interface InotifyHandler {

    /** The kernel's queue was full (fs.inotify.max_queued_events): events of any watches are lost. Examine all watched files again. */
    void handleOverflow(InotifySource source) throws Exception;

    /** Last call: the source has been closed. {@code cause} is null unless a failure closed it. */
    default void handleClosed(InotifySource source, Throwable cause) {}
}
