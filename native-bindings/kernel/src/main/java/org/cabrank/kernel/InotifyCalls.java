package org.cabrank.kernel;

import org.cabrank.kernel.layout.InotifyEvent;

/** Calls of inotify(7), which reports changes of files. Constants are in {@link Inotify}; a read gives whole {@link InotifyEvent}s. */
public interface InotifyCalls extends NativeCalls {

    /** inotify_init1(2), with {@code IN_NONBLOCK} and {@code IN_CLOEXEC}. {@code EMFILE} may also mean fs.inotify.max_user_instances. */
    default int inotifyInit1(int flags) {
        return (int) call(CFunction.INOTIFY_INIT1, flags, 0, 0, 0, 0, 0);
    }

    /**
     * inotify_add_watch(2). Returns the watch descriptor, from 1. Changes an existing watch, unless {@code mask} has {@link
     * Inotify#IN_MASK_CREATE}. Fails with {@code ENOSPC} beyond fs.inotify.max_user_watches. {@code path}: address, zero-terminated.
     */
    default int inotifyAddWatch(int fd, long path, int mask) {
        return (int) call(CFunction.INOTIFY_ADD_WATCH, fd, path, mask, 0, 0, 0);
    }

    /** inotify_rm_watch(2): removes a watch; an {@code IN_IGNORED} follows. Fails with {@code EINVAL} if the watch does not exist. */
    default int inotifyRmWatch(int fd, int watch) {
        return (int) call(CFunction.INOTIFY_RM_WATCH, fd, watch, 0, 0, 0, 0);
    }
}
