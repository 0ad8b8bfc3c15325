package org.cabrank.socket.source;

import java.io.IOException;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorSet;

/**
 * An endpoint that is read: one thing after the other until there is nothing more. A handler that waits for a reply lets go of the
 * source: the next thread takes what is there from then on, so {@link #take} changes the state of the source before it calls the
 * handler, or in {@link #beforeNestedWait}.
 */
abstract class Source extends Endpoint {
    /** Named bound: things taken in one go, before other handles have their turn. */
    static final int TAKEN_MAX = 64;

    Source(DescriptorSet set, int fd) {
        super(set, fd);
    }

    /** Inside the handler: takes one thing and hands it over, last of all; false: there is nothing. */
    abstract boolean take() throws Exception;

    @Override
    final void handleReady(int ready) throws Exception {
        for (int taken = 0; taken < TAKEN_MAX; taken++) {
            if (!take() || !mayContinue()) {
                return;
            }
            set().setInterruptAside(); // left by the handler, and not for the next call
        }
        handle().post(Ready.READ); // an edge is not told again
    }

    /** Returns false if the handler has closed the source or has waited for a reply: the source may be another thread's. */
    final boolean mayContinue() {
        return !handle().isClosed() && handle().isHeldByCaller();
    }

    /** An edge is not told again: whoever has the source next takes what is left. */
    @Override
    void beforeNestedWait() {
        handle().post(Ready.READ);
    }

    /**
     * Reads, again when a signal interrupts it.
     *
     * @return the bytes read; 0 at the end; -1: there is nothing now
     */
    final int read(long address, int room) throws IOException {
        int result;
        do {
            result = kernel().read(fd(), address, room);
        } while (result == -Errno.EINTR);
        return result == -Errno.EAGAIN ? -1 : Errno.check(this + ": read", result);
    }
}
