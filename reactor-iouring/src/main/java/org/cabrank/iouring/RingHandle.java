package org.cabrank.iouring;

import java.io.IOException;
import java.util.function.Function;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorHandle;
import org.cabrank.socket.calls.DatagramInput;
import org.cabrank.socket.calls.DescriptorOwner;
import org.cabrank.stream.transport.StreamConnection;

/** A descriptor that a {@link RingHandleSet} makes requests for. */
final class RingHandle extends DescriptorHandle {
    private final HandleRequests requests;

    /** @param requests makes the requests of the handle */
    RingHandle(
            RingHandleSet set,
            int fd,
            int interest,
            EventHandler handler,
            DescriptorOwner owner,
            boolean concurrent,
            Function<RingHandle, HandleRequests> requests) {
        super(set, fd, interest, handler, owner, concurrent);
        this.requests = requests.apply(this);
    }

    /**
     * Makes the handle of a stream, which sends even while its handler has offloaded work: otherwise earlier output would wait behind a
     * send that has ended.
     */
    RingHandle(RingHandleSet set, int fd, EventHandler handler, Function<RingHandle, HandleRequests> requests) {
        super(
                set,
                fd,
                Ready.READ | Ready.WRITE,
                handler,
                DescriptorOwner.SET,
                false,
                Ready.WRITE | StreamConnection.WHEN_OFFLOADED);
        this.requests = requests.apply(this);
    }

    @Override
    protected DatagramInput input() {
        return requests instanceof DatagramRequests datagrams ? datagrams : null;
    }

    /** Watcher. Returns true if no other thread runs the handler before the watcher dispatches the handle. */
    boolean isFree() {
        return !isHeld();
    }

    HandleRequests requests() {
        return requests;
    }

    /** Watcher. Called if the kernel does not watch the descriptor any more. */
    void fail(IOException cause) {
        closeLater(cause);
    }
}
