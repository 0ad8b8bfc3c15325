package org.cabrank.kernel;

import org.cabrank.kernel.layout.InotifyEvent;

/** Calls of inotify(7). Constants are in {@link Inotify}. A read returns one or more whole {@link InotifyEvent}s. */
public interface InotifyCalls extends NativeCalls {

    /** inotify_init1(2). Returns the descriptor. Fails with {@code EMFILE} at the limit of descriptors or fs.inotify.max_user_instances. */
    default int inotifyInit1(int flags) {
        return (int) call(CFunction.INOTIFY_INIT1, flags, 0, 0, 0, 0, 0);
    }

    /**
     * inotify_add_watch(2). Returns the number of the watch, at least 1. If the file already has a watch, changes this watch. With {@link
     * Inotify#IN_MASK_CREATE}, the call fails in this case. Fails with {@code ENOSPC} at the limit fs.inotify.max_user_watches.
     */
    default int inotifyAddWatch(int fd, long path, int mask) {
        return (int) call(CFunction.INOTIFY_ADD_WATCH, fd, path, mask, 0, 0, 0);
    }

    /** inotify_rm_watch(2): removes a watch. {@code IN_IGNORED} follows. Fails with {@code EINVAL} if the watch does not exist. */
    default int inotifyRmWatch(int fd, int watch) {
        return (int) call(CFunction.INOTIFY_RM_WATCH, fd, watch, 0, 0, 0, 0);
    }
}
