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

/** A descriptor in a handle set. The descriptor is closed under a lock, so that no call can use a number that the kernel has reused. */
abstract class Endpoint implements AutoCloseable {
    private final DescriptorSet set;
    private final Kernel kernel;
    private final int fd;

    /** Held for the close of the descriptor, and by each use of the descriptor outside the handler. */
    private final Object lock = new Object();

    private boolean released;

    /** Set by the first thread that has the handle, because the first event may arrive before the registration has returned. */
    private volatile DescriptorHandle handle;

    Endpoint(DescriptorSet set, int fd) {
        this.set = set;
        this.kernel = set.kernel();
        this.fd = fd;
    }

    /** Closes the new descriptor if there is no memory for its endpoint. */
    static <E extends Endpoint> E make(DescriptorSet set, int opened, IntFunction<E> constructor) {
        try {
            return constructor.apply(opened);
        } catch (Throwable failed) {
            set.closeQuietly(opened);
            throw failed;
        }
    }

    /** Last step of creation. Closes the descriptor if it cannot be watched. */
    final void start(int interest) throws IOException {
        try {
            startGiven(interest);
        } catch (Throwable refused) {
            release();
            throw refused;
        }
    }

    /** As {@link #start}, but a descriptor that cannot be watched stays open, because the caller still owns it. */
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

    /** The caller must hold the {@link #lock}. */
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
