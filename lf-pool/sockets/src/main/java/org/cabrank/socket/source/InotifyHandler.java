package org.cabrank.socket.source;

/** Handler of the events that concern all watches of an {@link InotifySource}. Calls never overlap. */
@FunctionalInterface
public interface InotifyHandler {

    /** The kernel's queue was full (fs.inotify.max_queued_events). Events of any watch may be lost. Examine all watched files again. */
    void handleOverflow(InotifySource source) throws Exception;

    /** The source has been closed. This is the last call. {@code cause} is null unless a failure closed the source. */
    default void handleClosed(InotifySource source, Throwable cause) {}
}
