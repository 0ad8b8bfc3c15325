package org.cabrank.socket.source;

/** Handler of the events of a {@link InotifyWatch}. Calls for the watches of one source never overlap. */
@FunctionalInterface
public interface WatchHandler {

    /**
     * Something has happened to what is watched.
     *
     * @throws Exception closes the whole source, with all its watches
     */
    void handleFileEvent(InotifyWatch watch, FileEvent event) throws Exception;

    /**
     * The watch is gone: it was removed, what it watched was deleted or unmounted, its only event has come
     * ({@link org.cabrank.kernel.Inotify#IN_ONESHOT}), or the source was closed. The last call for the watch.
     */
    default void handleRemoved(InotifyWatch watch) {}
}
