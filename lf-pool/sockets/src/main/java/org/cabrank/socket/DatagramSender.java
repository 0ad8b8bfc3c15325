package org.cabrank.socket;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Sockets;
import org.cabrank.socket.calls.PeerAddress;

final class DatagramSender {
    /** Maximum number of errors of earlier datagrams that one send ignores. */
    private static final int REPORTS_MAX = 2;

    private static final int INTERRUPTS_MAX = 16;

    private static final int GIVEN_UP = -1;

    // An int holds the tries of one datagram: number of interrupts (byte 0), of errors of earlier datagrams (byte 1),
    // and bit TOO_LONG.
    private static final int TRIES_MASK = 0xff;
    private static final int REPORTS_SHIFT = 8;
    private static final int TOO_LONG = 1 << 16;

    private final UdpSocket socket;
    private final DescriptorSet set;
    private final Kernel kernel;
    private final int fd;
    private final DescriptorGuard guard;
    private final OutgoingDatagrams outgoing;
    private final LongAdder sent = new LongAdder();
    private final LongAdder unsent = new LongAdder();

    private final LongAdder reported = new LongAdder();

    /** Number of errors that are in the error queue twice, because a datagram that was too long was tried twice. */
    private final AtomicInteger doubledErrors = new AtomicInteger();

    private final DatagramBacklog backlog;

    DatagramSender(UdpSocket socket, DescriptorSet set, int fd, DescriptorGuard guard) {
        this.socket = socket;
        this.set = set;
        this.kernel = set.kernel();
        this.fd = fd;
        this.guard = guard;
        DatagramQueueLimits limits = socket.options().queue();
        this.backlog = limits == null ? null : new DatagramBacklog(socket, set, this, fd, limits);
        this.outgoing = new OutgoingDatagrams(kernel, UdpSocket.SENDERS_MAX);
    }

    long sent() {
        return sent.sum();
    }

    LongAdder reported() {
        return reported;
    }

    long unsent() {
        return unsent.sum();
    }

    DatagramBacklog backlog() {
        return backlog;
    }

    boolean send(InetSocketAddress to, ByteBuffer data, InetAddress source, NetworkInterface via) {
        OutgoingDatagram buffer = outgoing.take();
        if (buffer == null) {
            return discard(data);
        }
        try {
            address(buffer.to, to, source, via);
            return send(buffer, buffer.to, data);
        } finally {
            outgoing.giveBack(buffer);
        }
    }

    /** Called in the handler. If the handler has waited for a {@link org.cabrank.lf.Reply}, the socket may be closed. */
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

    private boolean send(OutgoingDatagram buffer, PeerAddress to, ByteBuffer data) {
        long stamp = guard.begin();
        if (stamp == DescriptorGuard.CLOSED) {
            return discard(data);
        }
        try {
            int count = data.remaining();
            UdpSocket.requireFits(count);
            return sendTo(buffer.sourced, to, buffer.bytes(), buffer.put(data), 0, count);
        } finally {
            guard.end(stamp);
        }
    }

    /** Does {@link #reply(PeerAddress, ByteBuffer)} without a copy. */
    boolean reply(PeerAddress to, ByteBuffer memory, long address, int offset, int count) {
        OutgoingDatagram buffer = to.sourceBytes() == 0 ? null : outgoing.take();
        try {
            long stamp = guard.begin();
            if (stamp == DescriptorGuard.CLOSED) {
                unsent.increment();
                return false;
            }
            try {
                return sendTo(buffer == null ? null : buffer.sourced, to, memory, address, offset, count);
            } finally {
                guard.end(stamp);
            }
        } finally {
            if (buffer != null) {
                outgoing.giveBack(buffer);
            }
        }
    }

