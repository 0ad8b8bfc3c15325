package org.cabrank.socket.source;

import org.cabrank.kernel.Inotify;

/**
 * What has happened to a watched file or directory (inotify(7)).
 *
 * @param mask one of the events of {@link Inotify}, perhaps with {@link Inotify#IN_ISDIR}
 * @param cookie the same for the {@link Inotify#IN_MOVED_FROM} and the {@link Inotify#IN_MOVED_TO} of one rename, which
 *     come to the watches of two directories if it was between these; else 0
 * @param name the file in the directory that is watched; null: it is about the watched file or directory itself
 */
public record FileEvent(int mask, int cookie, String name) {

    /** Whether one of the events of {@code events} has happened. */
    public boolean is(int events) {
        return (mask & events) != 0;
    }
}
