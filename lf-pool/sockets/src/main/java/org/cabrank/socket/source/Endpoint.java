package org.cabrank.socket.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntFunction;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.socket.DescriptorHandle;
import org.cabrank.socket.DescriptorSet;

/**
 * A descriptor in a handle set, used by the thread that processes its events and by threads that call the endpoint. The endpoint closes the
 * descriptor under its lock, so that no call can use the number after the kernel has reused it.
 */
abstract class Endpoint implements AutoCloseable {
    private final DescriptorSet set;
    private final Kernel kernel;
    private final int fd;

    /** Held for the close of the descriptor, and by each thread that uses the descriptor without processing its events. */
    private final Object lock = new Object();

    private boolean released;

    /** The first event may arrive before the registration has returned, so the first thread that has the handle sets it. */
    private volatile DescriptorHandle handle;

    Endpoint(DescriptorSet set, int fd) {
        this.set = set;
        this.kernel = set.kernel();
        this.fd = fd;
    }

    /** Makes an endpoint of a new descriptor. If that fails for lack of memory, the descriptor is closed. */
    static <E extends Endpoint> E make(DescriptorSet set, int opened, IntFunction<E> constructor) {
        try {
            return constructor.apply(opened);
        } catch (Throwable failed) {
            set.closeQuietly(opened);
            throw failed;
        }
    }

    /** Called as the last step of creation. Closes the descriptor if it cannot be watched. */
    final void start(int interest) throws IOException {
        try {
            startGiven(interest);
        } catch (Throwable refused) {
            release();
            throw refused;
        }
    }

    /** Starts like {@link #start}, but a descriptor that cannot be watched stays open, because the caller still owns it. */
    final void startGiven(int interest) throws IOException {
        handle = set.registerBorrowed(fd, interest, new Events());
    }

    abstract void handleReady(int ready) throws Exception;

    /** Called in the handler before it waits for a reply. During the wait another thread may process the next event. */
    void beforeNestedWait() {}

    /** Called last, after the endpoint and its descriptor have been closed. */
    abstract void handleClosed(Throwable cause);

    final DescriptorSet set() {
        return set;
    }

    final Kernel kernel() {
        return kernel;
    }

    final int fd() {
        return fd;
    }

    final DescriptorHandle handle() {
        return handle;
    }

    final Object lock() {
        return lock;
    }

    /** Returns true if the descriptor has been closed or given back. The caller holds the {@link #lock}. */
    final boolean isReleased() {
        return released;
    }

    private void release() {
        synchronized (lock) {
            if (released) {
                return;
            }
            released = true;
            closeDescriptor();
        }
    }

    void closeDescriptor() {
        set.closeQuietly(fd);
    }

    static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    @Override
    public void close() {
        handle.close();
    }

    public final boolean isClosed() {
        return handle.isClosed();
    }

    @Override
    public abstract String toString();

    private final class Events implements EventHandler {
        @Override
        public void handleEvent(Handle own, int ready) throws Exception {
            if (handle == null) {
                handle = (DescriptorHandle) own;
            }
            handleReady(ready);
        }

        @Override
        public void beforeNestedWait(Handle own) {
            Endpoint.this.beforeNestedWait();
        }

        @Override
        public void handleClosed(Handle own, Throwable cause) {
            if (handle == null) {
                handle = (DescriptorHandle) own;
            }
            release();
            Endpoint.this.handleClosed(cause);
        }
    }
}