    /** Null arguments have the same meaning as in {@link UdpSocket#send(InetSocketAddress, ByteBuffer, InetAddress, NetworkInterface)}. */
    void address(PeerAddress into, InetSocketAddress to, InetAddress source, NetworkInterface via) {
        InetSocketAddress destination = to == null ? socket.options().peer() : to;
        if (destination == null) {
            throw new IllegalStateException(
                    socket + " is not connected: name a peer in its options, or the address to send to");
        }
        if (to == null) {
            into.clear();
        } else {
            into.encode(to);
        }
        if (source == null && via == null) {
            return;
        }
        boolean toIpv4 = destination.getAddress() instanceof Inet4Address;
        if (source != null && source instanceof Inet4Address != toIpv4) {
            throw new IllegalArgumentException("the source " + source.getHostAddress()
                    + " is of another address family than " + destination + ": name an address of the same family");
        }
        boolean ipv6 = socket.localAddress().getAddress() instanceof Inet6Address;
        into.requireSource(ReceivedDetails.putNamed(
                into.memory(), into.sourceAt(), ipv6, source, via == null ? 0 : via.getIndex(), toIpv4));
    }

    int sendSegments(
            InetSocketAddress to, ByteBuffer data, int segmentBytes, InetAddress source, NetworkInterface via) {
        requireSegments(data.remaining(), segmentBytes);
        OutgoingDatagram buffer = outgoing.take();
        if (buffer == null) {
            discard(data);
            return 0;
        }
        try {
            address(buffer.to, to, source, via);
            return sendSegments(buffer, data, segmentBytes);
        } finally {
            outgoing.giveBack(buffer);
        }
    }

    int replySegments(PeerAddress to, ByteBuffer data, int segmentBytes) {
        requireSegments(data.remaining(), segmentBytes);
        OutgoingDatagram buffer = outgoing.take();
        if (buffer == null) {
            discard(data);
            return 0;
        }
        try {
            buffer.to.copy(to);
            return sendSegments(buffer, data, segmentBytes);
        } finally {
            outgoing.giveBack(buffer);
        }
    }

    private int sendSegments(OutgoingDatagram buffer, ByteBuffer data, int segmentBytes) {
        int count = data.remaining();
        return sendSegments(buffer, buffer.bytes(), buffer.put(data), 0, count, segmentBytes);
    }

    int replySegments(PeerAddress to, ByteBuffer memory, long address, int offset, int count, int segmentBytes) {
        requireSegments(count, segmentBytes);
        OutgoingDatagram buffer = outgoing.take();
        if (buffer == null) {
            unsent.increment();
            return 0;
        }
        try {
            buffer.to.copy(to);
            return sendSegments(buffer, memory, address, offset, count, segmentBytes);
        } finally {
            outgoing.giveBack(buffer);
        }
    }

    private static void requireSegments(int count, int segmentBytes) {
        UdpSocket.requireFits(count);
        if (segmentBytes < 1 || segmentBytes > SegmentedMessage.BYTES_MAX) {
            throw new IllegalArgumentException(
                    "segments have 1 to " + SegmentedMessage.BYTES_MAX + " bytes, not " + segmentBytes);
        }
    }

    private int sendSegments(
            OutgoingDatagram buffer, ByteBuffer memory, long address, int offset, int count, int segmentBytes) {
        long stamp = guard.begin();
        if (stamp == DescriptorGuard.CLOSED) {
            unsent.add((count + segmentBytes - 1) / segmentBytes);
            return 0;
        }
        try {
            return sendSegmentsOpen(buffer, memory, address, offset, count, segmentBytes);
        } finally {
            guard.end(stamp);
        }
    }

    private int sendSegmentsOpen(
            OutgoingDatagram buffer, ByteBuffer memory, long address, int offset, int count, int segmentBytes) {
        int accepted = 0;
        int together = SegmentedMessage.together(segmentBytes);
        for (int at = 0; at < count; at += together) {
            int bytes = Math.min(together, count - at);
            int segments = (bytes + segmentBytes - 1) / segmentBytes;
            int result = -Errno.EINVAL;
            if (segments > 1 && !mustWait()) {
                long header = buffer.segments.prepare(buffer.to, address + offset + at, bytes, segmentBytes);
                result = kernel.sendmsg(fd, header, Sockets.MSG_NOSIGNAL);
            }
            if (result >= 0) {
                sent.add(segments);
                accepted += segments;
                continue;
            }
            // Sends the datagrams one by one. The kernel or the route may lack segmentation, and sendTo handles all
            // other errors.
            for (int from = 0; from < bytes; from += segmentBytes) {
                boolean taken = sendTo(
                        buffer.sourced,
                        buffer.to,
                        memory,
                        address,
                        offset + at + from,
                        Math.min(segmentBytes, bytes - from));
                accepted += taken ? 1 : 0;
            }
        }
        return accepted;
    }

