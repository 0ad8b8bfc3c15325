package org.cabrank.socket.source;

import java.io.IOException;
import java.nio.file.Path;

/** One file or directory that an {@link InotifySource} watches. */
public final class InotifyWatch {
    private final InotifySource source;
    private final int descriptor;
    private final Path path;
    private final WatchHandler handler;

    private volatile boolean removed;

    InotifyWatch(InotifySource source, int descriptor, Path path, WatchHandler handler) {
        this.source = source;
        this.descriptor = descriptor;
        this.path = path;
        this.handler = handler;
    }

    /** Path of the watched file or directory at the start of the watch; the file may have been renamed since. */
    public Path path() {
        return path;
    }

    /** Ends the watch; a second call has no effect. Only an event in delivery and {@link WatchHandler#handleRemoved} follow. Any thread. */
    public void remove() throws IOException {
        source.remove(this);
    }

    /** True if no event is handed over any more. Any thread. */
    public boolean isRemoved() {
        return removed;
    }

    void markRemoved() {
        removed = true;
    }

    int descriptor() {
        return descriptor;
    }

    WatchHandler handler() {
        return handler;
    }

    @Override
    public String toString() {
        return "watch of " + path;
    }
}
