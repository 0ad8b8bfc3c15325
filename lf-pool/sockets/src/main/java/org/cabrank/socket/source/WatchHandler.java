package org.cabrank.socket.source;

/** Handler of the events of an {@link InotifyWatch}. Calls for the watches of one source never overlap. */
@FunctionalInterface
public interface WatchHandler {

    /** An exception closes the whole source, with all its watches. */
    void handleFileEvent(InotifyWatch watch, FileEvent event) throws Exception;

    /** The last call: the watch was removed, its file deleted or unmounted, its only event delivered (IN_ONESHOT), or the source closed. */
    default void handleRemoved(InotifyWatch watch) {}
}
