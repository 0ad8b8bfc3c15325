package org.cabrank.iouring;

import org.cabrank.kernel.Errno;

/**
 * By what the requests of one stream socket name it: by its place among the {@link RegisteredFiles}, from its first receive on,
 * or by its descriptor, which it keeps.
 *
 * <p>The file goes to its place ahead of the requests that name it, in the same queue, so nobody waits for that. Should it not
 * get there, these end with EBADF: they are made again, by the descriptor, as all that follow.
 */
final class SocketReference {
    /** Reference of all sockets that go by their descriptors, because there are no places. */
    private static final SocketReference NONE = new SocketReference();

    private final HandleRequests requests;
    private final RegisteredFiles files;
    private final int fd;

    /** The slot that {@link #leave} must empty. */
    private int taken = RegisteredFiles.NO_PLACE;

    /** True if a place was requested. */
    private boolean asked;

    /** The watcher goes back to the descriptor. */
    private int present = RegisteredFiles.NO_PLACE;

    private SocketReference(HandleRequests requests, RegisteredFiles files, int fd) {
        this.requests = requests;
        this.files = files;
        this.fd = fd;
    }

    private SocketReference() {
        this(null, null, -1);
        asked = true; // in vain
    }

    static SocketReference of(HandleRequests requests, RegisteredFiles files, int fd) {
        return files.places() == 0 ? NONE : new SocketReference(requests, files, fd);
    }

    /** The slot or descriptor that the next request names. */
    int present() {
        return present;
    }

    /** Takes a place, unless one was requested before. */
    void take() {
        if (!asked) {
            asked = true;
            taken = files.take(requests, fd);
            present = taken;
        }
    }

    /** Gives the place back, before the descriptor is closed. */
    void leave() {
        present = RegisteredFiles.NO_PLACE;
        if (taken != RegisteredFiles.NO_PLACE && !requests.set().isQuiet()) { // else all places are emptied at once
            files.leave(requests, taken);
        }
    }

    /**
     * Watcher: a request has ended that has named this place.
     *
     * @param place may be {@link RegisteredFiles#NO_PLACE}
     * @return true if it has to be made again, by the descriptor
     */
    boolean wasRefused(int result, int place) {
        if (result != -Errno.EBADF || place == RegisteredFiles.NO_PLACE) {
            return false;
        }
        goBack("using a registered file", result);
        return true;
    }

    /** Watcher: {@link HandleRequests#TAKE_PLACE} or {@link HandleRequests#LEAVE_PLACE} has completed. */
    void completed(int operation, int result) {
        if (operation == HandleRequests.TAKE_PLACE && result != 1) {
            goBack("registering a file", result);
        } else if (result < 0 && result != -Errno.EBADF) { // EBADF: the place is empty already
            log("emptying the place of a registered file", result);
        }
        requests.ended();
    }

    private void goBack(String what, int result) {
        present = RegisteredFiles.NO_PLACE;
        files.noteRefused();
        log(what, result);
    }

    private void log(String what, int result) {
        requests.set().failures().log(what + " of " + requests, Errno.exception("io_uring request", result));
    }
}
