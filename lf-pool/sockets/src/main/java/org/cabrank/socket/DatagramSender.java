package org.cabrank.socket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.MMsgHdr;
import org.cabrank.kernel.Sockets;
import org.cabrank.socket.calls.PeerAddress;

/** Sends the datagrams of a socket, each by one system call that does not block. Any thread. */
final class DatagramSender {
    /** Named bound: errors of earlier datagrams that one send passes over. */
    private static final int REPORTS_MAX = 2;

    private final UdpSocket socket;
    private final DescriptorSet set;
    private final Kernel kernel;
    private final int fd;
    private final DescriptorUse use;
    private final OutgoingDatagrams outgoing;
    private final LongAdder sent = new LongAdder();
    private final LongAdder unsent = new LongAdder();
    private final LongAdder reported;

    /** @param reported number of errors about earlier datagrams, which sends and receives return */
    DatagramSender(UdpSocket socket, DescriptorSet set, int fd, DescriptorUse use, LongAdder reported) {
        this.socket = socket;
        this.set = set;
        this.kernel = set.kernel();
        this.fd = fd;
        this.use = use;
        this.reported = reported;
        this.outgoing = new OutgoingDatagrams(kernel, UdpSocket.SENDERS_MAX);
    }

    long sent() {
        return sent.sum();
    }

    long unsent() {
        return unsent.sum();
    }

    /** @param to null: the peer of a connected socket */
    boolean send(InetSocketAddress to, ByteBuffer data) {
        OutgoingDatagram buffer = outgoing.take();
        if (buffer == null) {
            return discard(data);
        }
        try {
            if (to == null) {
                buffer.to.clear();
            } else {
                buffer.to.encode(to);
            }
            long stamp = use.begin();
            if (stamp == DescriptorUse.CLOSED) {
                UdpSocket.requireFits(data.remaining());
                data.position(data.limit());
                return false;
            }
            try {
                return send(buffer, buffer.to, data);
            } finally {
                use.end(stamp);
            }
        } finally {
            outgoing.giveBack(buffer);
        }
    }

    /** Called inside the handler, when no thread closes the descriptor. */
    boolean reply(PeerAddress to, ByteBuffer data) {
        OutgoingDatagram buffer = outgoing.take();
        if (buffer == null) {
            return discard(data);
        }
        try {
            return send(buffer, to, data);
        } finally {
            outgoing.giveBack(buffer);
        }
    }

    /** Called inside the handler, or with the descriptor in use. */
    private boolean send(OutgoingDatagram buffer, PeerAddress to, ByteBuffer data) {
        int count = data.remaining();
        UdpSocket.requireFits(count);
        return sendTo(to, buffer.put(data), count);
    }

    int sendSegments(InetSocketAddress to, ByteBuffer data, int segmentBytes) {
        UdpSocket.requireFits(data.remaining());
        if (segmentBytes < 1 || segmentBytes > SegmentedMessage.BYTES_MAX) {
            throw new IllegalArgumentException(
                    "segments have 1 to " + SegmentedMessage.BYTES_MAX + " bytes, not " + segmentBytes);
        }
        OutgoingDatagram buffer = outgoing.take();
        if (buffer == null) {
            discard(data);
            return 0;
        }
        try {
            if (to == null) {
                buffer.to.clear();
            } else {
                buffer.to.encode(to);
            }
            int count = data.remaining();
            long address = buffer.put(data);
            long stamp = use.begin();
            if (stamp == DescriptorUse.CLOSED) {
                return 0;
            }
            try {
                return sendSegments(buffer, address, count, segmentBytes);
            } finally {
                use.end(stamp);
            }
        } finally {
            outgoing.giveBack(buffer);
        }
    }

