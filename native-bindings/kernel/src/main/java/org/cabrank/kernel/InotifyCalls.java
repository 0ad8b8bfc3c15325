package org.cabrank.kernel;

import org.cabrank.kernel.layout.InotifyEvent;

/**
 * inotify(7): what happens to files. Constants are in {@link Inotify}; a read gives whole {@link InotifyEvent}s. Every
 * method returns {@code -errno} on failure.
 */
public interface InotifyCalls extends NativeCalls {

    /**
     * inotify_init1(2), with flags {@code IN_NONBLOCK} and {@code IN_CLOEXEC}: the descriptor; {@code EMFILE} also beyond
     * fs.inotify.max_user_instances.
     */
    default int inotifyInit1(int flags) {
        return (int) call(CFunction.INOTIFY_INIT1, flags, 0, 0, 0, 0, 0);
    }

    /**
     * inotify_add_watch(2): the watch descriptor, at least 1; that of the watch that there is when the file has one
     * already, unless {@code mask} has {@link Inotify#IN_MASK_CREATE}. {@code ENOSPC} beyond
     * fs.inotify.max_user_watches.
     *
     * @param path the address of its bytes, which end with a zero
     */
    default int inotifyAddWatch(int fd, long path, int mask) {
        return (int) call(CFunction.INOTIFY_ADD_WATCH, fd, path, mask, 0, 0, 0);
    }

    /** inotify_rm_watch(2): an {@code IN_IGNORED} follows; {@code EINVAL} when there is no such watch. */
    default int inotifyRmWatch(int fd, int watch) {
        return (int) call(CFunction.INOTIFY_RM_WATCH, fd, watch, 0, 0, 0, 0);
    }
}
