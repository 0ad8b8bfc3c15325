package org.cabrank.socket.source;

import java.io.IOException;
import java.nio.file.Path;

/** One file or directory that an {@link InotifySource} watches. Any thread may call the methods. */
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

    /** Path at the start of the watch. The file may have been renamed since. */
    public Path path() {
        return path;
    }

    /** Ends the watch. Idempotent. A handler call may still run. {@link WatchHandler#handleRemoved} is the only call that begins later. */
    public void remove() throws IOException {
        source.remove(this);
    }

    /** Returns true if the handler gets no further event of this watch. */
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
