package org.cabrank.bench.hshr;

import java.io.IOException;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.EventHandler;
import org.cabrank.lf.Handle;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.Ready;

/**
 * A connection whose requests are read by the I/O thread and answered by a worker.
 *
 * <p>The fields belong to the I/O thread, but from the deactivation of the handle to its reactivation to the worker that
 * has the request: queue and claim state publish them.
 */
final class QueuedConnection implements EventHandler {

    private final Kernel kernel;
    private final int fd;
    private final LeaderFollowersPool ioThread;
    private final RequestQueue<QueuedConnection> queue;
    private final WorkerReceiveBuffers buffers;
    private Handle handle;

    /** Buffer of the request under way; null without one. */
    private WorkerReceiveBuffers.Buffer buffer;

    /** The request, which is its own answer: what is sent of it, and where it ends. */
    private int sentBytes;

    private int receivedBytes;

    /** The kernel may have input: an edge was seen since it last said that there is none. */
    private boolean inputReady;

    /** The end of the input has been reported: only a read that finds it, or EAGAIN, shows that all is read. */
    private boolean endReported;

    /** The reason why no answer can be sent; the I/O thread closes the connection, because it may be about to read. */
    private Throwable failure;

    QueuedConnection(
            Kernel kernel,
            int fd,
            LeaderFollowersPool ioThread,
            RequestQueue<QueuedConnection> queue,
            WorkerReceiveBuffers buffers) {
        this.kernel = kernel;
        this.fd = fd;
        this.ioThread = ioThread;
        this.queue = queue;
        this.buffers = buffers;
    }

    @Override
    public void handleEvent(Handle own, int ready) {
        handle = own;
        int ended = Ready.INPUT_CLOSED | Ready.HANGUP | Ready.ERROR;
        endReported |= (ready & ended) != 0;
        inputReady |= (ready & (Ready.READ | ended)) != 0;
        if (failure != null) {
            own.closeBecauseOf(failure);
        } else if (sendRest() && inputReady) { // the rest of an answer goes first, and holds up the next request
            receive();
        }
    }

    private boolean sendRest() {
        try {
            return send();
        } catch (IOException broken) {
            handle.closeBecauseOf(broken);
            return false;
        }
    }

    private void receive() {
        buffer = buffers.take();
        int result;
        do {
            result = kernel.recv(fd, buffer.address(), WorkerReceiveBuffers.BYTES, 0);
        } while (result == -Errno.EINTR);
        if (result > 0) {
            // A stream socket that gives less than it was asked for has no more (epoll(7)): a call saved.
            inputReady = result == WorkerReceiveBuffers.BYTES || endReported;
            receivedBytes = result;
            sentBytes = 0;
            ioThread.deactivateHandle(handle);
            queue.put(this); // the worker's from here on
            return;
        }
        releaseBuffer();
        if (result == 0) {
            handle.close();
        } else if (result == -Errno.EAGAIN) {
            inputReady = false;
        } else {
            handle.closeBecauseOf(Errno.exception("recv", result)); // mostly a reset by the peer
        }
    }

    /** Performs a request's work and sends the answer. Called by a worker. */
    void answer(HandlerWork work) {
        try {
            work.perform();
            send();
        } catch (Throwable thrown) {
            failure = thrown;
            if (thrown instanceof VirtualMachineError fatal) {
                throw fatal;
            }
        } finally {
            if (inputReady || failure != null) {
                handle.post(Ready.READ);
            }
            ioThread.reactivateHandle(handle); // the I/O thread's from here on
        }
    }

    /** Sends as much as the socket takes; false: the rest has to wait until it takes more, which is an edge. */
    private boolean send() throws IOException {
        while (sentBytes < receivedBytes) {
            int result = kernel.send(fd, buffer.address() + sentBytes, receivedBytes - sentBytes, Sockets.MSG_NOSIGNAL);
            if (result >= 0) {
                sentBytes += result;
            } else if (result == -Errno.EAGAIN) {
                return false;
            } else if (result != -Errno.EINTR) {
                throw Errno.exception("send", result);
            }
        }
        releaseBuffer();
        return true;
    }

    private void releaseBuffer() {
        if (buffer != null) {
            buffers.giveBack(buffer);
            buffer = null;
        }
    }

    @Override
    public void handleClosed(Handle own, Throwable cause) {
        releaseBuffer();
    }
}