    private int sendSegments(OutgoingDatagram buffer, long address, int count, int segmentBytes) {
        int accepted = 0;
        int together = SegmentedMessage.together(segmentBytes);
        for (int at = 0; at < count; at += together) {
            int bytes = Math.min(together, count - at);
            int segments = (bytes + segmentBytes - 1) / segmentBytes;
            int result = -Errno.EINVAL;
            if (segments > 1) {
                long header = buffer.segments.prepare(buffer.to, address + at, bytes, segmentBytes);
                result = kernel.sendmsg(fd, header, Sockets.MSG_NOSIGNAL);
            }
            if (result >= 0) {
                sent.add(segments);
                accepted += segments;
                continue;
            }
            // One by one: a kernel or a route without segmentation sends them too, and other errors are handled there.
            for (int from = 0; from < bytes; from += segmentBytes) {
                boolean taken = sendTo(buffer.to, address + at + from, Math.min(segmentBytes, bytes - from));
                accepted += taken ? 1 : 0;
            }
        }
        return accepted;
    }

    /** Sends {@code count} messages that the array of {@code struct mmsghdr} at {@code headers} describes; returns the number accepted. */
    int sendAll(long headers, int count) {
        long stamp = use.begin();
        if (stamp == DescriptorUse.CLOSED) {
            return 0;
        }
        try {
            return sendOpen(headers, count);
        } finally {
            use.end(stamp);
        }
    }

    private int sendOpen(long headers, int count) {
        int accepted = 0;
        int reportsLeft = REPORTS_MAX;
        for (int at = 0; at < count; ) {
            int result =
                    kernel.sendmmsg(fd, headers + (long) at * MMsgHdr.SIZE_BYTES, count - at, Sockets.MSG_NOSIGNAL);
            if (result > 0) {
                at += result;
                accepted += result;
            } else if (isReport(result) && reportsLeft-- > 0) {
                // again
            } else if (isLackOfRoom(result)) {
                unsent.add(count - at);
                break;
            } else if (result != -Errno.EINTR) {
                refused("sendmmsg", result);
                at++;
            }
        }
        sent.add(accepted);
        return accepted;
    }

    /**
     * Returns true if the kernel has returned an error of an earlier datagram, and has not taken the present one. Counts the error,
     * unless the error queue tells of it too.
     */
    private boolean isReport(int result) {
        if (socket.options().errors()) {
            return switch (-result) {
                case Errno.ECONNREFUSED,
                        Errno.EHOSTDOWN,
                        Errno.EHOSTUNREACH,
                        Errno.ENETUNREACH,
                        Errno.ENOPROTOOPT,
                        Errno.EPROTO -> true;
                default -> false;
            };
        }
        if (result == -Errno.ECONNREFUSED) { // by an ICMP message only
            reported.increment();
            return true;
        }
        return false;
    }

    private static boolean isLackOfRoom(int result) {
        return result == -Errno.EAGAIN || result == -Errno.ENOBUFS || result == -Errno.ENOMEM;
    }

    /** Counts a datagram that is lost. */
    private void refused(String call, int result) {
        unsent.increment();
        if (!isLackOfRoom(result)) {
            // No lack of room, but a matter of the address, the network or the rules: somebody may have to see to it.
            IOException cause = Errno.exception(call, result);
            set.failures()
                    .logKind(
                            "datagram not sent: " + Errno.name(-result),
                            () -> "a datagram of " + socket + " was not sent: " + cause.getMessage()
                                    + SendRemedies.of(-result),
                            cause);
        }
    }

    /** There is no memory to send from: the datagram is lost, as if the kernel had no room. */
    private boolean discard(ByteBuffer data) {
        UdpSocket.requireFits(data.remaining());
        data.position(data.limit());
        unsent.increment();
        return false;
    }

    /**
     * Called inside the handler, or with the descriptor in use. Sends a datagram and handles each errno of sendto(2). A datagram that
     * the kernel refuses is lost and counted. Returns true if the kernel has accepted the datagram.
     */
    boolean sendTo(PeerAddress to, long address, int count) {
        int result;
        int reportsLeft = REPORTS_MAX;
        do {
            result = kernel.sendto(
                    fd, address, count, Sockets.MSG_NOSIGNAL, to.length() == 0 ? 0 : to.address(), to.length());
        } while (result == -Errno.EINTR || isReport(result) && reportsLeft-- > 0);
        if (result >= 0) {
            sent.increment();
            return true;
        }
        refused("sendto", result);
        return false;
    }
}
