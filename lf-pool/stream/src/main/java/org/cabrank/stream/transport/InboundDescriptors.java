package org.cabrank.stream.transport;

import java.io.IOException;
import org.cabrank.stream.DescriptorLimitException;

/** Received descriptors that no callback has taken. Descriptors of a write are added before its bytes are passed on. */
public final class InboundDescriptors {
    private final DescriptorCalls calls;
    private final int[] waiting;
    private int first;
    private int count;
    private boolean ended;
    private IOException failure;

    InboundDescriptors(int max, DescriptorCalls calls) {
        this.waiting = new int[max];
        this.calls = calls;
    }

    /** Keeps a received descriptor. If there are too many, or the connection has ended, the descriptor is closed and counted. */
    public void add(int descriptor) {
        if (!keep(descriptor)) {
            calls.drop(descriptor);
        }
    }

    private synchronized boolean keep(int descriptor) {
        if (ended || failure != null) {
            return false;
        }
        if (count == waiting.length) {
            failure = new DescriptorLimitException(
                    "the peer has sent more descriptors than the handler has taken: " + waiting.length
                            + " wait, the limit; take them with UnixSocket.takeDescriptor, or raise descriptorsMax");
            return false;
        }
        waiting[(first + count) % waiting.length] = descriptor;
        count++;
        return true;
    }

    /** Notes that descriptors of the peer are lost. The connection then cannot continue. Only the first cause is kept. */
    public synchronized void fail(IOException cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    public synchronized IOException failure() {
        return failure;
    }

    synchronized int take() {
        if (count == 0) {
            return -1;
        }
        int descriptor = waiting[first];
        first = (first + 1) % waiting.length;
        count--;
        return descriptor;
    }

    synchronized int count() {
        return count;
    }

    void dropAll() {
        for (int descriptor = take(); descriptor >= 0; descriptor = take()) {
            calls.drop(descriptor);
        }
    }

    /** Called when the connection has ended. Waiting and later descriptors are closed and counted. */
    public void end() {
        synchronized (this) {
            ended = true;
        }
        dropAll();
    }
}
