package org.cabrank.iouring;

import java.io.IOException;
import java.util.function.Function;
import org.cabrank.descriptor.DescriptorHandle;
import org.cabrank.descriptor.DescriptorOwner;
import org.cabrank.lf.EventHandler;

/** A descriptor that a {@link RingHandleSet} makes requests for. */
final class RingHandle extends DescriptorHandle {
    private final Requests requests;

    /** @param requests makes what the handle asks of the ring */
    RingHandle(
            RingHandleSet set,
            int fd,
            int interest,
            EventHandler handler,
            DescriptorOwner owner,
            boolean concurrent,
            Function<RingHandle, Requests> requests) {
        super(set, fd, interest, handler, owner, concurrent);
        this.requests = requests.apply(this);
    }

    Requests requests() {
        return requests;
    }

    /** Watcher: the kernel does not watch it any more. */
    void fail(IOException cause) {
        closeLater(cause);
    }
}
