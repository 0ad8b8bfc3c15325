package org.cabrank.socket.source;

import java.io.IOException;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorSet;

/**
 * An endpoint that is read item by item until it is empty. A handler that waits for a reply releases the source to the next thread.
 * Therefore {@link #take} must change the state of the source before it calls the handler, or in {@link #beforeNestedWait}.
 */
abstract class Source extends Endpoint {
    /** Maximum number of items that are taken before other handles have their turn. */
    static final int TAKEN_MAX = 64;

    Source(DescriptorSet set, int fd) {
        super(set, fd);
    }

    /** Takes one item and, as the last step, passes it to the handler. Returns false if there is no item. */
    abstract boolean take() throws Exception;

    @Override
    final void handleReady(int ready) throws Exception {
        for (int taken = 0; taken < TAKEN_MAX; taken++) {
            if (!take() || !mayContinue()) {
                return;
            }
            set().setInterruptAside();
        }
        handle().post(Ready.READ); // an edge is not reported again
    }

    /** Returns false if the handler has closed the source, or has waited for a reply. Another thread may own the source then. */
    final boolean mayContinue() {
        return !handle().isClosed() && handle().isHeldByCaller();
    }

    /** Lets the next owner of the source take the remaining items, because the kernel does not report the edge again. */
    @Override
    void beforeNestedWait() {
        handle().post(Ready.READ);
    }

    /** Reads, and repeats after an interrupt. Returns the number of bytes read; 0 at the end; -1 if nothing is available now. */
    final int read(long address, int room) throws IOException {
        int result;
        do {
            result = kernel().read(fd(), address, room);
        } while (result == -Errno.EINTR);
        return result == -Errno.EAGAIN ? -1 : Errno.check(this + ": read", result);
    }
}
