package org.cabrank.socket.transport;

import java.io.IOException;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.FileFlags;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.stream.DescriptorLimitException;
import org.cabrank.stream.transport.DescriptorBatch;
import org.cabrank.stream.transport.DescriptorCalls;
import org.cabrank.stream.transport.DescriptorPassing;
import org.cabrank.stream.transport.InboundDescriptors;
import org.cabrank.stream.transport.OutboundDescriptors;
import org.cabrank.stream.transport.OutboundQueue;
import org.cabrank.stream.transport.StreamCount;

/** System calls of a connection that passes descriptors. If a received descriptor is lost, the connection ends. */
public final class DescriptorTransfer {
    private final Kernel kernel;
    private final int max;
    private final ShardCalls calls;
    private final DescriptorPassing passing;

    /** Used by the holder of the connection's claim; null before the first receive. */
    private DescriptorMessage incoming;

    private DescriptorMessage outgoing;

    DescriptorTransfer(SocketShard shard, int max) {
        this.kernel = shard.kernel();
        this.max = max;
        this.calls = new ShardCalls(shard);
        this.passing = DescriptorPassing.of(max, calls);
    }

    void movedTo(SocketShard target) {
        calls.shard = target;
    }

    private static final class ShardCalls implements DescriptorCalls {
        private volatile SocketShard shard;

        ShardCalls(SocketShard shard) {
            this.shard = shard;
        }

        @Override
        public int duplicate(int descriptor) throws IOException {
            int result = shard.kernel().fcntl(descriptor, FileFlags.F_DUPFD_CLOEXEC, 0);
            if (result < 0) {
                IOException cause = Errno.exception(
                        "descriptor " + descriptor + " cannot be passed: fcntl F_DUPFD_CLOEXEC", result);
                throw new IOException(cause.getMessage() + remedy(-result), cause);
            }
            return result;
        }

        @Override
        public void close(int descriptor) {
            shard.handleSet().closeQuietly(descriptor);
        }

        @Override
        public void drop(int descriptor) {
            close(descriptor);
            shard.context().count(StreamCount.DESCRIPTOR_DROPPED);
        }
    }

    private static String remedy(int errno) {
        return switch (errno) {
            case Errno.EBADF -> "; pass a descriptor that is open";
            case Errno.EMFILE -> "; close descriptors, or raise the limit (ulimit -n)";
            default -> "";
        };
    }

    DescriptorPassing passing() {
        return passing;
    }

    public OutboundDescriptors outbound() {
        return passing.outbound();
    }

    public IOException inboundFailure() {
        return passing.inbound().failure();
    }

    public DescriptorMessage newIncoming() {
        return new DescriptorMessage(kernel, max);
    }

    // ---- receiving ----

    /** Called by the holder of the connection's claim. */
    public int receive(int fd, long address, int count, int flags) {
        if (incoming == null) {
            incoming = newIncoming();
        }
        incoming.prepareReceive(address, count);
        int result = kernel.recvmsg(fd, incoming.address(), flags | Sockets.MSG_CMSG_CLOEXEC);
        if (result >= 0) {
            keep(incoming);
        }
        return result;
    }

    /** Keeps the descriptors of a received message. Must be called before the bytes of the message are passed on. */
    public void keep(DescriptorMessage message) {
        InboundDescriptors inbound = passing.inbound();
        int count = message.received(inbound::add);
        if (message.isTruncated()) {
            inbound.fail(new DescriptorLimitException(
                    count >= max
                            ? "the peer has passed more than " + max
                                    + " descriptors with one write, the limit; raise descriptorsMax, up to 253"
                            : "descriptors that the peer has passed are lost, because this process may have no more, or may not"
                                    + " take them; close descriptors, or raise the limit (ulimit -n)"));
        }
    }

    // ---- sending; called by the owner of the output ----

    /** Sends once from the beginning of the queue, with the descriptors that are due. Returns the number of bytes, or {@code -errno}. */
    public int send(int fd, OutboundQueue queue) {
        int count = outbound().sendable(queue.headBytes());
        DescriptorBatch due = outbound().due();
        int result = due == null
                ? kernel.send(fd, queue.headAddress(), count, Sockets.MSG_NOSIGNAL)
                : kernel.sendmsg(fd, message(queue, count, due).address(), Sockets.MSG_NOSIGNAL);
        if (result > 0) {
            outbound().sent(result);
        }
        return result;
    }

    public DescriptorMessage message(OutboundQueue queue, int count, DescriptorBatch due) {
        if (outgoing == null) {
            outgoing = newIncoming();
        }
        outgoing.prepareSend(queue.headAddress(), count, due.descriptors());
        return outgoing;
    }

    public static String sendRemedy(int errno) {
        return errno == Errno.ETOOMANYREFS
                ? "; this user has more descriptors under way in sockets than it may have open: let receivers take them, raise the"
                        + " limit (ulimit -n), or grant CAP_SYS_RESOURCE"
                : "";
    }
}
