package org.cabrank.socket.source;

/** Handler of the events of an {@link InotifyWatch}. Calls for the watches of one source never overlap. */
@FunctionalInterface
public interface WatchHandler {

    /** An event has occurred. An exception closes the whole source, with all its watches. */
    void handleFileEvent(InotifyWatch watch, FileEvent event) throws Exception;

    /** Last call. The watch or its file was removed, the file system unmounted, the IN_ONESHOT event delivered, or the source closed. */
    default void handleRemoved(InotifyWatch watch) {}
}
