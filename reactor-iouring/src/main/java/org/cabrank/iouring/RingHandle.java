package org.cabrank.iouring;

import java.io.IOException;
import java.util.function.Function;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorHandle;
import org.cabrank.socket.calls.DatagramInput;
import org.cabrank.socket.calls.DescriptorOwner;
import org.cabrank.stream.transport.StreamConnection;

final class RingHandle extends DescriptorHandle {
    private final HandleRequests requests;

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

    /** Makes the handle of a stream. The handle sends earlier output even while its handler has offloaded work. */
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

    /** Returns true if no thread can run the handler before the watcher dispatches the handle. */
    boolean isFree() {
        return !isHeld();
    }

    HandleRequests requests() {
        return requests;
    }

    void fail(IOException cause) {
        closeLater(cause);
    }
}
