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
 * A descriptor in a handle set, and who uses it: the thread that processes its events, and any thread that calls the
 * endpoint's methods. The endpoint closes the descriptor itself, under its lock, so that no such call can meet the
 * descriptor's number after the kernel has given it to somebody else.
 */
abstract class Endpoint implements AutoCloseable {
    private final DescriptorSet set;
    private final Kernel kernel;
    private final int fd;

    /** Held while the descriptor is used by a thread that does not process its events, and to close it. */
    private final Object lock = new Object();

    private boolean released;

    /** The first event may come before the registration has returned: whoever has the handle first sets it. */
    private volatile DescriptorHandle handle;

    Endpoint(DescriptorSet set, int fd) {
        this.set = set;
        this.kernel = set.kernel();
        this.fd = fd;
    }

    /** Makes an endpoint of a descriptor that was opened for it: if that fails, for lack of memory, the descriptor is closed. */
    static <E extends Endpoint> E make(DescriptorSet set, int opened, IntFunction<E> constructor) {
        try {
            return constructor.apply(opened);
        } catch (Throwable failed) {
            set.closeQuietly(opened);
            throw failed;
        }
    }

    /**
     * The last step of making one.
     *
     * @throws IOException when the descriptor cannot be watched; it is closed then
     */
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

    /** Inside the handler: the descriptor is ready. */
    abstract void handleReady(int ready) throws Exception;

    /** Inside the handler: it waits for a reply, and another thread may process the next event. */
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

    /** Guards the use of {@link #fd} by threads that do not process its events. */
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

    /** Under the {@link #lock}, once. */
    void closeDescriptor() {
        set.closeQuietly(fd);
    }

    static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /**
     * Any thread: closes this and its descriptor; inside the handler at once, from elsewhere as soon as no thread
     * processes it. Closing twice has no effect.
     */
    @Override
    public void close() {
        handle.close();
    }

    /** Any thread. */
    public final boolean isClosed() {
        return handle.isClosed();
    }

    /** Description of the endpoint for messages. */
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