    int sendAll(OutgoingBatch batch, int count) {
        long stamp = guard.begin();
        if (stamp == DescriptorGuard.CLOSED) {
            unsent.add(count);
            return 0;
        }
        try {
            return sendOpen(batch, count);
        } finally {
            guard.end(stamp);
        }
    }

    private int sendOpen(OutgoingBatch batch, int count) {
        int accepted = 0;
        int at = 0;
        int tries = 0;
        boolean refusedBefore = false; // the last call has ended because of the datagram at this place
        while (at < count && !mustWait()) {
            int result = kernel.sendmmsg(fd, batch.headers(at), count - at, Sockets.MSG_NOSIGNAL);
            if (result > 0) {
                noteTries(tries);
                tries = 0;
                at += result;
                accepted += result;
                refusedBefore = true;
                continue;
            }
            if (refusedBefore && result == -Errno.EMSGSIZE) {
                tries = isOfEarlier(tries);
            }
            refusedBefore = false;
            if (isSourceRefused(result) && batch.leaveSourceToKernel(at)) {
                continue;
            }
            tries = triesAgain(result, tries);
            if (tries == GIVEN_UP) {
                if (isLackOfRoom(result)) {
                    break;
                }
                refused("sendmmsg", result);
                at++;
                tries = 0;
            }
        }
        sent.add(accepted);
        return accepted + waitOrLose(batch, at, count);
    }

    private int waitOrLose(OutgoingBatch batch, int from, int count) {
        if (backlog == null) {
            unsent.add(count - from);
            return 0;
        }
        int accepted = 0;
        for (int i = from; i < count; i++) {
            accepted += batch.sendOne(i) ? 1 : 0;
        }
        return accepted;
    }

    private boolean mustWait() {
        return backlog != null && backlog.isWaiting();
    }

    /** Returns {@code tries} plus one interrupt or one error of an earlier datagram; GIVEN_UP if there must be no further try. */
    private int triesAgain(int result, int tries) {
        if (result == -Errno.EINTR) {
            return (tries & TRIES_MASK) < INTERRUPTS_MAX ? tries + 1 : GIVEN_UP;
        }
        if (result == -Errno.EMSGSIZE) {
            return isOfEarlier(tries);
        }
        boolean again = isReport(result) && (tries >> REPORTS_SHIFT & TRIES_MASK) < REPORTS_MAX;
        return again ? tries + (1 << REPORTS_SHIFT) : GIVEN_UP;
    }

    /** The first EMSGSIZE may concern an earlier datagram (ICMP), so a second try follows. Both may queue an error ({@link #isDoubled}). */
    private int isOfEarlier(int tries) {
        if ((tries & TOO_LONG) != 0) {
            return GIVEN_UP;
        }
        if (socket.options().errors()) {
            doubledErrors.incrementAndGet();
        }
        return tries | TOO_LONG;
    }

    /** Called for each error about a datagram that is too long. Returns true if the handler must not get this second error. */
    boolean isDoubled() {
        return doubledErrors.get() > 0 && doubledErrors.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
    }

    /** Returns true if the result is about an earlier datagram. If the socket has no error queue, counts the error. */
    private boolean isReport(int result) {
        if (socket.options().errors()) {
            return switch (-result) {
                case Errno.EACCES,
                        Errno.ECONNREFUSED,
                        Errno.EHOSTDOWN,
                        Errno.EHOSTUNREACH,
                        Errno.ENETUNREACH,
                        Errno.ENONET,
                        Errno.ENOPROTOOPT,
                        Errno.EOPNOTSUPP,
                        Errno.EPROTO -> true;
                default -> false;
            };
        }
        if (result == -Errno.ECONNREFUSED) { // caused only by an ICMP message
            reported.increment();
            return true;
        }
        return false;
    }

