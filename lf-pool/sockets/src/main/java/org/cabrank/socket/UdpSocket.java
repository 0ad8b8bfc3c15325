package org.cabrank.socket;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.Timers;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.calls.DatagramInput;
import org.cabrank.socket.calls.EncodedOptions;
import org.cabrank.socket.calls.MulticastGroups;
import org.cabrank.socket.calls.SocketOps;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.transport.OptionPlace;

/**
 * A UDP socket (udp(7)) whose datagrams are handled by as many threads at once as the pool has.
 *
 * <p>Its handle is concurrent: each recvfrom(2) takes a datagram of its own. Before a thread calls the handler, it notifies the pool that
 * more may wait, so a slow handler delays no other datagram. With {@link DatagramOptions#ordered} one thread at a time handles the
 * datagrams, in the order of arrival.
 *
 * <p>Multicast: {@link #join} makes the socket a member of a group until the membership is closed. Datagrams of groups that only other
 * sockets of the host have joined do not reach the socket, unless {@code IP_MULTICAST_ALL} is set.
 */
public final class UdpSocket implements AutoCloseable {
    /** Maximum number of bytes of a datagram: more than IPv4 (65,507) and IPv6 (65,527) can carry, so none is ever cut off. */
    public static final int BYTES_MAX = 1 << 16;

    /** Named bound: threads that send at a time, each with a buffer of {@link #BYTES_MAX}; further threads wait. */
    static final int SENDERS_MAX = 16;

    /** Time in ns between two checks of the receive buffer of a draining socket. */
    private static final long DRAIN_LOOK_NS = 1_000_000;

    private final DescriptorSet set;
    private final int fd;
    private final InetSocketAddress localAddress;
    private final DatagramOptions options;
    private final Set<DatagramDetail> details;
    private final boolean repliesFromDestination;
    private final DescriptorHandle handle;
    private final SocketOps sockets;
    private final DescriptorGuard use = new DescriptorGuard();
    private final DatagramSender sender;

    private final DatagramReceiver receiver;
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile long droppedBeforeClose;

    private volatile boolean draining;

    private UdpSocket(DescriptorSet set, int fd, DatagramOpening opening, DatagramHandler handler) {
        this.set = set;
        this.fd = fd;
        this.localAddress = opening.localAddress();
        this.details = opening.details();
        this.repliesFromDestination = opening.repliesFromDestination();
        this.options = opening.options();
        this.sockets = new SocketOps(set.kernel());
        this.sender = new DatagramSender(this, set, fd, use);
        this.receiver = new DatagramReceiver(this, set, fd, handler, sender);
        this.handle = set.newDatagramHandle(
                fd, options.bytesMax(), options.errors() || options.sendTimes(), receiver, !options.ordered());
    }

    /**
     * Opens a socket that receives at {@code address}; port 0 chooses a free port. Any thread.
     *
     * @throws IOException with cause and remedy if the address is unavailable, or the process has reached its limit of descriptors;
     *     {@code getCause} is a {@link org.cabrank.kernel.KernelException} with the errno
     */
    public static UdpSocket bind(DescriptorSet set, InetSocketAddress address, DatagramHandler handler)
            throws IOException {
        return bind(set, address, DatagramOptions.DEFAULT, handler);
    }

    /**
     * As {@link #bind(DescriptorSet, InetSocketAddress, DatagramHandler)}, with options. If the kernel refuses an option that the socket
     * can work without (SO_BUSY_POLL, SO_PREFER_BUSY_POLL, SO_BUSY_POLL_BUDGET, SO_INCOMING_CPU, SO_PRIORITY, details, errors, send times),
     * one log line names the option, the cause and the remedy. A buffer that net.core.rmem_max or wmem_max makes smaller than asked for is
     * logged, too.
     *
     * @param address address to receive at; port 0 chooses a free port
     * @throws IOException also with cause and remedy if the kernel refuses the peer or any other option
     * @throws IllegalArgumentException for an option that is not for datagram sockets
     */
    public static UdpSocket bind(
            DescriptorSet set, InetSocketAddress address, DatagramOptions options, DatagramHandler handler)
            throws IOException {
        Objects.requireNonNull(handler, "handler");
        DatagramOpening opening = new DatagramOpening(set.kernel(), address, options);
        int fd = opening.open();
        try {
            UdpSocket socket = new UdpSocket(set, fd, opening, handler);
            set.add(socket.handle, 0, Handle.NO_DEADLINE);
            return socket;
        } catch (Throwable refused) {
            set.closeQuietly(fd);
            throw refused;
        }
    }

