package org.cabrank.socket.source;

/** Handler of the events of a {@link InotifyWatch}. Calls for the watches of one source never overlap. */
@FunctionalInterface
public interface WatchHandler {

    /** An exception closes the whole source, with all its watches. */
    void handleFileEvent(InotifyWatch watch, FileEvent event) throws Exception;

    /**
     * The last call for the watch: it was removed, its file was deleted or unmounted, its only event has arrived
     * ({@link org.cabrank.kernel.Inotify#IN_ONESHOT}), or the source was closed.
     */
    default void handleRemoved(InotifyWatch watch) {}
}
