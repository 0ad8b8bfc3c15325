package org.cabrank.socket.source;

import java.io.IOException;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.Ready;
import org.cabrank.socket.DescriptorSet;

/** An endpoint that is read: one thing after the other until there is nothing more. */
abstract class Source extends Endpoint {
    /** Named bound: things taken in one go, before other handles have their turn. */
    static final int TAKEN_MAX = 64;

    Source(DescriptorSet set, int fd) {
        super(set, fd);
    }

    /** Inside the handler: takes one thing and hands it over; false: there is nothing. */
    abstract boolean take() throws Exception;

    @Override
    final void handleReady(int ready) throws Exception {
        for (int taken = 0; taken < TAKEN_MAX; taken++) {
            if (handle().isClosed() || !take()) {
                return;
            }
            set().setInterruptAside(); // left by the handler, and not for the next call
        }
        handle().post(Ready.READ); // an edge is not told again
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