    /** Returns true if the named source may be the cause: the host no longer has the address, or it is a broadcast address. */
    private static boolean isSourceRefused(int result) {
        return result == -Errno.EINVAL || result == -Errno.EADDRNOTAVAIL;
    }

    static boolean isLackOfRoom(int result) {
        return result == -Errno.EAGAIN || result == -Errno.ENOBUFS || result == -Errno.ENOMEM;
    }

    private void refused(String call, int result) {
        unsent.increment();
        if (!isLackOfRoom(result)) {
            // The cause is the address, the network or a firewall rule, which an operator may have to change.
            IOException cause = Errno.exception(call, result);
            set.failures()
                    .logKind(
                            "datagram not sent: " + Errno.name(-result),
                            () -> "a datagram of " + socket + " was not sent: " + cause.getMessage()
                                    + SendRemedies.of(-result),
                            cause);
        }
    }

    private boolean discard(ByteBuffer data) {
        UdpSocket.requireFits(data.remaining());
        data.position(data.limit());
        unsent.increment();
        return false;
    }

    /**
     * Sends or queues a datagram. Handles each errno of sendto(2). The caller uses the {@link DescriptorGuard}.
     *
     * @param sourced memory for headers. If null, the kernel chooses the source
     * @param address address of {@code memory}, which holds the datagram from {@code offset} on
     */
    boolean sendTo(SourcedMessage sourced, PeerAddress to, ByteBuffer memory, long address, int offset, int count) {
        int result = -Errno.EAGAIN;
        if (!mustWait()) {
            long destination = to.length() == 0 ? 0 : to.address();
            long data = address + offset;
            long header = sourced == null || to.sourceBytes() == 0
                    ? 0
                    : sourced.prepare(destination, to.length(), to.sourceAddress(), to.sourceBytes(), data, count);
            result = attempt(fd, header, to.isSourceRequired(), destination, to.length(), data, count);
        }
        if (backlog == null || !isLackOfRoom(result)) {
            return note("sendto", result);
        }
        boolean accepted = backlog.offer(to, memory, offset, count);
        if (!accepted) {
            unsent.increment();
        }
        return accepted;
    }

    /**
     * Tries again after an interrupt or an error of an earlier datagram. Returns the result of the last system call.
     *
     * @param header address of a {@code struct msghdr} that names the source. If 0, the kernel chooses the source
     * @param sourceRequired true if the datagram must not leave from another source
     */
    int attempt(
            int viaFd,
            long header,
            boolean sourceRequired,
            long destination,
            int destinationBytes,
            long data,
            int count) {
        int tries = 0;
        long named = header;
        for (; ; ) {
            int result = named != 0
                    ? kernel.sendmsg(viaFd, named, Sockets.MSG_NOSIGNAL)
                    : kernel.sendto(viaFd, data, count, Sockets.MSG_NOSIGNAL, destination, destinationBytes);
            if (result >= 0) {
                noteTries(tries);
                return result;
            }
            if (named != 0 && !sourceRequired && isSourceRefused(result)) {
                named = 0;
                continue;
            }
            tries = triesAgain(result, tries);
            if (tries == GIVEN_UP) {
                return result;
            }
        }
    }

    /** Called when the kernel has accepted a datagram. If a first try failed with EMSGSIZE, that error concerned an earlier datagram. */
    private void noteTries(int tries) {
        if ((tries & TOO_LONG) == 0) {
            return;
        }
        if (socket.options().errors()) {
            isDoubled(); // the second try has queued no error
        } else {
            reported.increment();
        }
    }

    boolean note(String call, int result) {
        if (result < 0) {
            refused(call, result);
            return false;
        }
        sent.increment();
        return true;
    }

    void noteDropped(int count) {
        unsent.add(count);
    }
}