    /** Local address, with the port that the kernel has chosen. */
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    /** Returns the handle, for instance to deactivate it or to post to it. */
    public DescriptorHandle handle() {
        return handle;
    }

    /** Returns the counters. Any thread; makes one system call. */
    public DatagramCounters counters() {
        return new DatagramCounters(
                receiver.received(),
                sender.sent(),
                sender.unsent(),
                sender.reported().sum(),
                receiver.failed(),
                receiver.truncated(),
                dropped());
    }

    private long dropped() {
        long stamp = use.begin();
        if (stamp == DescriptorGuard.CLOSED) {
            return droppedBeforeClose;
        }
        try {
            return draining ? droppedBeforeClose : sockets.drops(fd);
        } finally {
            use.end(stamp);
        }
    }

    /** Returns the state of the queue of datagrams that wait for room ({@link DatagramOptions#queue}). Any thread. */
    public DatagramQueueState queue() {
        DatagramBacklog backlog = sender.backlog();
        return backlog == null ? DatagramQueueState.NONE : backlog.state();
    }

    /** Returns the details that the kernel gives with each datagram: the requested details without the refused ones. */
    public Set<DatagramDetail> details() {
        return details;
    }

    /** True if the kernel reports destinations so that answers leave from them. */
    boolean repliesFromDestination() {
        return repliesFromDestination;
    }

    DatagramOptions options() {
        return options;
    }

    /**
     * Sends the remaining bytes of {@code data}; they are consumed even if the send fails. Any thread. While 16 threads send at once,
     * further threads wait, only microseconds because no send blocks.
     *
     * @return true if the kernel, or the queue of the socket ({@link DatagramOptions#queue}), has accepted the datagram; false if not (as
     *     with {@link Datagram#reply}) or if the socket is closed
     * @throws IllegalArgumentException if {@code data} has more than {@link #BYTES_MAX} bytes, or the address is unresolved
     */
    public boolean send(InetSocketAddress to, ByteBuffer data) {
        return sender.send(Objects.requireNonNull(to, "to"), data, null, null);
    }

    /**
     * As {@link #send(InetSocketAddress, ByteBuffer)}, from an address and an interface that the caller names (RFC 1122, 4.1.3.5;
     * {@code IP_PKTINFO}, {@code IPV6_PKTINFO}). Returns false if the kernel cannot send the datagram from there; then it is not sent at
     * all. {@link Datagram#reply} needs no source.
     *
     * @param to destination; null: the peer of a connected socket
     * @param source address of this host; null: the kernel chooses
     * @param via interface; null: the route decides
     * @throws IllegalArgumentException also if {@code source} is of another address family than the destination
     * @throws IllegalStateException if {@code to} is null and the socket is not connected
     */
    public boolean send(InetSocketAddress to, ByteBuffer data, InetAddress source, NetworkInterface via) {
        Objects.requireNonNull(data, "data");
        return sender.send(to, data, source, via);
    }

    /**
     * As {@link #send(InetSocketAddress, ByteBuffer)}, to the peer of a connected socket ({@link DatagramOptions#peer}).
     *
     * @throws IllegalStateException if the socket is not connected
     */
    public boolean send(ByteBuffer data) {
        return send(null, data, null, null);
    }

    /** Makes a batch of {@code count} datagrams (1 to 1,024) of up to {@code bytes} bytes (0 to {@link #BYTES_MAX}). Any thread. */
    public OutgoingBatch newBatch(int count, int bytes) {
        if (count < 1 || count > DatagramOptions.BATCH_MAX || bytes < 0 || bytes > BYTES_MAX) {
            throw new IllegalArgumentException("a batch has 1 to " + DatagramOptions.BATCH_MAX + " datagrams of 0 to "
                    + BYTES_MAX + " bytes, not " + count + " of " + bytes);
        }
        return new OutgoingBatch(set.kernel(), sender, count, bytes);
    }

    /**
     * Sends the remaining bytes of {@code data} as datagrams of {@code segmentBytes} bytes, the last of which may be shorter, with one
     * system call for up to 64 of them ({@code UDP_SEGMENT}, Linux 4.18). If the kernel or the route lacks segmentation, each datagram
     * takes one. Otherwise as {@link #send(InetSocketAddress, ByteBuffer)}.
     *
     * @param to destination; null: the peer of a connected socket
     * @param segmentBytes bytes of each datagram, from 1 to 65,000; with headers at best no more than the path MTU
     * @return number of datagrams that the kernel has accepted
     * @throws IllegalArgumentException also for a {@code segmentBytes} out of range
     * @throws IllegalStateException if {@code to} is null and the socket is not connected
     */
    public int sendSegments(InetSocketAddress to, ByteBuffer data, int segmentBytes) {
        return sender.sendSegments(to, data, segmentBytes, null, null);
    }

