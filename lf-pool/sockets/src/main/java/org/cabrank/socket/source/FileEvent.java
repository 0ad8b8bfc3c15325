package org.cabrank.socket.source;

import org.cabrank.kernel.Inotify;

/**
 * An event of a watched file or directory (inotify(7)).
 *
 * @param mask one of the events of {@link Inotify}, possibly with {@link Inotify#IN_ISDIR}
 * @param cookie number that the {@link Inotify#IN_MOVED_FROM} and {@link Inotify#IN_MOVED_TO} events of one rename share; otherwise 0
 * @param name name of the file in the watched directory; null for the watched file or directory itself
 */
public record FileEvent(int mask, int cookie, String name) {

    /** Returns true if this event is one of {@code events}. */
    public boolean is(int events) {
        return (mask & events) != 0;
    }
}