    /**
     * As {@link #sendSegments(InetSocketAddress, ByteBuffer, int)}, from a named address and interface as in
     * {@link #send(InetSocketAddress, ByteBuffer, InetAddress, NetworkInterface)}.
     */
    public int sendSegments(
            InetSocketAddress to, ByteBuffer data, int segmentBytes, InetAddress source, NetworkInterface via) {
        return sender.sendSegments(to, data, segmentBytes, source, via);
    }

    /**
     * Joins a multicast group: its datagrams to the port of the socket are received from now on. The socket must be bound to the wildcard
     * address or to the group. {@link DatagramOptions#sharedAddress} lets other sockets join at the same port. Any thread.
     *
     * @param group IPv4 or IPv6 group; an IPv6 socket takes both, unless {@code IPV6_V6ONLY} is set
     * @param via interface on which the group is joined; null: the kernel chooses by the route to the group
     * @throws IllegalArgumentException if {@code group} is not a multicast address
     * @throws IOException with cause and remedy if the kernel refuses: too many memberships (net.ipv4.igmp_max_memberships,
     *     net.core.optmem_max), no such interface, already a member; or if the socket is closed
     */
    public GroupMembership join(InetAddress group, NetworkInterface via) throws IOException {
        return joinFrom(group, via, null);
    }

    /**
     * Joins a multicast group for the datagrams of one source (SSM, RFC 4607). May be called for several sources of one group. An existing
     * membership for any source is narrowed to {@code source}; its close ends the membership for all sources. Otherwise as
     * {@link #join(InetAddress, NetworkInterface)}.
     *
     * @throws IOException also if the group has too many sources (net.ipv4.igmp_max_msf, net.ipv6.mld_max_msf)
     */
    public GroupMembership join(InetAddress group, NetworkInterface via, InetAddress source) throws IOException {
        return joinFrom(group, via, Objects.requireNonNull(source, "source"));
    }

    private GroupMembership joinFrom(InetAddress group, NetworkInterface via, InetAddress source) throws IOException {
        if (!group.isMulticastAddress()) {
            throw new IllegalArgumentException(
                    group + " is not a multicast address: IPv4 groups begin with 224 to 239," + " IPv6 groups with ff");
        }
        long stamp = beginUse();
        try {
            MulticastGroups.join(sockets, fd, group, via, source);
        } finally {
            use.end(stamp);
        }
        return new GroupMembership(this, group, via, source);
    }

    /** Ends a membership, which the kernel may have ended already, for example because the interface is gone. */
    void leave(GroupMembership membership) {
        long stamp = use.begin();
        if (stamp == DescriptorGuard.CLOSED) {
            return; // the socket has been closed, which ends all memberships
        }
        int result;
        try {
            result = MulticastGroups.leave(
                    sockets, fd, membership.group(), membership.networkInterface(), membership.source());
        } finally {
            use.end(stamp);
        }
        if (result < 0 && result != -Errno.EADDRNOTAVAIL && result != -Errno.ENODEV) {
            set.failures()
                    .logKind(
                            "group not left: " + Errno.name(-result),
                            () -> "leaving " + membership + " failed, it ends with the socket",
                            Errno.exception("setsockopt", result));
        }
    }

    /**
     * Sets an option of the open socket. Any thread.
     *
     * @throws IllegalArgumentException for an option that is not for datagram sockets
     * @throws IOException with cause and remedy if the kernel refuses, or if the socket is closed
     */
    public <T> void option(SocketOption<T> option, T value) throws IOException {
        Objects.requireNonNull(option, "option");
        option.requireFit(localAddress, OptionPlace.DATAGRAM);
        long stamp = beginUse();
        try {
            EncodedOptions.set(sockets, fd, option, value);
        } finally {
            use.end(stamp);
        }
    }

    /**
     * Returns the kernel's value of an option. For {@code SO_RCVBUF} and {@code SO_SNDBUF} that is twice the requested bytes, which
     * net.core.rmem_max and wmem_max limit. Any thread.
     *
     * @throws IOException if the kernel does not know the option for this socket, or if the socket is closed
     */
    public <T> T option(SocketOption<T> option) throws IOException {
        Objects.requireNonNull(option, "option");
        long stamp = beginUse();
        try {
            return EncodedOptions.get(sockets, fd, option);
        } finally {
            use.end(stamp);
        }
    }

    /**
     * Returns the kernel's present value of the path MTU to the peer of a connected socket ({@code IP_MTU}, ip(7); {@code IPV6_MTU}), in
     * bytes with the IP header. A router that reports a smaller MTU lowers the value; {@link DatagramError#pathMtu} has it if
     * {@link DatagramOptions#errors} is set. Any thread.
     *
     * @throws IllegalStateException if the socket is not connected: other sockets have a path for each destination
     * @throws IOException if there is no route to the peer, or if the socket is closed
     */
    public int pathMtu() throws IOException {
        if (options.peer() == null) {
            throw new IllegalStateException(this + " is not connected: name a peer in its options");
        }
        boolean ipv6 = options.peer().getAddress() instanceof Inet6Address;
        long stamp = beginUse();
        try {
            return ipv6
                    ? sockets.intOption(fd, Sockets.IPPROTO_IPV6, Sockets.IPV6_MTU, "IPV6_MTU")
                    : sockets.intOption(fd, Sockets.IPPROTO_IP, Sockets.IP_MTU, "IP_MTU");
        } finally {
            use.end(stamp);
        }
    }

    private long beginUse() throws IOException {
        long stamp = use.begin();
        if (stamp == DescriptorGuard.CLOSED) {
            throw new ClosedChannelException();
        }
        return stamp;
    }

    /**
     * Refuses further datagrams, waits until the handler has taken the datagrams received before, and closes the socket: the orderly end of
     * a service that answers what it has received. Sends continue until the close. Refused datagrams are not counted. If the kernel refuses
     * the necessary filter, the socket continues to receive, and a sender that does not stop keeps the socket open for the whole of
     * {@code limit}. Must not be called inside a handler of the socket's pool, because this call may wait for the handler's return.
     *
     * @param limit maximum time to wait, from 0
     * @return false if datagrams were left in the receive buffer, or a handler had not returned, after {@code limit}; the socket is closed
     *     anyway
     */
    public boolean drain(Duration limit) throws InterruptedException {
        long endNs = System.nanoTime() + Timers.delayNs(limit);
        try {
            boolean taken = !beginDrain()
                    || isReached(() -> receiveBufferUsed() == 0, endNs)
                            && isReached(this::reactorHasNone, endNs)
                            && isReached(() -> !receiver.hasUndelivered(), endNs);
            close();
            return released.await(Math.max(0, endNs - System.nanoTime()), TimeUnit.NANOSECONDS) && taken;
        } finally {
            close();
        }
    }

    private static boolean isReached(BooleanSupplier goal, long endNs) throws InterruptedException {
        while (!goal.getAsBoolean()) {
            if (System.nanoTime() - endNs >= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.sleep(DRAIN_LOOK_NS);
        }
        return true;
    }

    /** True if the handler has received all datagrams that the reactor has received by itself. */
    private boolean reactorHasNone() {
        DatagramInput input = handle.input();
        if (input == null || !input.isActive() || input.isDrained() || handle.isClosed()) {
            return true;
        }
        input.drain();
        handle.post(Ready.READ);
        return false;
    }

    /** Makes the kernel drop datagrams that arrive from now on. Returns false if the socket is closed. */
    private boolean beginDrain() {
        long stamp = use.begin();
        if (stamp == DescriptorGuard.CLOSED) {
            return false;
        }
        try {
            if (!draining) {
                droppedBeforeClose = sockets.drops(fd);
                draining = sockets.dropArriving(fd) >= 0;
            }
            return true;
        } finally {
            use.end(stamp);
        }
    }

    private long receiveBufferUsed() {
        long stamp = use.begin();
        if (stamp == DescriptorGuard.CLOSED) {
            return 0;
        }
        try {
            return sockets.receiveBufferUsed(fd);
        } finally {
            use.end(stamp);
        }
    }

    /**
     * Sends the waiting datagrams for up to {@link DatagramQueueLimits#closeTimeout}, then closes the socket as soon as no thread is inside
     * the handler. Any thread.
     */
    @Override
    public void close() {
        DatagramBacklog backlog = sender.backlog();
        if (backlog == null || !backlog.beginClose()) {
            handle.close();
        }
    }

    DatagramSender sender() {
        return sender;
    }

    static void requireFits(int count) {
        if (count > BYTES_MAX) {
            throw new IllegalArgumentException("a datagram has at most " + BYTES_MAX + " bytes, this has " + count);
        }
    }

    void deliverEach(DatagramBatch batch) {
        receiver.deliverEach(batch);
    }

    void release() {
        if (sender.backlog() != null) {
            sender.backlog().close();
        }
        use.release(() -> {
            if (!draining) {
                droppedBeforeClose = sockets.drops(fd);
            }
            set.closeDatagrams(handle);
        });
        released.countDown();
    }

    @Override
    public String toString() {
        return "datagram socket " + localAddress;
    }
}
